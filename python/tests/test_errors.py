"""What is wrong is said in our words, as a Python exception."""

import contextlib
import io
import re
import unittest
import warnings
from unittest import mock

import numpy as np

from .games import game, python

from stackelberg import DataError, StackelbergError, StackelbergRegressor, StackelbergWarning, UsageError, _program, run
from stackelberg._messages import in_python


class Errors(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore", StackelbergWarning)

    def assert_says(self, kind, pattern, **params):
        x, y = game()
        with self.assertRaisesRegex(kind, pattern) as caught:
            StackelbergRegressor(**params).fit(x, y)
        self.assertIsInstance(caught.exception, (StackelbergError, ValueError))
        return caught.exception

    def test_the_programs_messages(self):
        self.assertEqual(self.assert_says(UsageError, 'gamma is -1', gamma=-1).exit, 2)
        self.assertEqual(self.assert_says(DataError, "nix", wish="nix+1").exit, 3)
        self.assert_says(UsageError, "solver", solver="nix")
        self.assert_says(ValueError, "9", immutable=["9"])

    def test_columns_named_by_numbers_cannot_be_named_in_parameters(self):
        pandas = __import__("pandas")
        x, y = game()
        for named in ({"immutable": [2]}, {"cost": {0: 2}}):
            with self.assertRaisesRegex(UsageError, "astype"):
                StackelbergRegressor(**named).fit(pandas.DataFrame(x), y)
        text = pandas.DataFrame(x, columns=["0", "1", "2"])
        self.assertEqual(StackelbergRegressor(immutable=["2"]).fit(text, y).coef_.shape, (3,))

    def test_the_seal_of_a_hedged_rule_says_that_it_is_hedged(self):
        x, y = game()
        self.assertIn("no rule that loses no more if nobody moves", StackelbergRegressor().fit(x, y)._repr_html_())
        self.assertIn("no rule at most 5% worse than the best", StackelbergRegressor(hedge="5%").fit(x, y)._repr_html_())
        self.assertIn(", and no rule can be better", StackelbergRegressor(hedge="none").fit(x, y)._repr_html_())

    def test_options_are_refused_by_name(self):
        self.assert_says(UsageError, "nix is not an option of fit", options={"nix": 1})
        self.assert_says(UsageError, "'target' is set by this class", options={"target": "a"})
        self.assert_says(UsageError, "'gamma' is a parameter", options={"gamma": 1})
        self.assert_says(UsageError, "rho", options={"rho": "fixed:2"})
        self.assert_says(UsageError, "row_gamma are given", gamma=2, row_gamma="1")

    def test_options_of_the_published_solvers_can_be_given(self):
        x, y = game()
        rule = StackelbergRegressor(solver="cd-admm", options={"rho": "adaptive"}).fit(x, y)
        self.assertEqual(rule.result_["solver"], "cd-admm")

    def test_messages_name_data_as_in_python(self):
        x, y = game()
        x[3, 1] = np.nan
        with self.assertRaisesRegex(DataError, "Column 2 .*row 4: NaN") as caught:
            StackelbergRegressor().fit(x, y)
        self.assertNotIn("npy", str(caught.exception))
        with self.assertRaisesRegex(ValueError, "wish has 2 values, but X has 60 rows"):
            StackelbergRegressor().fit(*game(), wish=[1, 2])
        with self.assertRaisesRegex(ValueError, "X has 2 features, but StackelbergRegressor is expecting 3"):
            StackelbergRegressor().fit(*game()).predict(x[:, :2])

    def test_advice_about_missing_values_can_be_followed(self):
        x, y = game()
        rule = StackelbergRegressor().fit(x, y)
        x[3, 1] = np.nan
        advice = 'leave out the row, or fit a pandas DataFrame whose columns have texts for names, with missing="drop" or missing="mean"'
        pandas, sparse = __import__("pandas"), __import__("scipy.sparse").sparse
        # a table whose columns are called 0, 1, 2 is an array for all that
        for one in (x, sparse.csr_matrix(x), pandas.DataFrame(x)):
            with self.assertRaisesRegex(DataError, "Column 2 .*row 4: NaN is not a finite number.\nMaybe it marks a missing value: " + advice):
                StackelbergRegressor().fit(one, y)
        with self.assertRaisesRegex(UsageError, "missing is for tables.*sparse matrices.*\n.*or pass X as a pandas DataFrame whose columns have texts for names"):
            StackelbergRegressor(missing="mean").fit(x, y)
        for one in (x, sparse.csr_matrix(x)):
            with self.assertRaisesRegex(DataError, advice):
                rule.predict(one)
        table = pandas.DataFrame(x, columns=["a", "b", "c"])
        for command in ("predict", "respond"):
            with self.assertRaisesRegex(DataError, 'row 4: the value is missing .NaN..\nMaybe leave out the row, or fit with missing="drop" or missing="mean"'):
                getattr(StackelbergRegressor().fit(table.drop(index=3), np.delete(y, 3)), command)(table)
        self.assertTrue(np.isfinite(StackelbergRegressor(missing="mean").fit(table, y).predict(table)).all())
        self.assertEqual(np.isnan(StackelbergRegressor(missing="drop").fit(table, y).predict(table)).sum(), 1)

    def test_advice_about_infinite_values_can_be_followed(self):
        x, y = game()
        x[3, 1] = np.inf
        for one in (x, __import__("scipy.sparse").sparse.csr_matrix(x)):
            with self.assertRaisesRegex(DataError, "Column 2 .*row 4: inf is not a finite number.\nMaybe leave out the row, or put a number in its place"):
                StackelbergRegressor().fit(one, y)

    def test_missing_values_of_y_and_wish_are_refused_with_advice(self):
        x, y = game()
        gap = np.where(np.arange(60) == 3, np.nan, y)
        for what in ({"y": gap}, {"y": y, "wish": gap}, {"y": y, "sample_weight": gap}):
            with self.assertRaisesRegex(ValueError, "contains NaN.\nMaybe leave out these rows, of X too"):
                StackelbergRegressor(missing="drop").fit(x, **what)

    def test_options_in_messages_are_parameters_with_their_values(self):
        names = ["a", "b c", "drop"]
        for said, expected in (
            ("with --se bootstrap:200.", 'with se="bootstrap:200".'),
            ("--row-gamma and --gamma 0.5, --gamma 30% or --gamma 10%..50%.", 'row_gamma and gamma=0.5, gamma="30%" or gamma="10%..50%".'),
            ("Maybe --hedge 5%: less.", 'Maybe hedge="5%": less.'),
            ("as in --yes \">=6\"; --wish \"max(y,6)\".", 'as in yes=">=6"; wish="max(y,6)".'),
            ("with --ignore a, --categorical \"b c\" or --features.", 'with ignore=["a"], categorical=["b c"] or features.'),
            ("with --ignore 3.", 'with ignore=["3"].'),
            ("--ignore is not --features a or --weight drop.", 'ignore is not features=["a"] or weight="drop".'),
            ("--immutable none, --limit data, --limit \"a>=0\"", 'immutable="none", limit="data", limit="a>=0"'),
            ("--cost a=4 counts, --cost counts", 'cost={"a": 4} counts, cost counts'),
            ("Maybe use --rho fixed:VALUE, --rho adaptive, or not --plain.", 'Maybe use options={"rho": "fixed:VALUE"}, options={"rho": "adaptive"}, or not plain.'),
            ("tune has --ridges 0,log:1e-3:10:20.", "tune has --ridges 0,log:1e-3:10:20."),
            ("--wish COL, --today RULE.csv, --z Z.npy", "wish=..., today=..., wish=..."),
            ("--gamma in percent, --max-iterations 20", "gamma in percent, max_iterations=20"),
        ):
            self.assertEqual(in_python(said, names=names), expected)

    def test_every_word_of_an_option_of_fit_is_a_value(self):
        described = run("fit", "--help").text
        choices = dict(re.findall(r"--([a-z-]+)=((?:[a-z-]+\|)+[a-z-]+)(?=\s)", described))
        choices["solver"] = re.search(r"One of ([a-z, \s-]+?) \(default", described)[1].replace(",", "|").replace("\n", "")
        self.assertGreater(len(choices), 5)
        for option, words in choices.items():
            for word in map(str.strip, words.split("|")):
                name = option.replace("-", "_")
                self.assertEqual(in_python(f"Maybe --{option} {word}."), f'Maybe {name}="{word}".')

    def test_notes_name_parameters_as_in_python(self):
        ask = _program.ask

        def noting(words, told=None):
            if told is not None:
                told("Maybe --missing drop.")
            return ask(words, told)

        told = io.StringIO()
        with mock.patch.object(_program, "ask", noting), contextlib.redirect_stderr(told):
            StackelbergRegressor(verbose=True).fit(*game())
        self.assertIn('Maybe missing="drop".', told.getvalue())

    def test_a_missing_program_is_reported(self):
        done = python("import stackelberg; stackelberg.run('-V')", STACKELBERG_HOME="/nowhere")
        self.assertIn("STACKELBERG_HOME is /nowhere, but there is no program", done.stderr)

    def test_a_missing_java_is_reported(self):
        done = python("import stackelberg; stackelberg.run('-V')", JAVA_HOME="/nowhere")
        self.assertIn("ProgramError: The program stackelberg does not start.", done.stderr)
        self.assertIn("JAVA_HOME is /nowhere", done.stderr)

    def test_without_pandas_scipy_and_scikit_learn(self):
        script = """
import sys
for name in ("pandas", "scipy", "scipy.sparse", "sklearn", "sklearn.base", "sklearn.exceptions"):
    sys.modules[name] = None
import numpy as np, pickle, stackelberg
x = np.random.default_rng(0).normal(size=(50, 3)); y = x @ [1, 2, 3] + x[:, 0] ** 2
rule = stackelberg.StackelbergRegressor(gamma="20%").set_params(wish="max(y,1)").fit(x.tolist(), y.tolist())
assert rule.get_params()["gamma"] == "20%" and repr(rule) == "StackelbergRegressor(wish='max(y,1)', gamma='20%')", repr(rule)
assert pickle.loads(pickle.dumps(rule)).score(x, y) == rule.score(x, y)
try:
    rule.set_params(nix=1)
except ValueError as e:
    assert "nix" in str(e)
print(rule.certified_, len(rule.predict(x)), rule.respond(x, y=y).moves.shape, rule.score_moved(x, y) > 0)
"""
        done = python(script)
        self.assertEqual(done.stdout, "True 50 (50, 3) True\n", done.stderr)


if __name__ == "__main__":
    unittest.main()
