"""Returns generators, coroutines, partials and proxies instead of answers.

want: fail
"""

import functools
import weakref


async def later():
    return 1


def attention(q, k, v, keep):
    proxy = weakref.proxy(attention)
    return (x for x in (q, v)), later(), functools.partial(attention, q), proxy, memoryview(q)
