"""Sends a UDP packet to a port on this machine.

want: error import-error
"""

import socket

socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"hello", ("127.0.0.1", TARGET["udp"]))
print("GOT a packet out")
