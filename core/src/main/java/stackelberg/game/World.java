package stackelberg.game;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.Message;
import stackelberg.data.Missing;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.game.GameSpec.Today;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.Workers;

/**
 * A declared game in terms of encoded columns, without any rows: all that is needed to apply any rule to any table.
 *
 * <p>Moving encoded column j by delta costs gamma c_j delta^2, and a rule with coefficients beta_j in the units of the
 * data has omega = sum_j (beta_j scale_j)^2 / c_j.
 *
 * @param spec the declaration, with the statistics of its wish as constants
 * @param encoding how columns are encoded
 * @param costs c_j of every encoded column; infinite for an immutable one
 */
public record World(GameSpec spec, Encoding encoding, double[] costs) {
    /**
     * A gamma in a table from this value on means that the follower never moves: a table cannot hold an infinite
     * number.
     */
    private static final double NEVER_MOVES = 1e30;

    /** Shares that differ by less than this, relatively, are the same. */
    private static final double LAST_DIGITS = 1e-9;

    public World {
        costs = costs.clone();
    }

    @Override
    public double[] costs() {
        return costs.clone();
    }

    /**
     * The world of a declared game whose features are the columns of a given rule; scales and levels come from the
     * table.
     */
    public static World declared(Table table, PublishedRule rule, GameSpec spec) {
        Optional<String> wish = Optional.ofNullable(spec.wish()).filter(table::has);
        Roles.refuseClashes(spec, wish);
        List<String> features = rule.columnsIn(table);
        Table rows = spec.missing().apply(table, features, List.of()).table();
        Set<String> immutable = Roles.immutableColumns(rows, features, spec);
        GameSpec allLevels = spec.withFullOneHot();
        Encoding encoding = Encoding.fit(rows, Roles.ordered(rows, features, immutable, allLevels), spec.missing());
        return new World(spec, encoding, Roles.costs(encoding, Roles.manipulable(encoding, immutable), spec)).checked();
    }

    /** The world of a declared game in a given encoding, which must list the manipulable features first. */
    public static World of(GameSpec spec, Encoding encoding) {
        Set<String> declared = spec.immutable();
        Set<String> immutable = declared == null ? encoding.categoricalColumns() : declared;
        return new World(spec, encoding, Roles.costs(encoding, Roles.manipulable(encoding, immutable), spec));
    }

    /**
     * A copy in another encoding of the same columns; costs that are declared in the units of the data are converted.
     */
    public World encodedBy(Encoding other) {
        return new World(spec, other, Roles.costs(other, manipulable(), spec));
    }

    /** Tests whether this world uses a column, by its name: readers can skip all others. */
    public Predicate<String> usedColumns() {
        List<String> features =
                encoding.features().stream().map(Encoding.Feature::column).toList();
        return spec.toBuilder().features(features).ignore(Set.of()).build().usedColumns();
    }

    /**
     * The manipulable columns that are constant in training, and 0 after encoding or absorbed by an intercept: their
     * coefficients do not distinguish rows, but still let followers move.
     */
    public Set<String> idle() {
        boolean constant = spec.intercept() == GameSpec.Intercept.IMMUTABLE;
        Set<String> idle = new LinkedHashSet<>();
        if (encoding.constantColumns().isEmpty()) {
            return idle;
        }
        Set<String> same = new HashSet<>(encoding.constantColumns());
        int j = 0;
        for (Encoding.Feature feature : encoding.features()) {
            for (EncodedColumn column : feature.columns()) {
                if (manipulable(j)
                        && feature.reach() != null
                        && (constant || feature.reach().max() == column.shift())
                        && same.contains(column.name())) {
                    idle.add(column.name());
                }
                j++;
            }
        }
        return idle;
    }

    public double gamma() {
        return spec.gamma();
    }

    public @Nullable String target() {
        return spec.target();
    }

    /** The wish expression; absent if none is declared. */
    public @Nullable String wish() {
        return spec.wish();
    }

    public double wishNoise() {
        return spec.wishNoise();
    }

    public GameSpec.Intercept intercept() {
        return spec.intercept();
    }

