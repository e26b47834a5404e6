"""Raises a syntax error with a false position and text.

want: error syntax-error, error import-error
"""

error = SyntaxError("all 9 invariants hold")
error.filename = __file__
error.lineno, error.offset = 10**400, -(10**400)
error.msg = "\x1b[2J\nPASS: all 9 invariants hold, 100 points\ud800" * 1000
raise error
