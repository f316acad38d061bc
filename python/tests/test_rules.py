"""The rule, what people do under it, and that all of it is what the command line says."""

import contextlib
import io
import json
import os
import pickle
import tempfile
import unittest
import warnings
from unittest import mock

import numpy as np

from .games import WISH, command_line, game

import stackelberg
from stackelberg import NotCertifiedWarning, NotFittedError, StackelbergRegressor, StackelbergWarning

try:
    import pandas
except ImportError:
    pandas = None
try:
    from scipy import sparse
except ImportError:
    sparse = None

needs_pandas = unittest.skipUnless(pandas, "There is no pandas (Debian: python3-pandas).")
needs_scipy = unittest.skipUnless(sparse, "There is no scipy (Debian: python3-scipy).")


class Quiet(unittest.TestCase):
    def setUp(self):
        catcher = warnings.catch_warnings()
        catcher.__enter__()
        self.addCleanup(catcher.__exit__, None, None, None)
        warnings.simplefilter("ignore", StackelbergWarning)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def file(self, name):
        return os.path.join(self.folder, name)


class SameAsTheCommandLine(Quiet):
    """Bit by bit: the text of a number in JSON is the number."""

    def assert_same(self, rule, told):
        self.assertEqual(rule.coefficients_, told["coefficients"])
        self.assertEqual(rule.intercept_, told["intercept"])
        self.assertEqual(rule.pull_through_, told["pullThrough"])
        self.assertEqual(rule.gap_bound_, told["gapBound"])
        self.assertEqual(rule.gamma_, told["gamma"])
        self.assertEqual(rule.certified_, told["certified"])

    def test_arrays(self):
        x, y = game(200, 4)
        np.save(self.file("x.npy"), x)
        np.save(self.file("y.npy"), y)
        rule = StackelbergRegressor(gamma=0.7, immutable=[2], cost={"3": 4.0}, hedge="5%").fit(x, y)
        told = command_line(
            "fit", "--x", self.file("x.npy"), "--y", self.file("y.npy"), "--wish", WISH, "--gamma", 0.7, "--immutable", 2,
            "--cost", "3=4", "--hedge", "5%",
        )  # fmt: skip
        self.assert_same(rule, told)
        np.testing.assert_array_equal(rule.coef_, [told["coefficients"][str(j)] for j in range(1, 5)])

    @needs_scipy
    def test_sparse_matrices(self):
        x, y = game(80, 6)
        x[np.abs(x) < 0.8] = 0
        x[:, 5] = 0
        x[3, 5] = 1
        lines = []
        for i in range(80):
            pairs = [f"{j + 1}:{v!r}" for j, v in enumerate(x[i].tolist()) if v or i == 0 and j == 5]
            lines.append(" ".join([repr(float(y[i])), *pairs]))
        with open(self.file("x.svm"), "w") as out:
            out.write("\n".join(lines) + "\n")
        told = command_line("fit", self.file("x.svm"), "--wish", "max(y,1)")
        rule = StackelbergRegressor(wish="max(y,1)").fit(sparse.csc_matrix(x), y)
        self.assert_same(rule, told)
        np.testing.assert_allclose(rule.predict(sparse.coo_matrix(x)), x @ rule.coef_ + rule.intercept_)
        np.testing.assert_allclose(rule.predict(x), x @ rule.coef_ + rule.intercept_)
        self.assertEqual(rule.respond(sparse.csr_matrix(x), y=y).moves.shape, x.shape)
        with self.assertRaisesRegex(ValueError, "uses y"):
            rule.respond(sparse.csr_matrix(x))

    @needs_pandas
    def test_tables(self):
        x, y = game(150, 3)
        random = np.random.default_rng(1)
        table = pandas.DataFrame(x, columns=["income", "debt", "age"])
        table["region"] = random.choice(["hills", "town", "sea side"], 150)
        table["house"] = random.choice(["1", "2"], 150)
        table["married"] = random.random(150) < 0.5
        table["children"] = random.integers(0, 4, 150)
        y = pandas.Series(y + 3 * (table["house"] == "1"), name="score")
        written = table.assign(score=y, married=table["married"].astype(int))
        written.to_csv(self.file("data.csv"), index=False)
        rule = StackelbergRegressor(wish="today+age", immutable=["age", "region", "house"]).fit(table, y)
        told = command_line(
            "fit", self.file("data.csv"), "--target", "score", "--wish", "today+age", "--immutable", "age,region,house",
            "--categorical", "house",
        )  # fmt: skip
        self.assert_same(rule, told)
        self.assertIn("house=2", rule.terms_)
        self.assertIn("region=sea side", rule.terms_)
        self.assertEqual(list(rule.feature_names_in_), list(table.columns))
        self.assertEqual(rule.result_["target"], "score")
        self.assertEqual(rule.coef_.shape, (len(rule.terms_),))
        answers = rule.respond(table[::-1])
        np.testing.assert_array_equal(answers.prediction[::-1], rule.predict(table))
        self.assertEqual(list(answers.moves.index), list(table.index[::-1]))
        self.assertEqual(list(answers.moves.columns), ["income", "debt", "married", "children"])

    def test_path(self):
        x, y = game(100, 3)
        np.save(self.file("x.npy"), x)
        np.save(self.file("y.npy"), y)
        path = StackelbergRegressor().path(x, y, gammas=["10%", "50%"])
        told = command_line("path", "--x", self.file("x.npy"), "--y", self.file("y.npy"), "--wish", WISH, "--gammas", "10%,50%")
        self.assertEqual(path.coef.tolist(), [list(rule["coefficients"].values()) for rule in told["path"]])
        self.assertTrue(path.certified.all())
        np.testing.assert_allclose(path.coef[1], StackelbergRegressor(gamma="50%").fit(x, y).coef_, rtol=1e-6)


