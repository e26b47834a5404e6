"""Starts twenty threads.

want: error import-error
"""

import threading
import time

for count in range(1, 21):
    threading.Thread(target=time.sleep, args=(20,)).start()
    print("GOT", count, "threads", flush=True)
