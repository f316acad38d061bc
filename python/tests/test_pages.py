"""The Python examples of the pages run."""

import importlib.util
import os
import re
import tempfile
import unittest

from .games import HOME, game

PAGES = ["README.md", os.path.join("docs", "how-to", "python.md")]


class Pages(unittest.TestCase):
    def test_the_examples_of_a_page_run_one_after_the_other(self):
        for page in PAGES:
            with self.subTest(page), open(os.path.join(HOME, page), encoding="utf-8") as file:
                examples = re.findall(r"^```python\n(.+?)^```", file.read(), re.MULTILINE | re.DOTALL)
                self.assertTrue(examples)
                self.run_examples(examples)

    def run_examples(self, examples):
        x, y = game(200, 4)
        names = {"X": x, "y": y}
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                for example in examples:
                    if "sklearn" not in example or importlib.util.find_spec("sklearn"):
                        exec(example, names)
            finally:
                os.chdir(before)
        self.assertTrue(names["rule"].certified_)
