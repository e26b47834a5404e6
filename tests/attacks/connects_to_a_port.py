"""Connects to a TCP port on this machine.

want: error import-error
"""

import socket

with socket.create_connection(("127.0.0.1", TARGET["tcp"]), timeout=2):
    print("GOT a connection", flush=True)
