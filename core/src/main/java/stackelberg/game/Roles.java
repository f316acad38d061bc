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
import org.jspecify.annotations.Nullable;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.Message;
import stackelberg.data.Missing;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.game.GameSpec.Today;
import stackelberg.linalg.Matrix;

/**
 * The roles that a declared game gives to the columns of a table: target, wish, weight, gamma, identifier, group, manipulable and immutable features.
 * A column in two roles that exclude each other is refused.
 *
 * @param rows the rows in use
 * @param dropped the number of rows left out because a value is missing
 * @param features the features, the manipulable ones first
 * @param immutable the columns that followers cannot change
 * @param wish the wish as it was declared
 * @param notes messages about columns that were left out because of what they hold
 * @param wished the columns that were left out because they equal the wish
 * @param block the matrix whose columns are exactly the features, all of them manipulable; empty if features are separate columns
 */
record Roles(
        Table rows,
        int dropped,
        List<Encoding.Choice> features,
        Set<String> immutable,
        Wish wish,
        List<Message> notes,
        List<String> wished,
        Optional<Matrix> block) {
    /** Determines the roles of the columns and the rows in use. Refuses a game without target or wish, and contradicting roles. */
    static Roles of(Table table, GameSpec spec) {
        if (spec.target() == null) {
            throw Message.Refused.of(
                    "no-target",
                    "No target was chosen.\nMaybe add {} to the builder.",
                    Message.Choice.text("target", "..."));
        }
        if (spec.wish() == null) {
            throw Message.Refused.of(
                    "no-wish", "No wish was chosen.\nMaybe add {} to the builder.", Message.Choice.text("wish", "..."));
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
        // the values of a block are checked in the pass that sums them first, so a long file is not read twice
        List<String> looked = block.isPresent() ? List.of() : features;
        Missing.RowsInUse used = spec.missing().apply(table, looked, required(spec, wish, table, features));
        Sample.requireRows(used.table().rows());
        Set<String> immutable = immutableColumns(used.table(), features, spec);
        List<Encoding.Choice> choices = ordered(used.table(), features, immutable, spec);
        return new Roles(
                used.table(), used.dropped(), choices, immutable, wish, recognised.notes(), recognised.wished(), block);
    }

    /** All columns that the game uses in some role. */
    Set<String> used(GameSpec spec) {
        List<String> names = features.stream().map(Encoding.Choice::column).toList();
        Set<String> used = new HashSet<>(required(spec, wish, rows, names));
        used.addAll(names);
        return used;
    }

    /** The columns that the declaration names as features, directly or by a cost, an effect, a limit or as immutable. */
    static Set<String> named(GameSpec spec) {
        Set<String> named = new HashSet<>(spec.costs().keySet());
        named.addAll(spec.features() == null ? List.of() : spec.features());
        named.addAll(spec.immutable() == null ? Set.of() : spec.immutable());
        named.addAll(spec.effects().keySet());
        named.addAll(spec.limits().columns());
        return named;
    }

    private static Optional<Matrix> blockOf(Table table, List<String> features, GameSpec spec) {
        Set<String> immutable = spec.immutable();
        boolean movable = immutable == null || immutable.isEmpty();
        return table.block()
                .filter(b ->
                        movable && spec.missing() == Missing.ERROR && b.names().equals(features))
                .map(Table.Block::matrix);
    }

    /** The columns whose missing values cannot be filled in: target, wish, weight, gamma, and what today's rule uses beside the features. */
    static List<String> required(GameSpec spec, Wish wish, Table table, List<String> features) {
        List<String> required = new ArrayList<>(List.of(spec.chosenTarget()));
        required.addAll(wish.columns());
        if (spec.weight() != null) {
            required.add(spec.weight());
        }
        if (spec.rowGamma() != null) {
            required.add(spec.rowGamma());
        }
        if (spec.today().kind() == Today.Kind.GIVEN) {
            spec.today().knownRule().columnsIn(table).stream()
                    .filter(column -> !features.contains(column))
                    .forEach(required::add);
        }
        return required;
    }

    /**
     * The encoding of each feature, the manipulable ones first. The first level of an immutable category is its base level and has no column, because the
     * constant stands for it. Without a constant the first immutable category keeps all its levels, so that the rule does not depend on their order.
     */
    static List<Encoding.Choice> ordered(Table table, List<String> features, Set<String> immutable, GameSpec spec) {
        List<Encoding.Choice> ordered = new ArrayList<>();
        boolean based = spec.hasConstant();
        for (boolean fixed : new boolean[] {false, true}) {
            for (String column : features) {
                if (immutable.contains(column) == fixed) {
                    boolean drops = fixed && !spec.fullOneHot();
                    ordered.add(new Encoding.Choice(column, spec.scaling(), spec.hasConstant(), drops && based));
                    based = based || drops && table.column(column) instanceof CategoricalColumn;
                }
            }
        }
        return ordered;
    }

    /**
     * The columns that can be features by their declared roles, before {@link Recognition} looks at their values.
     *
     * @param wish the wish, if it is a column
     */
    static List<String> featureColumns(Table table, GameSpec spec, Optional<String> wish) {
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
        if (spec.id() != null) {
            requireColumn(table, spec.id());
            never.add(spec.id());
        }
        if (spec.group() != null) {
            requireColumn(table, spec.group());
        }
        spec.ignore().forEach(column -> requireColumn(table, column));
        if (spec.features() != null) {
            for (String column : spec.features()) {
                requireColumn(table, column);
                if (never.contains(column)) {
                    throw DataException.of(
                            "feature-has-other-role",
                            "Column '{}' is the target, the weight, the gamma or the identifier and cannot be a feature too.\n"
                                    + "Maybe leave it out of the list of features.",
                            column);
                }
            }
            return spec.features();
        }
        wish.ifPresent(never::add);
        return table.names().stream()
                .filter(c -> !never.contains(c) && !spec.ignore().contains(c) && !c.equals(spec.group()))
                .toList();
    }

    /** The immutable columns: those declared, by default the categorical ones. */
    static Set<String> immutableColumns(Table table, List<String> features, GameSpec spec) {
        Set<String> declared = spec.immutable();
        if (declared != null) {
            for (String column : declared) {
                requireColumn(table, column);
                if (!features.contains(column)) {
                    throw new DataException(Message.of(
                            "immutable-no-feature",
                            "Column '{}' is declared immutable ({}) but is not a feature{}",
                            column,
                            Settings.IMMUTABLE.any(),
                            whyNoFeature(column, spec, features)));
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

    /** Refuses a target of texts, and says that it was declared as the target. */
    static void requireNumbers(Table table, String target) {
        try {
            table.numeric(target);
        } catch (DataException e) {
            Object maybe = new AnsweredTarget(table, target).isTwoTexts()
                    ? Message.part(
                            " If it is a yes or a no, predict its probability with {}.", Settings.LOSS.word("LOGISTIC"))
                    : "";
            throw new DataException(
                    Message.of(
                            "target-no-numbers",
                            "The target ({}) must hold numbers. {}{}",
                            Settings.TARGET.any(),
                            e.asMessage(),
                            maybe),
                    e);
        }
    }

    /** Refuses a name that no column has. The column itself is not asked for, because a column of a block would be copied. */
    static void requireColumn(Table table, String name) {
        if (!table.has(name)) {
            table.column(name);
        }
    }

    /**
     * The costs c_j of all encoded columns, in encoded units; infinite for an immutable one.
     *
     * @param manipulable how many encoded columns are manipulable; they come first
     */
    static double[] costs(Encoding encoding, int manipulable, GameSpec spec) {
        Map<String, Double> declared = spec.costs();
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
                double inUnits =
                        spec.costUnits() == GameSpec.CostUnits.RAW ? cost * column.scale() * column.scale() : cost;
                costs[j] = j < manipulable ? inUnits : Double.POSITIVE_INFINITY;
                j++;
            }
        }
        if (!unused.isEmpty()) {
            String column = unused.keySet().iterator().next();
            if (encoding.features().stream()
                    .anyMatch(feature -> feature.column().equals(column))) {
                throw new DataException(Message.of(
                        "cost-of-constant",
                        "A cost is given for '{}', which has the same value in all rows, so that no rule uses it.\n"
                                + "Maybe leave out its cost, or the whole column with {}.",
                        column,
                        Message.Choice.text("ignore", column)));
            }
            throw new DataException(Message.of(
                    "cost-of-no-feature",
                    "A cost is given for '{}', which is not a feature{}",
                    column,
                    whyNoFeature(column, spec, names(encoding))));
        }
        return costs;
    }

    /** The effects beta_j of all encoded columns, in encoded units: the real change of the target for a move of column j by one unit. */
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

    /** The limits of all encoded columns, encoded by the same formula as the features, so that a row at a limit is at it to the last bit. */
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

    /** The limits of all encoded columns in the units of the data; infinite where none is declared. */
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
                    throw DataException.of(
                            "limit-of-categories",
                            "A limit is given for '{}', which holds categories.\n"
                                    + "Maybe name a level too, '{}<=1', or say data, which keeps every level between 0 and 1.",
                            name,
                            column.name());
                }
                low[j] = Math.max(low[j], floor == null ? low[j] : floor);
                high[j] = Math.min(high[j], ceiling == null ? high[j] : ceiling);
            }
            if (limits.data()) {
                Encoding.Feature.Range range = feature.reach();
                if (range == null) {
                    throw DataException.of(
                            "limit-range-unknown",
                            "The range of '{}' in training is not known, so that it cannot be a limit.\n"
                                    + "Maybe give its limits as numbers.",
                            feature.column());
                }
                low[j] = Math.max(low[j], range.min());
                high[j] = Math.min(high[j], range.max());
            }
        });
        return new Response.Bounds(low, high, limits.oneSided());
    }

    /** Receives an encoded column that people can change. */
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

    /** Refuses an effect or a limit of a column that is not a manipulable feature. */
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
                        ? new DataException(Message.of(
                                "effect-or-limit-of-immutable",
                                "{} is given for '{}', which people cannot change.\n"
                                        + "Maybe leave it out, or list with {} only the columns that cannot be changed.",
                                what,
                                name,
                                Settings.IMMUTABLE.any()))
                        : new DataException(Message.of(
                                "effect-or-limit-of-no-feature",
                                "{} is given for '{}', which is not a feature{}",
                                what,
                                name,
                                whyNoFeature(name, spec, names(encoding))));
            }
        }
    }

    /** The names for which a cost can be declared: columns, and levels of categories. */
    private static List<String> names(Encoding encoding) {
        List<String> names = new ArrayList<>(encoding.names());
        encoding.features().forEach(feature -> names.add(feature.column()));
        return names;
    }

    /** The number of manipulable encoded columns; they come first. */
    static int manipulable(Encoding encoding, Set<String> immutable) {
        return encoding.features().stream()
                .filter(f -> !immutable.contains(f.column()))
                .mapToInt(f -> f.columns().size())
                .sum();
    }

    /**
     * Refuses one column in two roles.
     *
     * <p>Two exceptions: the wish may be the target (followers who want the true value), and the group may be any column but the target, because weights
     * and gammas are often those of a group.
     *
     * @param wish the wish, if it is a column
     */
    static void refuseClashes(GameSpec spec, Optional<String> wish) {
        Map<String, Message> roleOf = new LinkedHashMap<>();
        claim(spec.target(), Message.part("the target"), roleOf);
        claim(spec.weight(), Message.part("the weight ({})", Settings.WEIGHT.any()), roleOf);
        claim(spec.rowGamma(), Message.part("the gamma of each row ({})", Settings.ROW_GAMMA.any()), roleOf);
        claim(spec.id(), Message.part("the identifier ({})", Settings.ID.any()), roleOf);
        if (wish.isPresent() && !wish.get().equals(spec.target())) {
            claim(wish.get(), Message.part("the wish"), roleOf);
        }
        if (spec.group() != null && spec.group().equals(spec.target())) {
            claim(spec.group(), Message.part("the group ({})", Settings.GROUP.any()), roleOf);
        }
        if (spec.features() != null) {
            spec.features().stream().filter(spec.ignore()::contains).findFirst().ifPresent(both -> {
                throw new DataException(Message.of(
                        "feature-ignored",
                        "Column '{}' is both among the features ({}) and to be ignored ({}).\n"
                                + "Maybe leave out one of the two: with {}, all other columns are ignored.",
                        both,
                        Settings.FEATURES.any(),
                        Settings.IGNORE.any(),
                        Settings.FEATURES.any()));
            });
        }
    }

    private static void claim(@Nullable String column, Message role, Map<String, Message> roleOf) {
        if (column == null) {
            return;
        }
        Message other = roleOf.put(column, role);
        if (other != null) {
            throw new DataException(Message.of(
                    "column-of-two-roles",
                    "Column '{}' cannot be both {} and {}.\nMaybe another column was meant for one of them.",
                    column,
                    other,
                    role));
        }
    }

    /** The error for a cost of an immutable column. */
    private static DataException costOfImmutable(String column, GameSpec spec) {
        boolean declared = spec.immutable() != null;
        return new DataException(Message.of(
                "cost-of-immutable",
                "Column '{}' has a cost of moving, but {}\n" + "Maybe leave out its cost, or {}",
                column,
                declared
                        ? Message.part(
                                "it is declared immutable ({}), so that people cannot change it.",
                                Settings.IMMUTABLE.any())
                        : Message.part(
                                "it holds categories, which are immutable unless {} says otherwise.",
                                Settings.IMMUTABLE.any()),
                declared
                        ? "take it off the list of immutable columns."
                        : Message.part(
                                "list with {} only the columns that cannot be changed.", Settings.IMMUTABLE.any())));
    }

    /** Why a column is not a feature, as the end of the sentence "..., which is not a feature". */
    private static Message whyNoFeature(String column, GameSpec spec, Collection<String> features) {
        String nearest = DataException.nearest(column, features);
        String maybe = nearest == null ? "its name is misspelt." : "you meant '" + nearest + "'.";
        return column.equals(spec.target()) || column.equals(spec.wish())
                ? Message.part(
                        ": it is the {}.\nMaybe another column was meant.",
                        column.equals(spec.target()) ? "target" : "wish")
                : column.equals(spec.id())
                        ? Message.part(
                                ": it is the identifier ({}).\nMaybe leave out one of the two.", Settings.ID.any())
                        : spec.ignore().contains(column)
                                ? Message.part(
                                        ": it is to be ignored ({}).\nMaybe leave out one of the two.",
                                        Settings.IGNORE.any())
                                : spec.features() != null
                                        ? Message.part(
                                                ": it is not on the list of features ({}).\nMaybe add it there, or {}",
                                                Settings.FEATURES.any(),
                                                maybe)
                                        : Message.part(".\nMaybe {}", maybe);
    }
}
