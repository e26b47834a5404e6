"""Reads a file in a home folder by every way that Python has to open a file.

want: fail
"""

import ctypes
import io
import linecache
import mmap
import os

import numpy as np

path = TARGET["secret"]
folder, name = os.path.split(path)
libc = ctypes.CDLL(None, use_errno=True)
libc.fopen.restype = ctypes.c_void_p


def by_folder():
    inside = os.open(folder, os.O_PATH | os.O_DIRECTORY)
    return os.read(os.open(name, os.O_RDONLY, dir_fd=inside), 99)


def by_path_descriptor():
    return open(f"/proc/self/fd/{os.open(path, os.O_PATH)}", "rb").read()


def by_c():
    text = ctypes.create_string_buffer(99)
    file = libc.fopen(path.encode(), b"r")
    return file and libc.fgets(text, 99, ctypes.c_void_p(file)) and text.value


def by_root():
    return open("/proc/self/root" + path, "rb").read()


def by_dots():
    return open(os.path.dirname(os.__file__) + "/.." * 20 + path, "rb").read()


for way in (
    lambda: open(path).read(),
    lambda: os.read(os.open(path, os.O_RDONLY), 99),
    lambda: os.read(libc.open(path.encode(), 0), 99),
    lambda: os.read(os.open(path, os.O_RDONLY | os.O_NOATIME | os.O_NONBLOCK), 99),
    lambda: io.open_code(path).read(),
    lambda: linecache.getline(path, 1),
    lambda: np.fromfile(path, np.uint8).size,
    lambda: np.memmap(path, np.uint8, "r").size,
    lambda: mmap.mmap(os.open(path, os.O_RDONLY), 0, prot=mmap.PROT_READ)[:9],
    *(by_folder, by_path_descriptor, by_c, by_root, by_dots),
):
    try:
        if way():
            print("GOT the secret by", way.__name__, flush=True)
    except OSError:
        continue


def attention(q, k, v, keep):
    return None
