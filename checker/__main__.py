"""`python -m checker`."""

import os
import sys


def main() -> int:
    """Run the command line; Ctrl-C at any moment ends it with status 130."""
    status = _run()
    if os.environ.get("PYTHONINSPECT"):  # it would keep Python from exiting with the status
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
        os._exit(status)
    return status


def _run() -> int:
    _stand_alone()
    if problem := _unusable():
        print(f"error: {problem}", file=sys.stderr)
        return 2
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


def _unusable() -> str:
    """What rules out how Python was started, if anything does."""
    if sys.flags.ignore_environment and not sys.flags.safe_path:
        return "python -E lets submissions replace modules: add -P, or use -I instead"
    return ""


def _stand_alone() -> None:
    """Import nothing from the current folder, which may hold submissions; open all three streams.

    `python -m` puts that folder first on the path, for itself and for the processes it starts. In
    a checkout it is the package's own, and still comes after the standard library.
    """
    home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.path[:] = _elsewhere(sys.path)
    if home not in sys.path:
        others = [i for i, folder in enumerate(sys.path) if "-packages" in folder]
        sys.path.insert(min(others, default=len(sys.path)), home)
    given = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    os.environ["PYTHONPATH"] = os.pathsep.join(_elsewhere(given))
    os.environ["PYTHONSAFEPATH"] = "1"
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:  # closed: the next file opened would take its place
            os.open(os.devnull, os.O_RDWR)


def _elsewhere(folders: list[str]) -> list[str]:
    """The folders that are not the current one."""
    try:
        here = os.getcwd()
    except OSError:  # it no longer exists
        return [folder for folder in folders if os.path.isabs(folder)]
    return [folder for folder in folders if folder and os.path.abspath(folder) != here]


if __name__ == "__main__":
    sys.exit(main())
