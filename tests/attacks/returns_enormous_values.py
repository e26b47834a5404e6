"""Returns numbers and strings too long to print.

want: fail
"""

values = [10**100_000, "9" * 10**7, -(10**4299), "\ud800" * 10_000, float("nan"), 10**4300]


def attention(q, k, v, keep):
    values.append(values.pop(0))
    return values[0]
