package stackelberg.model.tuning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.Message;
import stackelberg.data.Scaling;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.estimate.Loss;
import stackelberg.estimate.Resampling.Folds;
import stackelberg.game.GameSpec;
import stackelberg.game.PredictionGame;
import stackelberg.game.Sample;
import stackelberg.game.Settings;
import stackelberg.game.World;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;
import stackelberg.objective.Pipeline;
import stackelberg.objective.program.Program;
import stackelberg.sphere.Reduction;

/**
 * The rows of a cross-validation, and for each fold the game of its training rows, as {@link Sample} makes the game of
 * a fit.
 *
 * <p>The columns of all rows are encoded once and shared: scaling a fold's columns by its training rows is a shift and
 * a factor for each. Only if missing values are filled in, which the training rows decide too, every fold encodes all
 * rows itself.
 */
final class FoldedSample {
    /** The largest number of multiplications and additions spent on a warning. */
    private static final double MOST_WORK = 5e9;

    /**
     * The largest size of the smaller side of X if each rule takes a search; a larger one takes seconds, and there are
     * hundreds.
     */
    private static final int MOST_SEARCHED = 1500;

    /**
     * The largest number of features of hedged rules if there are fewer rows than features: a search then takes
     * seconds, because the frontier is nearly flat.
     */
    private static final int MOST_WIDE = 400;

    private final GameSpec spec;
    private final Sample all;
    private final Folds folds;
    private final boolean shares;
    private final Workers workers;
    private final Wish wish;
    /** Today's rule by fold, learned from its training rows; null if it is not needed. */
    private final Sample.@Nullable InForce @Nullable [] today;

    private final double[] y;
    private final double[] weights;
    /** Omega of today's rule of all rows; NaN if gammas are numbers. */
    private final double omega;

    private final double[][] wishes;
    /** The columns that the folds share, and how they are encoded. */
    private final Matrix columns;

    private final Encoding base;
    /** The statistics of the training rows of each fold; null if columns are not scaled. */
    private final ColumnStatistics @Nullable [] statistics;

    private final List<Message> warnings;

    private FoldedSample(GameSpec spec, Sample all, Folds folds, boolean shares, double omega, Workers workers) {
        this.spec = spec;
        this.all = all;
        this.folds = folds;
        this.shares = shares;
        this.omega = omega;
        this.workers = workers;
        this.y = Objects.requireNonNull(all.y());
        this.weights = all.weights();
        this.wish = Wish.parse(spec.chosenWish(), all.rows().names());
        this.today = shares || wish.usesToday() ? todays() : null;
        this.wishes = wishes();
        boolean centred = all.isBlock() && FoldSums.suit(all.columns(), folds);
        ColumnStatistics whole = centred ? ColumnStatistics.of(all.columns(), workers) : null;
        this.base = whole == null ? all.world().encoding() : standardised(whole);
        this.columns = whole == null ? all.columns() : new AffineMatrix(all.columns(), whole.mean(), factors(), false);
        int[][] parts = new int[folds.count()][];
        Arrays.setAll(parts, folds::heldOut);
        this.statistics = spec.scaling() == Scaling.NONE || !isShared()
                ? null
                : ColumnStatistics.ofRowsBut(columns, parts, workers);
        this.warnings = warnings();
    }

    /** Makes the sample; throws if the data or the settings do not allow a cross-validation. */
    static FoldedSample of(GameSpec declared, Table table, Tuning.Plan plan, Workers workers) {
        GameSpec spec = withoutGroup(declared, plan, table);
        // standardised by all rows first, so that each fold's own scaling changes little; a block stays as it is
        Scaling scaling = Sample.keepsBlock(spec, table) ? Scaling.NONE : Scaling.STANDARD;
        GameSpec shared = spec.toBuilder().scaling(scaling).gamma(1).build();
        Sample all = Sample.of(shared, table, workers);
        spec = searchable(spec, all);
        Folds folds = plan.foldsOf(all.rows(), all.weights());
        requireTrainable(spec, all, folds);
        double omega = plan.shares() ? omega(spec, table, workers) : Double.NaN;
        return new FoldedSample(spec, all, folds, plan.shares(), omega, workers);
    }

