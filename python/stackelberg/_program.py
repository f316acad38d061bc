"""Runs commands in one process of `stackelberg serve`, which is kept running; docs/reference/protocol.md describes the protocol."""

import atexit
import collections
import contextlib
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass, field

from ._errors import ProgramError, by_exit
from ._folders import sweep

PROTOCOL = 2
CERTIFIED = 0
NOT_CERTIFIED = 4

_LAUNCHER = "stackelberg"

# Seconds to wait for a process to end after it was asked to; a build on first use may still be running.
_END_SECONDS = 5
_EXIT_SECONDS = 0.1


@dataclass
class Answer:
    """The answer of a command: `document` is its JSON, `text` what it printed if it has no JSON."""

    exit: int
    seconds: float
    document: dict = None
    text: str = None
    notes: list = field(default_factory=list)

    @property
    def certified(self):
        return self.exit == CERTIFIED


def home():
    """The folder of the program: STACKELBERG_HOME, the checkout that this package lies in or was installed from, or the folder of `stackelberg` on the
    PATH."""
    named = os.environ.get("STACKELBERG_HOME")
    if named:
        if not _is_launcher(os.path.join(named, _LAUNCHER)):
            raise ProgramError(
                f"STACKELBERG_HOME is {named}, but there is no program '{_LAUNCHER}' in it.\n"
                "Maybe set it to a checkout or an unpacked download of Stackelberg, or unset it."
            )
        return os.path.abspath(named)
    package = os.path.dirname(os.path.realpath(__file__))
    above = os.path.dirname(os.path.dirname(package))
    installed_from = _installed_from(package)
    for place in (above, installed_from):
        if place and _is_launcher(os.path.join(place, _LAUNCHER)):
            return place
    found = shutil.which(_LAUNCHER)
    if found and _is_launcher(found):
        return os.path.dirname(os.path.realpath(found))
    raise ProgramError(
        "The program stackelberg is not found: STACKELBERG_HOME is not set, it is not beside this package, "
        + (f"no longer in {installed_from}, which this package was installed from, " if installed_from else "")
        + "and not on the PATH.\n"
        "Maybe set STACKELBERG_HOME to a checkout or an unpacked download of Stackelberg."
    )


def _installed_from(package):
    """The checkout that pip installed the package from, as setup.py stored it; None if setup.py stored none."""
    try:
        with open(os.path.join(package, "_checkout.txt"), encoding="utf-8") as text:
            return text.read()
    except OSError:
        return None


def _is_launcher(file):
    return os.path.isfile(file) and os.access(file, os.X_OK)