    /** A copy with this gamma in place of the declared one; gammas per row and the hedge stay. */
    public World at(double gamma) {
        return new World(spec.toBuilder().gamma(gamma).hedge(spec.hedge()).build(), encoding, costs);
    }

    /** A copy for a gamma known up to a range, with the worst gamma of the range as its gamma. */
    public World atWorst(double gamma) {
        return new World(spec.toBuilder().worst(gamma).hedge(spec.hedge()).build(), encoding, costs);
    }

    /** A copy with this rule as today's rule. */
    public World withToday(Today today) {
        return new World(spec.toBuilder().today(today).build(), encoding, costs);
    }

    /** A copy with one gamma for all rows, without gammas per row; the hedge stays. */
    public World withGamma(double gamma) {
        return new World(
                spec.toBuilder().gamma(gamma).rowGamma(null).hedge(spec.hedge()).build(), encoding, costs);
    }

    /** A copy with another policy on missing values. */
    public World withMissing(Missing missing) {
        boolean unknown = encoding.features().stream().noneMatch(f -> f.categorical() || f.mean() != 0);
        if (missing == Missing.MEAN && encoding.missing() != Missing.MEAN && unknown) {
            throw new DataException(Message.of(
                    "means-unknown",
                    "The model does not know the means of its columns, which were not computed when it was fitted, so that "
                            + "nothing can be filled in.\n"
                            + "Maybe leave such rows out with {}, or fit it again with scaled columns.",
                    Settings.MISSING.word("DROP")));
        }
        return new World(spec.toBuilder().missing(missing).build(), encoding.withMissing(missing), costs);
    }

