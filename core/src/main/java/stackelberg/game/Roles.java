package stackelberg.game;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.Missing;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.game.GameSpec.Today;
import stackelberg.linalg.Matrix;

/**
 * What of a table a declared game uses, and as what; choices that make one column two things that contradict each other are refused by name.
 *
 * @param rows the rows in use
 * @param dropped rows left out because a value is missing
 * @param features the features, manipulable ones first
 * @param immutable the columns nobody can change
 * @param wish the wish as it was declared
 * @param notes columns that were left out because of what they hold
 * @param wished those of them that are equal to the wish
 * @param block the matrix that holds all features and nothing else, all of them movable; empty where columns must be looked at one by one
 */
record Roles(
        Table rows,
        int dropped,
        List<Encoding.Choice> features,
        Set<String> immutable,
        Wish wish,
        List<String> notes,
        List<String> wished,
        Optional<Matrix> block) {
    /** Reads off a table which columns are features, which of them are immutable, and which rows are in use. */
    static Roles of(Table table, GameSpec spec) {
        if (spec.target() == null) {
            throw new IllegalArgumentException("No target was chosen.\nMaybe add target(\"...\") to the builder.");
        }
        if (spec.wish() == null) {
            throw new IllegalArgumentException("No wish was chosen.\nMaybe add wish(\"...\") to the builder.");
        }
        requireColumn(table, spec.target());
        Wish wish = Wish.parse(spec.wish(), table.names());
        refuseClashes(spec, wish.column());
        if (!spec.loss().isLogistic()) {
            requireNumbers(table, spec.target());
        }
        Recognition recognised = Recognition.of(table, featureColumns(table, spec, wish.column()), spec);
        List<String> features = recognised.features();
        Optional<Matrix> block = blockOf(table, features, spec);
        // a block's values are looked at when they are first summed
        List<String> looked = block.isPresent() ? List.of() : features;
        Missing.RowsInUse used = spec.units().missing().apply(table, looked, required(spec, wish, table, features));
        Sample.requireRows(used.table().rows());
        Set<String> immutable = immutableColumns(used.table(), features, spec);
        List<Encoding.Choice> choices = ordered(used.table(), features, immutable, spec);
        return new Roles(
                used.table(), used.dropped(), choices, immutable, wish, recognised.notes(), recognised.wished(), block);
    }

    /** The columns that the game looks at. */
    Set<String> used(GameSpec spec) {
        List<String> names = features.stream().map(Encoding.Choice::column).toList();
        Set<String> used = new HashSet<>(required(spec, wish, rows, names));
        used.addAll(names);
        return used;
    }

    /** The columns of which somebody said that they are features. */
    static Set<String> named(GameSpec spec) {
        Set<String> named = new HashSet<>(spec.moves().costs().keySet());
        named.addAll(
                spec.columns().features() == null ? List.of() : spec.columns().features());
        named.addAll(spec.moves().immutable() == null ? Set.of() : spec.moves().immutable());
        named.addAll(spec.effects().keySet());
        named.addAll(spec.limits().columns());
        return named;
    }

    private static Optional<Matrix> blockOf(Table table, List<String> features, GameSpec spec) {
        Set<String> immutable = spec.moves().immutable();
        boolean movable = immutable == null || immutable.isEmpty();
        return table.block()
                .filter(b -> movable
                        && spec.units().missing() == Missing.ERROR
                        && b.names().equals(features))
                .map(Table.Block::matrix);
    }

    /** The columns whose values cannot be made up. */
    static List<String> required(GameSpec spec, Wish wish, Table table, List<String> features) {
        List<String> required = new ArrayList<>(List.of(spec.target()));
        required.addAll(wish.columns());
        if (spec.weight() != null) {
            required.add(spec.weight());
        }
        if (spec.rowGamma() != null) {
            required.add(spec.rowGamma());
        }
        if (spec.today().kind() == Today.Kind.GIVEN) {
            spec.today().rule().columnsIn(table).stream()
                    .filter(column -> !features.contains(column))
                    .forEach(required::add);
        }
        return required;
    }

    /**
     * The features people can change, then the others. Of immutable categories the first level is the base, which the constant stands for; where there is no
     * constant, the first of them keeps all its levels, so that rules do not depend on which level comes first.
     */
    static List<Encoding.Choice> ordered(Table table, List<String> features, Set<String> immutable, GameSpec spec) {
        List<Encoding.Choice> ordered = new ArrayList<>();
        boolean based = spec.hasConstant();
        for (boolean fixed : new boolean[] {false, true}) {
            for (String column : features) {
                if (immutable.contains(column) == fixed) {
                    boolean drops = fixed && !spec.units().fullOneHot();
                    ordered.add(
                            new Encoding.Choice(column, spec.units().scaling(), spec.hasConstant(), drops && based));
                    based = based || drops && table.column(column) instanceof CategoricalColumn;
                }
            }
        }
        return ordered;
    }

    /**
     * The columns that would be features if nobody looked at what they hold.
     *
     * @param wish the wish, if it is a column
     */
    static List<String> featureColumns(Table table, GameSpec spec, Optional<String> wish) {
        GameSpec.Columns columns = spec.columns();
        Set<String> never = new HashSet<>();
        if (spec.target() != null) {
            never.add(spec.target());
        }
        if (spec.weight() != null) {
            table.numeric(spec.weight());
            never.add(spec.weight());
        }
        if (spec.rowGamma() != null) {
            table.numeric(spec.rowGamma());
            never.add(spec.rowGamma());
        }
        if (columns.id() != null) {
            requireColumn(table, columns.id());
            never.add(columns.id());
        }
        if (columns.group() != null) {
            requireColumn(table, columns.group());
        }
        columns.ignore().forEach(column -> requireColumn(table, column));
        if (columns.features() != null) {
            for (String column : columns.features()) {
                requireColumn(table, column);
                if (never.contains(column)) {
                    throw new DataException("Column '" + column
                            + "' is the target, the weight, the gamma or the identifier and cannot be a feature too.\n"
                            + "Maybe leave it out of the list of features.");
                }
            }
            return columns.features();
        }
        wish.ifPresent(never::add);
        return table.names().stream()
                .filter(c -> !never.contains(c) && !columns.ignore().contains(c) && !c.equals(columns.group()))
                .toList();
    }

    static Set<String> immutableColumns(Table table, List<String> features, GameSpec spec) {
        Set<String> declared = spec.moves().immutable();
        if (declared != null) {
            for (String column : declared) {
                requireColumn(table, column);
                if (!features.contains(column)) {
                    throw new DataException(
                            "Column '" + column + "' is declared immutable (immutable(...)) but is not a feature"
                                    + whyNoFeature(column, spec, features));
                }
            }
            return declared;
        }
        Set<String> numbers =
                table.block().map(block -> Set.copyOf(block.names())).orElse(Set.of());
        Set<String> categorical = new HashSet<>();
        for (String column : features) {
            if (!numbers.contains(column) && table.column(column) instanceof CategoricalColumn) {
                categorical.add(column);
            }
        }
        return categorical;
    }

    /** A target of texts is refused as what it was declared to be. */
    static void requireNumbers(Table table, String target) {
        try {
            table.numeric(target);
        } catch (DataException e) {
            String maybe = new AnsweredTarget(table, target).isTwoTexts()
                    ? " If it is a yes or a no, predict its probability with loss(LOGISTIC)."
                    : "";
            throw new DataException("The target (target(...)) must hold numbers. " + e.getMessage() + maybe, e);
        }
    }

    /** Refuses a name that no column has, without making the column where it is part of a block. */
    static void requireColumn(Table table, String name) {
        if (!table.has(name)) {
            table.column(name);
        }
    }

    /** c_j of every encoded column, in encoded units; infinite for an immutable one. */
    static double[] costs(Encoding encoding, int manipulable, GameSpec spec) {
        Map<String, Double> declared = spec.moves().costs();
        Map<String, Double> unused = new LinkedHashMap<>(declared);
        double[] costs = new double[encoding.columns().size()];
        int j = 0;
        for (Encoding.Feature feature : encoding.features()) {
            for (EncodedColumn column : feature.columns()) {
                Double own = declared.getOrDefault(column.name(), declared.get(feature.column()));
                if (j >= manipulable && own != null) {
                    throw costOfImmutable(feature.column(), spec);
                }
                unused.remove(column.name());
                unused.remove(feature.column());
                double cost = own == null ? 1 : own;
                double inUnits = spec.moves().costUnits() == GameSpec.CostUnits.RAW
                        ? cost * column.scale() * column.scale()
                        : cost;
                costs[j] = j < manipulable ? inUnits : Double.POSITIVE_INFINITY;
                j++;
            }
        }
        if (!unused.isEmpty()) {
            String column = unused.keySet().iterator().next();
            if (encoding.features().stream()
                    .anyMatch(feature -> feature.column().equals(column))) {
                throw new DataException("A cost is given for '" + column
                        + "', which is the same for everybody, so that a rule has nothing to do with it.\nMaybe leave out its"
                        + " cost, or the whole column with ignore(\"" + column + "\").");
            }
            throw new DataException("A cost is given for '" + column + "', which is not a feature"
                    + whyNoFeature(column, spec, names(encoding)));
        }
        return costs;
    }

    /** beta_j of every encoded column, in encoded units: what a move by one of them really does to the target. */
    static double[] effects(Encoding encoding, double[] costs, GameSpec spec) {
        double[] effects = new double[costs.length];
        if (spec.effects().isEmpty()) {
            return effects;
        }
        requireMovable("An effect", spec.effects().keySet(), encoding, costs, spec);
        eachMovable(encoding, costs, (j, feature, column) -> {
            Double own = spec.effects().get(column.name());
            Double all = spec.effects().getOrDefault(feature.column(), 0.0);
            effects[j] = (own == null ? all : own) * column.scale();
        });
        return effects;
    }

    /** The bounds of every encoded column, in encoded units: as features are encoded, so that who is at the bound is at it to the last bit. */
    static Response.Bounds bounds(Encoding encoding, double[] costs, GameSpec spec) {
        Response.Bounds raw = rawBounds(encoding, costs, spec);
        double[] low = raw.low();
        double[] high = raw.high();
        List<EncodedColumn> columns = encoding.columns();
        for (int j = 0; j < low.length; j++) {
            EncodedColumn column = columns.get(j);
            low[j] = (low[j] - column.shift()) / column.scale();
            high[j] = (high[j] - column.shift()) / column.scale();
        }
        return new Response.Bounds(low, high, raw.side());
    }

    /** The same in the units of the data. */
    static Response.Bounds rawBounds(Encoding encoding, double[] costs, GameSpec spec) {
        GameSpec.Limits limits = spec.limits();
        requireMovable("A limit", limits.columns(), encoding, costs, spec);
        double[] low = new double[costs.length];
        double[] high = new double[costs.length];
        Arrays.fill(low, Double.NEGATIVE_INFINITY);
        Arrays.fill(high, Double.POSITIVE_INFINITY);
        eachMovable(encoding, costs, (j, feature, column) -> {
            for (String name : List.of(feature.column(), column.name())) {
                Double floor = limits.floors().get(name);
                Double ceiling = limits.ceilings().get(name);
                if (feature.categorical() && name.equals(feature.column()) && (floor != null || ceiling != null)) {
                    throw new DataException("A limit is given for '" + name
                            + "', which holds categories.\nMaybe name a level" + " too, '" + column.name()
                            + "<=1', or say data, which keeps every level between 0 and 1.");
                }
                low[j] = Math.max(low[j], floor == null ? low[j] : floor);
                high[j] = Math.min(high[j], ceiling == null ? high[j] : ceiling);
            }
            if (limits.data()) {
                Encoding.Feature.Range range = feature.reach();
                if (range == null) {
                    throw new DataException("The range of '" + feature.column()
                            + "' in training is not known, so that nobody can be kept within it.\nMaybe give its limits as"
                            + " numbers.");
                }
                low[j] = Math.max(low[j], range.min());
                high[j] = Math.min(high[j], range.max());
            }
        });
        return new Response.Bounds(low, high, limits.oneSided());
    }

    @FunctionalInterface
    private interface Visitor {
        void visit(int j, Encoding.Feature feature, EncodedColumn column);
    }

    private static void eachMovable(Encoding encoding, double[] costs, Visitor visitor) {
        int j = 0;
        for (Encoding.Feature feature : encoding.features()) {
            for (EncodedColumn column : feature.columns()) {
                if (Double.isFinite(costs[j])) {
                    visitor.visit(j, feature, column);
                }
                j++;
            }
        }
    }

    /** Refuses what is declared of moves that nobody can make. */
    private static void requireMovable(
            String what, Set<String> declared, Encoding encoding, double[] costs, GameSpec spec) {
        Set<String> known = new HashSet<>();
        eachMovable(encoding, costs, (j, feature, column) -> {
            known.add(feature.column());
            known.add(column.name());
        });
        for (String name : declared) {
            if (!known.contains(name)) {
                throw names(encoding).contains(name)
                        ? new DataException(
                                what + " is given for '" + name + "', which nobody can change.\nMaybe leave it"
                                        + " out, or name with immutable(...) all that cannot be changed, and nothing where all can.")
                        : new DataException(what + " is given for '" + name + "', which is not a feature"
                                + whyNoFeature(name, spec, names(encoding)));
            }
        }
    }

    /** What a cost may be given for. */
    private static List<String> names(Encoding encoding) {
        List<String> names = new ArrayList<>(encoding.names());
        encoding.features().forEach(feature -> names.add(feature.column()));
        return names;
    }

    /** How many encoded columns people can change; they come first. */
    static int manipulable(Encoding encoding, Set<String> immutable) {
        return encoding.features().stream()
                .filter(f -> !immutable.contains(f.column()))
                .mapToInt(f -> f.columns().size())
                .sum();
    }

    /**
     * Refuses one column in two roles.
     *
     * <p>The wish may be the target (people who wish for the truth), and the group may be anything but the target: the weight and the gamma
     * may well be those of a group, and a group may be named as a person is.
     *
     * @param wish the wish, if it is a column
     */
    static void refuseClashes(GameSpec spec, Optional<String> wish) {
        GameSpec.Columns columns = spec.columns();
        Map<String, String> roleOf = new LinkedHashMap<>();
        claim(spec.target(), "the target", roleOf);
        claim(spec.weight(), "the weight (weight(...))", roleOf);
        claim(spec.rowGamma(), "everybody's gamma (rowGamma(...))", roleOf);
        claim(columns.id(), "what people are called (id(...))", roleOf);
        if (wish.isPresent() && !wish.get().equals(spec.target())) {
            claim(wish.get(), "the wish", roleOf);
        }
        if (columns.group() != null && columns.group().equals(spec.target())) {
            claim(columns.group(), "the group (group(...))", roleOf);
        }
        if (columns.features() != null) {
            columns.features().stream()
                    .filter(columns.ignore()::contains)
                    .findFirst()
                    .ifPresent(both -> {
                        throw new DataException("Column '" + both
                                + "' is both among the features (features(...)) and to be ignored (ignore(...)).\nMaybe leave"
                                + " out one of the two: features(...) says all that is needed.");
                    });
        }
    }

    private static void claim(String column, String role, Map<String, String> roleOf) {
        String other = column == null ? null : roleOf.put(column, role);
        if (other != null) {
            throw new DataException("Column '" + column + "' cannot be both " + other + " and " + role
                    + ".\nMaybe another column was meant for one of them.");
        }
    }

    /** Why a feature that nobody can change has no cost. */
    private static DataException costOfImmutable(String column, GameSpec spec) {
        boolean declared = spec.moves().immutable() != null;
        return new DataException("Column '" + column + "' has a cost of moving, but "
                + (declared
                        ? "it is declared immutable (immutable(...)): nobody can move it."
                        : "it holds categories, which nobody can change unless immutable(...) says otherwise.")
                + "\nMaybe leave out its cost, or "
                + (declared
                        ? "take it off the list of immutable columns."
                        : "name with immutable(...) all that cannot be changed, and nothing where all can."));
    }

    /** Why a column that is not among the features is not, as the end of "..., which is not a feature". */
    private static String whyNoFeature(String column, GameSpec spec, Collection<String> features) {
        String nearest = DataException.nearest(column, features);
        String maybe = nearest == null ? "its name is misspelt." : "you meant '" + nearest + "'.";
        return column.equals(spec.target()) || column.equals(spec.wish())
                ? ": it is the " + (column.equals(spec.target()) ? "target" : "wish")
                        + ".\nMaybe another column was meant."
                : column.equals(spec.columns().id())
                        ? ": it is what people are called (id(...)).\nMaybe leave out one of the two."
                        : spec.columns().ignore().contains(column)
                                ? ": it is to be ignored (ignore(...)).\nMaybe leave out one of the two."
                                : spec.columns().features() != null
                                        ? ": it is not on the list of features (features(...)).\nMaybe add it there, or "
                                                + maybe
                                        : ".\nMaybe " + maybe;
    }
}
