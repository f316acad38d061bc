package stackelberg.game;

import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.Message;
import stackelberg.data.Missing;
import stackelberg.data.NumericColumn;
import stackelberg.data.Scaling;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.estimate.LinearEstimator;
import stackelberg.game.GameSpec.Today;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/**
 * The data of a declared game: the rows in use, their encoded columns, target values, wishes and weights, whatever
 * source the data came from.
 *
 * <p>The manipulable features come first and the immutable ones after them, so that the two are column ranges of one
 * matrix and nothing is stored twice. A table that is one block of numbers is not copied at all: its scaling is a view
 * of the block.
 */
public final class Sample {
    /** The beginning of the note that lists constant columns which were left out. */
    public static final String LEFT_OUT = "The same value in all rows, so no information, and left out: ";

    /** Numbers held at once, encoded rows or predictions: 32 MB. */
    private static final int MAX_VALUES = 1 << 22;

    /**
     * A column of a block whose mean is more than this many standard deviations away from 0 is centred value by value,
     * in a copy, instead of in the sums of products. The error of centring the sums grows with about the square of this
     * number: measured on nearly unbounded problems it is 1e-10 of the loss at 100, and 6e-7 at 10,000.
     */
    private static final double FAR = 100;

    /**
     * Blocks with more values than this are never copied for that: 128 MB, and as much again while they are encoded.
     */
    private static final long MOST_COPIED = 1 << 24;

    private final World world;
    private final Table rows;
    /** The encoded columns, or the block itself. */
    private final Matrix columns;

    private final boolean block;
    /** Columns of a block that are known to be constant and not 0. */
    private final Set<Integer> same;

    private final double @Nullable [] y;
    private final double[] z;
    private final int dropped;
    private final Map<String, Integer> filled;
    private final List<Message> warnings;
    private final IntFunction<String> labels;

    private Sample(World world, Used used, Matrix columns, double @Nullable [] y, double[] z, List<Message> warnings) {
        this.world = world;
        this.rows = used.rows();
        this.dropped = used.dropped();
        this.filled = Collections.unmodifiableMap(used.filled());
        this.columns = columns;
        this.block = !used.encoded();
        this.same = used.same();
        this.y = y;
        this.z = z;
        this.warnings = List.copyOf(warnings);
        this.labels = world.labels(rows);
    }

    /**
     * The rows in use.
     *
     * @param dropped rows left out because of missing values
     * @param filled the number of missing values filled in, by column
     * @param encoded whether the columns are an encoded copy, rather than the block itself
     * @param same columns of a block that are known to be constant and not 0
     */
    private record Used(Table rows, int dropped, Map<String, Integer> filled, boolean encoded, Set<Integer> same) {
        Used(Table rows, int dropped, Map<String, Integer> filled, boolean encoded) {
            this(rows, dropped, filled, encoded, Set.of());
        }
    }

    private Used used() {
        return new Used(rows, dropped, filled, !block, same);
    }

    /**
     * Makes the sample of a declared game from a table: determines the roles of columns, encodes them, and computes
     * today's rule and the wishes as needed.
     */
    public static Sample of(GameSpec spec, Table table, Workers workers) {
        Roles roles = Roles.of(table, spec);
        GameSpec known = ignoring(roles.wished(), spec).answeredBy(roles.rows());
        Sample sample = roles.block()
                .map(matrix -> ofBlock(known, roles, matrix, workers))
                .orElseGet(() -> ofColumns(known, roles, workers));
        Optional<Message> taken = SampleWarnings.answers(spec, sample.world, sample.knownY());
        return taken.isEmpty() ? sample : sample.warned(taken.get());
    }

    /**
     * Adds the columns that equal the wish to the ignored ones, so that a model that finds columns by position knows
     * that there were more.
     */
    private static GameSpec ignoring(List<String> wished, GameSpec spec) {
        if (wished.isEmpty()) {
            return spec;
        }
        Set<String> ignored = new LinkedHashSet<>(spec.ignore());
        ignored.addAll(wished);
        return spec.toBuilder().ignore(ignored).build();
    }

    private Sample warned(Message more) {
        List<Message> all = new ArrayList<>(warnings);
        all.add(more);
        return new Sample(world, used(), columns, y, z, all);
    }