    /** Removes the group column from the features, unless the features name it. */
    private static GameSpec withoutGroup(GameSpec spec, Tuning.Plan plan, Table table) {
        String group = plan.group();
        if (group == null) {
            return spec;
        }
        table.column(group);
        List<String> features = spec.features();
        if (features != null && features.contains(group)) {
            return spec;
        }
        Set<String> ignore = new HashSet<>(spec.ignore());
        ignore.add(group);
        return spec.toBuilder().ignore(ignore).build();
    }

    /**
     * Returns the game whose rules are searched for in every fold, without the default hedge where the matrices to
     * decompose are too large; throws, before any work is done, if they are too large for the declared game.
     */
    private static GameSpec searchable(GameSpec spec, Sample all) {
        if (spec.isHedgeDefault()
                && spec.isHedged()
                && !Program.takes(spec.loss(), all.columns().cols())) {
            return spec.withoutDefaultHedge();
        }
        if (!spec.mixed() && !(spec.isHedged() && spec.loss().isSquared())) {
            return spec;
        }
        int features = all.world().manipulable();
        int side = Math.min(features, all.size());
        boolean wide = spec.isHedged() && features > Math.max(MOST_WIDE, all.size());
        if (spec.isHedgeDefault() && (wide || side > MOST_SEARCHED)) {
            return spec.withoutDefaultHedge();
        }
        if (side > MOST_SEARCHED) {
            throw new DataException(Message.of(
                    "fold-too-large",
                    "Cross-validation of {} decomposes every fold, up to {} rows or manipulable features; there are {}.\n"
                            + "Maybe choose some columns with {}, or leave out {}",
                    spec.mixed() ? "truthful shares" : "hedges",
                    MOST_SEARCHED,
                    side,
                    Settings.FEATURES.any(),
                    spec.mixed()
                            ? Message.part("{}.", Settings.TRUTHFUL_SHARE.any())
                            : Message.part("{}.", Settings.HEDGE.any())));
        }
        if (wide) {
            throw new DataException(Message.of(
                    "fold-of-hedge-too-wide",
                    "Cross-validation of hedges among rules of more features ({}) than people ({}) goes up to {} features.\n"
                            + "Maybe leave out {}, and use a {}.",
                    features,
                    all.size(),
                    MOST_WIDE,
                    Settings.HEDGE.any(),
                    Settings.RIDGE.any()));
        }
        return spec;
    }

    /** Throws if a fold's training rows have no positive weight, or lack one of the two answers. */
    private static void requireTrainable(GameSpec spec, Sample all, Folds folds) {
        double[] y = Objects.requireNonNull(all.y());
        double[] weights = all.weights();
        double[] yes = new double[folds.count()];
        double[] no = new double[folds.count()];
        for (int i = 0; i < weights.length; i++) {
            (y[i] == 1 ? yes : no)[folds.of(i)] += weights[i];
        }
        for (int f = 0; f < yes.length; f++) {
            boolean nobody = !(withoutFold(yes, f) > 0);
            boolean nobodyElse = !(withoutFold(no, f) > 0);
            if (nobody && nobodyElse) {
                throw new DataException(Message.of(
                        "fold-of-everything",
                        "All rows with positive weight are in fold {}, so it has no training rows.\n"
                                + "Maybe use another {}, or fewer {}.",
                        (f + 1),
                        Message.Choice.any("seed"),
                        Message.Choice.any("folds")));
            }
            if (spec.loss().isLogistic() && (nobody || nobodyElse)) {
                throw new DataException(Message.of(
                        "fold-of-one-answer",
                        "All rows with answer {} and positive weight are in fold {}, so its training rows have only one answer.\n"
                                + "Maybe use another {}, or fewer {}.",
                        nobody ? "yes" : "no",
                        (f + 1),
                        Message.Choice.any("seed"),
                        Message.Choice.any("folds")));
            }
        }
    }

    /** Returns omega of today's rule of all rows, in the units of the game. */
    private static double omega(GameSpec spec, Table table, Workers workers) {
        Sample own = Sample.of(spec.toBuilder().gamma(1).build(), table, workers);
        // throws if gamma cannot be declared as a share here; at a share of one half, gamma is omega itself
        return own.world().gammaOf(own.today(workers), 0.5);
    }