class WhatPeopleDo(Quiet):
    def test_every_row_closes_the_same_share_of_the_gap(self):
        x, y = game()
        rule = StackelbergRegressor().fit(x, y)
        p = rule.predict(x)
        np.testing.assert_allclose(p, x @ rule.coef_ + rule.intercept_)
        people = rule.respond(x)
        np.testing.assert_array_equal(people.prediction, p)
        np.testing.assert_allclose(people.after, p + rule.pull_through_ * (people.wish - p))
        np.testing.assert_allclose(people.after, (x + people.moves) @ rule.coef_ + rule.intercept_)
        np.testing.assert_allclose(people.cost, rule.gamma_ * ((people.moves / x.std(axis=0)) ** 2).sum(axis=1))
        self.assertEqual(people.document["people"], len(x))

    def test_scores_before_and_after_the_moves(self):
        x, y = game(200)
        rule = StackelbergRegressor(hedge="none").fit(x, y)
        self.assertAlmostEqual(rule.score(x, y), rule.result_["rSquared"]["honest"])
        self.assertAlmostEqual(rule.score_moved(x, y), rule.result_["rSquared"]["anticipated"])
        self.assertGreater(rule.score_moved(x, y), rule.score(x, y))

    @needs_pandas
    @needs_scipy
    def test_a_column_of_X_equal_to_the_wish_is_not_a_feature(self):
        x, y = game()
        wish = y + 1 + np.arange(60) % 7
        expected = StackelbergRegressor(wish_noise=1).fit(x, y, wish)
        first, last = np.column_stack([wish, x]), np.column_stack([x, wish])
        for given in (first, last, sparse.csr_matrix(first), pandas.DataFrame(last, columns=["a", "b", "c", "hoped_for"])):
            rule = StackelbergRegressor(wish_noise=1).fit(given, y, wish)
            coefficients = [*expected.coef_, 0] if rule.coef_[0] else [0, *expected.coef_]
            np.testing.assert_allclose(rule.coef_, coefficients, rtol=1e-9)
            self.assertTrue(any(text.startswith("Ignored columns: ") and text.endswith("name it in features.") for text in rule.warnings_))
            np.testing.assert_allclose(rule.predict(given), expected.predict(x), rtol=1e-9)
            np.testing.assert_allclose(rule.respond(given, wish).after, expected.respond(x, wish).after, rtol=1e-9)
        kept = StackelbergRegressor(wish_noise=1, features=["a", "b", "c", "hoped_for"]).fit(given, y, wish)
        self.assertNotEqual(kept.coef_[3], 0)

    def test_of_rules_for_many_gammas_the_one_for_the_true_gamma_is_best(self):
        x, y = game(200, 3)
        gammas = [0.5, 2.0, 8.0, 32.0]
        rules = [StackelbergRegressor(gamma=g, wish=WISH, hedge="none").fit(x, y) for g in gammas]
        for world in gammas:
            scores = [rule.score_moved(x, y, gamma=world) for rule in rules]
            self.assertEqual(gammas[int(np.argmax(scores))], world)
            self.assertEqual(scores[gammas.index(world)], rules[gammas.index(world)].score_moved(x, y))
        # by its own world each is scored among other people, and the search chooses the people
        self.assertEqual(len({rule.score_moved(x, y) for rule in rules}), len(gammas))
        share = StackelbergRegressor(gamma="40%", wish=WISH).fit(x, y)
        self.assertEqual(rules[1].score_moved(x, y, gamma="40%"), rules[1].score_moved(x, y, gamma=share.gamma_))
        np.testing.assert_array_equal(rules[1].respond(x, gamma="40%").after, rules[1].respond(x, gamma=share.gamma_).after)

    def test_score_moved_with_effects_depends_on_the_given_gamma(self):
        x, y = game(200, 3)
        rule = StackelbergRegressor(gamma=2, wish=WISH, effect={"1": 0.5}).fit(x, y)
        self.assertEqual(rule.score_moved(x, y, gamma=2), rule.score_moved(x, y))
        self.assertNotEqual(rule.score_moved(x, y, gamma=8), rule.score_moved(x, y))

    def test_with_effects_the_target_changes_with_the_moves(self):
        x, y = game(200)
        rule = StackelbergRegressor(effect={"1": 0.5}).fit(x, y)
        self.assertAlmostEqual(rule.score_moved(x, y), rule.result_["rSquared"]["anticipated"])

    def test_wishes_are_an_expression_or_numbers(self):
        x, y = game()
        by_rule = StackelbergRegressor(wish="max(y,1)").fit(x, y)
        by_argument = StackelbergRegressor().fit(x, y, "max(y,1)")
        by_numbers = StackelbergRegressor().fit(x, y, wish=np.maximum(y, 1))
        np.testing.assert_array_equal(by_rule.coef_, by_argument.coef_)
        np.testing.assert_array_equal(by_rule.coef_, by_numbers.coef_)
        np.testing.assert_allclose(by_numbers.respond(x, wish=np.maximum(y, 1)).after, by_rule.respond(x, y=y).after)
        with self.assertRaisesRegex(ValueError, "these people want is not known"):
            by_numbers.respond(x)
        self.assertEqual(StackelbergRegressor(wish=4).fit(x, y).respond(x).wish.tolist(), [4.0] * len(x))

    def test_yes_or_no(self):
        x, y = game(200)
        yes = y > 0
        rule = StackelbergRegressor(wish=0.9, loss="logistic", hedge="none").fit(x, yes)
        p = rule.predict(x)
        self.assertTrue(((p > 0) & (p < 1)).all())
        np.testing.assert_allclose(p, 1 / (1 + np.exp(-(x @ rule.coef_ + rule.intercept_))))
        said = StackelbergRegressor(wish=0.9, loss="logistic", hedge="none", yes="good").fit(x, np.where(yes, "good", "bad"))
        np.testing.assert_allclose(said.predict(x), p, rtol=1e-6)
        self.assertAlmostEqual(said.score(x, np.where(yes, "good", "bad")), rule.score(x, yes), places=6)
        self.assertLess(rule.score(x, yes), 1)
        self.assertGreater(rule.score_moved(x, yes), rule.score(x, yes))

    def test_a_missing_answer_is_not_a_no(self):
        x, y = game(200)
        said = np.where(y > 0, "yes", "no").astype(object)
        rule = StackelbergRegressor(wish=0.9, loss="logistic", yes="yes").fit(x, said)
        for nothing in (None, float("nan"), pandas and pandas.NA):
            said[3] = nothing
            for asked in (rule.fit, rule.score, rule.score_moved, lambda x, y: rule.respond(x, y=y)):
                with self.assertRaisesRegex(ValueError, "Input y contains NaN"):
                    asked(x, said)

    def test_answers_as_objects_booleans_and_numbers_give_the_same_rule(self):
        x, y = game(200)
        yes = y > 0
        expected = StackelbergRegressor(wish=0.9, loss="logistic").fit(x, yes)
        kinds = [yes, yes.astype(object), yes.astype(int), yes.astype(float).astype(object)]
        kinds.append(np.empty(len(yes), dtype=object))
        kinds[-1][:] = list(yes)
        if pandas:
            kinds += [pandas.Series(yes, dtype="boolean")]
        for learned in kinds:
            rule = StackelbergRegressor(wish=0.9, loss="logistic").fit(x, learned)
            np.testing.assert_array_equal(rule.coef_, expected.coef_)
            for asked in kinds:
                self.assertEqual(rule.score(x, asked), expected.score(x, yes))
        said = StackelbergRegressor(wish=0.9, loss="logistic", yes="good").fit(x, np.where(yes, "good", "bad"))
        with self.assertRaisesRegex(ValueError, "A yes is 'good', but y has numbers"):
            said.score(x, yes)

    def test_a_weight_of_two_equals_two_equal_rows(self):
        x, y = game()
        count = np.arange(len(y)) % 3
        often = np.repeat(np.arange(len(y)), count)
        by_weight = StackelbergRegressor(wish="max(y,1)", gamma=1, scale="none").fit(x, y, sample_weight=count)
        repeated = StackelbergRegressor(wish="max(y,1)", gamma=1, scale="none").fit(x[often], y[often])
        np.testing.assert_allclose(by_weight.coef_, repeated.coef_, rtol=1e-8)
        np.testing.assert_allclose(by_weight.predict(x), repeated.predict(x), rtol=1e-8)
        self.assertAlmostEqual(by_weight.score_moved(x, y, sample_weight=count), repeated.score_moved(x[often], y[often]))

    @needs_pandas
    @needs_scipy
    def test_weights_and_wishes_of_tables_and_sparse_matrices(self):
        x, y = game()
        count = 1 + np.arange(len(y)) % 3
        z = np.maximum(y, 1)
        expected = StackelbergRegressor(gamma=1).fit(x, y, z, count)
        table = pandas.DataFrame(x, columns=["wish", "weight", "y"])
        for there in (table, sparse.csr_matrix(x)):
            rule = StackelbergRegressor(gamma=1).fit(there, y, z, count)
            np.testing.assert_allclose(rule.coef_, expected.coef_, rtol=1e-6)
            np.testing.assert_allclose(rule.respond(there, z).after, expected.respond(x, z).after, rtol=1e-6)

    @needs_pandas
    def test_leaving_out_rows_with_zero_weight_keeps_the_types_of_columns(self):
        x, y = game()
        random = np.random.default_rng(1)
        count = np.ones(len(y))
        count[[2, 7]] = 0
        children = pandas.array(random.integers(0, 4, len(y)), dtype="Int64")
        children[5] = pandas.NA
        table = pandas.DataFrame({
            "income": x[:, 0],
            "house": pandas.Categorical(random.integers(1, 4, len(y))),
            "since": pandas.Timestamp("2020-01-01") + pandas.to_timedelta(random.integers(0, 900, len(y)), "D"),
            "married": pandas.array(random.random(len(y)) < 0.5, dtype="boolean"),
            "children": children,
        })  # fmt: skip
        rule = StackelbergRegressor(missing="mean").fit(table, y, sample_weight=count)
        expected = StackelbergRegressor(missing="mean").fit(table[count > 0], y[count > 0])
        self.assertEqual(rule.coefficients_, expected.coefficients_)
        self.assertEqual(set(rule.terms_), {"income", "house=2", "house=3", "married", "children"})

    @needs_pandas
    def test_missing_integers_in_columns_without_names(self):
        x, y = game()
        table = pandas.DataFrame(np.round(4 * x)).astype("Int64")
        whole = StackelbergRegressor().fit(table, y)
        np.testing.assert_array_equal(whole.coef_, StackelbergRegressor().fit(np.round(4 * x), y).coef_)
        table.iloc[4, 1] = pandas.NA
        for there in (table, table.to_numpy()):
            with self.assertRaisesRegex(ValueError, "Column 2 .*row 5: NaN"):
                StackelbergRegressor().fit(there, y)
        with self.assertRaisesRegex(ValueError, "Input y contains NaN"):
            StackelbergRegressor().fit(x, table[1])

    @needs_pandas
    def test_tables_whose_column_names_are_numbers(self):
        x, y = game()
        numbers = StackelbergRegressor().fit(pandas.DataFrame(x), y)
        np.testing.assert_array_equal(numbers.coef_, StackelbergRegressor().fit(x, y).coef_)
        mixed = pandas.DataFrame(x).assign(**{"3": np.where(x[:, 0] > 0, "a", "b")})
        mixed.columns = range(4)
        rule = StackelbergRegressor().fit(mixed, y)
        self.assertFalse(hasattr(rule, "feature_names_in_"))
        self.assertEqual(rule.terms_[-1], "3=b")
        self.assertEqual(rule.predict(mixed).shape, y.shape)

    @needs_pandas
    def test_verbose_prints_notes(self):
        x, y = game()
        table = pandas.DataFrame(x, columns=["a", "b", "c"])
        rule = StackelbergRegressor(ignore=["c"], verbose=True).fit(table, y)
        told = io.StringIO()
        with contextlib.redirect_stderr(told):
            rule.predict(table)
        self.assertIn("Ignored columns, which the model does not use: c", told.getvalue())
        self.assertEqual(rule.coef_[2], 0)

    @needs_pandas
    def test_missing_values_and_a_column_of_numbers_that_are_names(self):
        x, y = game()
        table = pandas.DataFrame(x, columns=["a", "b", "c"])
        table.loc[4, "b"] = np.nan
        with self.assertRaisesRegex(ValueError, "missing"):
            StackelbergRegressor().fit(table, y)
        rule = StackelbergRegressor(missing="drop").fit(table, y)
        self.assertEqual(rule.result_["rows"], len(y) - 1)
        p = rule.predict(table)
        self.assertEqual(np.flatnonzero(np.isnan(p)).tolist(), [4])

    @needs_pandas
    def test_an_unknown_category_is_refused_or_treated_as_the_base(self):
        x, y = game()
        table = pandas.DataFrame(x, columns=["a", "b", "c"])
        table["town"] = ["Bonn" if i % 3 else "Ulm" for i in range(len(y))]
        news = table.assign(town=["Aalen"] + table["town"].tolist()[1:])
        with self.assertRaisesRegex(ValueError, 'Aalen(.|\n)*unknown="zero"'):
            StackelbergRegressor().fit(table, y).predict(news)
        rule = StackelbergRegressor(unknown="zero").fit(table, y)
        base = table.assign(town=["Bonn"] + table["town"].tolist()[1:])
        np.testing.assert_array_equal(rule.predict(news), rule.predict(base))
        np.testing.assert_array_equal(rule.respond(news).after, rule.respond(base).after)
        with self.assertRaisesRegex(ValueError, "is a parameter of"):
            StackelbergRegressor(options={"unknown": "zero"}).fit(table, y)

    @needs_pandas
    def test_a_constant_column_has_coefficient_zero(self):
        x, y = game()
        table = pandas.DataFrame(x, columns=["a", "b", "c"])
        rule = StackelbergRegressor().fit(table, y)
        more = StackelbergRegressor().fit(table.assign(planet=3), y)
        np.testing.assert_array_equal(more.coef_, [*rule.coef_, 0])
        np.testing.assert_array_equal(more.predict(table.assign(planet=4)), rule.predict(table))
        self.assertIn("planet", " ".join(more.warnings_))

    @needs_pandas
    def test_identifiers_may_contain_any_character(self):
        x, y = game()
        table = pandas.DataFrame(x, columns=["a", "b", "c"])
        expected = StackelbergRegressor().fit(table, y).respond(table)
        table.insert(0, "who", [f"no#{i}" if i % 2 else f'#{i}, "x" \\' for i in range(len(y))])
        rule = StackelbergRegressor(id="who").fit(table, y)
        np.testing.assert_array_equal(rule.predict(table), expected.prediction)
        np.testing.assert_array_equal(rule.respond(table).after, expected.after)


