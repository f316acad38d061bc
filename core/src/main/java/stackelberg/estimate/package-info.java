/**
 * What any estimate needs, whatever game is played: losses, regressions, sums of products, and rows drawn again (folds, splits, bootstrap samples).
 *
 * <p>{@link stackelberg.estimate.LinearEstimator} is the only linear regression that ignores moves: today's rule, the rules that {@code compare}
 * sets beside it, and the rules of retraining come from it.
 *
 * <pre>{@code
 * LinearEstimator estimator = new LinearEstimator(x, y, true, Loss.SQUARED, workers);
 * LinearEstimator.Fit today = estimator.fit(weights); // least squares, or ridge where that is ill-posed
 * double[] scores = estimator.scores(today);
 * double lambda = estimator.bestRidge(weights, folds, 1e-3, 0.1, 10);
 * LinearEstimator.Fit ridge = estimator.ridge(weights, lambda).get(0);
 * }</pre>
 */
@NullMarked
package stackelberg.estimate;

import org.jspecify.annotations.NullMarked;
