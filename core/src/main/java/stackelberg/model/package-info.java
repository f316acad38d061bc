/**
 * The estimator and the model: hyperparameters in a builder, data in {@code fit}, everything learned in an immutable
 * {@link stackelberg.model.StackelbergModel} that can be saved, loaded, verified and applied to new people.
 *
 * <p>This package uses all packages below it. It does not print, and it does not depend on the command line.
 *
 * <pre>{@code
 * StackelbergModel model = StackelbergRegression.builder()
 *         .target("score")
 *         .wish("max(y,6)") // everyone wants at least a 6
 *         .gamma(0.5) // what a move costs
 *         .immutable(Set.of("age"))
 *         .build()
 *         .fit(table);
 * double[] plain = model.predict(table);
 * double[] moved = model.afterResponse(plain, model.wishes(table, plain).orElseThrow());
 * boolean proven = model.certified(); // globally optimal, proven from the data
 * ModelFile.save(model, file);
 * }</pre>
 */
package stackelberg.model;