    /**
     * Whether a sample of this game would use the table's block of numbers without a copy, unless a column lies too far
     * from 0.
     */
    public static boolean keepsBlock(GameSpec spec, Table table) {
        return table.block().isPresent() && Roles.of(table, spec).block().isPresent();
    }

    /** Makes a sample of a table with separate columns: they are encoded into a matrix. */
    private static Sample ofColumns(GameSpec spec, Roles roles, Workers workers) {
        Table rows = roles.rows();
        Encoding encoding = Encoding.fit(rows, roles.features(), spec.missing(), workers);
        int manipulable = Roles.manipulable(encoding, roles.immutable());
        DenseMatrix columns = encoding.apply(rows, workers);
        World declared = new World(spec, encoding, Roles.costs(encoding, manipulable, spec)).checked();
        Premises.Settled settled = new Premises(declared, rows, columns, false, workers).settle(roles.wish());
        World world = settled.world();
        List<Message> warnings = new ArrayList<>();
        SampleWarnings.rows(roles.dropped(), rows.rows(), warnings);
        SampleWarnings.categories(encoding, roles.immutable(), spec, warnings);
        SampleWarnings.wish(world, roles.rows(), warnings);
        SampleWarnings.constants(encoding, spec, warnings);
        SampleWarnings.identifiers(encoding, rows.rows(), warnings);
        SampleWarnings.fewRows(encoding, rows.rows(), spec, warnings);
        warnings.addAll(roles.notes());
        SampleWarnings.notations(rows, roles.used(spec), warnings);
        SampleWarnings.today(world, rows, warnings);
        Used used = new Used(rows, roles.dropped(), world.filled(rows), true);
        return learnedFrom(settled, used, columns, warnings, workers);
    }

    /**
     * Makes a sample of a table that is one block of numbers: the block is used without a copy, unless its columns lie
     * too far from 0.
     */
    private static Sample ofBlock(GameSpec spec, Roles roles, Matrix x, Workers workers) {
        Scaling scaling = spec.scaling();
        // under squared loss the ranges come from the pass that sums products, so a pass of its own is saved
        boolean looked =
                scaling != Scaling.NONE || spec.limits().data() || !spec.loss().isSquared();
        @Nullable ColumnStatistics statistics = looked ? ColumnStatistics.of(x, workers) : null;
        if (statistics != null) {
            requireFinite(x, statistics);
        }
        if (scaling != Scaling.NONE
                && statistics != null
                && x instanceof DenseMatrix
                && isCopied(x)
                && hasFar(statistics)) {
            return ofColumns(spec, roles, workers);
        }
        // with an immutable intercept every shift is projected out anyway, and sparse data stays as it is
        boolean shifted = spec.intercept() == GameSpec.Intercept.MANIPULABLE;
        List<Encoding.Feature> features = new ArrayList<>();
        List<String> constants = new ArrayList<>();
        Set<Integer> same = new HashSet<>();
        for (int j = 0; j < x.cols(); j++) {
            String name = roles.features().get(j).column();
            Scaling.@Nullable Spread spread =
                    scaling == Scaling.NONE || statistics == null ? null : spread(statistics, j, x.rows());
            EncodedColumn column = scaling.column(name, null, spread, spec.hasConstant());
            if (statistics != null && statistics.min()[j] == statistics.max()[j]) {
                constants.add(name);
            }
            if (spread != null && spread.constant() && spread.min() != 0 && spec.hasConstant()) {
                same.add(j);
            } else if (!shifted) {
                column = new EncodedColumn(name, null, 0, column.scale());
            }
            Encoding.Feature.@Nullable Range range = statistics == null
                    ? null
                    : new Encoding.Feature.Range(statistics.min()[j], statistics.max()[j]);
            double mean = statistics == null ? 0 : statistics.mean()[j];
            features.add(new Encoding.Feature(name, List.of(), mean, null, List.of(column), range));
        }
        Encoding encoding = new Encoding(features, spec.missing(), constants);
        World declared = new World(spec, encoding, Roles.costs(encoding, x.cols(), spec)).checked();
        Premises.Settled settled = new Premises(declared, roles.rows(), x, true, workers).settle(roles.wish());
        World world = settled.world();
        List<Message> warnings = new ArrayList<>();
        SampleWarnings.wish(world, roles.rows(), warnings);
        SampleWarnings.constants(encoding, spec, warnings);
        SampleWarnings.fewRows(encoding, x.rows(), spec, warnings);
        SampleWarnings.today(world, roles.rows(), warnings);
        Used used = new Used(roles.rows(), roles.dropped(), Map.of(), false, same);
        return learnedFrom(settled, used, x, warnings, workers);
    }

