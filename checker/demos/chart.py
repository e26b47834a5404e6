"""A chart: some measurements, and what to see in them."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating]


@dataclass(frozen=True)
class Chart:
    """Series of positive numbers over common points; the vertical axis is logarithmic."""

    name: str
    title: str
    text: str  # three sentences
    x: str
    points: tuple[str, ...]
    y: str
    series: dict[str, tuple[float, ...]]  # by name, one number per point

    @property
    def decades(self) -> tuple[int, int]:
        """The powers of ten just below and above all numbers."""
        numbers = [number for numbers in self.series.values() for number in numbers]
        return math.floor(math.log10(min(numbers))), math.ceil(math.log10(max(numbers)))

    def height(self, number: float) -> float:
        """Where a number is on the vertical axis, from 0 to 1."""
        low, high = self.decades
        return (math.log10(number) - low) / (high - low)


def softmax(scores: Floats) -> Floats:
    """Weights along the last axis; each row sums to one."""
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights: Floats = exp / exp.sum(axis=-1, keepdims=True)
    return weights
