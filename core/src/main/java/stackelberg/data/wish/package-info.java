/**
 * The language in which wishes are declared: a column, or an expression in y (the truth), today (the score under today's rule), p (the current prediction)
 * and other columns.
 *
 * <p>An expression may use statistics of all rows, such as a quantile. They are computed on the training rows and stored as numbers ("frozen"), because new
 * rows have no truth. This package knows tables; it does not know games.
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
@org.jspecify.annotations.NullMarked
package stackelberg.data.wish;
