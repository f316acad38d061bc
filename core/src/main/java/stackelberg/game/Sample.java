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
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.Missing;
import stackelberg.data.NumericColumn;
import stackelberg.data.Scaling;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.game.GameSpec.Today;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/**
 * What a declared game makes of data: the rows in use, their encoded columns, truths, wishes and weights, whatever the data came from.
 *
 * <p>The encoding lists the manipulable features first and the immutable ones after them, so that the two are column ranges of one matrix and
 * nothing is held twice. A table that is one block of numbers is not copied at all: its scaling is a view.
 */
public final class Sample {
    /** What the note begins with that names columns which are the same for everybody and were left out. */
    public static final String LEFT_OUT = "The same value in all rows, so no information, and left out: ";

    /** Numbers held at once, encoded rows or predictions: 32 MB. */
    private static final int MAX_VALUES = 1 << 22;

    /**
     * Standard deviations that a column may lie away from 0 before its mean is taken off its values, and not off their products: what rounding leaves of a gap grows with about their square, and is
     * 1e-10 of the loss at 100 and 6e-7 at 10,000 where other rules are as good.
     */
    private static final double FAR = 100;

    /** Values of a block that are copied for that: 128 MB, which take as much again while they are encoded. */
    private static final long MOST_COPIED = 1 << 24;

    private final World world;
    private final Table rows;
    /** The encoded columns, or the block itself. */
    private final Matrix columns;

    private final boolean block;
    /** Columns of a block that are known to be the same for all of these people, and not 0. */
    private final Set<Integer> same;

    private final double[] y;
    private final double[] z;
    private final int dropped;
    private final Map<String, Integer> filled;
    private final List<String> warnings;
    private final IntFunction<String> labels;

