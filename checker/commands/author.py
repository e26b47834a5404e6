"""What an author types: verify, new; and doctor."""

import click

from checker.commands.console import KATA, emit, say
from checker.errors import NOT_GRADED, PASSED
from checker.judge import start
from checker.kata import catalog


@click.command()
def doctor() -> int:
    """Show which isolation this machine provides, tested in a real worker."""
    start.warm_up()
    from checker.sandbox.host.doctor import examine

    lines, sound = examine()
    say(lines)
    kata = next(iter(catalog.katas().values()))
    if kata.has("invariants") and kata.has("reference"):
        start.rehearse(kata)
        say(["grading works: a right file passes, a wrong one fails"])
    say(["next: python -m checker"])
    return PASSED if sound else NOT_GRADED


@click.command()
@click.argument("names", metavar="[KATA]...", nargs=-1, type=KATA)
@click.option("--write", is_flag=True, help="Store text and roles in shipped.json first.")
@click.option("--json", "as_json", is_flag=True, help="All findings as JSON.")
@click.option("--faults", is_flag=True, help="Only show the mutants of each fault per kata.")
@click.option("--seeds", type=click.IntRange(1), help="Only look for verdicts that seeds change.")
def verify(
    names: tuple[catalog.Kata, ...], write: bool, as_json: bool, faults: bool, seeds: int | None
) -> int:
    """Check the suite: katas fail, references pass, wrong fixes fail, right ones pass."""
    katas = names or tuple(catalog.katas().values())
    if (faults or seeds) and sum(map(bool, (write, as_json, faults, seeds))) > 1:
        raise click.UsageError("--faults and --seeds go with no other option")
    if faults:
        from checker.proof.fault_table import rows

        say([*rows(katas), "next: python -m checker verify"])
        return PASSED
    start.warm_up()
    from checker.proof.verify import run, steady

    if seeds:
        return steady(katas, seeds, say=lambda line: say([line]))
    say_line = emit if as_json else lambda line: say([line])
    return run(katas, write=write, as_json=as_json, say=say_line)


@click.command()
@click.argument("name", metavar="KATA")
def new(name: str) -> int:
    """Start a new kata: write its files and its entry in the catalog, to be filled in."""
    from checker.proof.scaffold import scaffold

    written = scaffold(name)
    say([f"written: {path}" for path in written])
    kata = written[0].removeprefix("katas/").removesuffix(".py")
    say([f"next: python -m checker verify {kata}, which lists what is left to write"])
    return PASSED