class _Process:
    """A running process whose greeting has been read and has the right protocol."""

    def __init__(self):
        launcher = os.path.join(home(), _LAUNCHER)
        try:
            # a session of its own, so that Ctrl-C at the prompt does not end an idle process
            self.popen = subprocess.Popen(
                [launcher, "serve"],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as e:
            raise ProgramError(f"{launcher} could not be started: {e}.\nMaybe there is no shell, sh, to run it.") from e
        self.pid = os.getpid()
        self.out = io.BufferedReader(self.popen.stdout)
        self.errors = collections.deque(maxlen=100)
        self.ready = False
        self.asked = 0
        self.drain = threading.Thread(target=self._keep_errors, name="stackelberg errors", daemon=True)
        self.drain.start()
        try:
            line = self.out.readline()
            hello = self._parsed(line) if line else self._ended("start")
            if hello.get("protocol") != PROTOCOL:
                raise ProgramError(
                    f"{launcher} uses protocol {hello.get('protocol')}, this package protocol {PROTOCOL}.\n"
                    "Maybe the two are of different versions."
                )
            self.ready = True
        except BaseException:
            self.kill()
            raise

    def _keep_errors(self):
        for line in self.popen.stderr:
            text = line.decode("utf-8", "replace").rstrip()
            self.errors.append(text)
            # a build takes a minute, so the user sees the reason for the wait
            if not self.ready and text.startswith(("Building", "Preparing")):
                print(text, file=sys.stderr)

    def _parsed(self, line):
        try:
            return json.loads(line)
        except ValueError as e:
            raise ProgramError(f"The program's answer is not JSON: {line[:200]!r}.\nMaybe it is of another version.") from e

    def _ended(self, what):
        code = self.popen.wait()
        self.drain.join(_END_SECONDS)
        told = "\n".join(self.errors).strip()
        if what == "start":
            raise ProgramError("The program stackelberg does not start.\n" + (told or f"It ended with {code}."))
        raise ProgramError(
            f"The program ended with {code} while it ran {what}." + (f"\n{told}" if told else "")
            + "\nMaybe the memory did not suffice. The next call starts it again."
        )

    def ask(self, words, on_note):
        """Sends a command and waits for its answer.

        @param on_note: called with each note that comes before the answer
        """
        self.asked += 1
        asked = self.asked
        request = json.dumps({"id": asked, "run": words}) + "\n"
        try:
            self.popen.stdin.write(request.encode())
        except OSError:
            self._ended(words[0])
        while True:
            line = self.out.readline()
            if not line:
                self._ended(words[0])
            answer = self._parsed(line)
            if answer.get("id") != asked:
                raise ProgramError(
                    f"The program answered request {answer.get('id')} instead of request {asked}.\n"
                    "Maybe two Python processes share it; the next call starts another."
                )
            if "note" not in answer:
                return answer
            on_note(answer["note"])

    def alive(self):
        return self.popen.poll() is None

    def close(self):
        """Asks the process to end, and kills it if it does not."""
        try:
            self.popen.stdin.write(b'{"close":true}\n')
            self.popen.stdin.close()
            self.popen.wait(_END_SECONDS)
        except (OSError, subprocess.TimeoutExpired):
            pass
        self.kill()

    def kill(self):
        """Ends the process and its running command, and closes the streams; the process removes files that are half written."""
        self.end()
        self.drain.join(_END_SECONDS)
        for stream in (self.popen.stdin, self.out, self.popen.stderr):
            stream.close()

    def end(self):
        """Ends the process without closing the streams, which another thread may still read."""
        if self.alive():
            # the signal goes to the whole session, because the launcher may be running a build
            self._signal(signal.SIGTERM)
            try:
                self.popen.wait(_END_SECONDS)
            except subprocess.TimeoutExpired:
                self._signal(signal.SIGKILL)
                self.popen.wait()

    def _signal(self, which):
        # the process may have ended in the meantime
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.popen.pid, which)

    def forget(self):
        """For a forked child: closes the child's copies of the streams and leaves the process to the parent."""
        for stream in (self.popen.stdin, self.popen.stdout, self.popen.stderr):
            stream.close()
        self.popen.returncode = 0


_lock = threading.RLock()
_process = None


def _forget():
    global _lock, _process
    _lock = threading.RLock()
    if _process is not None:
        _process.forget()
        _process = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def ask(words, on_note=None):
    """The answer of a command, whatever its exit code, as a dict of the protocol."""
    global _process
    with _lock:
        if _process is not None and not _process.alive():
            _end(_Process.kill)
        if _process is None:
            sweep()
            _process = _Process()
        try:
            return _process.ask([str(word) for word in words], on_note or (lambda note: None))
        except BaseException:
            # after Ctrl-C, for example, the answer would be read as that of the next request, so the process is not reused
            _end(_Process.kill)
            raise


def _end(how):
    """Ends the process. It is unregistered first, so that it is not reused even if ending it is interrupted."""
    global _process
    process, _process = _process, None
    if process is not None:
        how(process)


def checked(words, on_note=None, message=lambda text: text):
    """The answer of a command, or its error as an exception."""
    said = ask(words, on_note)
    if said["exit"] not in (CERTIFIED, NOT_CERTIFIED):
        raise by_exit(said["exit"], message(said.get("error", "")))
    return Answer(said["exit"], said.get("seconds"), said.get("answer"), said.get("text"), said.get("notes", []))


def run(*words, verbose=False):
    """Runs any command with the arguments of the command line. Relative file names refer to the folder in which the process was started.

    >>> run("tune", "/data/wine.csv", "--target", "quality", "--wish", "max(today,6)", "--json").document
    """
    return checked(words, show if verbose else None)


def show(note):
    """Prints a note of the program on standard error."""
    print(note, file=sys.stderr)


def close():
    """Ends the process; the next call starts a new one."""
    with _lock:
        _end(_Process.close)


def _at_exit():
    # a daemon thread that waits for an answer holds the lock, and Python does not wait for daemon threads
    if _lock.acquire(timeout=_EXIT_SECONDS):
        close()
        return
    process = _process
    if process is not None:
        process.end()


atexit.register(_at_exit)
