"""Opens sockets of every family and type, to listen and to talk to the kernel.

want: fail
"""

import asyncio
import socket

for family in range(46):
    for kind in range(1, 6):
        try:
            socket.socket(family, kind).close()
            print("GOT a socket:", family, kind, flush=True)
        except OSError:
            continue
for name, make in (
    ("pair", socket.socketpair),
    ("listener", lambda: socket.create_server(("127.0.0.1", 0))),
    ("event loop", lambda: asyncio.new_event_loop().close()),
):
    try:
        make()
        print("GOT a", name, flush=True)
    except OSError:
        continue


def attention(q, k, v, keep):
    return None
