"""The one process: kept, shared, ended, started again."""

import multiprocessing
import os
import signal
import statistics
import tempfile
import threading
import time
import unittest
import warnings

import numpy as np

from .games import WISH, game, python

import stackelberg
from stackelberg import ProgramError, StackelbergRegressor, StackelbergWarning, _data, _program


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

    def test_it_is_kept(self):
        self.fit()
        before = self.pid()
        with self.assertRaises(ValueError):
            self.fit(gamma="nix")
        self.fit()
        self.assertEqual(self.pid(), before)

    def test_the_next_call_starts_it_again_once_it_was_closed_or_died(self):
        before = self.fit().coef_
        stackelberg.close()
        np.testing.assert_array_equal(self.fit().coef_, before)
        os.kill(self.pid(), signal.SIGKILL)
        _program._process.popen.wait()
        np.testing.assert_array_equal(self.fit().coef_, before)

    def test_one_that_dies_in_the_midst_is_an_error_and_the_next_fit_works(self):
        self.fit()
        self.later(os.kill, self.pid(), signal.SIGKILL)
        with self.assertRaisesRegex(ProgramError, "ended with -9 while it ran fit"):
            self.fit_for_minutes()
        self.fit()

    def test_control_c_stops_the_fit_and_the_next_one_works(self):
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

    def test_threads_share_it(self):
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
    def test_a_forked_child_has_its_own(self):
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

    def test_it_ends_with_python_however_that_ends(self):
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


class HowDataGetThere(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore", StackelbergWarning)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "x.npy")
        self.x, self.y = game(300, 4)
        np.save(self.file, self.x)

    def words(self, x):
        people = _data.People.of(x)
        with people.folder() as folder:
            return people.words(folder, self.y[: len(x)])

    def test_a_mapped_file_is_passed_as_it_is(self):
        mapped = np.load(self.file, mmap_mode="r")
        self.assertIn("--x=" + self.file, self.words(mapped))
        rule = StackelbergRegressor().fit(mapped, self.y)
        np.testing.assert_array_equal(rule.coef_, StackelbergRegressor().fit(self.x, self.y).coef_)

    def test_parts_changed_copies_and_replaced_files_are_not_taken_for_the_file(self):
        mapped = np.load(self.file, mmap_mode="r")
        changed = np.load(self.file, mmap_mode="c")
        changed[0, 0] = 5
        for other in (mapped[:100], mapped[:, :2], mapped[::-1], changed, mapped + 0):
            self.assertNotIn("--x=" + self.file, self.words(other))
        np.save(self.file + ".new.npy", self.x + 1)
        os.replace(self.file + ".new.npy", self.file)
        self.assertNotIn("--x=" + self.file, self.words(mapped))

    def test_every_kind_of_number_and_order(self):
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
