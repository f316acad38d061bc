"""What is wrong is said in our words, as a Python exception."""

import unittest
import warnings

import numpy as np

from .games import game, python

from stackelberg import DataError, StackelbergError, StackelbergRegressor, StackelbergWarning, UsageError


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

    def test_columns_called_by_numbers_are_not_named(self):
        pandas = __import__("pandas")
        x, y = game()
        for named in ({"immutable": [2]}, {"cost": {0: 2}}):
            with self.assertRaisesRegex(UsageError, "astype"):
                StackelbergRegressor(**named).fit(pandas.DataFrame(x), y)
        text = pandas.DataFrame(x, columns=["0", "1", "2"])
        self.assertEqual(StackelbergRegressor(immutable=["2"]).fit(text, y).coef_.shape, (3,))

    def test_the_seal_of_a_hedged_rule_is_about_hedged_rules(self):
        x, y = game()
        self.assertIn("no rule at most 5% worse than today", StackelbergRegressor(hedge="5%").fit(x, y)._repr_html_())
        self.assertIn(", and no rule can be better", StackelbergRegressor().fit(x, y)._repr_html_())

    def test_options_are_refused_by_name(self):
        self.assert_says(UsageError, "nix is not an option of fit", options={"nix": 1})
        self.assert_says(UsageError, "'target' is what fit", options={"target": "a"})
        self.assert_says(UsageError, "'gamma' is a parameter", options={"gamma": 1})
        self.assert_says(UsageError, "rho", options={"rho": "fixed:2"})
        self.assert_says(UsageError, "row_gamma are given", gamma=2, row_gamma="1")

    def test_options_of_the_published_solvers_are_reached(self):
        x, y = game()
        rule = StackelbergRegressor(solver="cd-admm", options={"rho": "adaptive"}).fit(x, y)
        self.assertEqual(rule.result_["solver"], "cd-admm")

    def test_data_are_named_as_in_python(self):
        x, y = game()
        x[3, 1] = np.nan
        with self.assertRaisesRegex(DataError, "Column 2 .*row 4: NaN") as caught:
            StackelbergRegressor().fit(x, y)
        self.assertNotIn("npy", str(caught.exception))
        with self.assertRaisesRegex(ValueError, "wish has 2 values, but X has 60 rows"):
            StackelbergRegressor().fit(*game(), wish=[1, 2])
        with self.assertRaisesRegex(ValueError, "X has 2 features, but StackelbergRegressor is expecting 3"):
            StackelbergRegressor().fit(*game()).predict(x[:, :2])

    def test_what_is_advised_about_missing_values_can_be_followed(self):
        x, y = game()
        rule = StackelbergRegressor().fit(x, y)
        x[3, 1] = np.nan
        with self.assertRaisesRegex(DataError, 'leave out the row, or pass X as a pandas DataFrame and use missing="mean"'):
            StackelbergRegressor().fit(x, y)
        with self.assertRaisesRegex(UsageError, "missing is for tables.*\\n.*or pass X as a pandas DataFrame"):
            StackelbergRegressor(missing="mean").fit(x, y)
        with self.assertRaisesRegex(DataError, 'leave out the row, or fit a pandas DataFrame with missing="drop" or missing="mean"'):
            rule.predict(x)
        table = __import__("pandas").DataFrame(x, columns=["a", "b", "c"])
        with self.assertRaisesRegex(DataError, 'leave out the row, or fit with missing="drop" or missing="mean"'):
            StackelbergRegressor().fit(table.drop(index=3), np.delete(y, 3)).predict(table)
        self.assertTrue(np.isfinite(StackelbergRegressor(missing="mean").fit(table, y).predict(table)).all())

    def test_where_there_is_no_program(self):
        done = python("import stackelberg; stackelberg.run('-V')", STACKELBERG_HOME="/nowhere")
        self.assertIn("STACKELBERG_HOME is /nowhere, but there is no program", done.stderr)

    def test_where_there_is_no_java(self):
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
