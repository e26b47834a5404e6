"""`python -m checker`."""

import sys


def main() -> int:
    """Run the command line; Ctrl-C at any moment ends it with status 130."""
    try:
        from checker.cli import run
    except ModuleNotFoundError as error:
        print(f"error: {error}. Install what the checker needs: pip install -e .", file=sys.stderr)
        return 3
    return run(sys.argv[1:])


try:
    status = main()
except KeyboardInterrupt:
    status = 130
sys.exit(status)
