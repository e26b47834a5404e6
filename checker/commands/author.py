"""What an author types: verify, doctor."""

import click

from checker.commands.console import KATA, say
from checker.errors import NOT_GRADED, PASSED
from checker.judge import start
from checker.kata import catalog


@click.command()
def doctor() -> int:
    """What isolation this machine gives, tried out in a real worker."""
    start.warm_up()
    from checker.sandbox.host.doctor import examine

    lines, sound = examine()
    say(lines)
    kata = next(iter(catalog.katas().values()))
    if kata.has("invariants") and kata.has("reference"):
        start.rehearse(kata)
        say(["a right file passes, a wrong one does not"])
    say(["next: python -m checker"])
    return PASSED if sound else NOT_GRADED


@click.command()
@click.argument("names", metavar="[KATA]...", nargs=-1, type=KATA)
@click.option("--write", is_flag=True, help="Store text and roles in checker/shipped.json.")
@click.option("--json", "as_json", is_flag=True, help="Everything that was found, as JSON.")
def verify(names: tuple[catalog.Kata, ...], write: bool, as_json: bool) -> int:
    """Prove the suite: katas broken, references right, wrong fixes caught, right ones passed."""
    start.warm_up()
    from checker.proof.verify import run

    katas = names or tuple(catalog.katas().values())
    return run(katas, write=write, as_json=as_json, say=lambda line: say([line]))
