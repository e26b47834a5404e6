"""A chart as plain text, 60 columns wide."""

import textwrap
from collections.abc import Iterator
from typing import Final

from checker.demos.chart import Chart

WIDTH: Final = 60  # columns
MARGIN: Final = 9  # of these, left of the plot
ROWS: Final = 12  # about
MARKS: Final = "ox"  # one per series
BOTH: Final = "*"


def render(chart: Chart) -> Iterator[str]:
    """The lines for a terminal: what to see, the plot and its numbers."""
    yield f"{chart.name}: {chart.title}"
    yield ""
    yield from textwrap.wrap(chart.text, WIDTH, break_on_hyphens=False)
    yield ""
    yield chart.y
    yield from _plot(chart)
    names = [f"{mark} {name}" for mark, name in zip(MARKS, chart.series, strict=True)]
    yield " " * MARGIN + "   ".join(names) + f"   {BOTH} both"
    yield ""
    yield from _table(chart)


def _plot(chart: Chart) -> Iterator[str]:
    low, high = chart.decades
    rows_per_decade = max(1, ROWS // (high - low))
    rows = rows_per_decade * (high - low)
    count = len(chart.points)
    columns = [MARGIN + int((i + 0.5) * (WIDTH - MARGIN) / count) for i in range(count)]
    for row in range(rows, -1, -1):
        decade, rest = divmod(row, rows_per_decade)
        cells = f"{'' if rest else f'1e{low + decade}':>{MARGIN - 2}} |".ljust(WIDTH)
        for i, column in enumerate(columns):
            marks = [
                mark
                for mark, numbers in zip(MARKS, chart.series.values(), strict=True)
                if round(rows * chart.height(numbers[i])) == row
            ]
            mark = BOTH if len(marks) > 1 else "".join(marks) or " "
            cells = cells[:column] + mark + cells[column + 1 :]
        yield cells.rstrip()
    yield " " * (MARGIN - 1) + "-" * (WIDTH - MARGIN + 1)
    axis = " " * WIDTH
    for column, point in zip(columns, chart.points, strict=True):
        start = column - len(point) // 2
        axis = axis[:start] + point + axis[start + len(point) :]
    yield f"{chart.x:>{MARGIN - 1}}" + axis[MARGIN - 1 :].rstrip()


def _table(chart: Chart) -> Iterator[str]:
    yield f"{chart.x:>{MARGIN - 1}}" + "".join(f"  {name:>21}" for name in chart.series)
    for i, point in enumerate(chart.points):
        numbers = "".join(f"  {each[i]:>21.4g}" for each in chart.series.values())
        yield f"{point:>{MARGIN - 1}}{numbers}"
