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
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.Missing;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.game.GameSpec.Today;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.Workers;

/**
 * People as any published rule meets them, what a declared game means in encoded columns: moving column j by delta costs gamma c_j delta^2, and
 * omega = sum_j (beta_j scale_j)^2 / c_j says how far one can be pulled.
 *
 * @param spec what was declared, the statistics of its wish frozen
 * @param encoding how columns become encoded columns
 * @param costs c_j of every encoded column, infinite for an immutable one
 */
public record World(GameSpec spec, Encoding encoding, double[] costs) {
    /** A gamma from which on somebody never moves: tables hold finite numbers only. */
    private static final double NEVER_MOVES = 1e30;

    /** Shares that differ by less are the same. */
    private static final double LAST_DIGITS = 1e-9;

    public World {
        costs = costs.clone();
    }

    @Override
    public double[] costs() {
        return costs.clone();
    }

    /** The world that a game declares for the columns of a rule; scales and levels are those of the table. */
    public static World declared(Table table, PublishedRule rule, GameSpec spec) {
        Optional<String> wish = Optional.ofNullable(spec.wish()).filter(table::has);
        Roles.refuseClashes(spec, wish);
        List<String> features = rule.columnsIn(table);
        Table rows = spec.units().missing().apply(table, features, List.of()).table();
        Set<String> immutable = Roles.immutableColumns(rows, features, spec);
        GameSpec allLevels = spec.withFullOneHot();
        Encoding encoding = Encoding.fit(
                rows,
                Roles.ordered(rows, features, immutable, allLevels),
                spec.units().missing());
        return new World(spec, encoding, Roles.costs(encoding, Roles.manipulable(encoding, immutable), spec)).checked();
    }

    /** What a game means in an encoding that is known, the features people can change first. */
    public static World of(GameSpec spec, Encoding encoding) {
        Set<String> declared = spec.moves().immutable();
        Set<String> immutable = declared == null ? encoding.categoricalColumns() : declared;
        return new World(spec, encoding, Roles.costs(encoding, Roles.manipulable(encoding, immutable), spec));
    }

    /** The same game in another encoding of the same columns, whose units may change what moves cost. */
    public World encodedBy(Encoding other) {
        return new World(spec, other, Roles.costs(other, manipulable(), spec));
    }

    /** The columns that can matter to this world, by name: a reader need not look at the others. */
    public Predicate<String> usedColumns() {
        List<String> features =
                encoding.features().stream().map(Encoding.Feature::column).toList();
        return spec.toBuilder().features(features).ignore(Set.of()).build().usedColumns();
    }

    /** The columns people could move that are the same for everybody, 0 or beside a constant that takes them up: what a rule has on them tells no people apart. */
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

    public String target() {
        return spec.target();
    }

    /** The wish rule, or null. */
    public String wish() {
        return spec.wish();
    }

    public double wishNoise() {
        return spec.wishNoise();
    }

    public GameSpec.Intercept intercept() {
        return spec.intercept();
    }

    /** The same world, whose typical gamma is this one. */
    public World at(double gamma) {
        return new World(spec.toBuilder().gamma(gamma).build(), encoding, costs);
    }

    /** The same world, which knows gamma roughly still, at the worst of the gammas that are possible. */
    public World atWorst(double gamma) {
        return new World(spec.toBuilder().worst(gamma).build(), encoding, costs);
    }

    /** The same world, of which today's rule is known. */
    public World withToday(Today today) {
        return new World(spec.toBuilder().today(today).build(), encoding, costs);
    }

    /** The same people if all who move do so at one gamma. */
    public World withGamma(double gamma) {
        return new World(spec.toBuilder().gamma(gamma).rowGamma(null).build(), encoding, costs);
    }

