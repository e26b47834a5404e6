"""Reports a syntax error whose line is as long as an answer may be.

want: error syntax-error, error crashed
"""

import os

header = rb'{"raised":{"type":"E","syntax":[1,9e99,"%s"]}}' % (rb"\t" * 30_000)
os.write(3, b"KATA" + len(header).to_bytes(4, "little") + bytes(8) + header)
