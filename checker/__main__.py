"""`python -m checker`."""

import os
import sys
from contextlib import suppress


def main() -> int:
    """Run the command line; Ctrl-C at any moment ends it with status 130."""
    _stand_alone()
    try:
        from checker.cli import run

        return run(sys.argv[1:])
    except ModuleNotFoundError as error:
        print(
            f"error: {error}: this Python lacks a package that the checker needs. Activate the "
            "right environment (source .venv/bin/activate), or install: pip install -e .",
            file=sys.stderr,
        )
        return 3
    except KeyboardInterrupt:
        return 130


def _stand_alone() -> None:
    """Import nothing from the current folder, which may hold submissions; open all three streams.

    `python -m` puts that folder first on the path; only in a checkout is it the package's own.
    """
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    with suppress(OSError):  # the current folder may no longer exist
        if not sys.flags.safe_path and sys.path[0] in ("", os.getcwd()) and sys.path[0] != home:
            del sys.path[0]
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:  # closed: the next file opened would take its place
            os.open(os.devnull, os.O_RDWR)


if __name__ == "__main__":
    sys.exit(main())