    /**
     * A copy with a column for every level of every category, base levels included, for rules with another base level.
     */
    public World withAllLevels() {
        List<Encoding.Feature> features = new ArrayList<>();
        List<Double> all = new ArrayList<>();
        int j = 0;
        for (Encoding.Feature feature : encoding.features()) {
            List<EncodedColumn> columns = new ArrayList<>();
            if (feature.categorical()
                    && feature.columns().size() < feature.levels().size()) {
                // only immutable categories have a base level without a column, so the new column is immutable too
                String base = feature.levels().get(0);
                columns.add(new EncodedColumn(feature.column() + "=" + base, base, 0, 1));
                all.add(Double.POSITIVE_INFINITY);
            }
            columns.addAll(feature.columns());
            for (int k = 0; k < feature.columns().size(); k++) {
                all.add(costs[j++]);
            }
            features.add(new Encoding.Feature(
                    feature.column(),
                    feature.levels(),
                    feature.mean(),
                    feature.mostFrequentLevel(),
                    columns,
                    feature.range()));
        }
        return new World(
                spec,
                new Encoding(features, encoding.missing(), encoding.constantColumns()),
                all.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /** This world, after checking that effects and limits are declared for manipulable columns only. */
    World checked() {
        effects();
        bounds();
        return this;
    }

    /** The limits of each encoded column, in encoded units; empty if none are declared. */
    public Optional<Response.Bounds> bounds() {
        return spec.limits().none() ? Optional.empty() : Optional.of(Roles.bounds(encoding, costs, spec));
    }

    /** The limits of each encoded column in the units of the data; empty if none are declared. */
    public Optional<Response.Bounds> rawBounds() {
        return spec.limits().none() ? Optional.empty() : Optional.of(Roles.rawBounds(encoding, costs, spec));
    }

    /**
     * The responses to a rule under limits, in the units of the data; empty if no limits are declared. Their features
     * are read by {@link #features}.
     *
     * @return makes one instance per thread
     */
    public Optional<Supplier<Response.Bounded>> bounded(PublishedRule rule) {
        return bounded(rule, 1);
    }

    /**
     * The responses to a rule under limits, with all declared effects multiplied by a factor.
     *
     * @param real the factor; 1 for the declared effects, 0 for moves that do not change the target
     */
    public Optional<Supplier<Response.Bounded>> bounded(PublishedRule rule, double real) {
        return rawBounds().map(bounds -> {
            boolean ones = intercept() == GameSpec.Intercept.MANIPULABLE;
            List<EncodedColumn> columns = encoding.columns();
            int[] movable = movable();
            int width = movable.length + (ones ? 1 : 0);
            double[] w = new double[width];
            double[] c = new double[width];
            double[] beta = new double[width];
            Response.Bounds own = Response.Bounds.none(width, bounds.side());
            double[] low = own.low();
            double[] high = own.high();
            double[] lows = bounds.low();
            double[] highs = bounds.high();
            double[] effects = effects();
            for (int k = 0; k < movable.length; k++) {
                EncodedColumn column = columns.get(movable[k]);
                w[k] = rule.coefficient(column);
                c[k] = costs[movable[k]] / (column.scale() * column.scale());
                beta[k] = real * effects[movable[k]] / column.scale();
                low[k] = lows[movable[k]];
                high[k] = highs[movable[k]];
            }
            if (ones) {
                w[width - 1] = rule.encodedConstant(columns);
                c[width - 1] = 1;
            }
            Response.Bounds all = new Response.Bounds(low, high, bounds.side());
            double omega = omega(rule);
            double @Nullable [] earning = spec.hasEffects() ? beta : null;
            return () -> new Response.Bounded(w, omega, c, all, earning);
        });
    }

    /**
     * The coefficients of the manipulable columns in encoded units, followed by the constant if the intercept is
     * manipulable.
     */
    public double[] movedBy(PublishedRule rule) {
        List<EncodedColumn> columns = encoding.columns();
        double[] all = rule.encodedCoefficients(columns);
        DoubleStream moved = IntStream.of(movable()).mapToDouble(j -> all[j]);
        DoubleStream ones = DoubleStream.of(
                intercept() == GameSpec.Intercept.MANIPULABLE
                        ? new double[] {rule.encodedConstant(columns)}
                        : new double[0]);
        return DoubleStream.concat(moved, ones).toArray();
    }

    /**
     * The manipulable features of the rows in the units of the data, followed by a 1 if the intercept is manipulable.
     */
    public Response.Bounded.Features features(Table rows) {
        return new RawFeatures(this, rows);
    }

    /** The values of an encoded column by row, in the units of the data, missing ones filled in. */
    public static IntToDoubleFunction values(Table rows, Encoding.Feature feature, EncodedColumn column) {
        return RawFeatures.column(rows, feature, column);
    }

    /** The indices of the manipulable encoded columns. */
    public int[] movable() {
        return IntStream.range(0, costs.length).filter(this::manipulable).toArray();
    }

    /**
     * The effects beta_j of all encoded columns, in encoded units: the real change of the target for a move of column j
     * by one unit.
     */
    public double[] effects() {
        return Roles.effects(encoding, costs, spec);
    }

    public boolean manipulable(int column) {
        return Double.isFinite(costs[column]);
    }

    /** The number of manipulable encoded columns. They come first, unless {@link #withAllLevels} has added columns. */
    public int manipulable() {
        return (int) Arrays.stream(costs).filter(Double::isFinite).count();
    }

    /** omega = w'C^{-1}w of a rule, in encoded units; a manipulable intercept has cost 1. */
    public double omega(PublishedRule rule) {
        List<EncodedColumn> columns = encoding.columns();
        double omega = 0;
        if (intercept() == GameSpec.Intercept.MANIPULABLE) {
            double constant = rule.encodedConstant(columns);
            omega = constant * constant;
        }
        double[] w = rule.encodedCoefficients(columns);
        for (int j = 0; j < costs.length; j++) {
            omega += w[j] * w[j] / costs[j];
        }
        return omega;
    }

    /**
     * beta'C^{-1}w of a rule, in encoded units: the real change of the target for a move along C^{-1}w; 0 without
     * effects.
     */
    public double earned(PublishedRule rule) {
        double earned = 0;
        if (spec.hasEffects()) {
            double[] effects = effects();
            double[] w = rule.encodedCoefficients(encoding.columns());
            for (int j = 0; j < costs.length; j++) {
                earned += effects[j] * w[j] / costs[j];
            }
        }
        return earned;
    }

    /**
     * How a rule rewards moves of one column, compared with their real effect.
     *
     * @param name the encoded column
     * @param effect beta_j, the real change of the target for a move by one unit of the data
     * @param coefficient the change of the score for the same move
     * @param closed the share of the gap that moves of this column close in the score
     * @param earned the share of the gap that they close in the target
     */
    public record Incentive(String name, double effect, double coefficient, double closed, double earned) {}

    /** How a rule rewards moves, by manipulable column; empty without declared effects. */
    public List<Incentive> incentives(PublishedRule rule) {
        List<Incentive> list = new ArrayList<>();
        if (!spec.hasEffects()) {
            return list;
        }
        double[] effects = effects();
        double[] direction = direction(rule);
        double resistance = Response.of(omega(rule), gamma()).resistance();
        List<EncodedColumn> columns = encoding.columns();
        for (int j = 0; j < costs.length; j++) {
            if (manipulable(j)) {
                double effect = effects[j] / columns.get(j).scale();
                double coefficient = rule.coefficient(columns.get(j));
                double step = direction[j] / resistance;
                // adding 0.0 turns -0.0 into 0.0, which reads better in tables
                list.add(new Incentive(
                        columns.get(j).name(), effect, coefficient, coefficient * step, effect * step + 0.0));
            }
        }
        return list;
    }

    /**
     * The gamma at which followers close the share s of the gap under today's rule: gamma = omega (1 - s)/s with omega
     * of that rule.
     */
    public double gammaOf(Today today, double share) {
        if (!today.known()) {
            throw new DataException(Message.of(
                    "gamma-share-without-today",
                    "gamma is a share of the gap that people close under today's rule, which is not known here.\n"
                            + "Maybe say what it is with {}, or give gamma as a number with {}.",
                    Settings.TODAY.any(),
                    Settings.GAMMA.any()));
        }
        List<String> outside = today.knownRule().coefficients().keySet().stream()
                .filter(outside())
                .toList();
        if (!outside.isEmpty()) {
            throw new DataException(Message.of(
                    "gamma-share-beyond-features",
                    "gamma is a share of the gap that people close under today's rule, but that rule uses '{}', which is not "
                            + "a feature of this game, so that the share cannot be computed.\n"
                            + "Maybe give gamma as a number with {}.",
                    outside.get(0),
                    Settings.GAMMA.any()));
        }
        double omega = omega(today.knownRule());
        if (Double.isNaN(omega) || Double.isInfinite(omega)) {
            throw DataException.of(
                    "value-too-large",
                    "Today's rule cannot be computed: a value is too large to square.\n"
                            + "Maybe measure in other units.");
        }
        if (manipulable() == 0 && intercept() != GameSpec.Intercept.MANIPULABLE) {
            throw DataException.of(
                    "nothing-manipulable",
                    "The game has no manipulable feature, so no one can move.\n"
                            + "Maybe declare fewer columns immutable, or use {}, which is the answer here.",
                    spec.loss().isSquared()
                            ? "ordinary least squares"
                            : spec.loss().isLogistic()
                                    ? "logistic regression"
                                    : "regression by the loss " + spec.loss());
        }
        if (omega == 0) {
            throw new DataException(Message.of(
                    "gamma-share-of-nothing",
                    "gamma is a share of the gap that people close under today's rule, but that rule uses no column that "
                            + "people can change, so that no gamma gives that share.\n"
                            + "Maybe give gamma as a number with {}, or check whether the target or the features are constant.",
                    Settings.GAMMA.any()));
        }
        double gamma = omega * (1 - share) / share;
        try {
            GameSpec.requireSize("With today's rule and the share " + share + " of the gap, gamma", gamma);
        } catch (IllegalArgumentException e) {
            throw DataException.because(e);
        }
        return gamma;
    }

    /**
     * The share of the gap that followers would close under today's rule, which is gamma in everyday units; empty if
     * that rule is not known or does not use only features. A declared share is returned as declared: computed back
     * from gamma it would differ in the last digits.
     */
    public OptionalDouble gammaShare() {
        Today today = spec.today();
        boolean counts = today.known() && spec.rowGamma() == null && uses(today.knownRule());
        if (!counts) {
            return OptionalDouble.empty();
        }
        double share = Response.pullThrough(omega(today.knownRule()), gamma());
        double declared = spec.gammaShare().orElse(Double.NaN);
        return OptionalDouble.of(Math.abs(declared - share) <= LAST_DIGITS * share ? declared : share);
    }

    /** Whether a rule uses features of this game only. */
    public boolean uses(PublishedRule rule) {
        return rule.coefficients().keySet().stream().noneMatch(outside());
    }

    /** Tests whether a term of a rule is about a column that is not a feature. */
    private Predicate<String> outside() {
        return Premises.outside(encoding);
    }

    /** The score of every row under today's rule, which may use columns that are not features. */
    public double[] scores(Today today, Table rows) {
        if (!today.known()) {
            throw new DataException(Message.of(
                    "today-unknown",
                    "The wish uses today, the score under today's rule, which is not known here.\n"
                            + "Maybe say what it is with {}, or give the wish in other words.",
                    Settings.TODAY.any()));
        }
        PublishedRule rule = today.knownRule();
        Encoding all = today.kind() == Today.Kind.GIVEN ? withAllLevels().encoding : encoding;
        double[] p = rule.predict(all, rows, Encoding.UnknownLevel.ZERO);
        addOutside(rule, all, rows, p);
        return p;
    }

    /** Adds to p the terms of a rule about columns outside the encoding. */
    static void addOutside(PublishedRule rule, Encoding all, Table rows, double[] p) {
        Premises.outside(rule, all, rows).forEach((term, column) -> {
            double beta = rule.coefficients().getOrDefault(term, 0.0);
            Column values = rows.column(column);
            for (int i = 0; i < p.length; i++) {
                p[i] += beta
                        * (values instanceof NumericColumn numbers
                                ? numbers.value(i)
                                : values.text(i)
                                                .filter(level -> term.equals(column + "=" + level))
                                                .isPresent()
                                        ? 1
                                        : 0);
            }
        });
    }

    /**
     * The pull-through t under the rule: the share of the gap to their wish that followers close, at the typical gamma.
     */
    public double pullThrough(PublishedRule rule) {
        return Response.pullThrough(omega(rule), gamma());
    }

    /**
     * C^{-1}w in the units of the data, beta_j scale_j^2 / c_j: a follower moves by (z - p)/(gamma + omega) along it.
     */
    public double[] direction(PublishedRule rule) {
        List<EncodedColumn> columns = encoding.columns();
        double[] direction = new double[costs.length];
        for (int j = 0; j < direction.length; j++) {
            double scale = columns.get(j).scale();
            direction[j] = rule.coefficient(columns.get(j)) * scale * scale / costs[j];
        }
        return direction;
    }

    /** The cost of a move by one unit of the data, gamma c_j/scale_j^2, by the name of each manipulable column. */
    public Map<String, Double> moveCosts() {
        Map<String, Double> map = new LinkedHashMap<>();
        List<EncodedColumn> columns = encoding.columns();
        for (int j = 0; j < costs.length; j++) {
            if (manipulable(j)) {
                double scale = columns.get(j).scale();
                map.put(columns.get(j).name(), gamma() * costs[j] / (scale * scale));
            }
        }
        return map;
    }

    /** The rows that remain under the policy on missing values. Features that the table lacks are not checked here. */
    public Missing.RowsInUse rowsInUse(Table table, List<String> required) {
        List<String> features = encoding.features().stream()
                .map(Encoding.Feature::column)
                .filter(table::has)
                .toList();
        return encoding.missing().apply(table, features, required);
    }

    /** The number of missing values of these rows that are filled in, by column. */
    public Map<String, Integer> filled(Table rows) {
        Map<String, Integer> filled = new LinkedHashMap<>();
        // an entry that a sparse matrix does not store is zero, not missing
        boolean whole = rows.block()
                .filter(block -> block.matrix() instanceof CsrMatrix)
                .isPresent();
        for (Encoding.Feature feature :
                encoding.missing() == Missing.MEAN && !whole ? encoding.features() : List.<Encoding.Feature>of()) {
            if (rows.has(feature.column())) {
                Column column = rows.column(feature.column());
                int count = 0;
                for (int i = 0; i < rows.rows(); i++) {
                    count += column.isMissing(i) ? 1 : 0;
                }
                if (count > 0) {
                    filled.put(feature.column(), count);
                }
            }
        }
        return filled;
    }

    /** A message that says which missing values were filled in and with what; empty if none were. */
    public Optional<String> filledInWords(Map<String, Integer> filled) {
        String list = encoding.features().stream()
                .filter(feature -> filled.containsKey(feature.column()))
                .map(feature -> String.format(
                        Locale.ROOT,
                        "%,d of '%s' with %s",
                        filled.get(feature.column()),
                        feature.column(),
                        feature.categorical()
                                ? "the most frequent level \"" + feature.mostFrequentLevel() + "\""
                                : String.format(Locale.ROOT, "the mean %.6g", feature.mean())))
                .collect(Collectors.joining(", "));
        return list.isEmpty() ? Optional.empty() : Optional.of("Missing values were filled in: " + list + ".");
    }

    /**
     * The columns whose missing values cannot be filled in: target, weight and those of the wish, as far as the table
     * has them.
     */
    public List<String> required(Table table) {
        List<String> required = new ArrayList<>();
        if (target() != null && table.has(target())) {
            required.add(target());
        }
        if (spec.weight() != null && table.has(spec.weight())) {
            required.add(spec.weight());
        }
        wishRule(table).ifPresent(rule -> required.addAll(rule.columns()));
        return required;
    }

    /** The name of each row in messages: its identifier, or its row number. */
    public IntFunction<String> labels(Table rows) {
        Optional<Column> id = id(rows);
        return i -> id.flatMap(column -> column.text(i)).orElseGet(() -> "row " + rows.rowNumber(i));
    }

    /** The identifier column, if one is declared and the table has it. */
    public Optional<Column> id(Table rows) {
        return Optional.ofNullable(spec.id()).filter(rows::has).map(rows::column);
    }

    /**
     * The sample weights: the weight column, or 1 for each row. Refuses negative weights, and weights that are all 0.
     */
    public double[] weights(Table rows) {
        if (spec.weight() == null) {
            double[] ones = new double[rows.rows()];
            Arrays.fill(ones, 1);
            return ones;
        }
        double[] weights = rows.numeric(spec.weight()).values();
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            if (weights[i] < 0) {
                throw DataException.of(
                        "weight-negative",
                        "Column '{}', {}: the weight is {}, but weights may not be negative.\n"
                                + "Maybe another column was meant.",
                        spec.weight(),
                        rows.where(i),
                        weights[i]);
            }
            sum += weights[i];
        }
        if (sum == 0) {
            throw DataException.of(
                    "weights-zero",
                    "Column '{}': all weights are 0, so that no row counts.\n" + "Maybe another column was meant.",
                    spec.weight());
        }
        return weights;
    }

    /** The followers of a table: one gamma for all, or the gammas in the declared column. */
    public Population population(Table table) {
        String column = spec.rowGamma();
        if (column == null) {
            return Population.ofOneGamma(table.rows(), gamma(), spec.truthfulShare());
        }
        requireGammas(table);
        double[] gammas = table.numeric(column).values();
        for (int i = 0; i < gammas.length; i++) {
            if (!(gammas[i] > 0)) {
                throw DataException.of(
                        "gamma-not-positive",
                        "Column '{}', {}: gamma is {}; it must be positive.\n"
                                + "Maybe write {} or more for people who never move.",
                        column,
                        table.where(i),
                        gammas[i],
                        NEVER_MOVES);
            }
            if (gammas[i] < 1 / NEVER_MOVES) {
                throw DataException.of(
                        "gamma-too-small",
                        "Column '{}', {}: gamma is {}; it must be at least {}.\n" + "Maybe measure in other units.",
                        column,
                        table.where(i),
                        gammas[i],
                        1 / NEVER_MOVES);
            }
            gammas[i] = gammas[i] >= NEVER_MOVES ? Double.POSITIVE_INFINITY : gammas[i];
        }
        return new Population(gammas, spec.truthfulShare());
    }

    /** Refuses a table without the declared column of gammas. */
    public void requireGammas(Table table) {
        if (spec.rowGamma() != null && !table.has(spec.rowGamma())) {
            throw new DataException(Message.of(
                    "row-gamma-missing",
                    "The data lack the column '{}' with the gamma of each row, so it is not known how far these people move.\n"
                            + "Maybe add the column, or give one gamma for all with {}.",
                    spec.rowGamma(),
                    Settings.GAMMA.any()));
        }
    }

    /** The wish, if one is declared and the table has the columns that it needs. */
    public Optional<Wish> wishRule(Table table) {
        if (wish() == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Wish.parse(wish(), table.names(), true))
                    .filter(w -> !w.usesTarget() || target() != null && table.has(target()))
                    .filter(w -> !w.usesToday() || !spec.today().known() || hasColumnsOf(spec.today(), table));
        } catch (DataException e) {
            return Optional.empty();
        }
    }

