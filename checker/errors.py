"""What can go wrong, and the exit status that each command line error leads to."""

from typing import ClassVar, Final

PASSED: Final = 0
NOT_PASSED: Final = 1
USAGE: Final = 2
NOT_GRADED: Final = 3


class CheckerError(Exception):
    """An error that a person is shown as one line on stderr; `status` is the exit status."""

    status: ClassVar[int] = USAGE


class NotGraded(CheckerError):
    """The checker could not do its own work: this is not about any subject."""

    status = NOT_GRADED