    /** The same world with another answer to missing values. */
    public World withMissing(Missing missing) {
        boolean unknown = encoding.features().stream().noneMatch(f -> f.categorical() || f.mean() != 0);
        if (missing == Missing.MEAN && encoding.missing() != Missing.MEAN && unknown) {
            throw new DataException(
                    "The model does not know the means of its columns, which were not looked at when it was"
                            + " fitted, so that nothing can be filled in.\nMaybe leave such people out with missing(DROP), or fit it"
                            + " again with scaled columns.");
        }
        return new World(spec.toBuilder().missing(missing).build(), encoding.withMissing(missing), costs);
    }

    /** The same world with an indicator for every level, for rules that have another base level. */
    public World withAllLevels() {
        List<Encoding.Feature> features = new ArrayList<>();
        List<Double> all = new ArrayList<>();
        int j = 0;
        for (Encoding.Feature feature : encoding.features()) {
            List<EncodedColumn> columns = new ArrayList<>();
            if (feature.categorical()
                    && feature.columns().size() < feature.levels().size()) {
                // the base level is dropped where nobody can move, so the new indicator is immutable too
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

    /** This world, whose effects and limits are about columns that people can change. */
    World checked() {
        effects();
        bounds();
        return this;
    }

    /** How far people can move each encoded column, in encoded units; empty where moves know no bounds. */
    public Optional<Response.Bounds> bounds() {
        return spec.limits().none() ? Optional.empty() : Optional.of(Roles.bounds(encoding, costs, spec));
    }

    /** The same in the units of the data. */
    public Optional<Response.Bounds> rawBounds() {
        return spec.limits().none() ? Optional.empty() : Optional.of(Roles.rawBounds(encoding, costs, spec));
    }

    /**
     * Those who face a rule and can go only so far, in the units of the data; empty where moves know no bounds. Their features are those of {@link
     * #features}.
     */
    public Optional<Supplier<Response.Bounded>> bounded(PublishedRule rule) {
        return bounded(rule, 1);
    }

    /** The same if every move did so many times as much to the target as declared. */
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
            double[] earning = spec.hasEffects() ? beta : null;
            return () -> new Response.Bounded(w, omega, c, all, earning);
        });
    }

    /** What a rule says of the encoded columns that people can change, in encoded units, and of the ones column, if they can change that. */
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

    /** What people have of the columns that they can change, in the units of the data, and of the ones column, if they can change that. */
    public Response.Bounded.Features features(Table rows) {
        return new RawFeatures(this, rows);
    }

    /** Everybody's value of an encoded column as it is, in the units of the data, a missing one filled in; the column is looked up once. */
    public static IntToDoubleFunction values(Table rows, Encoding.Feature feature, EncodedColumn column) {
        return RawFeatures.column(rows, feature, column);
    }

    /** The encoded columns people can change, by their index. */
    public int[] movable() {
        return IntStream.range(0, costs.length).filter(this::manipulable).toArray();
    }

    /** beta_j of every encoded column, in encoded units: what a move by one of them really does to the target. */
    public double[] effects() {
        return Roles.effects(encoding, costs, spec);
    }

    public boolean manipulable(int column) {
        return Double.isFinite(costs[column]);
    }

    /** How many encoded columns people can change; they come first, unless levels were added. */
    public int manipulable() {
        return (int) Arrays.stream(costs).filter(Double::isFinite).count();
    }

    /** omega = w'C^{-1}w of a rule, in encoded units; a manipulable intercept costs 1. */
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

    /** beta'C^{-1}w of a rule, in encoded units: what a move along C^{-1}w really does to the target; 0 where moves do nothing to it. */
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
     * What a rule rewards in one column that people can move, and what it is good for.
     *
     * @param name the encoded column
     * @param effect what a move by one unit of the data really does to the target
     * @param coefficient what it does to the score
     * @param closed the share of everybody's gap that the score closes by moves of this column: its coefficient times the response
     * @param earned the share that the truth closes by them: its effect times the response
     */
    public record Incentive(String name, double effect, double coefficient, double closed, double earned) {}