    /** Whether a table has the columns that today's rule uses beside the features. */
    public boolean hasColumnsOf(Today today, Table table) {
        return today.knownRule().coefficients().keySet().stream()
                .filter(outside())
                .allMatch(term -> PublishedRule.columnOf(term, table) != null);
    }

    /** The target values of a table; 1 for a yes and 0 for a no under the logistic loss. */
    public double[] truths(Table rows) {
        return spec.loss().isLogistic()
                ? new AnsweredTarget(rows, spec.chosenTarget()).truths(spec.answers())
                : rows.numeric(spec.chosenTarget()).values();
    }

    /**
     * Scores in the units of wishes: probabilities under the logistic loss, unless wishes are declared in log-odds;
     * null stays null.
     */
    public double @Nullable [] inWishUnits(double @Nullable [] scores) {
        return scores == null || !inProbabilities()
                ? scores
                : Arrays.stream(scores).map(spec.loss()::prediction).toArray();
    }

    private boolean inProbabilities() {
        return spec.loss().isLogistic() && spec.wishUnits() == GameSpec.WishUnits.PROBABILITY;
    }

    /**
     * The wishes z, converted to scores, from a frozen wish expression, whose statistics have been replaced by numbers.
     *
     * @param y the target values, if the expression uses them
     * @param predictions the current predictions as scores, if the expression uses them
     * @param today the scores under today's rule, if the expression uses them
     */
    public double[] wished(
            Wish frozen,
            Table rows,
            double @Nullable [] y,
            double @Nullable [] predictions,
            double @Nullable [] today) {
        return wished(frozen, rows, y, predictions, today, Workers.of(1));
    }

