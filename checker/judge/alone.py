"""Run pytest as a loop over functions, without the person's configuration, plugins or cache."""

import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import numpy as np
import pytest
import pytest_timeout  # noqa: F401 (pytest loads it by name; if it is missing, fail here)

UNUSED: Final = """
    assertion cacheprovider capture debugging doctest faulthandler junitxml legacypath logging
    monkeypatch pastebin recwarn setuponly setupplan skipping stepwise subtests terminal
    threadexception tmpdir unittest unraisableexception warnings
""".split()  # noqa: SIM905 (a table)
PYTEST: Final = [
    *("-c", os.devnull, "--noconftest", "--import-mode=importlib", "-p", "pytest_timeout"),
    *(word for name in UNUSED for word in ("-p", f"no:{name}")),
]


def run_alone(arguments: Sequence[str], plugin: object) -> int | pytest.ExitCode:
    """Run pytest with these arguments and this plugin; its exit code."""
    with _pytest_alone(), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return pytest.main([*PYTEST, *arguments], plugins=[plugin])


@contextmanager
def _pytest_alone() -> Iterator[None]:
    """Keep the person's own pytest settings out, and restore everything."""
    before, path = dict(os.environ), list(sys.path)
    for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        os.environ.pop(name, None)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    try:
        yield
    finally:
        sys.path[:] = path
        for name in os.environ.keys() | before:
            if os.environ.get(name) != before.get(name):
                os.environ.pop(name, None)
                os.environ.update({name: before[name]} if name in before else {})
