"""Folders for the program's files: removed when they are done with, and by the next start where a process was killed before that."""

import contextlib
import os
import re
import shutil
import stat
import tempfile

# Where files live in memory.
IN_MEMORY = "/dev/shm"

# The space of process numbers, the process and when it began: no other process, dead or alive, has all three.
_OURS = re.compile(r"stackelberg-(?P<space>\d+)-(?P<pid>\d+)-(?P<began>\d+)-\w+")


@contextlib.contextmanager
def folder(place=None):
    """A new folder, which is removed again.

    @param place: where, None for the disk
    """
    with tempfile.TemporaryDirectory(prefix=_prefix(), dir=place) as name:
        yield name


def sweep():
    """Removes folders of this user's processes that are no more. Where processes cannot be told apart, nothing."""
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
        # of a link this is what the link is
        found = os.lstat(path)
        return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    return False


def _space():
    """The number of the space in which process numbers count (a container has its own); None where there is no /proc."""
    with contextlib.suppress(OSError):
        return re.sub(r"\D", "", os.readlink("/proc/self/ns/pid"))
    return None


def _began(pid):
    """When a process began, as the kernel counts; None if there is no such process."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/stat", "rb") as status:
        # the second field, in parentheses, is a name, which may hold anything
        return status.read().rpartition(b")")[2].split()[19].decode()
    return None
