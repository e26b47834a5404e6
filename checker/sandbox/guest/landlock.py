"""Landlock: the kernel limits which files a worker may read (Linux 5.13 and newer).

See landlock(7). Rights that the running kernel does not know are left out, so that an old version
enforces what it can. Nothing here grants more than reading below the given paths.
"""

import os
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from checker.sandbox import linux

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
GET_VERSION: Final = 1
PATH_BENEATH: Final = 1

READ_FILE, READ_DIR = 1 << 2, 1 << 3
FILE_RIGHTS: Final = {
    1: (1 << 13) - 1,
    2: 1 << 13,
    3: 1 << 14,
    5: 1 << 15,
}  # by version
NET_RIGHTS: Final = {4: 0b11}  # bind and connect, TCP
SCOPES: Final = {6: 0b11}  # abstract sockets, signals


def version() -> int:
    """The kernel's version of Landlock. Raises `OSError` if it has none."""
    return linux.call("syscall", CREATE_RULESET, None, 0, GET_VERSION)


def ruleset(readable: Iterable[tuple[Path, int]]) -> int:
    """A descriptor of rules that allow these paths, with these rights, and nothing else."""
    abi = version()
    handled = [sum(bits for since, bits in rights.items() if since <= abi) for rights in
               (FILE_RIGHTS, NET_RIGHTS, SCOPES)]  # fmt: skip
    words = 1 if abi < 4 else 2 if abi < 6 else 3  # the struct grew with the versions
    attributes = struct.pack(f"<{words}Q", *handled[:words])
    rules = linux.call("syscall", CREATE_RULESET, attributes, len(attributes), 0)
    for path, rights in readable:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            linux.call(
                "syscall", ADD_RULE, rules, PATH_BENEATH, struct.pack("<Qi", rights, descriptor), 0
            )
        finally:
            os.close(descriptor)
    return rules


def restrict(rules: int) -> None:
    """Apply the rules to this process, for good. Needs no-new-privileges; raises `OSError`."""
    linux.call("syscall", RESTRICT_SELF, rules, 0)
    os.close(rules)
