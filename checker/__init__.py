"""attention-katas: find the bugs that attention code really has."""

__version__ = "0.1.0"
