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


def installed(folder, package):
    """Where pip puts a package that lies in a folder, in an environment that has nothing of it."""
    there = os.path.join(folder, "there")
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-build-isolation", "--no-deps", "--target", there, package],
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return there


@unittest.skipUnless(THERE, "There is no pip, setuptools or wheel (Debian: python3-pip, python3-setuptools, python3-wheel).")
class Install(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)
        self.copy = shutil.copytree(PACKAGE, os.path.join(self.folder, "python"), ignore=shutil.ignore_patterns("build", "*.egg-info"))

    def home(self, there, **environment):
        return python("import stackelberg; print(stackelberg.home())", PYTHONPATH=there, **environment)

    def test_pip_installs_it_without_a_network(self):
        there = installed(self.folder, self.copy)
        found = self.home(there, STACKELBERG_HOME=HOME)
        self.assertEqual(found.stdout.strip(), HOME, found.stderr)
        path = os.pathsep.join([HOME, os.environ["PATH"]])
        found = self.home(there, PATH=path)
        self.assertEqual(found.stdout.strip(), os.path.realpath(HOME), found.stderr)
        missing = self.home(there, PATH="/nowhere")
        self.assertIn("STACKELBERG_HOME is not set, it is not beside this package, and not on the PATH", missing.stderr)

    def test_a_package_installed_from_a_checkout_finds_the_program_there(self):
        launcher = os.path.join(self.folder, "stackelberg")
        with open(launcher, "w") as out:
            out.write("#!/bin/sh\n")
        os.chmod(launcher, 0o755)
        there = installed(self.folder, self.copy)
        found = self.home(there, PATH="/nowhere")
        self.assertEqual(found.stdout.strip(), self.folder, found.stderr)
        os.remove(launcher)
        missing = self.home(there, PATH="/nowhere")
        self.assertIn(f"it is not beside this package, no longer in {self.folder}, which this package was installed from, and not on", missing.stderr)
        self.assertIn("Maybe set STACKELBERG_HOME to a checkout", missing.stderr)


if __name__ == "__main__":
    unittest.main()
