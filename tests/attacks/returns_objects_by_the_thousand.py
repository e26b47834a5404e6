"""Returns thousands of objects of its own class, which has a misleading name.

want: fail
"""

Page = type("Kept\n" + "\x1b[2J" * 1000, (), {"kind": "ndarray", "__module__": __name__})
kept = [Page() for _ in range(1000)]


def attention(q, k, v, keep):
    return [Page(), kept[0], type, __builtins__], tuple(kept)
