package stackelberg.cli.report;

import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import stackelberg.data.EncodedColumn;
import stackelberg.data.Encoding;
import stackelberg.data.Feature;
import stackelberg.data.Missing;
import stackelberg.data.Table;
import stackelberg.data.UnknownLevel;
import stackelberg.data.wish.Wish;
import stackelberg.game.OutOfRange;
import stackelberg.game.Population;
import stackelberg.game.PublishedRule;
import stackelberg.game.World;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;
import stackelberg.model.response.Followers;
import stackelberg.model.response.Groups;
import stackelberg.model.response.Responses;

/** The people a report is about: their truths and wishes, and what many rules predict them, a part of them at a time. */
public sealed interface People {
    /** Numbers held at once, encoded rows or predictions: 32 MB. */
    int MAX_VALUES = 1 << 22;

    /** Values of a matrix, zeros of a sparse one included, that are held against their ranges: about a second. */
    long MAX_CHECKED = 500_000_000;

    int size();

    /** The truth; null if nobody knows it. */
    double[] y();

    double[] z();

    double[] weights();

    /** What a person is called. */
    String label(int i);

    /** The rows by the value of a column. */
    Map<String, int[]> groups(String column);

    /** The encoded columns of some people, in the units of the data. */
    double[][] values(int[] people);

    /** How they respond, as the model thinks. */
    Population population(StackelbergModel model);

    /** The predictions of all rules for everybody, in parts that fit into memory. */
    void predictions(List<PublishedRule> rules, Workers workers, Part part);

    /** How many of them would end outside the range seen in training under a finite rule for people who all respond alike; empty if they are too many values to look at. */
    OptionalInt outOfRange(StackelbergModel model, Workers workers);

    /** Takes a part of the predictions. */
    @FunctionalInterface
    interface Part {
        /** p.get(i, k) is what rule firstRule + k predicts for person firstPerson + i. */
        void accept(int firstPerson, int firstRule, DenseMatrix p);
    }

    /** The rows that the model was fitted to, or would have been: its encoding, wish and weights. */
    static People of(Table table, StackelbergModel model) {
        StackelbergModel.Game game = model.game();
        Wish wish = Wish.parse(game.wish(), table.names());
        List<String> features =
                model.encoding().features().stream().map(Feature::column).toList();
        List<String> required = new ArrayList<>(List.of(game.target()));
        required.addAll(wish.columns());
        if (game.weight() != null) {
            required.add(game.weight());
        }
        if (game.rowGamma() != null) {
            required.add(game.rowGamma());
        }
        Missing.RowsInUse used = model.encoding().missing().apply(table, features, required);
        Table rows = used.table();
        double[] y = rows.numeric(game.target()).values();
        double[] weights = game.weight() == null
                ? ones(rows.rows())
                : rows.numeric(game.weight()).values();
        return new OfTable(model.encoding(), rows, UnknownLevel.ERROR, y, wish.evaluate(rows, y, null), weights);
    }

    private static double[] ones(int count) {
        return IntStream.range(0, count).mapToDouble(i -> 1).toArray();
    }