    /** Returns today's rule of each fold, learned from its training rows, with its scores of all rows. */
    private Sample.InForce[] todays() {
        boolean shifted =
                spec.intercept() == GameSpec.Intercept.NONE && !spec.today().known();
        if (shifted || !isShared()) {
            return IntStream.range(0, folds.count()).mapToObj(this::today).toArray(Sample.InForce[]::new);
        }
        double[][] training = new double[folds.count()][];
        Arrays.setAll(training, this::trainingWeights);
        return all.refittedToday(training, workers);
    }

    /**
     * Returns today's rule of a fold. Without an intercept, or with missing values filled in, it depends on the fold's
     * own encoding.
     */
    private Sample.InForce today(int fold) {
        int[] rows = folds.training(fold);
        Sample training = training(rows);
        Sample.InForce learned = training.refittedToday(new double[][] {training.weights()}, workers)[0];
        double[] scores = training.world().scores(learned.today(), all.rows());
        for (int k = 0; k < rows.length; k++) {
            scores[rows[k]] = learned.scores()[k];
        }
        return new Sample.InForce(learned.today(), scores);
    }

    /** Returns a sample of its own of some rows; whether a column is a feature is decided by all rows. */
    private Sample training(int[] rows) {
        List<String> features = all.world().encoding().features().stream()
                .map(Encoding.Feature::column)
                .toList();
        GameSpec own = spec.toBuilder().gamma(1).features(features).build();
        return Sample.of(own, all.rows().select(rows), workers);
    }

    /** Returns the wishes of all rows by each fold's own rule; folds with equal rules share one array. */
    private double[][] wishes() {
        Table rows = all.rows();
        Set<String> names = new HashSet<>(wish.columns());
        names.add(spec.chosenTarget());
        Table needed = Table.of(names.stream().sorted().map(rows::column).toList());
        Map<String, double[]> byRule = new LinkedHashMap<>();
        double[][] z = new double[folds.count()][];
        for (int f = 0; f < z.length; f++) {
            int[] training = folds.training(f);
            double[] scores = wish.usesToday() && today != null ? today[f].scores() : null;
            double[] shown = all.world().inWishUnits(scores);
            Wish frozen = wish.freeze(
                    needed.select(training), chosen(y, training), shown == null ? null : chosen(shown, training));
            // wishes that use today's scores differ between folds
            String key = scores == null ? frozen.text() : f + ": " + frozen.text();
            z[f] = byRule.computeIfAbsent(key, text -> all.world().wished(frozen, needed, y, null, scores));
        }
        return z;
    }

    static double[] chosen(double[] values, int[] rows) {
        return Arrays.stream(rows).mapToDouble(i -> values[i]).toArray();
    }

    private Encoding standardised(ColumnStatistics of) {
        List<Encoding.Feature> features = new ArrayList<>();
        for (Encoding.Feature feature : all.world().encoding().features()) {
            int j = features.size();
            EncodedColumn column =
                    new EncodedColumn(feature.column(), null, of.mean()[j], of.sd()[j] > 0 ? of.sd()[j] : 1);
            features.add(new Encoding.Feature(feature.column(), List.of(), 0, null, List.of(column)));
        }
        return new Encoding(features, spec.missing(), List.of());
    }

    private double[] factors() {
        return base.columns().stream().mapToDouble(column -> 1 / column.scale()).toArray();
    }

    private List<Message> warnings() {
        List<Message> list = new ArrayList<>(all.warnings());
        if (all.spec().isHedged() && !spec.isHedged()) {
            list.add(Message.of(
                    "no-hedge-by-default",
                    "The rules are the best ones after the move, not balanced ones ({}): {} columns are too many for a search in every fold.",
                    Settings.HEDGE.any(),
                    all.columns().cols()));
        }
        if (!isShared()) {
            list.add(Message.of(
                    "values-filled-in",
                    "Missing values were filled in, those of each fold with what the others have: {}.",
                    all.filled().entrySet().stream()
                            .map(filled -> filled.getValue() + " of '" + filled.getKey() + "'")
                            .collect(Collectors.joining(", "))));
        }
        dependence().ifPresent(text -> list.add(Message.plain("nearly-dependent", text)));
        return list;
    }