    private Sample(World world, Used used, Matrix columns, double[] y, double[] z, List<String> warnings) {
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

    /** The rows in use, and whether they were encoded or are a block as it is, of which some columns may be known to be the same for everybody. */
    private record Used(Table rows, int dropped, Map<String, Integer> filled, boolean encoded, Set<Integer> same) {
        Used(Table rows, int dropped, Map<String, Integer> filled, boolean encoded) {
            this(rows, dropped, filled, encoded, Set.of());
        }
    }

    private Used used() {
        return new Used(rows, dropped, filled, !block, same);
    }

    /** Reads off data what the game declares. */
    public static Sample of(GameSpec spec, Table table, Workers workers) {
        Roles roles = Roles.of(table, spec);
        GameSpec known = ignoring(roles.wished(), spec).answeredBy(roles.rows());
        Sample sample = roles.block()
                .map(matrix -> ofBlock(known, roles, matrix, workers))
                .orElseGet(() -> ofColumns(known, roles, workers));
        Optional<String> taken = SampleWarnings.answers(spec, sample.world, sample.y);
        return taken.isEmpty() ? sample : sample.warned(taken.get());
    }

    /** The game remembers which columns were the wish: a model that knows its columns by position has to tell that there were more. */
    private static GameSpec ignoring(List<String> wished, GameSpec spec) {
        if (wished.isEmpty()) {
            return spec;
        }
        Set<String> ignored = new LinkedHashSet<>(spec.columns().ignore());
        ignored.addAll(wished);
        return spec.toBuilder().ignore(ignored).build();
    }

    private Sample warned(String more) {
        List<String> all = new ArrayList<>(warnings);
        all.add(more);
        return new Sample(world, used(), columns, y, z, all);
    }

    /** Whether a sample of this game would use the table's block of numbers as it is, but for columns that lie too far from 0 for that. */
    public static boolean keepsBlock(GameSpec spec, Table table) {
        return table.block().isPresent() && Roles.of(table, spec).block().isPresent();
    }

    private static Sample ofColumns(GameSpec spec, Roles roles, Workers workers) {
        Table rows = roles.rows();
        Encoding encoding = Encoding.fit(rows, roles.features(), spec.units().missing(), workers);
        int manipulable = Roles.manipulable(encoding, roles.immutable());
        DenseMatrix columns = encoding.apply(rows, workers);
        World declared = new World(spec, encoding, Roles.costs(encoding, manipulable, spec)).checked();
        Premises.Settled settled = new Premises(declared, rows, columns, false, workers).settle(roles.wish());
        World world = settled.world();
        List<String> warnings = new ArrayList<>();
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

    private static Sample ofBlock(GameSpec spec, Roles roles, Matrix x, Workers workers) {
        Scaling scaling = spec.units().scaling();
        // squared loss sees the ranges when it first sums
        boolean looked =
                scaling != Scaling.NONE || spec.limits().data() || !spec.loss().isSquared();
        ColumnStatistics statistics = looked ? ColumnStatistics.of(x, workers) : null;
        if (statistics != null) {
            requireFinite(x, statistics);
        }
        if (scaling != Scaling.NONE && x instanceof DenseMatrix && isCopied(x) && hasFar(statistics)) {
            return ofColumns(spec, roles, workers);
        }
        // with an immutable intercept every shift is projected out anyway, and sparse data stays as it is
        boolean shifted = spec.intercept() == GameSpec.Intercept.MANIPULABLE;
        List<Encoding.Feature> features = new ArrayList<>();
        List<String> constants = new ArrayList<>();
        Set<Integer> same = new HashSet<>();
        for (int j = 0; j < x.cols(); j++) {
            String name = roles.features().get(j).column();
            Scaling.Spread spread = scaling == Scaling.NONE ? null : spread(statistics, j, x.rows());
            EncodedColumn column = scaling.column(name, null, spread, spec.hasConstant());
            if (statistics != null && statistics.min()[j] == statistics.max()[j]) {
                constants.add(name);
            }
            if (spread != null && spread.constant() && spread.min() != 0 && spec.hasConstant()) {
                same.add(j);
            } else if (!shifted) {
                column = new EncodedColumn(name, null, 0, column.scale());
            }
            Encoding.Feature.Range range = statistics == null
                    ? null
                    : new Encoding.Feature.Range(statistics.min()[j], statistics.max()[j]);
            double mean = statistics == null ? 0 : statistics.mean()[j];
            features.add(new Encoding.Feature(name, List.of(), mean, null, List.of(column), range));
        }
        Encoding encoding = new Encoding(features, spec.units().missing(), constants);
        World declared = new World(spec, encoding, Roles.costs(encoding, x.cols(), spec)).checked();
        Premises.Settled settled = new Premises(declared, roles.rows(), x, true, workers).settle(roles.wish());
        World world = settled.world();
        List<String> warnings = new ArrayList<>();
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
            Premises.Settled settled, Used used, Matrix columns, List<String> warnings, Workers workers) {
        World world = settled.world();
        Table rows = used.rows();
        double[] y = settled.y();
        double[] z = world.wished(Wish.parse(world.wish(), rows.names()), rows, y, null, settled.today(), workers);
        return new Sample(world, used, columns, y, z, warnings);
    }

    /** The same game on other rows, as a fitted model describes it: the encoding, costs and wish are the world's own. */
    public static Sample again(World world, Table data, Workers workers) {
        if (world.wish() == null) {
            throw new DataException("The model does not say what people wish: their wishes were given as numbers."
                    + "\nMaybe fit it again with the wishes as a column or a rule.");
        }
        Encoding encoding = world.encoding();
        requireGivenWishes(world, data);
        Table table = encoding.complete(data);
        Wish wish = Wish.parse(world.wish(), table.names());
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

    /** Wishes beside a block are a column that other blocks have to have beside them too; no feature is meant. */
    private static void requireGivenWishes(World world, Table table) {
        if (table.block().isPresent()
                && world.wish().matches("[A-Za-z]+")
                && !table.has(world.wish())
                && !world.wish().equals("y")) {
            throw new DataException(
                    "The wishes are not given: when the model was fitted they were an array of their own, '"
                            + world.wish() + "', beside the features.\nMaybe give that array too.");
        }
    }

    /**
     * People whom a rule meets who were not learned from.
     *
     * @param y the truth, null if nobody knows it
     */
    public static Sample people(World world, Table rows, Encoding.UnknownLevel unknown, double[] y, double[] z) {
        Table complete = world.encoding().complete(rows);
        Optional<Matrix> sparse = sparseBlock(world, complete, unknown);
        Used used = new Used(complete, 0, world.filled(complete), sparse.isEmpty());
        return new Sample(
                world, used, sparse.orElseGet(() -> world.encoding().apply(complete, unknown)), y, z, List.of());
    }

    /** The matrix of a sparse table, if its columns are the features as they stand, all of them movable. */
    private static Optional<Matrix> sparseBlock(World world, Table rows, Encoding.UnknownLevel unknown) {
        Encoding encoding = world.encoding();
        return encoding.sparse(rows, unknown)
                .filter(matrix -> matrix.cols() == encoding.features().size()
                        && world.manipulable() == matrix.cols()
                        && rows.block().orElseThrow().names().equals(encoding.names()))
                .map(matrix -> matrix);
    }

    /** The same with what was declared in other words; the wishes stay as they are. */
    public Sample declaredAs(GameSpec spec) {
        return new Sample(new World(spec, world.encoding(), world.costs()), used(), columns, y, z, warnings);
    }

    static void requireRows(int rows) {
        if (rows < 2) {
            throw new DataException("There " + (rows == 1 ? "is 1 row" : "are no rows")
                    + " to learn from; a rule needs at least 2.\nMaybe the file was cut off, or rows were dropped"
                    + " because values are missing.");
        }
    }

    private static void requireFinite(Matrix x, ColumnStatistics statistics) {
        for (int j = 0; j < x.cols(); j++) {
            infinite(x, statistics, j).ifPresent(why -> {
                throw new DataException(why);
            });
        }
    }

    /** The first value of a block's column that is not a finite number, in words; empty if all are. */
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

    /** What was declared, the statistics of the wish frozen. */
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

    /** The truth; null if nobody knows it. */
    public double[] y() {
        return y == null ? null : y.clone();
    }

    /** Truths, wishes and weights themselves, for who only looks at them. */
    public PredictionGame.Lent lent() {
        return new PredictionGame.Lent(y, z, weighted() ? world.weights(rows) : new double[] {1});
    }

    /** The wishes. */
    public double[] z() {
        return z.clone();
    }

    private boolean weighted() {
        return spec().weight() != null && rows.has(spec().weight());
    }

    /** How much each of the people counts: 1 where nobody says. */
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

    /** The rule in force now, learned from these people unless it is known. */
    public Today today(Workers workers) {
        return premises(world, workers).today();
    }

    /** The same learned once more, whatever is known; a rule that was given stays as it is. */
    public Today todayAnew(Workers workers) {
        World anew = world.withToday(spec().today().anew());
        return premises(anew, workers).today();
    }

    /**
     * A rule in force, and what it scores everybody.
     *
     * @param scores those whom it was learned from without what it learned of them, if that was declared
     */
    public record InForce(Today today, double[] scores) {}

    /**
     * The rules in force if each were learned from some of these people, side by side where that is faster.
     *
     * @param weights for each rule how much each of them counts; those of weight 0 are not learned from
     */
    public InForce[] todaysOf(double[][] weights, Workers workers) {
        return premises(world, workers).learnedFrom(weights);
    }

    /** A rule of somebody who thinks that nobody moves, and the lambda that its coefficients were penalised with. */
    public record Penalised(PublishedRule rule, double lambda) {}

    /**
     * min sum_i s_i l(b'a_i, y_i) + lambda (sum_i s_i) ||b||^2/2 on standardised columns, the intercept free, by the game's loss; of the lambdas the one under
     * which people lose least who were held out.
     *
     * @param parts the rows that are held out together
     * @param lambdas ascending
     */
    public Penalised penalised(int[][] parts, double[] lambdas, Workers workers) {
        return premises(world, workers).penalised(parts, lambdas);
    }

    /** A wish rule with its statistics frozen by these people, and what they wish by it. */
    public record Wished(Wish rule, double[] z) {}

    /** What these people wish by another rule. */
    public Wished wished(String text, Workers workers) {
        Wish wish = Wish.parse(text, rows.names());
        double[] today = premises(world, workers).wishedScores(wish);
        Wish frozen = wish.freeze(rows, y, world.shown(today));
        return new Wished(frozen, world.wished(frozen, rows, y, null, today));
    }

    /** What everybody scores under a rule in force. */
    public double[] scores(Today today, Workers workers) {
        return premises(world, workers).scores(today);
    }

    /** How everybody responds. */
    public Population population() {
        return world.population(rows);
    }

    /** Rows left out because a value is missing. */
    public int dropped() {
        return dropped;
    }

    /** How many missing values of which columns were filled in. */
    public Map<String, Integer> filled() {
        return filled;
    }

    /** What was filled in and with what, in words; empty if nothing was. */
    public Optional<String> filledInWords() {
        return world.filledInWords(filled);
    }

    /** How the numbers of columns that the game uses were written, where it was not as 1234.5. */
    public Map<String, NumericColumn.Notation> notations() {
        Map<String, NumericColumn.Notation> notations = new LinkedHashMap<>(rows.notations());
        notations.keySet().removeIf(world.usedColumns().negate());
        return notations;
    }

    public Optional<Table.Source> source() {
        return rows.source();
    }

    /** What a user should know about the data. */
    public List<String> warnings() {
        return warnings;
    }

    /** Whether the columns are a block of numbers that was not copied. */
    public boolean isBlock() {
        return block;
    }

    /** The encoded columns, those people can change first; the columns as they are where they are a block. */
    public Matrix columns() {
        return columns;
    }

    /** What a person is called. */
    public String label(int i) {
        return labels.apply(i);
    }

    /** The game that these people play. */
    public PredictionGame game() {
        return spec().mixed() ? ordinary().withPopulation(population()) : ordinary();
    }

    /** The same game if all of them responded alike, at the declared gamma. */
    public PredictionGame ordinary() {
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
        PredictionGame game = PredictionGame.kept(x, y, z, spec.gamma())
                .withImmutable(immutable)
                .withCosts(costs)
                .withWishNoise(spec.wishNoise());
        if (spec.weight() != null) {
            game = game.withWeights(weights());
        }
        if (spec.ridge() > 0) {
            double mu = spec.ridge() * game.totalWeight();
            if (Double.isInfinite(mu)) {
                throw new DataException("The ridge " + spec.ridge() + " of everybody adds up to more than any number.");
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
            // nothing is left of them, to the last bit
            shift[j] = 0;
            scale[j] = 0;
        }
        boolean shifted = Arrays.stream(shift).anyMatch(value -> value != 0);
        return new AffineMatrix(columns, shifted ? shift : null, scale, ones);
    }

    /** The encoded columns of some people, in the units of the data. */
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

    /** Takes a part of the predictions. */
    @FunctionalInterface
    public interface Part {
        /** p.get(i, k) is what rule firstRule + k predicts for person i. */
        void accept(int firstRule, DenseMatrix p);
    }

    /** The predictions of all rules for everybody, some rules at a time so that they fit into memory. */
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

    /** What one rule predicts for everybody. */
    public double[] predictions(PublishedRule published, Workers workers) {
        return predictions(published, () -> (first, count, p) -> {}, workers);
    }

    /** Of the columns as they are here. */
    private double[] coefficients(PublishedRule rule) {
        List<EncodedColumn> encoded = world.encoding().columns();
        return block ? encoded.stream().mapToDouble(rule::coefficient).toArray() : rule.encodedCoefficients(encoded);
    }

    private double constant(PublishedRule rule) {
        return block ? rule.intercept() : rule.encodedConstant(world.encoding().columns());
    }

    /** Counts, while a rule's predictions are computed, the people whom it takes out of the range seen in training, if all move at the world's gamma. */
    public interface Leaving extends Supplier<PredictionGame.Seen> {
        /** Of those who were seen so far. */
        int people();
    }

    /** Who counts them under a rule; empty if they are too many values to look at, or where limits say how far people go. */
    public Optional<Leaving> leaving(PublishedRule rule) {
        return OutOfRange.watching(this, rule);
    }

    /** What one rule predicts for everybody, seen while the features are in cache. */
    double[] predictions(PublishedRule published, Supplier<PredictionGame.Seen> seen, Workers workers) {
        PublishedRule rule = published.basedOn(world.encoding());
        double[] w = coefficients(rule);
        double constant = constant(rule);
        double[] p = new double[size()];
        Matrix.RowStep[] steps = new Matrix.RowStep[columns.parts(1)];
        for (int part = 0; part < steps.length; part++) {
            PredictionGame.Seen shown = seen.get();
            steps[part] = (firstRow, rowCount, u) -> {
                u.get(0, p, firstRow, rowCount);
                for (int i = firstRow; i < firstRow + rowCount; i++) {
                    p[i] += constant;
                }
                shown.people(firstRow, rowCount, p);
            };
        }
        columns.look(DenseMatrix.column(w), steps, workers);
        return p;
    }

    /** The same with the ranges of a block's columns, which were seen in a later read. */
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
        List<String> all = new ArrayList<>(warnings);
        SampleWarnings.constants(known, spec(), all);
        return new Sample(new World(spec(), known, world.costs()), used(), columns, y, z, all);
    }

    /** Whether nobody has looked yet at what values the columns of a block take. */
    public boolean lacksRanges() {
        return block && world.encoding().features().stream().allMatch(f -> f.range() == null && !f.categorical());
    }

    /** How many people would end outside the range seen in training, if all move at the world's gamma; empty if they are too many values to look at. */
    public OptionalInt outOfRange(PublishedRule rule, Workers workers) {
        return OutOfRange.people(this, rule, workers);
    }

    /** What to say of people who would end outside the range; nothing if nobody does. */
    public Optional<String> outOfRangeWarning(long out, boolean truthful) {
        return outOfRangeWarning(out, size(), truthful, !spec().limits().none());
    }

    /**
     * The same.
     *
     * @param truthful whether some of the people may be truthful, and not move
     * @param limits whether limits are declared, which then do not keep them in
     */
    public static Optional<String> outOfRangeWarning(long out, int people, boolean truthful, boolean limits) {
        return out == 0
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%,d of %,d people would%s end outside the range seen in training with at least one feature: %s.",
                        out,
                        people,
                        truthful ? ", if they move," : "",
                        limits ? "no limit keeps them in" : "the model sets no limits on moves"));
    }

    /** The columns nobody can change. */
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
        return "sample of " + size() + " people, " + columns.cols() + " columns, of which " + world.manipulable()
                + " can be moved";
    }
}