    /** Rows of a table, encoded a block at a time. */
    record OfTable(Encoding encoding, Table rows, UnknownLevel unknown, double[] y, double[] z, double[] weights)
            implements People {
        @Override
        public int size() {
            return rows.rows();
        }

        @Override
        public String label(int i) {
            return "row " + rows.rowNumber(i);
        }

        @Override
        public Population population(StackelbergModel model) {
            return model.world().population(rows);
        }

        @Override
        public Map<String, int[]> groups(String column) {
            return Groups.of(rows, column);
        }

        @Override
        public double[][] values(int[] people) {
            DenseMatrix encoded = encoding.apply(rows.select(people), unknown);
            List<EncodedColumn> columns = encoding.columns();
            double[][] values = new double[people.length][];
            for (int i = 0; i < people.length; i++) {
                values[i] = encoded.row(i);
                for (int j = 0; j < values[i].length; j++) {
                    values[i][j] = values[i][j] * columns.get(j).scale()
                            + columns.get(j).shift();
                }
            }
            return values;
        }

        @Override
        public OptionalInt outOfRange(StackelbergModel model, Workers workers) {
            PublishedRule rule = model.rule();
            double[] p = new double[size()];
            predictions(List.of(rule), workers, (first, none, some) -> {
                for (int i = 0; i < some.rows(); i++) {
                    p[first + i] = some.get(i, 0);
                }
            });
            return OptionalInt.of(Responses.of(model.world().alike(), rule, rows, Followers.of(model.gamma(), p, z))
                    .peopleOutOfRange());
        }

        @Override
        public void predictions(List<PublishedRule> rules, Workers workers, Part part) {
            List<EncodedColumn> columns = encoding.columns();
            DenseMatrix w = DenseMatrix.zeros(columns.size(), rules.size());
            double[] constants = new double[rules.size()];
            for (int k = 0; k < rules.size(); k++) {
                constants[k] = rules.get(k).intercept();
                for (int j = 0; j < columns.size(); j++) {
                    double coefficient = rules.get(k).coefficient(columns.get(j));
                    w.set(j, k, coefficient * columns.get(j).scale());
                    constants[k] += coefficient * columns.get(j).shift();
                }
            }
            int block = Math.max(1, MAX_VALUES / Math.max(1, columns.size() + rules.size()));
            for (int first = 0; first < size(); first += block) {
                Table some = first == 0 && size() <= block
                        ? rows
                        : rows.select(IntStream.range(first, Math.min(first + block, size()))
                                .toArray());
                DenseMatrix p = DenseMatrix.zeros(some.rows(), rules.size());
                encoding.apply(some, unknown).times(w, p, workers);
                addConstants(p, constants);
                part.accept(first, 0, p);
            }
        }
    }

    /** Rows of a matrix whose columns are features in the units of the data, some rules at a time. */
    record OfMatrix(Matrix x, double[] y, double[] z, double[] weights) implements People {
        public OfMatrix(Matrix x, double[] y, double[] z) {
            this(x, y, z, ones(y.length));
        }

        @Override
        public int size() {
            return x.rows();
        }

        @Override
        public String label(int i) {
            return "row " + (i + 1);
        }

        /** A matrix has no column of gammas. */
        @Override
        public Population population(StackelbergModel model) {
            return Population.ofOneGamma(size(), model.gamma(), model.game().truthfulShare());
        }

        @Override
        public Map<String, int[]> groups(String column) {
            return Map.of();
        }

        @Override
        public double[][] values(int[] people) {
            double[][] values = new double[people.length][];
            for (int i = 0; i < people.length; i++) {
                DoubleBuffer row = DoubleBuffer.allocate(x.cols());
                x.tile(people[i], 1, 0, x.cols(), row);
                values[i] = row.array();
            }
            return values;
        }

        @Override
        public OptionalInt outOfRange(StackelbergModel model, Workers workers) {
            return (long) x.rows() * x.cols() > MAX_CHECKED
                    ? OptionalInt.empty()
                    : OptionalInt.of(OutOfRange.people(model, x, z, workers));
        }

        @Override
        public void predictions(List<PublishedRule> rules, Workers workers, Part part) {
            int together = Math.max(1, MAX_VALUES / Math.max(x.rows(), x.cols()));
            for (int first = 0; first < rules.size(); first += together) {
                List<PublishedRule> some = rules.subList(first, Math.min(first + together, rules.size()));
                DenseMatrix w = DenseMatrix.zeros(x.cols(), some.size());
                double[] constants = new double[some.size()];
                for (int k = 0; k < some.size(); k++) {
                    constants[k] = some.get(k).intercept();
                    // the columns of a matrix are named 1, 2, 3, ..., in this order
                    w.setColumn(
                            k,
                            some.get(k).coefficients().values().stream()
                                    .mapToDouble(Double::doubleValue)
                                    .toArray());
                }
                DenseMatrix p = DenseMatrix.zeros(x.rows(), some.size());
                x.times(w, p, workers);
                addConstants(p, constants);
                part.accept(0, first, p);
            }
        }
    }

    private static void addConstants(DenseMatrix p, double[] constants) {
        for (int i = 0; i < p.rows(); i++) {
            for (int k = 0; k < constants.length; k++) {
                p.set(i, k, p.get(i, k) + constants[k]);
            }
        }
    }
}
