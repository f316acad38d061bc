"""The package installs, and finds the program from where it is then."""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from .games import HOME, PACKAGE, python

THERE = all(importlib.util.find_spec(name) for name in ("pip", "setuptools", "wheel"))


@unittest.skipUnless(THERE, "There is no pip, setuptools or wheel (Debian: python3-pip, python3-setuptools, python3-wheel).")
class Install(unittest.TestCase):
    def test_pip_installs_it_without_a_network(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = shutil.copytree(PACKAGE, os.path.join(folder, "python"))
            there = os.path.join(folder, "there")
            done = subprocess.run(
                [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-build-isolation", "--no-deps", "--target", there, copy],
                capture_output=True,
                text=True,
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            found = python("import stackelberg; print(stackelberg.home())", PYTHONPATH=there, STACKELBERG_HOME=HOME)
            self.assertEqual(found.stdout.strip(), HOME, found.stderr)
            path = os.pathsep.join([HOME, os.environ["PATH"]])
            found = python("import stackelberg; print(stackelberg.home())", PYTHONPATH=there, PATH=path)
            self.assertEqual(found.stdout.strip(), os.path.realpath(HOME), found.stderr)
            missing = python("import stackelberg; stackelberg.home()", PYTHONPATH=there, PATH="/nowhere")
            self.assertIn("STACKELBERG_HOME is not set, it is not beside this package, and not on the PATH", missing.stderr)


if __name__ == "__main__":
    unittest.main()
