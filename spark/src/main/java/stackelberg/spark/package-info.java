/**
 * The Spark ML estimator. It computes sums over distributed rows, runs the core's pipeline on them, and returns the core's model behind Spark's
 * conventions for estimators, models and params.
 *
 * <pre>{@code
 * StackelbergRegressionModel rule = new StackelbergRegression()
 *         .setLabelCol("score")
 *         .setWishCol("wish")
 *         .setGamma(0.5)
 *         .fit(people);
 * Dataset<Row> scored = rule.transform(people);      // adds the prediction, and the response: the prediction after the move
 * boolean proven = rule.summary().certified();
 * StackelbergModel model = rule.model();             // verify, export, explain
 * ModelFile.save(model, Path.of("model.json"));
 * }</pre>
 */
@NullMarked
package stackelberg.spark;

import org.jspecify.annotations.NullMarked;
