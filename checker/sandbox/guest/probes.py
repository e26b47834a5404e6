"""What `doctor` runs in a real worker: each function tries one thing that a worker must not be
able to do, raises if it is refused, and otherwise returns what it got."""

import ctypes
import fcntl
import os
import socket
import threading


def read_a_file(path):
    """Read a file outside the standard library and numpy."""
    with open(path) as file:
        return file.read(20)


def write_a_file():
    """Create a file."""
    with open("probe.txt", "w") as file:
        return file.write("probe")


def open_a_socket():
    """Open a socket."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as connection:
        return connection.fileno()


def start_a_process():
    """Fork a process."""
    child = os.fork()
    if not child:
        os._exit(0)
    return os.waitpid(child, 0)[0]


def run_a_program():
    """Run a program in place of this one."""
    os.execv("/bin/true", ["true"])


def start_a_thread():
    """Start a thread."""
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()
    return thread.name


def signal_the_parent():
    """Find out whether the parent process can be signalled."""
    return os.kill(os.getppid(), 0)


def trace_the_parent():
    """Look into the parent's memory."""
    size = ctypes.c_long(8)
    if ctypes.CDLL(None, use_errno=True).process_vm_readv(
        os.getppid(), ctypes.byref(size), 0, ctypes.byref(size), 0, 0
    ):
        raise PermissionError
    return "process_vm_readv"


def hand_on_signals():
    """Make the kernel signal another process when the pipe is ready."""
    return fcntl.fcntl(3, fcntl.F_SETOWN, os.getppid())


def keep_the_environment():
    """Find a variable of the user's environment."""
    found = sorted(set(os.environ) - {"LC_CTYPE", "LD_LIBRARY_PATH"})
    found = [name for name in found if not name.endswith("_NUM_THREADS")]
    if not found:
        raise PermissionError
    return found[0]
