/**
 * Chooses how cautious a rule should be, by cross-validating every gamma: against one gamma of the world, or by the
 * smallest worst regret over several.
 *
 * <p>It is a loop over folds and candidates. With few columns all folds are solved from sums of products that one pass
 * over the data gives. Everything that is learned from rows, scales and wishes included, comes from each fold's
 * training rows alone.
 *
 * <pre>{@code
 * StackelbergRegression regression =
 *         StackelbergRegression.builder().target("score").wish("max(y,6)").build();
 * Tuning.Plan plan = Tuning.Plan.of(0.01, 0.1, 1, 10).withFolds(5).withSeed(7);
 * Tuning tuning = regression.tune(table, plan, Tuning.Listener.NONE);
 * Tuning.Curve curve = tuning.curve(0.5); // in a world where moves cost 0.5
 * double gamma = curve.points().get(curve.best()).gamma();
 * double loss = tuning.loss(curve.best(), 0.5); // of a person held out
 * Tuning.Regret regret = tuning.regret(0.1, 1, 10); // if the cost of moves is not known
 * }</pre>
 */
@NullMarked
package stackelberg.model.tuning;

import org.jspecify.annotations.NullMarked;
