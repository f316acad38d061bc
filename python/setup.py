"""Stores the path of the checkout that the package is installed from, so that the program is found there; the rest is in pyproject.toml."""

import os

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = os.path.dirname(os.path.abspath(__file__))


class RememberCheckout(build_py):
    def run(self):
        super().run()
        checkout = os.path.dirname(HERE)
        if not getattr(self, "editable_mode", False) and os.access(os.path.join(checkout, "stackelberg"), os.X_OK):
            with open(os.path.join(self.build_lib, "stackelberg", "_checkout.txt"), "w", encoding="utf-8") as out:
                out.write(checkout)


setup(cmdclass={"build_py": RememberCheckout})