    private static boolean isCopied(Matrix x) {
        return (long) x.rows() * x.cols() <= MOST_COPIED;
    }

    private static boolean hasFar(ColumnStatistics of) {
        double[] mean = of.mean();
        double[] sd = of.sd();
        return IntStream.range(0, mean.length).anyMatch(j -> sd[j] > 0 && Math.abs(mean[j]) > FAR * sd[j]);
    }

    private static Scaling.Spread spread(ColumnStatistics of, int j, int rows) {
        return new Scaling.Spread(rows, of.mean()[j], of.sd()[j], of.min()[j], of.max()[j] - of.min()[j]);
    }

    private static Sample learnedFrom(
            Premises.Settled settled, Used used, Matrix columns, List<Message> warnings, Workers workers) {
        World world = settled.world();
        Table rows = used.rows();
        double[] y = settled.y();
        double[] z = world.wished(
                Wish.parse(world.spec().chosenWish(), rows.names()), rows, y, null, settled.today(), workers);
        return new Sample(world, used, columns, y, z, warnings);
    }

    /**
     * The sample of a fitted model's game on other data (for verification or monitoring): encoding, costs and wish
     * statistics stay those of the model.
     */
    public static Sample ofModel(World world, Table data, Workers workers) {
        if (world.wish() == null) {
            throw DataException.of(
                    "wishes-not-in-model",
                    "The model does not say what people wish: their wishes were given as numbers.\n"
                            + "Maybe fit it again with the wishes as a column or a rule.");
        }
        Encoding encoding = world.encoding();
        requireGivenWishes(world, data);
        Table table = encoding.complete(data);
        Wish wish = Wish.parse(world.spec().chosenWish(), table.names());
        List<String> features =
                encoding.features().stream().map(Encoding.Feature::column).toList();
        Missing.RowsInUse used =
                encoding.missing().apply(table, features, Roles.required(world.spec(), wish, table, features));
        Table rows = used.table();
        requireRows(rows.rows());
        Optional<Matrix> sparse = sparseBlock(world, rows, Encoding.UnknownLevel.ERROR);
        Used those = new Used(rows, used.dropped(), world.filled(rows), sparse.isEmpty());
        Matrix columns = sparse.orElseGet(() -> encoding.apply(rows));
        Premises.Settled settled = new Premises(world, rows, columns, sparse.isPresent(), workers).settle(wish);
        return learnedFrom(settled, those, columns, List.of(), workers);
    }

    /** Refuses data without the separate array of wishes that the model was fitted with. */
    private static void requireGivenWishes(World world, Table table) {
        String wish = world.spec().chosenWish();
        if (table.block().isPresent() && wish.matches("[A-Za-z]+") && !table.has(wish) && !wish.equals("y")) {
            throw DataException.of(
                    "wishes-missing",
                    "The wishes are not given: when the model was fitted they were a separate array, '{}', beside the "
                            + "features.\n"
                            + "Maybe give that array too.",
                    wish);
        }
    }

    /**
     * A sample of rows that a rule is applied to and not learned from.
     *
     * @param unknown what to do with a level that the encoding does not have
     * @param y the target values, absent if they are not known
     * @param z the wishes, as scores
     */
    public static Sample ofNewRows(
            World world, Table rows, Encoding.UnknownLevel unknown, double @Nullable [] y, double[] z) {
        Table complete = world.encoding().complete(rows);
        Optional<Matrix> sparse = sparseBlock(world, complete, unknown);
        Used used = new Used(complete, 0, world.filled(complete), sparse.isEmpty());
        return new Sample(
                world, used, sparse.orElseGet(() -> world.encoding().apply(complete, unknown)), y, z, List.of());
    }

    /** The matrix of a sparse table, if its columns are exactly the features and all of them are manipulable. */
    private static Optional<Matrix> sparseBlock(World world, Table rows, Encoding.UnknownLevel unknown) {
        Encoding encoding = world.encoding();
        return encoding.sparse(rows, unknown)
                .filter(matrix -> matrix.cols() == encoding.features().size()
                        && world.manipulable() == matrix.cols()
                        && rows.block().orElseThrow().names().equals(encoding.names()))
                .map(matrix -> matrix);
    }