    /** What a rule rewards, per column that people can move; empty where moves do nothing to the target. */
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
                // + 0, because nothing is to be earned by -0
                list.add(new Incentive(
                        columns.get(j).name(), effect, coefficient, coefficient * step, effect * step + 0.0));
            }
        }
        return list;
    }

    /** gamma = omega (1 - s)/s: people who face today's rule, of that omega, close the share s of the gap to their wish. */
    public double gammaOf(Today today, double share) {
        if (!today.known()) {
            throw new DataException(
                    "gamma is a share of the gap that people close under today's rule, which is not known here."
                            + "\nMaybe say what it is with today(...), or give gamma as a number with gamma(...).");
        }
        List<String> outside =
                today.rule().coefficients().keySet().stream().filter(outside()).toList();
        if (!outside.isEmpty()) {
            throw new DataException(
                    "gamma is a share of the gap that people close under today's rule, but that rule uses '"
                            + outside.get(0)
                            + "', which is no feature of this game: what people gain by it is not known here.\nMaybe"
                            + " give gamma as a number with gamma(...).");
        }
        double omega = omega(today.rule());
        if (Double.isNaN(omega) || Double.isInfinite(omega)) {
            throw new DataException(
                    "Today's rule cannot be computed: a value is too large to square.\nMaybe measure in other units.");
        }
        if (manipulable() == 0 && intercept() != GameSpec.Intercept.MANIPULABLE) {
            throw new DataException("The game has no feature that anybody can change: nobody will move.\nMaybe"
                    + " declare fewer columns immutable, or use "
                    + (spec.loss().isSquared()
                            ? "ordinary least squares"
                            : spec.loss().isLogistic()
                                    ? "logistic regression"
                                    : "regression by the loss " + spec.loss())
                    + ", which is the answer here.");
        }
        if (omega == 0) {
            throw new DataException(
                    "gamma is a share of the gap that people close under today's rule, but that rule uses no"
                            + " column that people can move, so that nobody gains anything by it.\nMaybe give gamma as a number with"
                            + " gamma(...), or look whether the target or the features are constant.");
        }
        double gamma = omega * (1 - share) / share;
        try {
            GameSpec.requireSize("With today's rule and the share " + share + " of the gap, gamma", gamma);
        } catch (IllegalArgumentException e) {
            throw new DataException(e.getMessage(), e);
        }
        return gamma;
    }

    /**
     * The share of the gap to their wish that people who face today's rule would close, gamma in words; empty where that rule is not known. As it was declared where it was: computed back from gamma it
     * has other last digits.
     */
    public OptionalDouble gammaShare() {
        Today today = spec.today();
        boolean counts = today.known() && spec.rowGamma() == null && uses(today.rule());
        if (!counts) {
            return OptionalDouble.empty();
        }
        double share = Response.pullThrough(omega(today.rule()), gamma());
        double declared = spec.gammaShare().orElse(Double.NaN);
        return OptionalDouble.of(Math.abs(declared - share) <= LAST_DIGITS * share ? declared : share);
    }

    /** Whether the rule uses this game's columns alone. */
    public boolean uses(PublishedRule rule) {
        return rule.coefficients().keySet().stream().noneMatch(outside());
    }

    /** Whether a term of a rule is about a column that is no feature. */
    private Predicate<String> outside() {
        return Premises.outside(encoding);
    }

    /** Everybody's score under today's rule, which may look at columns that are no features. */
    public double[] scores(Today today, Table rows) {
        if (!today.known()) {
            throw new DataException(
                    "The wish uses today, everybody's score under today's rule, which is not known here.\nMaybe"
                            + " say what it is with today(...), or give the wish in other words.");
        }
        PublishedRule rule = today.rule();
        Encoding all = today.kind() == Today.Kind.GIVEN ? withAllLevels().encoding : encoding;
        double[] p = rule.predict(all, rows, Encoding.UnknownLevel.ZERO);
        addOutside(rule, all, rows, p);
        return p;
    }

    /** Adds what a rule has on columns that the encoding does not have. */
    static void addOutside(PublishedRule rule, Encoding all, Table rows, double[] p) {
        Premises.outside(rule, all, rows).forEach((term, column) -> {
            double beta = rule.coefficients().get(term);
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

    /** t, the fraction of the gap to their wish that people close under the rule. */
    public double pullThrough(PublishedRule rule) {
        return Response.pullThrough(omega(rule), gamma());
    }

    /** C^{-1}w in the units of the data, beta_j scale_j^2 / c_j: a person of gamma moves along it by (z - p)/(gamma + omega). */
    public double[] direction(PublishedRule rule) {
        List<EncodedColumn> columns = encoding.columns();
        double[] direction = new double[costs.length];
        for (int j = 0; j < direction.length; j++) {
            double scale = columns.get(j).scale();
            direction[j] = rule.coefficient(columns.get(j)) * scale * scale / costs[j];
        }
        return direction;
    }

    /** The names of the columns people can move, with what a move by one unit of the data costs, gamma included. */
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

    /** The rows that the policy on missing values leaves; columns the table lacks are not this step's business. */
    public Missing.RowsInUse rowsInUse(Table table, List<String> required) {
        List<String> features = encoding.features().stream()
                .map(Encoding.Feature::column)
                .filter(table::has)
                .toList();
        return encoding.missing().apply(table, features, required);
    }

    /** How many missing values of which columns of these rows are filled in. */
    public Map<String, Integer> filled(Table rows) {
        Map<String, Integer> filled = new LinkedHashMap<>();
        // what a sparse matrix does not hold is zero, and not missing
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

    /** The same in words, and with what; empty if nothing was filled in. */
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

    /** The columns whose values cannot be made up: target, weight and what the wish needs, as far as they are known and there. */
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

    /** What people are called: their identifiers where there are any, otherwise their rows. */
    public IntFunction<String> labels(Table rows) {
        Optional<Column> id = id(rows);
        return i -> id.flatMap(column -> column.text(i)).orElseGet(() -> "row " + rows.rowNumber(i));
    }

    /** The column that names people, where there is one and the table has it. */
    public Optional<Column> id(Table rows) {
        return Optional.ofNullable(spec.columns().id()).filter(rows::has).map(rows::column);
    }

    /** How much each row counts: the weight column, or 1. */
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
                throw new DataException("Column '" + spec.weight() + "', " + rows.where(i) + ": the weight is "
                        + weights[i] + ", but weights may not be negative.\nMaybe another column was meant.");
            }
            sum += weights[i];
        }
        if (sum == 0) {
            throw new DataException("Column '" + spec.weight() + "': all weights are 0, so that no row counts.\n"
                    + "Maybe another column was meant.");
        }
        return weights;
    }

    /** How the people of a table respond: all at one gamma, or by the gammas in its own column. */
    public Population population(Table table) {
        String column = spec.rowGamma();
        if (column == null) {
            return Population.ofOneGamma(table.rows(), gamma(), spec.truthfulShare());
        }
        requireGammas(table);
        double[] gammas = table.numeric(column).values();
        for (int i = 0; i < gammas.length; i++) {
            if (!(gammas[i] > 0)) {
                throw new DataException("Column '" + column + "', " + table.where(i) + ": gamma is " + gammas[i]
                        + "; it must be positive.\nMaybe write " + NEVER_MOVES + " or more for people who never move.");
            }
            if (gammas[i] < 1 / NEVER_MOVES) {
                throw new DataException("Column '" + column + "', " + table.where(i) + ": gamma is " + gammas[i]
                        + "; it must be at least " + 1 / NEVER_MOVES + ".\nMaybe measure in other units.");
            }
            gammas[i] = gammas[i] >= NEVER_MOVES ? Double.POSITIVE_INFINITY : gammas[i];
        }
        return new Population(gammas, spec.truthfulShare());
    }

    /** Refuses a table without the column of everybody's gamma, where the world has one. */
    public void requireGammas(Table table) {
        if (spec.rowGamma() != null && !table.has(spec.rowGamma())) {
            throw new DataException("The data lack the column '" + spec.rowGamma()
                    + "' of everybody's gamma, so it is not known how far these people move.\nMaybe add the column, or"
                    + " give one gamma for all with gamma(...).");
        }
    }

    /** This world's wish rule, where the table has what the rule needs. */
    public Optional<Wish> wishRule(Table table) {
        if (wish() == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Wish.parse(wish(), table.names(), true))
                    .filter(w -> !w.usesTarget() || target() != null && table.has(target()))
                    .filter(w -> !w.usesToday() || !spec.today().known() || knows(spec.today(), table));
        } catch (DataException e) {
            return Optional.empty();
        }
    }

    /** Whether a table has the columns that today's rule looks at besides the features. */
    public boolean knows(Today today, Table table) {
        return today.rule().coefficients().keySet().stream()
                .filter(outside())
                .allMatch(term -> PublishedRule.columnOf(term, table) != null);
    }

    /** The truth of everybody in the table: the target's numbers, or 1 for a yes and 0 for a no. */
    public double[] truths(Table rows) {
        return spec.loss().isLogistic()
                ? new AnsweredTarget(rows, target()).truths(spec.answers())
                : rows.numeric(target()).values();
    }

    /** Scores as wishes name them: probabilities, where the loss is logistic and wishes are not in log-odds; null of null. */
    public double[] shown(double[] scores) {
        return scores == null || !inProbabilities()
                ? scores
                : Arrays.stream(scores).map(spec.loss()::prediction).toArray();
    }

    private boolean inProbabilities() {
        return spec.loss().isLogistic() && spec.aim().wishUnits() == GameSpec.WishUnits.PROBABILITY;
    }

    /** z as scores by a rule whose statistics are frozen; predictions and today's are scores too. */
    public double[] wished(Wish frozen, Table rows, double[] y, double[] predictions, double[] today) {
        return wished(frozen, rows, y, predictions, today, Workers.of(1));
    }

    /** The same, some rows at a time. */
    double[] wished(Wish frozen, Table rows, double[] y, double[] predictions, double[] today, Workers workers) {
        double[] wishes = frozen.evaluate(rows, y, shown(predictions), shown(today), workers);
        for (int i = 0; i < wishes.length && inProbabilities(); i++) {
            if (!(wishes[i] > 0 && wishes[i] < 1)) {
                throw new DataException("The wish of " + rows.where(i) + " is " + wishes[i]
                        + ", but a wish for a yes-or-no target is a probability between 0 and 1, both excluded: no score reaches them."
                        + "\nMaybe wish for 0.9, or give wishes in log-odds with wishUnits(LOGODDS).");
            }
            wishes[i] = spec.loss().score(wishes[i]);
        }
        return wishes;
    }

    /** z by a rule, whose statistics are those of these rows. */
    public double[] wishes(Wish rule, Table rows, double[] predictions) {
        double[] y = rule.usesTarget() && target() != null && rows.has(target()) ? truths(rows) : null;
        double[] today = rule.usesToday() ? scores(spec.today(), rows) : null;
        return wished(rule.freeze(rows, y, shown(today)), rows, y, predictions, today);
    }

    /**
     * What everybody wishes by a rule whose statistics are frozen, who was not learned from.
     *
     * @param y the truth, may be null if the rule does not use it
     * @param predictions what people are predicted now, may be null if the rule does not use it
     */
    public double[] wishes(Wish frozen, Table rows, double[] y, double[] predictions) {
        double[] today = frozen.usesToday() ? scores(spec.today(), rows) : null;
        return wished(frozen, rows, y, predictions, today);
    }
}
