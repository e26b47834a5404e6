"""What the suite needs at run time, for bundles and autograders."""

import tomllib
from importlib import metadata

from checker.kata.catalog import PACKAGE


def dependencies() -> list[str]:
    """The requirements of the suite, from the checkout or the installed package, sorted."""
    project = PACKAGE.parent / "pyproject.toml"
    if project.is_file():
        return sorted(tomllib.loads(project.read_text("utf-8"))["project"]["dependencies"])
    requirements = metadata.requires("attention-katas") or []
    return sorted(line for line in requirements if "extra ==" not in line)
