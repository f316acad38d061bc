"""Training data, and the command line to compare with."""

import json
import os
import subprocess
import sys

import numpy as np

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HOME = os.path.dirname(PACKAGE)
sys.path.insert(0, PACKAGE)

WISH = "max(today,quantile(today,0.75))"


def game(rows=60, columns=3, seed=0):
    """X and y of a linear truth with noise."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(rows, columns))
    return x, x @ np.arange(1, columns + 1) + random.normal(size=rows)


def command_line(*words):
    """What the command itself prints as JSON, in a process of its own."""
    done = subprocess.run([os.path.join(HOME, "stackelberg"), *map(str, words), "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 4):
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


def python(script, **environment):
    """Runs a script in a Python of its own, which finds the package."""
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": PACKAGE, **environment},
        # what lies in the working folder is found before what is installed
        cwd=os.sep,
        timeout=300,
    )