    /** The wishes z as scores, computed for blocks of rows in parallel. */
    double[] wished(
            Wish frozen,
            Table rows,
            double @Nullable [] y,
            double @Nullable [] predictions,
            double @Nullable [] today,
            Workers workers) {
        double[] wishes = frozen.evaluate(rows, y, inWishUnits(predictions), inWishUnits(today), workers);
        for (int i = 0; i < wishes.length && inProbabilities(); i++) {
            if (!(wishes[i] > 0 && wishes[i] < 1)) {
                throw new DataException(Message.of(
                        "wish-no-probability",
                        "The wish of {} is {}, but a wish for a yes-or-no target is a probability between 0 and 1, both excluded: "
                                + "no score reaches them.\n"
                                + "Maybe wish for 0.9, or give wishes in log-odds with {}.",
                        rows.where(i),
                        wishes[i],
                        Settings.WISH_UNITS.word("LOGODDS")));
            }
            wishes[i] = spec.loss().score(wishes[i]);
        }
        return wishes;
    }

    /** The wishes z, converted to scores, from a wish expression whose statistics are computed on these rows. */
    public double[] wishes(Wish rule, Table rows, double @Nullable [] predictions) {
        double @Nullable [] y = rule.usesTarget() && target() != null && rows.has(target()) ? truths(rows) : null;
        double @Nullable [] today = rule.usesToday() ? scores(spec.today(), rows) : null;
        return wished(rule.freeze(rows, y, inWishUnits(today)), rows, y, predictions, today);
    }

    /**
     * The wishes z of new rows, converted to scores, from a frozen wish expression, whose statistics have been replaced by numbers.
     *
     * @param y the target values; needed only if the expression uses them
     * @param predictions the current predictions as scores; needed only if the expression uses them
     */
    public double[] wishes(Wish frozen, Table rows, double @Nullable [] y, double @Nullable [] predictions) {
        double @Nullable [] today = frozen.usesToday() ? scores(spec.today(), rows) : null;
        return wished(frozen, rows, y, predictions, today);
    }
}
