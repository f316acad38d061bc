package stackelberg.model.tuning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import stackelberg.data.Column;
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
import stackelberg.model.tuning.FoldData.FoldGame;
import stackelberg.objective.Pipeline;
import stackelberg.sphere.Reduction;

/** Data made into the games of all folds: what {@link Sample} is to a fit. */
final class FoldAssembly {
    /** Additions of products that a warning is worth: a fraction of a second. */
    private static final double MOST_WORK = 5e9;

    /** The smaller side of X where each rule is a search; beyond it a search takes seconds, and there are hundreds. */
    private static final int MOST_SEARCHED = 1500;

    /** Features of hedged rules where they outnumber people: the frontier is nearly flat there, and a search takes seconds. */
    private static final int MOST_WIDE = 400;

    private final GameSpec spec;
    private final Sample all;
    private final Folds folds;
    private final boolean shares;
    private final Workers workers;
    private final Wish wish;
    /** The rule in force that each fold's training rows give; null where nobody asks. */
    private final Sample.InForce[] today;

    private FoldAssembly(GameSpec spec, Sample all, Folds folds, boolean shares, Workers workers) {
        this.spec = spec;
        this.all = all;
        this.folds = folds;
        this.shares = shares;
        this.workers = workers;
        this.wish = Wish.parse(spec.wish(), all.rows().names());
        boolean asked = shares || wish.usesToday();
        this.today = asked ? todays() : null;
    }

    /** By fold, learned from its training rows; everybody is scored. */
    private Sample.InForce[] todays() {
        int count = folds.count();
        boolean shifted =
                spec.intercept() == GameSpec.Intercept.NONE && !spec.today().known();
        if (shifted || !all.filled().isEmpty()) {
            return IntStream.range(0, count).mapToObj(this::today).toArray(Sample.InForce[]::new);
        }
        double[][] weights = new double[count][];
        for (int f = 0; f < count; f++) {
            weights[f] = all.weights();
            for (int i : folds.heldOut(f)) {
                weights[f][i] = 0;
            }
        }
        return all.refittedToday(weights, workers);
    }

    /** Where it matters by what the columns are shifted, without an intercept, or what is missing becomes what the others have. */
    private Sample.InForce today(int fold) {
        int[] rows = folds.training(fold);
        // a column is a feature or not by what all rows show
        GameSpec own = spec.toBuilder()
                .gamma(1)
                .features(all.world().encoding().features().stream()
                        .map(Encoding.Feature::column)
                        .toList())
                .build();
        Sample training = Sample.of(own, all.rows().select(rows), workers);
        Sample.InForce learned = training.refittedToday(new double[][] {training.weights()}, workers)[0];
        double[] scores = training.world().scores(learned.today(), all.rows());
        for (int k = 0; k < rows.length; k++) {
            scores[rows[k]] = learned.scores()[k];
        }
        return new Sample.InForce(learned.today(), scores);
    }

    static FoldData of(GameSpec declared, Table table, Tuning.Plan plan, Workers workers) {
        GameSpec spec = withoutGroup(declared, plan, table);
        boolean block = Sample.keepsBlock(spec, table);
        // standardised once, so that every fold's own scaling hardly differs; a block stays as it is
        GameSpec.Builder base = spec.toBuilder()
                .scaling(block ? Scaling.NONE : Scaling.STANDARD)
                .gamma(1);
        Sample all = Sample.of(base.build(), table, workers);
        requireSearchable(spec, all);
        double[] weights = all.weights();
        Folds folds = plan.foldsOf(all.rows(), weights);
        requireEnough(weights, folds);
        requireBothAnswers(spec, all, folds, weights);
        FoldAssembly assembly = new FoldAssembly(spec, all, folds, plan.shares(), workers);
        double omega = plan.shares() ? omega(spec, table, workers) : Double.NaN;
        return block ? assembly.ofBlock(weights, omega) : assembly.ofColumns(weights, omega);
    }

