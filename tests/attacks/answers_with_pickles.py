"""Answers with pickled bytes that create a folder when unpickled.

want: error crashed
"""

import os
import pickle


class Plant:
    def __reduce__(self):
        return os.mkdir, (TARGET["open"] + "/planted",)


def attention(q, k, v, keep):
    data = pickle.dumps(Plant())
    os.write(3, len(data).to_bytes(4, "big") + data)
