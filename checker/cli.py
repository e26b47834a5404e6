"""The command line: the group of commands, and the exit status of every error."""

import errno
import signal
import sys
from importlib import import_module
from pathlib import Path
from typing import Final

import click

from checker.commands import learner
from checker.commands.console import warn
from checker.errors import NOT_GRADED, PASSED, USAGE, CheckerError
from checker.kata import catalog
from checker.version import __version__

DISK_FULL: Final = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
SUMMARY: Final = 200  # characters: no summary is cut
SECTIONS: Final = {  # what --help shows, by reader; each command as module:function
    "Learn": {
        "watch": "explore:watch",
        "hint": "learner:hint",
        "trace": "explore:trace",
        "reset": "learner:reset",
        "explain": "learner:explain",
        "show": "explore:show",
        "list": "learner:list_",
        "init": "learner:init",
        "doctor": "author:doctor",
    },
    "Teach": {
        "pack": "classroom:pack",
        "grade": "classroom:grade",
        "export": "platforms:export",
        "autograde": "platforms:autograde",
    },
    "Write katas": {
        "new": "author:new",
        "verify": "author:verify",
    },
}
ROOMS: Final = {"Teach": "classroom", "Write katas": "proof"}  # not in what a class is given
NEED_REFERENCES: Final = ("explain", "show")  # nor are the references and the stories
COMMANDS: Final = {name: at for section in SECTIONS.values() for name, at in section.items()}


class KataOrCommand(click.Group):
    """A group in which a kata's name is a command; modules are imported when needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of `--help`."""
        return list(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands by reader, each with its whole first line."""
        has_references = any(kata.has("reference") for kata in catalog.katas().values())
        for section, names in SECTIONS.items():
            if (catalog.PACKAGE / ROOMS.get(section, "")).is_dir():
                commands = {
                    name: self.get_command(ctx, name)
                    for name in names
                    if has_references or name not in NEED_REFERENCES
                }
                rows = [
                    (name, command.get_short_help_str(limit=SUMMARY))
                    for name, command in commands.items()
                    if command and not command.hidden
                ]
                with formatter.section(section):
                    formatter.write_dl(rows)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with that name."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(f"checker.commands.{module}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command named by the first word, or `check` if it names a kata."""
        if args[0] in COMMANDS:
            return super().resolve_command(ctx, args)
        try:
            catalog.find(args[0])
        except catalog.UnknownKata:
            from difflib import get_close_matches

            if close := get_close_matches(args[0], COMMANDS, n=1):
                message = f"there is no command or kata {args[0]!r}. Did you mean {close[0]}?"
                raise click.UsageError(message) from None
            raise
        return args[0], learner.check, args


@click.group(cls=KataOrCommand, invoke_without_command=True)
@click.version_option(__version__, message="attention-katas %(version)s")
@click.option(
    "--root",
    type=click.Path(path_type=Path),
    help="Use the katas/ in this folder.",
)
@click.pass_context
def cli(context: click.Context, root: Path | None) -> None:
    """Find real bugs in attention code.

    `python -m checker kata03` (or 03, or 3) grades katas/kata03.py; for its options see `kata03
    --help`. Without a command it shows your progress and the next command.
    """
    if root:
        catalog.work_in(root)
    if context.invoked_subcommand is None:
        learner.overview()


def run(arguments: list[str]) -> int:
    """Run one command line and return its exit status; an error is one line on stderr."""
    received = [signal.SIGINT.value]

    def end(number: int, _: object) -> None:
        received.append(number)
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGHUP"):  # end as Ctrl-C does, and clean up
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), end)
    try:
        status = cli.main(arguments, "python -m checker", standalone_mode=False)
        return status if isinstance(status, int) else PASSED
    except CheckerError as error:
        return _error(str(error), error.status)
    except click.ClickException as error:
        return _error(error.format_message(), USAGE)
    except (click.Abort, KeyboardInterrupt):
        return 128 + received[-1]
    except Exception as error:
        return _unexpected(error)
    finally:
        if processes := sys.modules.get("checker.sandbox.host.processes"):
            processes.close()


def _unexpected(error: Exception) -> int:
    """The exit status for any other exception, after one line that explains it."""
    if isinstance(error, ModuleNotFoundError) and (error.name or "").startswith("checker."):
        missing = f"this bundle does not include {error.name}: your instructor has it"
        return _error(missing, USAGE)
    if sys.flags.dev_mode:
        raise error
    if isinstance(error, OSError) and error.filename:  # a path that the person gave
        status = NOT_GRADED if error.errno in DISK_FULL else USAGE
        return _error(f"{error.filename}: {error.strerror}", status)
    failure = f"the checker failed ({type(error).__name__}: {error})"
    return _error(f"{failure}; python -X dev -m checker shows where", NOT_GRADED)


def _error(message: str, status: int) -> int:
    warn(f"error: {message}")
    return status
