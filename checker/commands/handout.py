"""What an instructor types: pack."""

from pathlib import Path

import click

from checker import catalog
from checker.commands.console import KATA, say, shown


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("names", metavar="[KATA]...", nargs=-1, type=KATA)
@click.option("--with-invariants", is_flag=True, help="Let students grade themselves.")
@click.option("--overwrite", is_flag=True, help="Replace an earlier bundle of that name.")
def pack(
    folder: Path, names: tuple[catalog.Kata, ...], with_invariants: bool, overwrite: bool
) -> None:
    """Write what a class is given, without a solution: FOLDER, and a zip of it beside it.

    In it are the katas (all, if none is named) as they were shipped, and what runs their examples.
    """
    from checker.classroom import pack as packing

    katas = [kata for kata in catalog.katas().values() if kata in names or not names]
    try:
        bundle = packing.bundle(katas, with_invariants=with_invariants)
        archive = packing.write(bundle, folder, overwrite=overwrite)
    except packing.Refused as refused:
        raise click.UsageError(str(refused)) from None
    except OSError as error:
        raise click.UsageError(f"{shown(folder)} cannot be written: {error.strerror}") from None
    number = f"{len(katas)} kata{'s' if len(katas) > 1 else ''}"
    say([f"{number} in {shown(folder)} and {shown(archive)}"])
    say([f"next: hand out {shown(archive)}"])
