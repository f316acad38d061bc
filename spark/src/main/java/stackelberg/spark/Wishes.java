package stackelberg.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;

/** Evaluates wish expressions of the core on distributed rows: each statistic in an expression is one Spark job, the rest is evaluated on the executors. */
final class Wishes {
    /** Names of columns in a wish expression, with or without quotes. */
    private static final Pattern NAME =
            Pattern.compile("`((?:``|[^`])+)`|'((?:\'\'|[^'])+)'|\"((?:\"\"|[^\"])+)\"|([\\p{L}_$][\\p{L}\\p{N}_$.]*)");

    /** The end of the message about a wish that is not finite. */
    static final String ADVICE =
            "\nMaybe a value is missing there, it divides by zero, or it takes a root or logarithm of a"
                    + " negative number.";

    private final Dataset<?> rows;
    private final String target;

    /**
     * Wishes of these rows.
     *
     * @param target the column that y stands for
     */
    Wishes(Dataset<?> rows, String target) {
        this.rows = rows;
        this.target = target;
    }

    /** Parses an expression without knowing the columns: every name in it is taken for one. */
    static Wish parse(String text) {
        Set<String> names = new LinkedHashSet<>();
        Matcher name = NAME.matcher(text);
        while (name.find()) {
            for (int quote = 1; quote <= 3; quote++) {
                if (name.group(quote) != null) {
                    String one = "`'\"".substring(quote - 1, quote);
                    names.add(name.group(quote).replace(one + one, one));
                }
            }
            if (name.group(4) != null) {
                names.add(name.group(4));
            }
        }
        return Wish.parse(text, names, true);
    }

    /** Parses an expression for a dataset with these columns. */
    static Wish parse(String text, List<String> columns) {
        Wish wish = Wish.parse(text, columns);
        if (wish.usesToday()) {
            throw ParamWords.refused(
                    "wish-uses-today",
                    "The wish {} uses today, the score under today's rule, which Spark does not learn.\nMaybe add the score as"
                            + " a column, such as the prediction of a LinearRegression, and write its name in `quotes`.",
                    text);
        }
        return wish;
    }

    /** The expression with its statistics computed on these rows. */
    Wish frozen(String text) {
        return parse(text, List.of(rows.columns())).freeze(new Statistics());
    }

    /** The column of wishes by an expression whose statistics are constants; NaN where the wish is not finite. */
    Column column(Wish wish) {
        List<String> names = new ArrayList<>(wish.columns());
        List<Column> used = new ArrayList<>();
        names.forEach(name -> used.add(number(name)));
        // y is the last column, and a constant if the expression does not use it
        used.add(wish.usesTarget() ? number(target) : functions.lit(0.0));
        return functions
                .udf(new Rule(wish.text(), names), DataTypes.DoubleType)
                .apply(functions.struct(used.toArray(Column[]::new)));
    }

    private static Column number(String name) {
        return functions.col(DistributedFit.quoted(name)).cast("double");
    }

    /** An expression with constants for its statistics, in a form that can be sent to the executors. */
    private static final class Rule implements UDF1<Row, Double>, Serializable {
        private static final long serialVersionUID = 1L;

        private final String text;
        private final String[] names;
        private transient @Nullable Wish wish;

        Rule(String text, List<String> names) {
            this.text = text;
            this.names = names.toArray(String[]::new);
        }

        @Override
        public Double call(Row row) {
            if (wish == null) {
                wish = Wish.parse(text, List.of(names));
            }
            double[] y = {value(row, names.length)};
            List<NumericColumn> columns = new ArrayList<>();
            for (int k = 0; k < names.length; k++) {
                columns.add(NumericColumn.of(names[k], value(row, k)));
            }
            try {
                Table one = columns.isEmpty() ? Table.of(NumericColumn.of("y", y)) : Table.of(columns);
                return wish.evaluate(one, y, null)[0];
            } catch (DataException e) {
                // NaN: the code that reads the row names its position in the message
                return Double.NaN;
            }
        }

        private static double value(Row row, int k) {
            return row.isNullAt(k) ? Double.NaN : row.getDouble(k);
        }
    }

    /** Statistics that are the same in every run: sums are added in the order of the partitions, quantiles are found by sorting. */
    private final class Statistics implements Wish.Statistics {
        /** The count, the sum and the sum of squared deviations over one or more partitions. */
        private record Spread(long count, double mean, double squares) implements Serializable {
            Spread and(Spread other) {
                long all = count + other.count;
                if (count == 0 || other.count == 0) {
                    return count == 0 ? other : this;
                }
                double gap = other.mean - mean;
                double part = (double) other.count / all;
                return new Spread(all, mean + gap * part, squares + other.squares + gap * gap * part * count);
            }
        }

        @Override
        public double mean(Wish of) {
            return spread(of).mean;
        }

        @Override
        public double sd(Wish of) {
            Spread spread = spread(of);
            return Math.sqrt(spread.squares / spread.count);
        }

        @Override
        public double quantile(Wish of, double level) {
            JavaRDD<Double> values = values(of);
            double position = level * (spread(of).count - 1);
            JavaRDD<Double> sorted = values.sortBy(value -> value, true, values.getNumPartitions());
            long below = (long) Math.floor(position);
            List<Tuple2<Double, Long>> found = sorted.zipWithIndex()
                    .filter(value -> value._2 == below || value._2 == below + 1)
                    .collect();
            double first = found.get(0)._1;
            double last = found.get(found.size() - 1)._1;
            return first + (position - below) * (last - first);
        }

        private JavaRDD<Double> values(Wish of) {
            return rows.select(column(of)).as(Encoders.DOUBLE()).toJavaRDD();
        }

        private Spread spread(Wish of) {
            Spread all = new Spread(0, 0, 0);
            for (Spread part : values(of)
                    .mapPartitions(partition -> {
                        Spread sum = new Spread(0, 0, 0);
                        while (partition.hasNext()) {
                            sum = sum.and(new Spread(1, partition.next(), 0));
                        }
                        return List.of(sum).iterator();
                    })
                    .collect()) {
                all = all.and(part);
            }
            if (!Double.isFinite(all.mean + all.squares)) {
                throw ParamWords.unusable(
                        "wish-not-finite", "In the wish, {} is not finite in some row.{}", of, ADVICE);
            }
            return all;
        }
    }
}
