"""A chart as a self-contained page: what to see, an SVG and its numbers."""

from collections.abc import Iterator
from html import escape
from pathlib import Path
from string import Template
from typing import Final

from checker.demos.chart import Chart

TEMPLATE: Final = Path(__file__).with_name("demo.html")
WIDTH, HEIGHT = 360, 260  # of the drawing; a phone shows it at about this size
LEFT, RIGHT, TOP, BOTTOM = 44, 8, 28, 46  # margins
SHAPES: Final = (  # what marks a point, one per series: colour is not the only difference
    '<circle class="s0" cx="{x:.1f}" cy="{y:.1f}" r="4"/>',
    '<path class="s1" d="M{x:.1f} {y:.1f}m-5 4h10l-5-9z"/>',
)
SYMBOLS: Final = "\N{BLACK CIRCLE}\N{BLACK UP-POINTING TRIANGLE}"


def page(chart: Chart) -> str:
    """The page as HTML."""
    words = {name: getattr(chart, name) for name in ("name", "title", "text", "x", "y")}
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        {name: escape(word) for name, word in words.items()},
        width=WIDTH,
        height=HEIGHT,
        plot="\n".join([*_axes(chart), *_series(chart)]),
        table="\n".join(_table(chart)),
    )


def _axes(chart: Chart) -> Iterator[str]:
    low, high = chart.decades
    yield f'<text x="4" y="14">{escape(chart.y)}</text>'
    for decade in range(low, high + 1, 1 + (high - low) // 8):
        y = _y(chart, 10.0**decade)
        yield f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">1e{decade}</text>'
    for i, point in enumerate(chart.points):
        yield f'<text x="{_x(chart, i):.1f}" y="{HEIGHT - 26}" text-anchor="middle">{point}</text>'
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield f'<text x="{middle}" y="{HEIGHT - 6}" text-anchor="middle">{escape(chart.x)}</text>'


def _series(chart: Chart) -> Iterator[str]:
    for number, (shape, values) in enumerate(zip(SHAPES, chart.series.values(), strict=True)):
        places = [(_x(chart, i), _y(chart, value)) for i, value in enumerate(values)]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        yield f'<polyline class="s{number}" points="{line}"/>'
        yield from (shape.format(x=x, y=y) for x, y in places)


def _table(chart: Chart) -> Iterator[str]:
    heads = "".join(
        f'<th scope="col" class="s{number}">{SYMBOLS[number]} {escape(name)}</th>'
        for number, name in enumerate(chart.series)
    )
    yield f'<tr><th scope="col">{escape(chart.x)}</th>{heads}</tr>'
    for point, *numbers in zip(chart.points, *chart.series.values(), strict=True):
        cells = "".join(f"<td>{number:.4g}</td>" for number in numbers)
        yield f'<tr><th scope="row">{point}</th>{cells}</tr>'


def _x(chart: Chart, i: int) -> float:
    return LEFT + (i + 0.5) * (WIDTH - LEFT - RIGHT) / len(chart.points)


def _y(chart: Chart, number: float) -> float:
    return HEIGHT - BOTTOM - chart.height(number) * (HEIGHT - TOP - BOTTOM)
