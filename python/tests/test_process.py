"""The one process: kept, shared, ended, started again."""

import contextlib
import errno
import multiprocessing
import os
import re
import signal
import statistics
import tempfile
import threading
import time
import types
import unittest
import warnings
from unittest import mock

import numpy as np

from .games import WISH, game, python

import stackelberg
from stackelberg import DataError, ProgramError, StackelbergRegressor, StackelbergWarning, _data, _folders, _program

try:
    import pandas
except ImportError:
    pandas = None
try:
    from scipy import sparse
except ImportError:
    sparse = None

needs_memory = unittest.skipUnless(os.access(_folders.IN_MEMORY, os.W_OK), f"There is no {_folders.IN_MEMORY}.")


def _fit_in_child(answers):
    x, y = game()
    answers.put((StackelbergRegressor().fit(x, y).coef_.tolist(), _program._process.popen.pid))


class OneProcess(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore", StackelbergWarning)
        self.x, self.y = game()

    def fit(self, **params):
        return StackelbergRegressor(**params).fit(self.x, self.y)

    def fit_for_minutes(self):
        x, y = game(2000, 20)
        return StackelbergRegressor(se="bootstrap:10000").fit(x, y)

    def later(self, what, *those):
        timer = threading.Timer(1, what, those)
        timer.start()
        self.addCleanup(timer.cancel)

    def pid(self):
        return _program._process.popen.pid

    def test_one_process_serves_all_calls(self):
        self.fit()
        before = self.pid()
        with self.assertRaises(ValueError):
            self.fit(gamma="nix")
        self.fit()
        self.assertEqual(self.pid(), before)

    def test_the_next_call_starts_a_new_process_after_a_close_or_a_crash(self):
        before = self.fit().coef_
        stackelberg.close()
        np.testing.assert_array_equal(self.fit().coef_, before)
        os.kill(self.pid(), signal.SIGKILL)
        _program._process.popen.wait()
        np.testing.assert_array_equal(self.fit().coef_, before)

    def test_a_process_that_dies_during_a_fit_is_an_error_and_the_next_fit_works(self):
        self.fit()
        self.later(os.kill, self.pid(), signal.SIGKILL)
        with self.assertRaisesRegex(ProgramError, "ended with -9 while it ran fit"):
            self.fit_for_minutes()
        self.fit()

    def test_control_c_stops_the_fit_and_the_next_one_works(self):
        # who runs the tests in the background has told them not to listen
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        before = self.fit().coef_
        old = self.pid()
        self.later(os.kill, os.getpid(), signal.SIGINT)
        start = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            self.fit_for_minutes()
        self.assertLess(time.monotonic() - start, 10)
        with self.assertRaises(ProcessLookupError):
            os.kill(old, 0)
        np.testing.assert_array_equal(self.fit().coef_, before)

    def test_threads_share_the_process(self):
        expected = self.fit(gamma="40%").coef_
        found = [None] * 6

        def work(k):
            found[k] = self.fit(gamma="40%").coef_

        threads = [threading.Thread(target=work, args=(k,)) for k in range(len(found))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for coefficients in found:
            np.testing.assert_array_equal(coefficients, expected)

    @unittest.skipUnless(hasattr(os, "fork"), "There is no fork.")
    def test_a_forked_child_starts_its_own_process(self):
        mine = self.fit()
        forked = multiprocessing.get_context("fork")
        answers = forked.Queue()
        child = forked.Process(target=_fit_in_child, args=(answers,))
        child.start()
        coefficients, pid = answers.get(timeout=120)
        child.join()
        self.assertEqual(coefficients, mine.coef_.tolist())
        self.assertNotEqual(pid, self.pid())
        before = self.pid()
        self.fit()
        self.assertEqual(self.pid(), before)

    def test_the_process_ends_with_python_however_python_ends(self):
        script = """
import os, stackelberg
stackelberg.run("-V")
print(stackelberg._program._process.popen.pid, flush=True)
"""
        for end in ("", "os.kill(os.getpid(), 9)"):
            pid = int(python(script + end).stdout)
            for _ in range(50):
                if not os.path.exists(f"/proc/{pid}"):
                    break
                time.sleep(0.1)
            self.assertFalse(os.path.exists(f"/proc/{pid}"), end)


    def test_python_can_end_while_a_daemon_thread_fits(self):
        script = """
import threading, time, numpy as np, stackelberg
stackelberg.run("-V")
print(stackelberg._program._process.popen.pid, flush=True)
x = np.random.default_rng(0).normal(size=(2000, 20))
threading.Thread(target=stackelberg.StackelbergRegressor(se="bootstrap:10000").fit, args=(x, x.sum(axis=1) + x[:, 0] ** 2), daemon=True).start()
time.sleep(1)
print(time.time(), flush=True)
"""
        done = python(script)
        pid, end = done.stdout.split()
        self.assertLess(time.time() - float(end), 8)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse(os.path.exists(f"/proc/{pid}"))

    def test_a_process_whose_kill_was_interrupted_is_not_reused(self):
        before = self.fit().coef_
        process = _program._process
        self.addCleanup(process.kill)
        with mock.patch.object(_program._Process, "kill", side_effect=KeyboardInterrupt):
            with mock.patch.object(process, "_parsed", side_effect=MemoryError), self.assertRaises(KeyboardInterrupt):
                self.fit()
        self.assertIsNone(_program._process)
        np.testing.assert_array_equal(self.fit().coef_, before)

    def test_an_answer_to_another_request_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            launcher = os.path.join(folder, "stackelberg")
            with open(launcher, "w") as out:
                out.write('#!/bin/sh\necho \'{"protocol":2}\'\nfor id in 1 1; do read -r q; echo "{\\"id\\":$id,\\"exit\\":0}"; done\n')
            os.chmod(launcher, 0o755)
            done = python("import stackelberg; print(stackelberg.run('-V').exit, flush=True); stackelberg.run('-V')", STACKELBERG_HOME=folder)
        self.assertEqual(done.stdout, "0\n")
        self.assertIn("ProgramError: The program answered request 1 instead of request 2.", done.stderr)


class HowDataGetThere(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore", StackelbergWarning)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "x.npy")
        self.x, self.y = game(300, 4)
        np.save(self.file, self.x)

    def words(self, x):
        people = _data.Rows.of(x)
        return people.with_folder(lambda folder: people.words(folder, self.y[: len(x)]))

    def test_a_mapped_file_is_passed_as_it_is(self):
        mapped = np.load(self.file, mmap_mode="r")
        self.assertIn("--x=" + self.file, self.words(mapped))
        rule = StackelbergRegressor().fit(mapped, self.y)
        np.testing.assert_array_equal(rule.coef_, StackelbergRegressor().fit(self.x, self.y).coef_)

    def test_slices_changed_copies_and_replaced_files_are_not_passed_as_the_file(self):
        mapped = np.load(self.file, mmap_mode="r")
        changed = np.load(self.file, mmap_mode="c")
        changed[0, 0] = 5
        for other in (mapped[:100], mapped[:, :2], mapped[::-1], changed, mapped + 0):
            self.assertNotIn("--x=" + self.file, self.words(other))
        np.save(self.file + ".new.npy", self.x + 1)
        os.replace(self.file + ".new.npy", self.file)
        self.assertNotIn("--x=" + self.file, self.words(mapped))

    def kinds(self, rows=1000):
        """Data in every form, and the size of the files written."""
        x, y = game(rows, 4)
        yield x, y, 32 * rows
        if sparse:
            yield sparse.csr_matrix(x), y, 100 * rows
        if pandas:
            yield pandas.DataFrame(x, columns=list("abcd")), y, 80 * rows

    def is_in_memory(self, x, **more):
        found = []
        _data.Rows.of(x).with_folder(found.append, **more)
        self.assertFalse(os.path.exists(found[0]))
        return found[0].startswith(_folders.IN_MEMORY)

    @needs_memory
    def test_large_files_are_not_written_to_memory(self):
        for x, y, size in self.kinds():
            self.assertTrue(self.is_in_memory(x), type(x))
            with mock.patch.object(_data, "_LARGE_BYTES", size // 2):
                self.assertFalse(self.is_in_memory(x), type(x))
            with mock.patch.object(_data, "_LARGE_BYTES", 4 * size):
                self.assertTrue(self.is_in_memory(x), type(x))
                # what people do is written, too, and a y of words makes text of everything
                self.assertFalse(self.is_in_memory(x, cells=20 * 1000))
            with mock.patch("os.statvfs", return_value=types.SimpleNamespace(f_bavail=1, f_frsize=size)):
                self.assertFalse(self.is_in_memory(x), type(x))
        mapped = np.load(self.file, mmap_mode="r")
        with mock.patch.object(_data, "_LARGE_BYTES", 10000):
            self.assertTrue(self.is_in_memory(mapped))
            self.assertFalse(self.is_in_memory(mapped, y=np.array(["a"] * len(mapped))))

    @needs_memory
    def test_files_go_to_disk_if_memory_is_full(self):
        full = []

        def failing(write):
            def fails(file, *more, **named):
                if file.startswith(_folders.IN_MEMORY):
                    full.append(file)
                    raise OSError(errno.ENOSPC, "No space left on device")
                return write(file, *more, **named)

            return fails

        def asked(self, words, folder):
            # the program's own files
            if folder.startswith(_folders.IN_MEMORY):
                full.append(folder)
                raise DataError(f"'{folder}/out.csv' could not be written: No space left on device.\nMaybe free some space, or choose another folder.")
            return ask(self, words, folder)

        ask = StackelbergRegressor._ask
        for x, y, _ in self.kinds(50):
            rule = StackelbergRegressor().fit(x, y)
            expected = rule.respond(x).after
            with contextlib.ExitStack() as patches:
                for name in ("_write_csv", "_write_libsvm"):
                    patches.enter_context(mock.patch.object(_data, name, failing(getattr(_data, name))))
                patches.enter_context(mock.patch.object(np, "save", failing(np.save)))
                np.testing.assert_array_equal(rule.respond(x).after, expected)
                np.testing.assert_array_equal(StackelbergRegressor().fit(x, y).coef_, rule.coef_)
            self.assertEqual(len(full), 2, type(x))
            with mock.patch.object(StackelbergRegressor, "_ask", asked):
                np.testing.assert_array_equal(rule.respond(x).after, expected)
                np.testing.assert_array_equal(StackelbergRegressor().fit(x, y).coef_, rule.coef_)
            self.assertEqual(len(full), 4, type(x))
            full.clear()

    @unittest.skipUnless(os.path.exists("/proc/self/ns/pid"), "There is no /proc.")
    def test_the_next_start_removes_only_folders_of_killed_processes(self):
        script = """
import os
from stackelberg import _folders
def die(made):
    print(made, flush=True)
    open(os.path.join(made, "x.npy"), "w").close()
    os.kill(os.getpid(), 9)
with _folders.folder(PLACE) as made:
    die(made)
"""
        places = [repr(_folders.IN_MEMORY)] if os.access(_folders.IN_MEMORY, os.W_OK) else []
        left = [python(script.replace("PLACE", place)).stdout.strip() for place in [*places, "None"]]
        alive = _folders.folder()
        own = alive.__enter__()
        self.addCleanup(alive.__exit__, None, None, None)
        dead = os.path.basename(left[-1])
        others = [
            # not by this package, not by this kind of name, of another space of numbers, and no folder
            tempfile.mkdtemp(prefix="stackelberg-"),
            tempfile.mkdtemp(prefix="stackelberg-1-2-"),
            tempfile.mkdtemp(prefix=re.sub(r"-[0-9]+-", "-1-", dead, count=1)),
        ]
        for other in others:
            self.addCleanup(os.rmdir, other)
        link = os.path.join(tempfile.gettempdir(), dead + "link")
        os.symlink(others[0], link)
        self.addCleanup(os.unlink, link)
        for made in left:
            self.assertTrue(os.path.exists(made), made)
        with mock.patch.object(os, "getuid", return_value=os.getuid() + 1):
            _folders.sweep()
        self.assertTrue(os.path.exists(left[-1]), "of another user")
        stackelberg.close()
        stackelberg.run("-V")
        for made in left:
            self.assertFalse(os.path.exists(made), made)
        for made in [own, link, *others]:
            self.assertTrue(os.path.exists(made), made)

    def test_arrays_of_every_number_type_and_memory_order(self):
        whole = np.round(4 * self.x)
        expected = StackelbergRegressor().fit(whole, self.y).coef_
        for kind in ("float32", "float16", "int8", "int64", ">f8", "longdouble", object):
            np.testing.assert_array_equal(StackelbergRegressor().fit(whole.astype(kind), self.y).coef_, expected, str(kind))
        np.testing.assert_allclose(StackelbergRegressor().fit(np.asfortranarray(whole), self.y).coef_, expected)
        np.testing.assert_allclose(StackelbergRegressor().fit(whole[:, ::-1], self.y).coef_[::-1], expected)

    def test_a_small_fit_costs_less_than_50_ms_more_than_the_program_takes(self):
        x, y = game(1000, 10)
        told = []

        class Told(StackelbergRegressor):
            def _ask(self, words, folder):
                answer = super()._ask(words, folder)
                told.append(answer.seconds)
                return answer

        beyond = []
        for _ in range(20):
            told.clear()
            start = time.perf_counter()
            Told(wish=WISH).fit(x, y)
            beyond.append(time.perf_counter() - start - sum(told))
        self.assertLess(statistics.median(beyond), 0.05)


if __name__ == "__main__":
    unittest.main()
