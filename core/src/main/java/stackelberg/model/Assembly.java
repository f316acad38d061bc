package stackelberg.model;

import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.DataException;
import stackelberg.data.EncodedColumn;
import stackelberg.data.Encoding;
import stackelberg.data.Feature;
import stackelberg.data.FeatureChoice;
import stackelberg.data.Missing;
import stackelberg.data.Scaling;
import stackelberg.data.Source;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.game.CostUnits;
import stackelberg.game.Intercept;
import stackelberg.game.MixedGame;
import stackelberg.game.Population;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;
import stackelberg.sphere.Reduction;

/**
 * A table, or a matrix, made into a game: which columns people can change and at what cost, in the units the game is played in.
 *
 * <p>The encoding lists the manipulable features first and the immutable ones after them, so that the two are column ranges of one matrix and
 * nothing is held twice.
 *
 * @param game the game at some gamma
 * @param encoding how columns became encoded columns, manipulable ones first
 * @param manipulable how many of the encoded columns people can change
 * @param costs cost per encoded manipulable column, in encoded units
 * @param rowGammas everybody's own gamma, null if one is for all
 * @param wish the wish rule, its statistics frozen
 * @param dropped rows left out because a value was missing
 * @param source where the data came from, or null
 */
record Assembly(
        PredictionGame game,
        Encoding encoding,
        int manipulable,
        double[] costs,
        double[] rowGammas,
        String wish,
        int dropped,
        Source source,
        List<String> warnings) {
    /** A gamma from which on somebody never moves: tables hold finite numbers only. */
    private static final double NEVER_MOVES = 1e30;

    /** A line holds no more names. */
    private static final int CONSTANTS_NAMED = 10;

    /** Reads the choices off a table. */
    static Assembly ofTable(Table table, StackelbergRegression.Builder choices, Workers workers) {
        Chosen chosen = choose(table, choices);
        Table rows = chosen.rows();
        Set<String> immutable = chosen.immutable();
        Wish wish = chosen.wish();
        Encoding encoding = Encoding.fit(rows, chosen.features(), choices.missing);
        double[] y = rows.numeric(choices.target).values();
        Wish frozen = wish.freeze(rows, y);
        double[] z = frozen.evaluate(rows, y, null);
        double[] weights = weights(rows, choices.weight);
        int manipulable = encoding.features().stream()
                .filter(f -> !immutable.contains(f.column()))
                .mapToInt(f -> f.columns().size())
                .sum();
        double[] costs = costs(encoding, manipulable, choices);
        PredictionGame game = game(encoding.apply(rows), manipulable, costs, y, z, weights, choices);
        List<String> warnings = new ArrayList<>();
        warnAboutRows(chosen.dropped(), rows.rows(), warnings);
        warnAboutCategories(encoding, chosen.immutable(), choices, warnings);
        warnAboutConstants(encoding, warnings);
        Roles.warnAboutIdentifiers(encoding, rows.rows(), warnings);
        return new Assembly(
                game,
                encoding,
                manipulable,
                costs,
                rowGammas(rows, choices.rowGamma),
                frozen.text(),
                chosen.dropped(),
                table.source().orElse(null),
                warnings);
    }

    /**
     * What of a table is used, and as what.
     *
     * @param rows the rows in use
     * @param features the features, manipulable ones first
     * @param immutable the columns nobody can change
     */
    record Chosen(Table rows, int dropped, List<FeatureChoice> features, Set<String> immutable, Wish wish) {}

    /** Reads off a table which columns are features, which of them are immutable, and which rows are in use. */
    static Chosen choose(Table table, StackelbergRegression.Builder choices) {
        if (choices.target == null) {
            throw new IllegalArgumentException("No target was chosen.\nMaybe add target(\"...\") to the builder.");
        }
        if (choices.wish == null) {
            throw new IllegalArgumentException("No wish was chosen.\nMaybe add wish(\"...\") to the builder.");
        }
        table.numeric(choices.target);
        Wish wish = Wish.parse(choices.wish, table.names());
        Roles.refuseClashes(choices, wish.column());
        List<String> features = featureColumns(table, choices, wish);
        List<String> required = new ArrayList<>(List.of(choices.target));
        required.addAll(wish.columns());
        if (choices.weight != null) {
            required.add(choices.weight);
        }
        if (choices.rowGamma != null) {
            required.add(choices.rowGamma);
        }
        Missing.RowsInUse used = choices.missing.apply(table, features, required);
        Table rows = used.table();
        requireRows(rows.rows());

        Set<String> immutable = immutableColumns(rows, features, choices);
        List<FeatureChoice> ordered = new ArrayList<>();
        for (boolean fixed : new boolean[] {false, true}) {
            for (String column : features) {
                if (immutable.contains(column) == fixed) {
                    ordered.add(new FeatureChoice(column, choices.scaling, fixed && !choices.fullOneHot));
                }
            }
        }
        return new Chosen(rows, used.dropped(), ordered, immutable, wish);
    }

    /** A matrix whose columns are named by position and can all be changed; scaling is a view, not a copy. */
    static Assembly ofMatrix(Matrix x, double[] y, double[] z, StackelbergRegression.Builder choices, Workers workers) {
        requireRows(x.rows());
        refuseNames(choices);
        ColumnStatistics statistics = choices.scaling == Scaling.NONE ? null : ColumnStatistics.of(x, workers);
        if (statistics != null) {
            requireFinite(x, statistics);
        }
        List<Feature> features = new ArrayList<>();
        List<String> constants = new ArrayList<>();
        double[] shift = new double[x.cols()];
        double[] scale = new double[x.cols()];
        for (int j = 0; j < x.cols(); j++) {
            String name = String.valueOf(j + 1);
            double spread = 1;
            if (choices.scaling == Scaling.RANGE) {
                shift[j] = statistics.min()[j];
                spread = statistics.max()[j] - statistics.min()[j];
            } else if (choices.scaling == Scaling.STANDARD) {
                shift[j] = statistics.mean()[j];
                spread = statistics.sd()[j];
            }
            if (statistics != null && statistics.min()[j] == statistics.max()[j]) {
                constants.add(name);
                spread = 1;
            }
            scale[j] = 1 / spread;
            EncodedColumn column = new EncodedColumn(name, null, shift[j], spread);
            Feature.Range range = statistics == null
                    ? null
                    : new Feature.Range(statistics.min()[j], statistics.max()[j]);
            features.add(new Feature(name, List.of(), 0, null, List.of(column), range));
        }
        Encoding encoding = new Encoding(features, choices.missing, constants);
        double[] costs = costs(encoding, x.cols(), choices);
        boolean ones = choices.intercept == Intercept.MANIPULABLE;
        // with an immutable intercept every shift is projected out anyway, and sparse data stays as it is
        double[] neededShift =
                choices.scaling == Scaling.NONE || choices.intercept == Intercept.IMMUTABLE ? null : shift;
        Matrix view = choices.scaling == Scaling.NONE && !ones ? x : new AffineMatrix(x, neededShift, scale, ones);
        if (neededShift == null && choices.scaling != Scaling.NONE) {
            encoding = withoutShift(encoding);
        }
        PredictionGame game = withChoices(PredictionGame.of(view, y, z, choices.gamma), costs, null, choices);
        List<String> warnings = new ArrayList<>();
        warnAboutConstants(encoding, warnings);
        return new Assembly(game, encoding, x.cols(), costs, null, choices.wish, 0, null, warnings);
    }

    /** A matrix has no columns to name but by cost: what names others would be ignored, so it is refused. */
    private static void refuseNames(StackelbergRegression.Builder choices) {
        boolean names = choices.features != null
                || choices.weight != null
                || choices.group != null
                || choices.rowGamma != null
                || !choices.ignore.isEmpty()
                || choices.immutable != null && !choices.immutable.isEmpty();
        if (names) {
            throw new IllegalArgumentException(
                    "Features, weights, groups and immutable columns are chosen by name, and a matrix has no names."
                            + "\nMaybe fit a Table, or a PredictionGame, instead.");
        }
    }

    private static void requireFinite(Matrix x, ColumnStatistics statistics) {
        for (int j = 0; j < x.cols(); j++) {
            if (Double.isFinite(statistics.min()[j])
                    && Double.isFinite(statistics.max()[j])) {
                continue;
            }
            DoubleBuffer value = DoubleBuffer.allocate(1);
            for (int i = 0; i < x.rows(); i++) {
                x.tile(i, 1, j, 1, value);
                if (!Double.isFinite(value.get(0))) {
                    throw new DataException(
                            "Column " + (j + 1) + " of the features, row " + (i + 1) + ": " + value.get(0)
                                    + " is not a finite number.\nMaybe it marks a missing value: leave out the row.");
                }
            }
        }
    }

    /** The same game on other rows, as a fitted model describes it: the encoding, costs and wish are the model's own. */
    static Assembly again(Table table, StackelbergModel model, Workers workers) {
        List<String> features =
                model.encoding().features().stream().map(Feature::column).toList();
        if (model.game().wish() == null) {
            throw new DataException("The model does not say what people wish: their wishes were given as numbers."
                    + "\nMaybe fit it again with the wishes as a column or a rule.");
        }
        Wish wish = Wish.parse(model.game().wish(), table.names());
        List<String> required = new ArrayList<>(List.of(model.game().target()));
        required.addAll(wish.columns());
        if (model.game().weight() != null) {
            required.add(model.game().weight());
        }
        if (model.game().rowGamma() != null) {
            required.add(model.game().rowGamma());
        }
        Missing.RowsInUse used = model.encoding().missing().apply(table, features, required);
        Table rows = used.table();
        requireRows(rows.rows());
        double[] y = rows.numeric(model.game().target()).values();
        double[] z = wish.evaluate(rows, y, null);
        double[] weights = weights(rows, model.game().weight());
        StackelbergRegression.Builder choices = StackelbergRegression.builder()
                .gamma(model.gamma())
                .intercept(model.game().intercept())
                .wishNoise(model.game().wishNoise());
        int manipulable = (int) model.terms().stream()
                .filter(StackelbergModel.Term::manipulable)
                .count();
        double[] costs = model.terms().stream()
                .limit(manipulable)
                .mapToDouble(StackelbergModel.Term::cost)
                .toArray();
        PredictionGame game = game(model.encoding().apply(rows), manipulable, costs, y, z, weights, choices);
        return new Assembly(
                game,
                model.encoding(),
                manipulable,
                costs,
                rowGammas(rows, model.game().rowGamma()),
                model.game().wish(),
                used.dropped(),
                table.source().orElse(null),
                List.of());
    }

    /** The game with a mixed population, where not everybody responds with the same gamma. */
    Optional<MixedGame> mixed(double truthfulShare, double gamma) {
        if (truthfulShare == 0 && rowGammas == null) {
            return Optional.empty();
        }
        double[] gammas = rowGammas;
        if (gammas == null) {
            gammas = new double[game.x().rows()];
            Arrays.fill(gammas, gamma);
        }
        return Optional.of(new MixedGame(game, new Population(gammas, truthfulShare)));
    }

    /** The least and the largest gamma of those who move, where everybody has its own; otherwise those given. */
    double[] extremes(double... gammas) {
        if (rowGammas == null) {
            return gammas;
        }
        DoubleSummaryStatistics moving =
                Arrays.stream(rowGammas).filter(Double::isFinite).summaryStatistics();
        return moving.getCount() == 0 ? new double[0] : new double[] {moving.getMin(), moving.getMax()};
    }

    /** The game on the sphere, at gammas it can be played at; the choices were checked before, so what it refuses are values of the data. */
    Reduction reduction(Workers workers, double... gammas) {
        try {
            Reduction reduction = Reduction.of(game, workers);
            for (double gamma : gammas) {
                reduction.family().at(gamma);
            }
            return reduction;
        } catch (IllegalArgumentException e) {
            throw new DataException(e.getMessage(), e);
        }
    }

    private static PredictionGame game(
            DenseMatrix encoded,
            int manipulable,
            double[] costs,
            double[] y,
            double[] z,
            double[] weights,
            StackelbergRegression.Builder choices) {
        Matrix x = encoded.columns(0, manipulable);
        if (choices.intercept == Intercept.MANIPULABLE) {
            x = new AffineMatrix(x, null, null, true);
        }
        double[][] immutable = new double[encoded.cols() - manipulable][];
        for (int j = 0; j < immutable.length; j++) {
            immutable[j] = encoded.column(manipulable + j);
        }
        PredictionGame game = PredictionGame.of(x, y, z, choices.gamma).withImmutable(immutable);
        return withChoices(game, costs, weights, choices);
    }

    private static PredictionGame withChoices(
            PredictionGame game, double[] costs, double[] weights, StackelbergRegression.Builder choices) {
        PredictionGame result = game;
        if (choices.intercept == Intercept.IMMUTABLE) {
            result = result.withIntercept();
        }
        // the manipulable ones column, if there is one, is the last and costs 1
        double[] all = Arrays.copyOf(costs, game.x().cols());
        Arrays.fill(all, costs.length, all.length, 1);
        result = result.withCosts(all).withWishNoise(choices.wishNoise);
        return weights == null ? result : result.withWeights(weights);
    }

    private static List<String> featureColumns(Table table, StackelbergRegression.Builder choices, Wish wish) {
        Set<String> never = new HashSet<>(Set.of(choices.target));
        if (choices.weight != null) {
            table.numeric(choices.weight);
            never.add(choices.weight);
        }
        wish.column().ifPresent(never::add);
        if (choices.rowGamma != null) {
            table.numeric(choices.rowGamma);
            never.add(choices.rowGamma);
        }
        if (choices.group != null) {
            table.column(choices.group);
            never.add(choices.group);
        }
        choices.ignore.forEach(table::column);
        if (choices.features != null) {
            for (String column : choices.features) {
                table.column(column);
                if (never.contains(column)) {
                    throw new DataException("Column '" + column
                            + "' is the target, the wish, the weight, the gamma or the group and cannot be a feature too.\n"
                            + "Maybe leave it out of the list of features.");
                }
            }
            return choices.features;
        }
        return table.names().stream()
                .filter(c -> !never.contains(c) && !choices.ignore.contains(c))
                .toList();
    }

    static Set<String> immutableColumns(Table table, List<String> features, StackelbergRegression.Builder choices) {
        if (choices.immutable != null) {
            for (String column : choices.immutable) {
                table.column(column);
                if (!features.contains(column)) {
                    throw new DataException(
                            "Column '" + column + "' is declared immutable (--immutable) but is not a feature"
                                    + Roles.whyNoFeature(column, choices));
                }
            }
            return choices.immutable;
        }
        Set<String> categorical = new HashSet<>();
        for (String column : features) {
            if (table.column(column) instanceof CategoricalColumn) {
                categorical.add(column);
            }
        }
        return categorical;
    }

    /** Cost per encoded manipulable column, in encoded units. */
    static double[] costs(Encoding encoding, int manipulable, StackelbergRegression.Builder choices) {
        Map<String, Double> unused = new LinkedHashMap<>(choices.costs);
        double[] costs = new double[manipulable];
        int j = 0;
        for (Feature feature : encoding.features()) {
            for (EncodedColumn column : feature.columns()) {
                Double declared = choices.costs.getOrDefault(column.name(), choices.costs.get(feature.column()));
                if (j >= manipulable && declared != null) {
                    throw Roles.costOfImmutable(feature.column(), choices);
                }
                unused.remove(column.name());
                unused.remove(feature.column());
                if (j < manipulable) {
                    double cost = declared == null ? 1 : declared;
                    costs[j] = choices.costUnits == CostUnits.RAW ? cost * column.scale() * column.scale() : cost;
                }
                j++;
            }
        }
        if (!unused.isEmpty()) {
            String column = unused.keySet().iterator().next();
            throw new DataException("A cost is given for '" + column + "', which is not a feature"
                    + Roles.whyNoFeature(column, choices));
        }
        return costs;
    }

    private static Encoding withoutShift(Encoding encoding) {
        List<Feature> features = encoding.features().stream()
                .map(f -> {
                    EncodedColumn c = f.columns().get(0);
                    return new Feature(
                            f.column(),
                            f.levels(),
                            f.mean(),
                            null,
                            List.of(new EncodedColumn(c.name(), null, 0, c.scale())),
                            f.range());
                })
                .toList();
        return new Encoding(features, encoding.missing(), encoding.constantColumns());
    }

    /** The weight column, null if there is none. */
    static double[] weights(Table rows, String column) {
        if (column == null) {
            return null;
        }
        double[] weights = rows.numeric(column).values();
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            if (weights[i] < 0) {
                throw new DataException("Column '" + column + "', " + rows.where(i) + ": the weight is " + weights[i]
                        + ", but weights may not be negative.\nMaybe another column was meant.");
            }
            sum += weights[i];
        }
        if (sum == 0) {
            throw new DataException("Column '" + column + "': all weights are 0, so that no row counts.\n"
                    + "Maybe another column was meant.");
        }
        return weights;
    }

    /** The column of everybody's own gamma, null if there is none. */
    static double[] rowGammas(Table rows, String column) {
        if (column == null) {
            return null;
        }
        double[] gammas = rows.numeric(column).values();
        for (int i = 0; i < gammas.length; i++) {
            if (!(gammas[i] > 0)) {
                throw new DataException("Column '" + column + "', " + rows.where(i) + ": gamma is " + gammas[i]
                        + "; it must be positive.\nMaybe write " + NEVER_MOVES
                        + " or more for people who never move.");
            }
            gammas[i] = gammas[i] >= NEVER_MOVES ? Double.POSITIVE_INFINITY : gammas[i];
        }
        return gammas;
    }

    static void requireRows(int rows) {
        if (rows < 2) {
            throw new DataException("There " + (rows == 1 ? "is 1 row" : "are no rows")
                    + " to learn from; a rule needs at least 2.\nMaybe the file was cut off, or rows were dropped"
                    + " because values are missing.");
        }
    }

    static void warnAboutRows(int dropped, int left, List<String> warnings) {
        if (dropped > 0) {
            warnings.add(dropped + (dropped == 1 ? " row was" : " rows were") + " left out because a value is missing; "
                    + left + " remain.");
        }
    }

    /** Whoever names immutable columns may not have meant to free the categories, which are immutable by default. */
    private static void warnAboutCategories(
            Encoding encoding, Set<String> immutable, StackelbergRegression.Builder choices, List<String> warnings) {
        List<String> freed = encoding.features().stream()
                .filter(f -> f.categorical() && !immutable.contains(f.column()))
                .map(Feature::column)
                .toList();
        if (!freed.isEmpty() && choices.immutable != null && !choices.immutable.isEmpty()) {
            warnings.add(
                    "What is declared immutable replaces the default, the categorical columns: people can now change "
                            + String.join(", ", freed) + ".");
        }
    }

    private static void warnAboutConstants(Encoding encoding, List<String> warnings) {
        if (!encoding.constantColumns().isEmpty()) {
            List<String> constants = List.copyOf(encoding.constantColumns());
            int more = constants.size() - CONSTANTS_NAMED;
            warnings.add("The same value in all rows, so no information: "
                    + String.join(", ", constants.subList(0, Math.min(CONSTANTS_NAMED, constants.size())))
                    + (more > 0 ? " and " + more + " more columns." : "."));
        }
    }
}