    /** A copy with another declaration of the same game; encoded columns and wishes stay as they are. */
    public Sample declaredAs(GameSpec spec) {
        return new Sample(new World(spec, world.encoding(), world.costs()), used(), columns, y, z, warnings);
    }

    static void requireRows(int rows) {
        if (rows < 2) {
            throw DataException.of(
                    "too-few-rows",
                    "There {} to learn from; a rule needs at least 2.\n"
                            + "Maybe the file was cut off, or rows were dropped because values are missing.",
                    rows == 1 ? "is 1 row" : "are no rows");
        }
    }

    private static void requireFinite(Matrix x, ColumnStatistics statistics) {
        for (int j = 0; j < x.cols(); j++) {
            infinite(x, statistics, j).ifPresent(why -> {
                throw new DataException(Message.plain("not-finite", why));
            });
        }
    }

    /** A message about the first value of a block's column that is not a finite number; empty if all are. */
    static Optional<String> infinite(Matrix x, ColumnStatistics statistics, int j) {
        if (Double.isFinite(statistics.min()[j]) && Double.isFinite(statistics.max()[j])) {
            return Optional.empty();
        }
        DoubleBuffer value = DoubleBuffer.allocate(1);
        for (int i = 0; i < x.rows(); i++) {
            x.tile(i, 1, j, 1, value);
            if (!Double.isFinite(value.get(0))) {
                return Optional.of("Column " + (j + 1) + " of the features, row " + (i + 1) + ": " + value.get(0)
                        + " is not a finite number.\nMaybe it marks a missing value: leave out the row.");
            }
        }
        return Optional.empty();
    }

    public World world() {
        return world;
    }

    /** The declaration, with the statistics of the wish as constants. */
    public GameSpec spec() {
        return world.spec();
    }

    /** The rows in use. */
    public Table rows() {
        return rows;
    }

    public int size() {
        return rows.rows();
    }

    /** A copy of the target values; absent if they are not known. */
    public double @Nullable [] y() {
        return y == null ? null : y.clone();
    }

    private double[] knownY() {
        return Objects.requireNonNull(y, "the target values of these rows are not known");
    }

    /** Target values, wishes and weights without a copy; callers must not change the arrays. */
    public PredictionGame.SharedArrays shared() {
        return new PredictionGame.SharedArrays(y, z, weighted() ? world.weights(rows) : new double[] {1});
    }

    /** A copy of the wishes, as scores. */
    public double[] z() {
        return z.clone();
    }

    private boolean weighted() {
        return spec().weight() != null && rows.has(spec().weight());
    }

    /** The sample weights; 1 for each row if no weight column is declared. */
    public double[] weights() {
        if (weighted()) {
            return world.weights(rows);
        }
        double[] ones = new double[size()];
        Arrays.fill(ones, 1);
        return ones;
    }

    private Premises premises(World of, Workers workers) {
        return new Premises(of, rows, y == null ? of.truths(rows) : y, columns, block, workers);
    }

    /** Today's rule: the known one, otherwise learned from this sample. */
    public Today today(Workers workers) {
        return premises(world, workers).today();
    }

    /**
     * Today's rule refitted to this sample even if a learned one is known already; a rule that was given, rather than
     * learned, stays as it is.
     */
    public Today refittedToday(Workers workers) {
        World unlearned = world.withToday(spec().today().toBeRefitted());
        return premises(unlearned, workers).today();
    }

    /**
     * A rule in force and the score of every row under it.
     *
     * @param scores the scores; cross-fitted if that was declared, so that a row's own target does not enter its score
     */
    public record InForce(Today today, double[] scores) {}

    /**
     * Today's rule refitted once per set of weights, for folds and bootstrap samples; in parallel where that is faster.
     *
     * @param weights for each refit the weight of every row; rows with zero weight are not learned from
     */
    public InForce[] refittedToday(double[][] weights, Workers workers) {
        return premises(world, workers).learnedFrom(weights);
    }

    /** Regressions by the game's loss that ignore moves, with each of these penalties ({@link LinearEstimator#ridge}). */
    public List<PublishedRule> ridge(Workers workers, double... lambdas) {
        return premises(world, workers).ridge(lambdas);
    }