    /**
     * Returns the warning of {@link Reduction#dependenceWarning} for all rows together; in a single fold other columns may be dependent. Empty if there is no dependence, or if finding it would take long.
     */
    private Optional<String> dependence() {
        // linear dependence has nothing to do with the loss
        PredictionGame game = all.uniformGame().withLoss(Loss.SQUARED);
        List<String> names = all.world().encoding().names();
        int fixed = game.immutable().length;
        if (fixed == 0 || (double) fixed * fixed * y.length > MOST_WORK) {
            return Optional.empty();
        }
        return Pipeline.reduce(game, workers)
                .dependenceWarning(
                        names.subList(names.size() - fixed, names.size()),
                        all.world().encoding().constantColumns());
    }

    /**
     * One fold: all rows as its training rows encode them, and their wishes by its rule. Column j is scale_j times the
     * difference of a stored column and shift_j. The arrays are shared, not copied.
     *
     * @param number which fold
     * @param world the game without rows: encoding, costs and effects
     * @param columns the stored columns, the manipulable ones first
     * @param z the wishes of all rows
     * @param stretch the factor on gammas: with gammas as shares, omega of the fold's own today's rule over that of all
     *     rows, otherwise 1
     */
    record Fold(int number, World world, Matrix columns, double[] shift, double[] scale, double[] z, double stretch) {}

    /** Returns whether all folds share the stored columns. */
    boolean isShared() {
        return all.filled().isEmpty();
    }

    Fold fold(int number) {
        World world;
        Matrix stored = columns;
        double[] shift;
        double[] scale;
        if (isShared()) {
            world = all.world().encodedBy(encodingOf(number));
            List<EncodedColumn> from = base.columns();
            List<EncodedColumn> to = world.encoding().columns();
            shift = new double[from.size()];
            scale = new double[from.size()];
            for (int j = 0; j < shift.length; j++) {
                EncodedColumn a = from.get(j);
                EncodedColumn b = to.get(j);
                // an immutable intercept absorbs every shift, without cancellation
                shift[j] = hasIntercept() ? 0 : (b.shift() - a.shift()) / a.scale();
                scale[j] = a.scale() / b.scale();
            }
        } else {
            world = training(folds.training(number)).world();
            stored = world.encoding().apply(all.rows(), Encoding.UnknownLevel.ZERO);
            shift = new double[stored.cols()];
            scale = new double[stored.cols()];
            Arrays.fill(scale, 1);
        }
        double stretch = shares && today != null ? world.gammaOf(today[number].today(), 0.5) / omega : 1;
        return new Fold(number, world, stored, shift, scale, wishes[number], stretch);
    }

    /** Returns the encoding of the shared columns with the scales of a fold's training rows. */
    private Encoding encodingOf(int fold) {
        List<Encoding.Feature> features = new ArrayList<>();
        int j = 0;
        for (Encoding.Feature feature : base.features()) {
            List<EncodedColumn> own = new ArrayList<>();
            for (EncodedColumn column : feature.columns()) {
                own.add(scaled(column, fold, j++));
            }
            features.add(new Encoding.Feature(
                    feature.column(), feature.levels(), feature.mean(), feature.mostFrequentLevel(), own));
        }
        return new Encoding(features, base.missing(), base.constantColumns());
    }

    private EncodedColumn scaled(EncodedColumn column, int fold, int j) {
        Scaling.Spread raw = null;
        if (statistics != null) {
            ColumnStatistics of = statistics[fold];
            raw = new Scaling.Spread(
                    folds.rows() - folds.size(fold),
                    column.shift() + column.scale() * of.mean()[j],
                    column.scale() * of.sd()[j],
                    column.shift() + column.scale() * of.min()[j],
                    column.scale() * (of.max()[j] - of.min()[j]));
        }
        return spec.scaling().column(column.name(), column.level(), raw, spec.hasConstant());
    }

    /** Returns the game of all rows in which the held-out rows have weight 0. */
    PredictionGame game(Fold fold) {
        int n = fold.world().manipulable();
        Matrix stored = fold.columns();
        Matrix movable = n == stored.cols() ? stored : ((DenseMatrix) stored).columns(0, n);
        boolean shifted = Arrays.stream(fold.shift()).anyMatch(value -> value != 0);
        double[] shift = shifted ? Arrays.copyOf(fold.shift(), n) : null;
        Matrix x = new AffineMatrix(movable, shift, Arrays.copyOf(fold.scale(), n), hasOnes());
        PredictionGame game = PredictionGame.of(x, y, fold.z(), 1)
                .withImmutable(immutable(fold, n))
                .withCosts(costs(fold))
                .withWeights(trainingWeights(fold.number()))
                .withWishNoise(spec.wishNoise());
        double[] effects = effects(fold);
        if (effects != null) {
            game = game.withEffects(effects);
        }
        if (!spec.loss().isSquared()) {
            game = game.withLoss(spec.loss());
        }
        return hasIntercept() ? game.withIntercept() : game;
    }

