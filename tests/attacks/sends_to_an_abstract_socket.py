"""Sends to a socket that has a name but no file, so that file permissions do not protect it.

want: error import-error
"""

import socket

with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
    sender.sendto(b"hello", TARGET["abstract"])
print("GOT a packet out", flush=True)
