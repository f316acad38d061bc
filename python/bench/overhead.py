#!/usr/bin/env python3
"""What Python costs beyond the program, in time and in memory.

    python3 python/bench/overhead.py                  a game of 1,000 x 10, fitted again and again
    python3 python/bench/overhead.py --gigabytes 1.6  an array of 1.6 GB, mapped from its file and in memory
"""

import argparse
import os
import statistics
import sys
import tempfile
import threading
import time
import warnings

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import numpy as np

import stackelberg
from stackelberg import StackelbergRegressor, _program


NAMES = ("fit in Python", "of it the program", "of that its solver", "overhead", "predict in Python")


class Timed(StackelbergRegressor):
    """Remembers how long the program itself took."""

    program = 0.0

    def fit(self, *people):
        Timed.program = 0.0
        return super().fit(*people)

    def _ask(self, words, folder):
        answer = super()._ask(words, folder)
        Timed.program += answer.seconds
        return answer


def small(fits):
    random = np.random.default_rng(0)
    x = random.normal(size=(1000, 10))
    y = x @ random.normal(size=10) + random.normal(size=1000)
    rows = []
    for k in range(2 * fits):
        start = time.perf_counter()
        rule = Timed().fit(x, y)
        total = time.perf_counter() - start
        rows.append((total, Timed.program, sum(rule.result_["seconds"].values()), total - Timed.program))
        start = time.perf_counter()
        rule.predict(x)
        rows[-1] += (time.perf_counter() - start,)
    print(f"1,000 x 10, the last {fits} of {2 * fits} fits, ms: median (5% to 95%)")
    for name, column in zip(NAMES, zip(*rows[fits:])):
        low, high = np.quantile(column, [0.05, 0.95])
        print(f"  {name:20} {1e3 * statistics.median(column):8.1f} ({1e3 * low:.1f} to {1e3 * high:.1f})")


def anonymous(pid):
    """Memory that is not a file's, in bytes."""
    with open(f"/proc/{pid}/status") as status:
        return next(1024 * int(line.split()[1]) for line in status if line.startswith("RssAnon"))


class Watch(threading.Thread):
    """The most memory that two processes have while something goes on."""

    def __init__(self):
        super().__init__(daemon=True)
        self.pids = (os.getpid(), _program._process.popen.pid)
        self.first = [anonymous(pid) for pid in self.pids]
        self.most = list(self.first)
        self.going = True
        self.start()

    def run(self):
        while self.going:
            for k, pid in enumerate(self.pids):
                self.most[k] = max(self.most[k], anonymous(pid))
            time.sleep(0.02)

    def more(self):
        self.going = False
        self.join()
        return [1e-9 * (most - first) for most, first in zip(self.most, self.first)]


def large(gigabytes):
    columns = 10_000
    chunk = 1_000
    rows = int(gigabytes * 1e9 / 8 / columns)
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "x.npy")
        x = np.lib.format.open_memmap(file, mode="w+", dtype="<f8", shape=(rows, columns))
        random = np.random.default_rng(0)
        y = np.empty(rows)
        for first in range(0, rows, chunk):
            part = random.normal(size=(min(chunk, rows - first), columns))
            x[first : first + len(part)] = part
            y[first : first + len(part)] = part.sum(axis=1) + random.normal(size=len(part))
        x.flush()
        del x
        stackelberg.run("-V")
        for name, there in (("mapped from its file", np.load(file, mmap_mode="r")), ("in memory", np.load(file))):
            watch = Watch()
            start = time.perf_counter()
            # wishes and a gamma as numbers: today's rule of so many columns would be most of the work
            rule = Timed(gamma=0.5, se="none").fit(there, y, y + np.abs(y))
            seconds = time.perf_counter() - start
            python, program = watch.more()
            print(
                f"{rows:,} x {columns} = {8e-9 * rows * columns:.2f} GB {name}: {seconds:.1f} s, of it the program {Timed.program:.1f} s;"
                f" anonymous memory grew by {python:.3f} GB in Python, {program:.3f} GB in the program; certified: {rule.certified_}"
            )


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--fits", type=int, default=100)
    arguments.add_argument("--gigabytes", type=float)
    given = arguments.parse_args()
    warnings.simplefilter("ignore")
    if given.gigabytes:
        large(given.gigabytes)
    else:
        small(given.fits)
