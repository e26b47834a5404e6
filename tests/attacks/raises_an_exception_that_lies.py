"""Raises an exception that lies about its class, name, module and truth value.

want: fail
"""


class Meta(type):
    __name__ = property(lambda cls: "Kept")

    def __instancecheck__(cls, other):
        return True


class Lost(BaseException, metaclass=Meta):
    __class__ = property(lambda self: SystemExit)
    __module__ = "checker.sandbox.host.session"
    code = reason = message = status = "pass"

    def __bool__(self):
        return False


def attention(q, k, v, keep):
    raise Lost