    /**
     * The lambda of {@link #ridge} with the smallest loss on held-out rows.
     *
     * @param parts the folds: rows that are held out together
     * @param lambdas candidates in ascending order
     */
    public double bestRidge(int[][] parts, double[] lambdas, Workers workers) {
        return premises(world, workers).bestRidge(parts, lambdas);
    }

    /** A wish expression with its statistics (such as quantiles) computed on a sample, and the wishes that it gives. */
    public record Wished(Wish rule, double[] z) {}

    /** Returns the wishes of this sample under another wish expression. */
    public Wished wished(String text, Workers workers) {
        Wish wish = Wish.parse(text, rows.names());
        double[] today = premises(world, workers).wishedScores(wish);
        Wish frozen = wish.freeze(rows, y, world.inWishUnits(today));
        return new Wished(frozen, world.wished(frozen, rows, y, null, today));
    }

    /** The score of every row under a rule in force. */
    public double[] scores(Today today, Workers workers) {
        return premises(world, workers).scores(today);
    }

    /** The gammas and the truthful share of the followers. */
    public Population population() {
        return world.population(rows);
    }

    /** The number of rows left out because a value is missing. */
    public int dropped() {
        return dropped;
    }

    /** The number of missing values that were filled in, by column. */
    public Map<String, Integer> filled() {
        return filled;
    }

    /** A message about the values that were filled in, and with what; empty if none were. */
    public Optional<String> filledInWords() {
        return world.filledInWords(filled);
    }

    /** The notations of numbers other than 1234.5, by column, of the columns that the game uses. */
    public Map<String, NumericColumn.Notation> notations() {
        Map<String, NumericColumn.Notation> notations = new LinkedHashMap<>(rows.notations());
        notations.keySet().removeIf(world.usedColumns().negate());
        return notations;
    }

    public Optional<Table.Source> source() {
        return rows.source();
    }

    /** Warnings and notes about the data. */
    public List<Message> warnings() {
        return warnings;
    }

    /** Whether the columns are the table's block of numbers itself, rather than an encoded copy. */
    public boolean isBlock() {
        return block;
    }

    /** The encoded columns, the manipulable ones first; in the units of the data if {@link #isBlock}. */
    public Matrix columns() {
        return columns;
    }

    /** The name of row i in messages: its identifier, or its row number. */
    public String label(int i) {
        return labels.apply(i);
    }

    /** The game of this sample as arrays and matrices. */
    public PredictionGame game() {
        return spec().mixed() ? uniformGame().withPopulation(population()) : uniformGame();
    }

    /** The game with the declared gamma for every follower and no truthful share. */
    public PredictionGame uniformGame() {
        GameSpec spec = world.spec();
        boolean ones = spec.intercept() == GameSpec.Intercept.MANIPULABLE;
        int manipulable = world.manipulable();
        Matrix x = block ? scaled(ones) : ((DenseMatrix) columns).columns(0, manipulable);
        if (ones && !block) {
            x = new AffineMatrix(x, null, null, true);
        }
        double[][] immutable = new double[columns.cols() - manipulable][];
        for (int j = 0; j < immutable.length; j++) {
            immutable[j] = ((DenseMatrix) columns).column(manipulable + j);
        }
        // the manipulable ones column, if there is one, is the last and costs 1
        double[] costs = Arrays.copyOf(world.costs(), x.cols());
        Arrays.fill(costs, manipulable, costs.length, 1);
        PredictionGame game = PredictionGame.ofShared(x, knownY(), z, spec.gamma())
                .withImmutable(immutable)
                .withCosts(costs)
                .withWishNoise(spec.wishNoise());
        if (spec.weight() != null) {
            game = game.withWeights(weights());
        }
        if (spec.ridge() > 0) {
            double mu = spec.ridge() * game.totalWeight();
            if (Double.isInfinite(mu)) {
                throw DataException.of(
                        "ridge-too-large",
                        "The ridge {} times the total weight of the rows, {}, is too large for a number.\n"
                                + "Maybe use a smaller ridge or smaller weights.",
                        spec.ridge(),
                        game.totalWeight());
            }
            game = game.withRidge(mu);
        }
        if (world.bounds().isPresent()) {
            // the ones column, if there is one, has no bounds
            game = game.withBounds(world.bounds().orElseThrow().first(x.cols()));
        }
        if (spec.hasEffects()) {
            // the ones column, if there is one, does nothing to the target
            double[] effects = Arrays.copyOf(world.effects(), x.cols());
            Arrays.fill(effects, manipulable, effects.length, 0);
            game = game.withEffects(effects);
        }
        if (!spec.loss().isSquared()) {
            game = game.withLoss(spec.loss());
        }
        return spec.intercept() == GameSpec.Intercept.IMMUTABLE ? game.withIntercept() : game;
    }

