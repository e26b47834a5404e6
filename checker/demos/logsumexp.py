"""Log-sum-exp against subtracting the maximum, at huge scores."""

import numpy as np

from checker.demos.chart import Chart, Floats, softmax

POWERS = range(0, 19, 3)
KEYS = 8


def chart() -> Chart:
    """What the weights of equal scores sum to, by the size of the scores."""
    rows = [np.full(KEYS, 10.0**power) for power in POWERS]
    sums = tuple(float(by_logsumexp(row).sum()) for row in rows)
    last = rows[-1][0]
    return Chart(
        name="logsumexp",
        title="two softmaxes at scores of 1e18",
        text=f"{KEYS} keys have the same score s, so each weight is 1/{KEYS} and their sum is 1. "
        f"Subtracting the maximum and dividing by the sum is right at every size of s; "
        f"exp(s - logsumexp(s)) is the same formula on paper, but stores the maximum plus "
        f"log({KEYS}) = {np.log(KEYS):.2f} in one number. "
        f"At s = {last:.0e} float64 numbers are {np.spacing(last):.0f} apart, so the "
        f"{np.log(KEYS):.2f} is lost, every weight is 1 and the weights sum to "
        f"{sums[-1]:.3g}.",
        x="score s",
        points=tuple(f"1e{power}" for power in POWERS),
        y="sum of the weights",
        series={
            "by logsumexp": sums,
            "by maximum": tuple(float(softmax(row).sum()) for row in rows),
        },
    )


def by_logsumexp(scores: Floats) -> Floats:
    """The softmax of a row through the logarithm of its sum of exponentials."""
    highest = scores.max()
    total = highest + np.log(np.exp(scores - highest).sum())
    weights: Floats = np.exp(scores - total)
    return weights
