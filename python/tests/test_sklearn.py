"""scikit-learn's own checks, and its tools."""

import unittest
import warnings

import numpy as np

from .games import game

from stackelberg import StackelbergRegressor, StackelbergWarning

try:
    import sklearn
    from sklearn.base import clone
    from sklearn.model_selection import GridSearchCV, cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.utils.estimator_checks import check_estimator
except ImportError:
    sklearn = None


@unittest.skipUnless(sklearn, "There is no scikit-learn (Debian: python3-sklearn).")
class ScikitLearn(unittest.TestCase):
    def setUp(self):
        catcher = warnings.catch_warnings()
        catcher.__enter__()
        self.addCleanup(catcher.__exit__, None, None, None)
        warnings.simplefilter("ignore", StackelbergWarning)

    def test_scikit_learns_own_checks(self):
        warnings.simplefilter("ignore")
        check_estimator(StackelbergRegressor())

    def test_pipelines_and_cross_validation(self):
        x, y = game(120, 4)
        pipeline = make_pipeline(StandardScaler(), StackelbergRegressor(gamma="40%", hedge="none"))
        scores = cross_val_score(pipeline, x, y, cv=3)
        self.assertEqual(scores.shape, (3,))
        moved = cross_val_score(StackelbergRegressor(gamma="40%", hedge="none"), x, y, cv=3, scoring=StackelbergRegressor.score_moved)
        self.assertTrue((moved > scores).all())
        pipeline.fit(x, y)
        self.assertAlmostEqual(pipeline.score(x, y), pipeline[-1].score(pipeline[0].transform(x), y))

    def test_a_grid_search_over_gamma_with_a_fixed_true_gamma(self):
        x, y = game(120, 3)
        search = GridSearchCV(
            StackelbergRegressor(), {"gamma": ["10%", "30%", "60%"]}, cv=3, scoring=lambda rule, X, y: rule.score_moved(X, y, gamma="30%")
        ).fit(x, y)
        self.assertEqual(search.best_params_, {"gamma": "30%"})

    def test_a_search_in_two_processes(self):
        x, y = game(120, 4)
        grid = {"gamma": ["20%", "50%"], "hedge": ["none", "5%"]}
        search = GridSearchCV(StackelbergRegressor(), grid, cv=2, n_jobs=2).fit(x, y)
        self.assertEqual(search.best_params_["hedge"], "5%")
        self.assertTrue(search.best_estimator_.certified_)
        one = GridSearchCV(StackelbergRegressor(), grid, cv=2).fit(x, y)
        np.testing.assert_array_equal(search.cv_results_["mean_test_score"], one.cv_results_["mean_test_score"])

    def test_an_array_of_wishes_is_split_with_the_rows(self):
        x, y = game(120, 4)
        search = GridSearchCV(StackelbergRegressor(), {"gamma": ["20%", "50%"]}, cv=2).fit(x, y, wish=y + 1)
        self.assertEqual(search.n_features_in_, 4)

    def test_clones_are_not_fitted(self):
        x, y = game()
        copy = clone(StackelbergRegressor(cost={"1": 2}).fit(x, y))
        self.assertFalse(hasattr(copy, "coef_"))
        self.assertEqual(copy.cost, {"1": 2})


if __name__ == "__main__":
    unittest.main()
