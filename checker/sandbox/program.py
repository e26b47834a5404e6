"""Run a module of this very package in another Python, without the current folder."""

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PROGRAM: Final = (  # the standard library first: a checkout's folder may hold anything
    "import sys; others = [i for i, p in enumerate(sys.path) if '-packages' in p]; "
    f"sys.path.insert(min(others, default=len(sys.path)), {str(ROOT)!r}); "
)


def program(module: str) -> str:
    """What to give to `python -P -c` to run `main` of a module."""
    return f"{PROGRAM}from {module} import main; main()"