    /** Returns the immutable columns. They are not scaled, which would only divide their coefficients. */
    private static double[][] immutable(Fold fold, int first) {
        double[][] fixed = new double[fold.columns().cols() - first][];
        for (int k = 0; k < fixed.length; k++) {
            fixed[k] = ((DenseMatrix) fold.columns()).column(first + k);
            for (int i = 0; i < fixed[k].length; i++) {
                fixed[k][i] -= fold.shift()[first + k];
            }
        }
        return fixed;
    }

    /** Returns the costs of the manipulable columns; a manipulable column of ones, the last, costs 1. */
    double[] costs(Fold fold) {
        int n = fold.world().manipulable();
        double[] costs = Arrays.copyOf(fold.world().costs(), features(n));
        Arrays.fill(costs, n, costs.length, 1);
        return costs;
    }

    /** Returns the effects of the manipulable columns; null without effects. Moving the ones has no effect. */
    double @Nullable [] effects(Fold fold) {
        int n = fold.world().manipulable();
        return spec.hasEffects() ? Arrays.copyOf(Arrays.copyOf(fold.world().effects(), n), features(n)) : null;
    }

    private int features(int manipulable) {
        return manipulable + (hasOnes() ? 1 : 0);
    }

    /** Returns whether a column of ones follows the manipulable columns. */
    boolean hasOnes() {
        return spec.intercept() == GameSpec.Intercept.MANIPULABLE;
    }

    boolean hasIntercept() {
        return spec.intercept() == GameSpec.Intercept.IMMUTABLE;
    }

    private double[] trainingWeights(int fold) {
        double[] training = weights.clone();
        for (int i = 0; i < training.length; i++) {
            training[i] = folds.of(i) == fold ? 0 : training[i];
        }
        return training;
    }

    /** Returns the sum of the sample weights of a fold's training rows. */
    double trainingWeight(int fold) {
        return Arrays.stream(trainingWeights(fold)).sum();
    }

    /** Returns the sums of the sample weights of the held-out rows, by fold. */
    double[] foldWeights() {
        double[] sums = new double[folds.count()];
        for (int i = 0; i < weights.length; i++) {
            sums[folds.of(i)] += weights[i];
        }
        return sums;
    }

    /**
     * Returns sum_i s_i l(m_i, y_i) / sum_i s_i, where m_i is the score of the mean over the training rows of the fold
     * that holds out row i. For squared loss it is about the variance.
     */
    double meanLoss() {
        double[] held = foldWeights();
        double[] sums = new double[held.length];
        for (int i = 0; i < y.length; i++) {
            sums[folds.of(i)] += weights[i] * y[i];
        }
        double[] means = new double[held.length];
        Arrays.setAll(means, f -> withoutFold(sums, f) / withoutFold(held, f));
        double loss = 0;
        for (int i = 0; i < y.length; i++) {
            double mean = spec.loss().score(means[folds.of(i)]);
            loss += weights[i] == 0 ? 0 : weights[i] * spec.loss().value(mean, y[i]);
        }
        return loss / Arrays.stream(held).sum();
    }

    /**
     * Returns the sum over all folds but one. Subtracting that fold from the total would lose digits if one row has far
     * more weight than the others.
     */
    private static double withoutFold(double[] sums, int fold) {
        double sum = 0;
        for (int f = 0; f < sums.length; f++) {
            sum += f == fold ? 0 : sums[f];
        }
        return sum;
    }

    GameSpec spec() {
        return spec;
    }

    Folds folds() {
        return folds;
    }

    /** Returns the columns that the folds share. */
    Matrix columns() {
        return columns;
    }

    double[] y() {
        return y;
    }

    double[] z(int fold) {
        return wishes[fold];
    }

    double[] weights() {
        return weights;
    }

    double omega() {
        return omega;
    }

    List<Message> messages() {
        return warnings;
    }
}
