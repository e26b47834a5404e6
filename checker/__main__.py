"""`python -m checker`."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C at any moment ends it with status 130."""
    try:
        from checker.cli import run

        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)


main()