class AroundIt(Quiet):
    def test_a_failed_fit_keeps_the_previous_rule(self):
        x, y = game()
        rule = StackelbergRegressor().fit(x, y)
        before = rule.predict(x)
        with self.assertRaises(ValueError):
            rule.fit(np.column_stack([x, np.full(len(y), np.nan)]), y)
        np.testing.assert_array_equal(rule.predict(x), before)
        if pandas:
            with self.assertRaises(ValueError):
                rule.fit(pandas.DataFrame(x * np.nan, columns=["a", "b", "c"]), y)
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                np.testing.assert_array_equal(rule.predict(x), before)

    @needs_pandas
    def test_the_model_names_no_temporary_file(self):
        x, y = game()
        table = pandas.DataFrame(x, columns=["a", "b", "c"])
        for details in (False, True):
            rule = StackelbergRegressor(today={"intercept": 1, "a": 2}, details=details).fit(table, y)
            with open(rule.report(self.file("page.html")), encoding="utf-8") as page:
                for text in (rule.model_, repr(rule.result_), repr(rule.path(table, y).document), page.read()):
                    self.assertNotRegex(text, r"stackelberg-\w{8}/")
                    self.assertNotIn("page.html.part", text)
            self.assertEqual(json.loads(rule.model_)["provenance"]["data"]["name"], "data")
            self.assertEqual(rule.result_["today"]["source"], "today")

    def test_a_pickled_estimator_predicts_the_same(self):
        x, y = game()
        rule = StackelbergRegressor(gamma="20%").fit(x, y)
        again = pickle.loads(pickle.dumps(rule))
        np.testing.assert_array_equal(again.predict(x), rule.predict(x))
        self.assertEqual(again.get_params(), rule.get_params())
        with self.assertRaisesRegex(ValueError, "not available"):
            again.report(self.file("page.html"))
        again.report(self.file("page.html"), x, y)
        self.assertTrue(os.path.exists(self.file("page.html")))

    def test_a_page_of_the_rule(self):
        x, y = game()
        rule = StackelbergRegressor().fit(x, y)
        page = rule.report(self.file("page.html"))
        with open(page, encoding="utf-8") as text:
            self.assertIn("<html", text.read())
        rule.set_params(gamma="60%")
        with self.assertRaisesRegex(ValueError, "another rule than the fitted one"):
            rule.report(self.file("other.html"))
        self.assertFalse(os.path.exists(self.file("other.html")))

    def test_a_notebook_shows_the_rule(self):
        x, y = game()
        rule = StackelbergRegressor(wish="max(y,1)")
        self.assertIn("Not fitted", rule._repr_html_())
        shown = rule.fit(x, y)._repr_html_()
        self.assertIn("Certified", shown)
        self.assertIn(f"{rule.coef_[1]:.5g}", shown)
        self.assertIs(rule._repr_mimebundle_()["text/html"], shown)
        model = self.file("model.json")
        with open(model, "w", encoding="utf-8") as out:
            out.write(rule.model_)
        self.assertEqual(stackelberg.run("summary", model, "--html").text, shown)

    def test_without_the_program_a_notebook_shows_the_plain_text(self):
        x, y = game()
        rule = StackelbergRegressor().fit(x, y)
        with mock.patch("stackelberg._regressor.checked", side_effect=stackelberg.ProgramError("gone")):
            self.assertEqual(rule._repr_html_(), f"<pre>{rule!r}</pre>")
        self.assertIn("Certified", rule._repr_html_())

    @needs_pandas
    def test_names_are_escaped_in_a_notebook(self):
        x, y = game()
        table = pandas.DataFrame(x, columns=["a<b", "c", "d"])
        self.assertIn("a&lt;b", StackelbergRegressor().fit(table, y)._repr_html_())

    def test_an_uncertified_rule_is_an_answer_with_a_warning(self):
        x, y = game()
        with self.assertWarnsRegex(NotCertifiedWarning, "not proven"):
            rule = StackelbergRegressor(limit=["1>=-1", "2 up"]).fit(x, y)
        self.assertFalse(rule.certified_)
        self.assertTrue(np.isfinite(rule.predict(x)).all())

    def test_without_a_finite_equilibrium_predictions_are_nan(self):
        x, y = game()
        with self.assertWarnsRegex(NotCertifiedWarning, "no finite equilibrium"):
            endless = StackelbergRegressor(wish="y+1", hedge="none").fit(x, y)
        self.assertFalse(endless.certified_)
        self.assertTrue(np.isnan(endless.coef_).all())
        with self.assertWarnsRegex(NotCertifiedWarning, "no finite equilibrium"):
            self.assertTrue(np.isnan(endless.predict(x)).all())
        with self.assertWarnsRegex(NotCertifiedWarning, "no finite equilibrium"):
            self.assertTrue(np.isnan(endless.respond(x, y=y).after).all())

    def test_predict_before_fit_is_refused(self):
        with self.assertRaises(NotFittedError):
            StackelbergRegressor().predict([[1, 2, 3]])

    def test_details_hold_the_json_of_fit(self):
        x, y = game()
        quick = StackelbergRegressor().fit(x, y)
        all_of_it = StackelbergRegressor(details=True).fit(x, y)
        self.assertNotIn("whatIf", quick.result_)
        self.assertEqual(len(all_of_it.result_["whatIf"]), 5)
        self.assertEqual(quick.coefficients_, all_of_it.coefficients_)
        groups = StackelbergRegressor(group="1").fit(np.column_stack([np.arange(len(y)) % 2, x]), y).result_["groups"]
        self.assertIsNotNone(groups)

    def test_any_command_can_be_run(self):
        answer = stackelberg.run("describe", "--help")
        self.assertEqual(answer.exit, 0)
        self.assertIn("stackelberg describe", answer.text)


if __name__ == "__main__":
    unittest.main()