    /** Where each rule is a search, what has to be decomposed for every fold must not be too large: better said now than in the middle of it. */
    private static void requireSearchable(GameSpec spec, Sample all) {
        if (!spec.mixed() && !spec.isHedged()) {
            return;
        }
        int features = all.world().manipulable();
        String which = spec.mixed() ? "truthful shares" : "hedges";
        int side = Math.min(features, all.size());
        if (side > MOST_SEARCHED) {
            throw new DataException(Message.of(
                    "fold-too-large",
                    "Cross-validation of {} decomposes every fold, up to {} rows or manipulable features; there are {}.\n"
                            + "Maybe choose some columns with {}, or leave out {}",
                    which,
                    MOST_SEARCHED,
                    side,
                    Settings.FEATURES.any(),
                    spec.mixed()
                            ? Message.part("{}.", Settings.TRUTHFUL_SHARE.any())
                            : Message.part("{}.", Settings.HEDGE.any())));
        }
        if (spec.isHedged() && features > Math.max(MOST_WIDE, all.size())) {
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
    }

    /** omega of the rule in force of all rows, in the units of the game. */
    private static double omega(GameSpec spec, Table table, Workers workers) {
        Sample own = Sample.of(spec.toBuilder().gamma(1).build(), table, workers);
        // refused where a share makes no sense, and otherwise half of everything is omega itself
        return own.world().gammaOf(own.today(workers), 0.5);
    }

    private FoldData ofColumns(double[] weights, double omega) {
        Table rows = all.rows();
        Encoding base = all.world().encoding();
        Map<String, Integer> missing = missingColumns(rows, base);
        Matrix columns = columns((DenseMatrix) all.columns(), rows, missing);
        int[] missingOf = base.features().stream()
                .flatMapToInt(f -> f.columns().stream().mapToInt(c -> missing.getOrDefault(f.column(), -1)))
                .toArray();
        boolean needed = spec.scaling() != Scaling.NONE || !missing.isEmpty();
        FoldStatistics statistics = needed ? new FoldStatistics(columns, folds, missingOf, workers) : null;
        FoldEncodings encodings = new FoldEncodings(base, spec, folds, statistics, rows);
        List<Message> warnings = new ArrayList<>(all.warnings());
        if (!all.filled().isEmpty()) {
            warnings.add(Message.of(
                    "values-filled-in",
                    "Missing values were filled in, those of each fold with what the others have: {}.",
                    all.filled().entrySet().stream()
                            .map(filled -> filled.getValue() + " of '" + filled.getKey() + "'")
                            .collect(Collectors.joining(", "))));
        }
        dependence().ifPresent(text -> warnings.add(Message.plain("nearly-dependent", text)));
        return data(columns, base, encodings, missing, weights, omega, warnings);
    }

    /** What {@link Reduction#dependenceWarning} says of all rows, whatever the folds have of them; where it costs little. */
    private Optional<String> dependence() {
        // what depends on what has nothing to do with the loss
        PredictionGame game = all.uniformGame().withLoss(Loss.SQUARED);
        List<String> names = all.world().encoding().names();
        int fixed = game.immutable().length;
        if (fixed == 0 || (double) fixed * fixed * game.y().length > MOST_WORK) {
            return Optional.empty();
        }
        return Pipeline.reduce(game, workers)
                .dependenceWarning(
                        names.subList(names.size() - fixed, names.size()),
                        all.world().encoding().constantColumns());
    }

    /** Features that are numbers already; the columns are centred where the sums of products will be formed. */
    private FoldData ofBlock(double[] weights, double omega) {
        Matrix x = all.columns();
        boolean centred = CrossValidation.formsSums(x, folds);
        ColumnStatistics statistics = centred ? ColumnStatistics.of(x, workers) : null;
        List<Encoding.Feature> features = new ArrayList<>();
        double[] factors = new double[x.cols()];
        for (int j = 0; j < x.cols(); j++) {
            double scale = centred && statistics.sd()[j] > 0 ? statistics.sd()[j] : 1;
            factors[j] = 1 / scale;
            String name = all.world().encoding().features().get(j).column();
            EncodedColumn column =
                    new EncodedColumn(name, null, centred ? statistics.mean()[j] : 0, scale);
            features.add(new Encoding.Feature(name, List.of(), 0, null, List.of(column)));
        }
        Encoding base = new Encoding(features, spec.missing(), List.of());
        Matrix columns = centred ? new AffineMatrix(x, statistics.mean(), factors, false) : x;
        int[] none = new int[x.cols()];
        Arrays.fill(none, -1);
        FoldStatistics own = spec.scaling() == Scaling.NONE ? null : new FoldStatistics(columns, folds, none, workers);
        FoldEncodings encodings = new FoldEncodings(base, spec, folds, own, null);
        return data(columns, base, encodings, Map.of(), weights, omega, all.warnings());
    }

    private FoldData data(
            Matrix columns,
            Encoding base,
            FoldEncodings encodings,
            Map<String, Integer> missing,
            double[] weights,
            double omega,
            List<Message> warnings) {
        List<FoldGame> games = new ArrayList<>();
        double[] stretch = new double[folds.count()];
        for (int f = 0; f < stretch.length; f++) {
            Encoding own = encodings.of(f);
            World world = all.world().encodedBy(own);
            games.add(game(base, world, missing, columns.cols()));
            stretch[f] = shares ? world.gammaOf(today[f].today(), 0.5) / omega : 1;
        }
        return new FoldData(
                spec,
                folds,
                columns,
                all.y(),
                wishes(),
                weights,
                spec.intercept() == GameSpec.Intercept.IMMUTABLE,
                spec.wishNoise(),
                omega,
                stretch,
                games,
                warnings);
    }

    /** The group is a feature only where the features name it. */
    private static GameSpec withoutGroup(GameSpec spec, Tuning.Plan plan, Table table) {
        if (plan.group() == null) {
            return spec;
        }
        table.column(plan.group());
        List<String> features = spec.features();
        if (features != null && features.contains(plan.group())) {
            return spec;
        }
        Set<String> ignore = new HashSet<>(spec.ignore());
        ignore.add(plan.group());
        return spec.toBuilder().ignore(ignore).build();
    }

    /** By feature with missing values the place of the column that says where, after the encoded ones. */
    private static Map<String, Integer> missingColumns(Table rows, Encoding base) {
        Map<String, Integer> places = new LinkedHashMap<>();
        int next = base.columns().size();
        for (Encoding.Feature feature : base.features()) {
            Column column = rows.column(feature.column());
            for (int i = 0; i < rows.rows(); i++) {
                if (column.isMissing(i)) {
                    places.put(feature.column(), next++);
                    break;
                }
            }
        }
        return places;
    }

    private static Matrix columns(DenseMatrix encoded, Table rows, Map<String, Integer> missing) {
        if (missing.isEmpty()) {
            return encoded;
        }
        DenseMatrix all = DenseMatrix.zeros(encoded.rows(), encoded.cols() + missing.size());
        all.columns(0, encoded.cols()).setAll(encoded);
        missing.forEach((name, place) -> {
            Column column = rows.column(name);
            for (int i = 0; i < all.rows(); i++) {
                all.set(i, place, column.isMissing(i) ? 1 : 0);
            }
        });
        return all;
    }

    private FoldGame game(Encoding base, World own, Map<String, Integer> missing, int ones) {
        int manipulable = all.world().manipulable();
        int count = base.columns().size();
        double[] scale = new double[count];
        double[] constant = new double[count];
        double[] fill = new double[count];
        int[] place = new int[count];
        int at = 0;
        for (int i = 0; i < base.features().size(); i++) {
            Encoding.Feature from = base.features().get(i);
            Encoding.Feature to = own.encoding().features().get(i);
            for (int k = 0; k < from.columns().size(); k++, at++) {
                EncodedColumn a = from.columns().get(k);
                EncodedColumn b = to.columns().get(k);
                scale[at] = a.scale() / b.scale();
                // an immutable intercept takes every constant, and nothing cancels
                constant[at] =
                        spec.intercept() == GameSpec.Intercept.IMMUTABLE ? 0 : (a.shift() - b.shift()) / b.scale();
                place[at] = missing.getOrDefault(from.column(), 0);
                fill[at] = missing.containsKey(from.column()) ? (fillIn(to, b) - fillIn(from, a)) / b.scale() : 0;
            }
        }
        ColumnMap.Builder columns = new ColumnMap.Builder();
        double[] costs = Arrays.copyOf(own.costs(), manipulable);
        int fixed = count - manipulable;
        if (spec.intercept() == GameSpec.Intercept.IMMUTABLE) {
            columns.put(ones, 1).end();
            fixed++;
        }
        for (int k = 0; k < count; k++) {
            int j = (manipulable + k) % count;
            columns.put(j, scale[j])
                    .put(ones, constant[j])
                    .put(place[j], fill[j])
                    .end();
        }
        if (spec.intercept() == GameSpec.Intercept.MANIPULABLE) {
            columns.put(ones, 1).end();
            costs = Arrays.copyOf(costs, costs.length + 1);
            costs[costs.length - 1] = 1;
        }
        double[] effects = !spec.hasEffects()
                ? null
                : Arrays.copyOf(
                        Arrays.copyOf(own.effects(), manipulable),
                        // a ones column does nothing to the target
                        costs.length);
        return new FoldGame(columns.build(ones + 1), fixed, costs, effects);
    }

    /** What a missing value becomes, before scaling. */
    private static double fillIn(Encoding.Feature feature, EncodedColumn column) {
        return feature.categorical() ? (feature.mostFrequentLevel().equals(column.level()) ? 1 : 0) : feature.mean();
    }

    /** The wishes of everybody by the rule that each fold's training rows give; one array where rules are the same. */
    private double[][] wishes() {
        Table rows = all.rows();
        double[] y = all.y();
        Set<String> names = new HashSet<>(wish.columns());
        names.add(spec.target());
        Table needed = Table.of(names.stream().sorted().map(rows::column).toList());
        Map<String, double[]> byRule = new LinkedHashMap<>();
        double[][] z = new double[folds.count()][];
        for (int f = 0; f < z.length; f++) {
            int[] training = folds.training(f);
            double[] targets = Arrays.stream(training).mapToDouble(i -> y[i]).toArray();
            double[] scores = wish.usesToday() ? today[f].scores() : null;
            double[] shown = all.world().inWishUnits(scores);
            double[] learned = shown == null
                    ? null
                    : Arrays.stream(training).mapToDouble(i -> shown[i]).toArray();
            Wish frozen = wish.freeze(needed.select(training), targets, learned);
            // scores are each fold's own
            String key = scores == null ? frozen.text() : f + ": " + frozen.text();
            z[f] = byRule.computeIfAbsent(key, text -> all.world().wished(frozen, needed, y, null, scores));
        }
        return z;
    }

    /** Whoever learns yes from no needs some of both. */
    private static void requireBothAnswers(GameSpec spec, Sample all, Folds folds, double[] weights) {
        if (!spec.loss().isLogistic()) {
            return;
        }
        double[] yes = new double[folds.count()];
        double[] no = new double[folds.count()];
        for (int i = 0; i < weights.length; i++) {
            (all.y()[i] == 1 ? yes : no)[folds.of(i)] += weights[i];
        }
        for (int f = 0; f < yes.length; f++) {
            boolean nobody = !(FoldData.withoutFold(yes, f) > 0);
            if (nobody || !(FoldData.withoutFold(no, f) > 0)) {
                throw new DataException(Message.of(
                        "fold-of-one-answer",
                        "Every row that counts and is a {} is in fold {}: without it there is nothing to predict.\n"
                                + "Maybe use another {}, or fewer {}.",
                        nobody ? "yes" : "no",
                        (f + 1),
                        Message.Choice.any("seed"),
                        Message.Choice.any("folds")));
            }
        }
    }

    /** The weights must leave every fold something to learn from. */
    private static void requireEnough(double[] weights, Folds folds) {
        double[] sums = new double[folds.count()];
        for (int i = 0; i < weights.length; i++) {
            sums[folds.of(i)] += weights[i];
        }
        for (int f = 0; f < sums.length; f++) {
            if (!(FoldData.withoutFold(sums, f) > 0)) {
                throw new DataException(Message.of(
                        "fold-of-everything",
                        "All rows that count are in fold {}: without it nothing is left to learn from.\n"
                                + "Maybe use another {}, or fewer {}.",
                        (f + 1),
                        Message.Choice.any("seed"),
                        Message.Choice.any("folds")));
            }
        }
    }
}
