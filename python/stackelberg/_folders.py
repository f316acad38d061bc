"""Temporary folders for the program's files. They are removed after use; folders of killed processes are removed by the next start."""

import contextlib
import os
import re
import shutil
import stat
import tempfile

# A file system in memory (Linux).
IN_MEMORY = "/dev/shm"

# The name of a folder has the PID namespace, the PID and the start time of its process; together they identify a process, since PIDs are reused.
_OURS = re.compile(r"stackelberg-(?P<space>\d+)-(?P<pid>\d+)-(?P<began>\d+)-\w+")


@contextlib.contextmanager
def folder(place=None):
    """A temporary folder, removed when the context ends.

    @param place: the folder to create it in, None for the system's folder on disk
    """
    with tempfile.TemporaryDirectory(prefix=_prefix(), dir=place) as name:
        yield name


def sweep():
    """Removes folders of this user's ended processes. Without /proc, where processes cannot be identified, it removes nothing."""
    space = _space()
    if space is None:
        return
    for place in {IN_MEMORY, tempfile.gettempdir()}:
        with contextlib.suppress(OSError), os.scandir(place) as entries:
            for entry in entries:
                ours = _OURS.fullmatch(entry.name)
                if ours and ours["space"] == space and _began(ours["pid"]) != ours["began"] and _is_my_folder(entry.path):
                    shutil.rmtree(entry.path, ignore_errors=True)


def _prefix():
    space, pid = _space(), os.getpid()
    return "stackelberg-" if space is None else f"stackelberg-{space}-{pid}-{_began(pid)}-"


def _is_my_folder(path):
    with contextlib.suppress(OSError):
        # lstat does not follow links: a link to a folder is not a folder of ours
        found = os.lstat(path)
        return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    return False


def _space():
    """The number of the PID namespace (a container has its own); None without /proc."""
    with contextlib.suppress(OSError):
        return re.sub(r"\D", "", os.readlink("/proc/self/ns/pid"))
    return None


def _began(pid):
    """The start time of a process in the kernel's clock ticks; None if there is no such process."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/stat", "rb") as status:
        # the second field is the program's name in parentheses, which may contain blanks and parentheses, so fields are counted after it
        return status.read().rpartition(b")")[2].split()[19].decode()
    return None
