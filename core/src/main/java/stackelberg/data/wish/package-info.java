/**
 * The language in which wishes are declared: a column, or an expression in y (the truth), p (the current prediction) and other columns.
 *
 * <p>Statistics in a rule are frozen on the rows that a model learns from, because new people have no truth. The language knows tables, and nothing of
 * who wishes or why.
 *
 * <pre>{@code
 * double[] y = table.numeric("score").values();
 * Wish wish = Wish.parse("max(y, quantile(0.25))", table.names());
 * Wish frozen = wish.freeze(table, y); // with a number in place of the quantile
 * double[] z = frozen.evaluate(table, y, null);
 * Wish more = Wish.parse("p + 0.1*income", table.names(), true);
 * double[] again = more.evaluate(table, null, predictions);
 * }</pre>
 */
package stackelberg.data.wish;
