/**
 * The Spark ML estimator: sums over distributed rows for the core's own pipeline, which end in the core's own model, and Spark's conventions around
 * them.
 *
 * <pre>{@code
 * StackelbergRegressionModel rule = new StackelbergRegression()
 *         .setLabelCol("score")
 *         .setWishCol("wish")
 *         .setGamma(0.5)
 *         .fit(people);
 * Dataset<Row> scored = rule.transform(people);      // prediction, and response after everybody has moved
 * boolean proven = rule.summary().certified();
 * StackelbergModel model = rule.model();             // verify, export, explain
 * ModelFile.save(model, Path.of("model.json"));
 * }</pre>
 */
package stackelberg.spark;
