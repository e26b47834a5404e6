"""Sends an HTTP request to a port on this machine.

want: error import-error
"""

import urllib.request

try:
    urllib.request.urlopen(f"http://127.0.0.1:{TARGET['tcp']}/", timeout=1)
except TimeoutError:
    print("GOT a request out", flush=True)
