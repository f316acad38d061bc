/**
 * Tables of named columns, and how they become matrices.
 *
 * <p>A {@link stackelberg.data.Table} holds columns of numbers and of categories, or a block of features that is a matrix already; an {@link
 * stackelberg.data.Encoding} learned from some rows makes a matrix of any rows, scaled by the rule of {@link stackelberg.data.Scaling}. What
 * cannot be used is a {@link stackelberg.data.DataException} that says what, where and why. Nothing here knows files, games or solvers.
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
package stackelberg.data;
