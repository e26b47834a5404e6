"""Returns an object that accepts every attribute, call and comparison.

want: fail
"""


class Meta(type):
    def __getattr__(cls, name):
        return cls

    def __instancecheck__(cls, other):
        return True


class Yes(metaclass=Meta):
    def __getattr__(self, name):
        return self

    def __call__(self, *a, **k):
        return self

    def __iter__(self):
        return iter((self, self))

    __getitem__ = __add__ = __sub__ = __eq__ = __le__ = __enter__ = __call__


def attention(q, k, v, keep):
    return Yes() if keep.any() else (Yes(), Yes())
