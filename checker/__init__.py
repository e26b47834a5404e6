"""attention-katas: find real bugs in attention code."""

from typing import TYPE_CHECKING, Any

from checker.version import __version__ as __version__

if TYPE_CHECKING:
    from checker.learner.notebook import check as check
    from checker.learner.notebook import hint as hint
    from checker.learner.notebook import load as load
    from checker.learner.notebook import trace as trace


def __getattr__(name: str) -> Any:
    """What a notebook uses, imported when it is asked for: see `checker.learner.notebook`."""
    if name in ("check", "hint", "load", "trace"):
        from checker.learner import notebook

        return getattr(notebook, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