    private Matrix scaled(boolean ones) {
        List<EncodedColumn> encoded = world.encoding().columns();
        if (same.isEmpty() && encoded.stream().allMatch(c -> c.shift() == 0 && c.scale() == 1)) {
            return ones ? new AffineMatrix(columns, null, null, true) : columns;
        }
        double[] shift = encoded.stream().mapToDouble(EncodedColumn::shift).toArray();
        double[] scale = encoded.stream().mapToDouble(c -> 1 / c.scale()).toArray();
        for (int j : same) {
            // centred, such a column is exactly 0; subtracting would leave rounding errors
            shift[j] = 0;
            scale[j] = 0;
        }
        boolean shifted = Arrays.stream(shift).anyMatch(value -> value != 0);
        return new AffineMatrix(columns, shifted ? shift : null, scale, ones);
    }

    /** The features of some rows in the units of the data, one array per row. */
    public double[][] values(int[] people) {
        List<EncodedColumn> encoded = world.encoding().columns();
        double[][] values = new double[people.length][];
        for (int i = 0; i < people.length; i++) {
            values[i] = new double[columns.cols()];
            columns.tile(people[i], 1, 0, columns.cols(), DoubleBuffer.wrap(values[i]));
            for (int j = 0; j < values[i].length && !block; j++) {
                values[i][j] =
                        values[i][j] * encoded.get(j).scale() + encoded.get(j).shift();
            }
        }
        return values;
    }

    /** Receives the predictions of some of the rules. */
    @FunctionalInterface
    public interface Part {
        /** Called with p.get(i, k), the prediction of rule firstRule + k for row i. */
        void accept(int firstRule, DenseMatrix p);
    }

    /** Computes the predictions of several rules for all rows, some rules at a time so that they fit into memory. */
    public void predictions(List<PublishedRule> rules, Workers workers, Part part) {
        int together = Math.max(1, MAX_VALUES / Math.max(1, Math.max(columns.rows(), columns.cols())));
        for (int first = 0; first < rules.size(); first += together) {
            List<PublishedRule> some = rules.subList(first, Math.min(first + together, rules.size()));
            DenseMatrix w = DenseMatrix.zeros(columns.cols(), some.size());
            double[] constants = new double[some.size()];
            for (int k = 0; k < constants.length; k++) {
                PublishedRule rule = some.get(k).basedOn(world.encoding());
                w.setColumn(k, coefficients(rule));
                constants[k] = constant(rule);
            }
            DenseMatrix p = DenseMatrix.zeros(columns.rows(), some.size());
            columns.times(w, p, workers);
            for (int k = 0; k < constants.length; k++) {
                p.setColumn(k, plus(p.column(k), constants[k]));
            }
            part.accept(first, p);
        }
    }

    private static double[] plus(double[] values, double constant) {
        for (int i = 0; i < values.length; i++) {
            values[i] += constant;
        }
        return values;
    }

    /** The predictions of a rule for all rows, before any move. */
    public double[] predictions(PublishedRule published, Workers workers) {
        PredictionGame.PredictionObserver none = (first, count, p) -> {};
        return predictions(published, () -> none, workers);
    }

    /** The coefficients of a rule for the columns as they are stored here: encoded, or in the units of the data. */
    private double[] coefficients(PublishedRule rule) {
        List<EncodedColumn> encoded = world.encoding().columns();
        return block ? encoded.stream().mapToDouble(rule::coefficient).toArray() : rule.encodedCoefficients(encoded);
    }

    private double constant(PublishedRule rule) {
        return block ? rule.intercept() : rule.encodedConstant(world.encoding().columns());
    }

    /**
     * Counts, while predictions are computed, the rows that move out of the range seen in training if all rows move at
     * the world's gamma.
     */
    public interface RangeCounter extends Supplier<PredictionGame.PredictionObserver> {
        /** The number of rows that leave the range, among the rows observed so far. */
        int count();
    }

