"""Returns a list of a million numbers, then nested lists.

want: fail, error time-limit
"""

calls = []


def attention(q, k, v, keep):
    calls.append(1)
    if len(calls) % 2:
        return [1.0] * 10**6, q
    deep = q
    for _ in range(100_000):
        deep = [deep]
    return deep, (deep, [deep])
