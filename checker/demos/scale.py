"""Why scores are divided by sqrt(D)."""

import numpy as np

from checker.demos.chart import Chart, Floats, softmax

SIZES = (16, 64, 512)  # D
KEYS = 256


def chart() -> Chart:
    """The effective number of keys that a query reads, by head size, with and without the scale."""
    rng = np.random.default_rng(0)
    scaled, plain = [], []
    for size in SIZES:
        q, k = rng.normal(size=(2, KEYS, size))
        scaled.append(keys_read(q @ k.T / np.sqrt(size)))
        plain.append(keys_read(q @ k.T))
    return Chart(
        name="scale",
        title="why scores are divided by sqrt(D)",
        text=f"The effective number of keys that a query reads is 1 / (sum of squared weights): "
        f"1 if one key gets all the weight, {KEYS} if all {KEYS} keys get the same. "
        f"With standard normal q and k, divided scores give about {np.mean(scaled):.0f} keys "
        f"whatever D is, since a sum of D products has standard deviation sqrt(D). "
        f"Without the division a query reads {plain[0]:.1f} keys at D = {SIZES[0]} and "
        f"{plain[-1]:.1f} at D = {SIZES[-1]}: before any training, most keys get almost "
        f"no weight and almost no gradient.",
        x="D",
        points=tuple(map(str, SIZES)),
        y=f"effective number of keys read, of {KEYS}",
        series={"divided by sqrt(D)": tuple(scaled), "not divided": tuple(plain)},
    )


def keys_read(scores: Floats) -> float:
    """1 / sum of squared weights, the mean over all rows of scores."""
    return float((1 / (softmax(scores) ** 2).sum(axis=-1)).mean())