    /**
     * A counter of the rows that move out of range under a rule; empty for data too large to be checked, and where
     * limits are declared.
     */
    public Optional<RangeCounter> rangeCounter(PublishedRule rule) {
        return OutOfRange.counter(this, rule);
    }

    /**
     * The predictions of a rule for all rows, shown to an observer block by block while the features are in the cache.
     */
    double[] predictions(
            PublishedRule published, Supplier<PredictionGame.PredictionObserver> observers, Workers workers) {
        PublishedRule rule = published.basedOn(world.encoding());
        double[] w = coefficients(rule);
        double constant = constant(rule);
        double[] p = new double[size()];
        Matrix.RowStep[] steps = new Matrix.RowStep[columns.parts(1)];
        for (int part = 0; part < steps.length; part++) {
            PredictionGame.PredictionObserver observer = observers.get();
            steps[part] = (firstRow, rowCount, u) -> {
                u.get(0, p, firstRow, rowCount);
                for (int i = firstRow; i < firstRow + rowCount; i++) {
                    p[i] += constant;
                }
                observer.observe(firstRow, rowCount, p);
            };
        }
        columns.look(DenseMatrix.column(w), steps, workers);
        return p;
    }

    /** A copy with the ranges of a block's columns, which become known in a later pass over the data. */
    public Sample withRanges(ColumnStatistics.Ranges ranges) {
        double[] min = ranges.min();
        double[] max = ranges.max();
        List<Encoding.Feature> features = new ArrayList<>();
        List<String> constants = new ArrayList<>();
        for (Encoding.Feature f : world.encoding().features()) {
            int j = features.size();
            var range = new Encoding.Feature.Range(min[j], max[j]);
            if (min[j] == max[j]) {
                constants.add(f.column());
            }
            features.add(
                    new Encoding.Feature(f.column(), f.levels(), f.mean(), f.mostFrequentLevel(), f.columns(), range));
        }
        Encoding known = new Encoding(features, world.encoding().missing(), constants);
        List<Message> all = new ArrayList<>(warnings);
        SampleWarnings.constants(known, spec(), all);
        return new Sample(new World(spec(), known, world.costs()), used(), columns, y, z, all);
    }

    /** Whether the ranges of a block's columns are not known yet. */
    public boolean lacksRanges() {
        return block && world.encoding().features().stream().allMatch(f -> f.range() == null && !f.categorical());
    }

    /**
     * The number of rows that would end outside the range seen in training if all move at the world's gamma; empty for
     * data too large to be checked.
     */
    public OptionalInt outOfRange(PublishedRule rule, Workers workers) {
        return OutOfRange.count(this, rule, workers);
    }

    /** The warning about rows that would end outside the range; empty if there are none. */
    public Optional<Message> outOfRangeWarning(long out, boolean truthful) {
        return outOfRangeWarning(out, size(), truthful, !spec().limits().none());
    }

    /**
     * The warning about rows that would end outside the range, for given numbers.
     *
     * @param out how many people end outside the range
     * @param people the number of people
     * @param truthful whether some of them may be truthful, so that they may not move
     * @param limits whether limits are declared, which then do not keep the people within the range
     */
    public static Optional<Message> outOfRangeWarning(long out, int people, boolean truthful, boolean limits) {
        return out == 0
                ? Optional.empty()
                : Optional.of(Message.plain(
                        "outside-range",
                        String.format(
                                Locale.ROOT,
                                "%,d of %,d people would%s end outside the range seen in training with at least one feature: %s.",
                                out,
                                people,
                                truthful ? ", if they move," : "",
                                limits ? "no limit keeps them in" : "the model sets no limits on moves")));
    }

    /** The names of the immutable columns. */
    public Set<String> immutable() {
        Set<String> names = new java.util.LinkedHashSet<>();
        int j = 0;
        for (Encoding.Feature feature : world.encoding().features()) {
            if (!feature.columns().isEmpty() && !world.manipulable(j)) {
                names.add(feature.column());
            }
            j += feature.columns().size();
        }
        return names;
    }

    @Override
    public String toString() {
        return "sample of " + size() + " rows, " + columns.cols() + " columns, of which " + world.manipulable()
                + " are manipulable";
    }
}
