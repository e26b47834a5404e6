"""`python -m checker`."""

import sys


def main() -> int:
    """Run the command line; Ctrl-C at any moment ends it with status 130."""
    try:
        from checker.cli import run

        return run(sys.argv[1:])
    except ModuleNotFoundError as error:
        print(
            f"error: {error}: this Python lacks what the checker needs. Activate the environment "
            "that has it (source .venv/bin/activate), or install it: pip install -e .",
            file=sys.stderr,
        )
        return 3
    except KeyboardInterrupt:
        return 130


sys.exit(main())
