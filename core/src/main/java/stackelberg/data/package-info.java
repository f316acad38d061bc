/**
 * Tables of named columns, and their encoding as matrices.
 *
 * <p>A {@link stackelberg.data.Table} holds numeric and categorical columns, or a block of features that already is a matrix. An {@link
 * stackelberg.data.Encoding} is learned from the training rows and turns the rows of any table into a matrix: categories become indicators, and each
 * column is scaled as {@link stackelberg.data.Scaling} says. Data that cannot be used cause a {@link stackelberg.data.DataException}, which states
 * what is wrong, where, and why. This package does not know files, games or solvers.
 *
 * <pre>{@code
 * Table people = Table.of(
 *         NumericColumn.of("income", 20, 35, 50, 80),
 *         NumericColumn.of("score", 4, 5, 7, Double.NaN),
 *         CategoricalColumn.of("job", "clerk", "nurse", "clerk", "nurse"));
 * Table known = Missing.DROP.apply(people, List.of("income", "job"), List.of("score")).table();
 * List<Encoding.Choice> features = List.of(
 *         new Encoding.Choice("income", Scaling.STANDARD, false), new Encoding.Choice("job", Scaling.STANDARD, true));
 * Encoding encoding = Encoding.fit(known, features, Missing.ERROR);
 * DenseMatrix x = encoding.apply(people); // rows without a score too
 * Table arrays = Table.of(new double[][] {{1, 2}, {3, 4}}, Table.positions(2), NumericColumn.of("y", 5, 6));
 * }</pre>
 */
@org.jspecify.annotations.NullMarked
package stackelberg.data;
