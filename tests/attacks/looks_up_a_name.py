"""Looks up the name of this machine.

want: error import-error
"""

import socket

print("GOT", socket.getaddrinfo("localhost", 80)[0][4][0], flush=True)
