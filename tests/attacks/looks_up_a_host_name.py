"""Looks up this machine's host name.

want: error import-error
"""

import socket

print("GOT", socket.getaddrinfo("localhost", 80)[0][4][0], flush=True)
