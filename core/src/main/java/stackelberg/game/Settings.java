package stackelberg.game;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Message;
import stackelberg.data.Missing;
import stackelberg.data.Scaling;
import stackelberg.estimate.Loss;
import stackelberg.game.Setting.Clash;
import stackelberg.game.Setting.Kind;
import stackelberg.game.Setting.Scope;

/**
 * The list of all settings of the game, each declared once: default, check, help, and what it cannot be combined with.
 * The builder's storage, the model file, the command line's options, Python's parameters and Spark's refusals are made
 * from it.
 */
@NullMarked
public final class Settings {
    private static final List<Setting<?>> ALL = new ArrayList<>();

    // In the order of the command line's help. A setting refuses to be combined with one declared before it.

    // ------------------------------------------------------------------ which column is what

    /** The column that holds the truth y. */
    public static final Setting<@Nullable String> TARGET = column("target")
            .scope(Scope.COLUMNS)
            .help("The column that holds the truth y.")
            .required()
            .inEveryFile();

    /**
     * A column, or an expression in y and other columns; absent until it is chosen, or where wishes are given as numbers.
     */
    public static final Setting<@Nullable String> WISH = Settings.<@Nullable String>of("wish", Kind.TEXT, String.class)
            .scope(Scope.COLUMNS)
            .label("RULE")
            .help(
                    "The prediction that people want: a column, or an expression in today (the score under today's rule), y"
                            + " (the target) and other columns, such as \"max(today,6)\", \"today+20\" or"
                            + " \"max(today,quantile(today,0.75))\".")
            .inEveryFile();

    /** A column of sample weights. */
    public static final Setting<@Nullable String> WEIGHT = column("weight")
            .scope(Scope.COLUMNS)
            .help("How much each row counts.")
            .inEveryFile();

    /** A column to report by: a feature only where {@link #FEATURES} names it. */
    public static final Setting<@Nullable String> GROUP = column("group")
            .scope(Scope.COLUMNS)
            .help(
                    "Report by the values of this column; tune holds rows with equal values out together. It is a feature only if"
                            + " --features names it.")
            .inEveryFile();

    /** The identifier column: never a feature; rows are named by it in all outputs. */
    public static final Setting<@Nullable String> ID = column("id")
            .scope(Scope.COLUMNS)
            .help(
                    "The column that names people: read as text, never a feature; predict, respond and reports use it to name"
                            + " people.");

    /** The columns to use as features, in this order; null for all columns without another role. */
    public static final Setting<@Nullable List<String>> FEATURES = Settings.<@Nullable List<String>>of(
                    "features", Kind.COLUMNS, List.class)
            .scope(Scope.COLUMNS)
            .label("COLS")
            .help("Only these columns, separated by commas (default: all but target, wish, weight, group and id).")
            .copied(names -> names == null ? null : List.copyOf(names))
            .inEveryFile();

    /** Columns that are never features. */
    public static final Setting<Set<String>> IGNORE = Settings.<Set<String>>of("ignore", Kind.COLUMNS, Set.class)
            .scope(Scope.COLUMNS)
            .label("COLS")
            .help("All columns but these.")
            .byDefault(Set.of())
            .copied(Settings::ordered)
            .inEveryFile();

    /** How missing values are treated. */
    public static final Setting<Missing> MISSING = word("missing", Missing.class, Missing.ERROR)
            .scope(Scope.COLUMNS)
            .help("How missing values are handled (default: error).")
            .inEveryFile();

    // ------------------------------------------------------------------ who responds, and how

    /**
     * Gamma, the cost of moving: a move by delta in feature j costs gamma * cost_j * delta^2; not a number until a
     * share is turned into one.
     */
    public static final Setting<Double> GAMMA = Settings.<Double>of("gamma", Kind.SPECIAL, Double.class)
            .scope(Scope.COMMAND)
            .byDefault(Double.NaN)
            .check(Settings::requireGamma)
            .notInFile();

    /** The share of the gap to their wish that people close under today's rule; absent where gamma is a number. */
    public static final Setting<@Nullable Double> GAMMA_SHARE = Settings.<@Nullable Double>of(
                    "gammaShare", Kind.SPECIAL, Double.class)
            .scope(Scope.COMMAND)
            .option("gamma")
            .called("gamma as a share")
            .check(Settings::requireGammaShare);

    /** The interval of gamma; absent if gamma is known. */
    public static final Setting<GameSpec.@Nullable Between> GAMMA_BETWEEN = Settings.<GameSpec.@Nullable Between>of(
                    "gammaBetween", Kind.SPECIAL, GameSpec.Between.class)
            .scope(Scope.COMMAND)
            .option("gamma")
            .fileKey("between")
            .called("a gamma between two values")
            .notWith(GAMMA_SHARE, "");

    /** Whether to minimise the largest regret over the interval of gamma, instead of the worst loss. */
    public static final Setting<Boolean> REGRET = Settings.<Boolean>of("regret", Kind.FLAG, Boolean.class)
            .scope(Scope.COMMAND)
            .byDefault(false)
            .help(
                    "With --gamma FROM..TO: minimise the largest regret instead, the loss minus that of the best rule for the same gamma.")
            // part of the range of gamma, and stored with it
            .notInFile();

    /** A column with a gamma for each person, instead of one for all: 1e30 or more for people who never move. */
    public static final Setting<@Nullable String> ROW_GAMMA = column("rowGamma")
            .scope(Scope.COMMAND)
            .help("A column with a gamma for each person, instead of --gamma (1e30 or more: never moves).")
            .called("a gamma for each person")
            .inEveryFile()
            .notWith(GAMMA_SHARE, "the share is one for all")
            .notWith(GAMMA_BETWEEN, "");

    /** The probability, the same for each person, of not moving at all. */
    public static final Setting<Double> TRUTHFUL_SHARE = number("truthfulShare", 0)
            .scope(Scope.COMMAND)
            .label("S")
            .help("The share of people who do not move, whatever score they want (default: 0).")
            .called("a truthful share")
            .check(Settings::requireShare)
            .inEveryFile()
            .notWith(GAMMA_BETWEEN, "each gamma then needs a separate search");

    /** How good the rule has to be if nobody moves; absent if none is declared: the rule is balanced then, unless {@link #excludesHedge another setting} excludes it. */
    public static final Setting<@Nullable Hedge> HEDGE = Settings.<@Nullable Hedge>of("hedge", Kind.WORD, Object.class)
            .scope(Scope.COMMAND)
            .words(Map.of("balanced", Hedge.BALANCED, "none", Hedge.NONE), "balanced", "none")
            .reads(Hedge::parse)
            .label("balanced|5%|none")
            .help(
                    "How much worse than the best rule the rule may be if nobody moves: balanced (the default) makes the larger of"
                            + " the two excesses, if people stay and if they move, as small as possible; 5% or 0.05 allows an error"
                            + " that is larger by this fraction; none sets no bound, and is the default where a hedge cannot be"
                            + " combined with another option.")
            .called("a hedge")
            .countsIf(hedge -> hedge != null && !hedge.isNone())
            .file(hedge -> hedge == null ? null : hedge.inFile(), Hedge::fromFile)
            .inEveryFile()
            .notWith(GAMMA_BETWEEN, "the bound of a hedge is met at one gamma")
            .notWith(ROW_GAMMA, "")
            .notWith(TRUTHFUL_SHARE, "a hedge determines that share itself");

    /**
     * The reference rule of the hedge. Only games read from model files up to format version 2 have another value than the default.
     */
    public static final Setting<GameSpec.HedgeOf> HEDGE_OF = word(
                    "hedgeOf", GameSpec.HedgeOf.class, GameSpec.HedgeOf.BEST)
            .scope(Scope.NONE)
            .inEveryFile();

    // ------------------------------------------------------------------ the game itself

    /** Features that people cannot change; null for the categorical ones. */
    public static final Setting<@Nullable Set<String>> IMMUTABLE = Settings.<@Nullable Set<String>>of(
                    "immutable", Kind.COLUMNS, Set.class)
            .words(Map.of("none", Set.of()), "none")
            .label("COLS|none")
            .help("Columns people cannot change (default: the categorical ones).")
            .copied(names -> names == null ? null : ordered(names))
            .inEveryFile();

    /** The cost of moving a feature, by its column or by one of its encoded columns; 1 where nothing is declared. */
    public static final Setting<Map<String, Double>> COST = byColumn("cost")
            .fileKey("costs")
            .help("The relative cost of moving a feature (default: 1); may be repeated.")
            .check((setting, costs) -> costs.forEach(Settings::requireCost))
            .inEveryFile();

    /** The units in which the cost of a move is computed. */
    public static final Setting<GameSpec.CostUnits> COST_UNITS = word(
                    "costUnits", GameSpec.CostUnits.class, GameSpec.CostUnits.SCALED)
            .words(Map.of("sd", GameSpec.CostUnits.SCALED, "raw", GameSpec.CostUnits.RAW), "sd", "raw")
            .help(
                    "The units in which the cost of a move is computed: scaled units (sd, the default) or the units of the data.")
            .inEveryFile();

    /** The rule in force now, before the game starts. */
    public static final Setting<GameSpec.Today> TODAY = Settings.<GameSpec.Today>of(
                    "today", Kind.SPECIAL, GameSpec.Today.class)
            .words(Map.of("cross-fitted", GameSpec.Today.CROSS_FITTED), "cross-fitted")
            .label("RULE.csv|MODEL.json|cross-fitted")
            .help(
                    "The rule in force now, for today in wishes and for --gamma in percent: a file with the columns term and"
                            + " coefficient, a model, or cross-fitted, which scores each person by a rule learned from other people;"
                            + " its scores are log-odds where the loss is logistic (default: least squares of the data, or ridge where"
                            + " that is ill-posed; by the game's own loss where that is not squared).")
            .byDefault(GameSpec.Today.LEARNED)
            // a file contains a rule only if it was learned or given
            .file(today -> today.known() ? today : null, null);

    /** The standard deviation with which the wishes are known. */
    public static final Setting<Double> WISH_NOISE = number("wishNoise", 0)
            .label("SD")
            .help("The standard deviation with which the wishes are known (default: 0).")
            .called("noise of wishes")
            .check(Settings::requireAtLeastZero)
            .inEveryFile();

    /**
     * MU: for every person MU times (||u||^2 + gamma t^2) is added to the loss, u = (1 - t) w on scaled features, t the
     * pull-through.
     */
    public static final Setting<Double> RIDGE = number("ridge", 0)
            .label("MU")
            .help("The ridge penalty per person and scaled feature, which keeps a rule with many coefficients from"
                    + " overfitting: 0 is none (the default), 0.1 moderate, 10 close to a constant rule.")
            .called("a ridge")
            .check(Settings::requireAtLeastZero);

    /** The loss function of score and target. */
    public static final Setting<Loss> LOSS = Settings.<Loss>of("loss", Kind.WORD, String.class)
            .words(Map.of("squared", Loss.SQUARED, "logistic", Loss.LOGISTIC), "squared", "logistic")
            .reads(Loss::of)
            .label("squared|logistic|huber:DELTA")
            .help("The loss of an error: squared (the default), logistic for a yes-or-no target, or huber:DELTA, in"
                    + " which errors beyond DELTA, in units of the target, count only in proportion.")
            .called("the loss {}")
            .check((setting, loss) -> {
                if (loss instanceof Loss.Huber huber) {
                    GameSpec.requireSize("The delta of the Huber loss", huber.delta());
                }
            })
            .byDefault(Loss.SQUARED)
            .file(Loss::inWords, text -> Loss.of((String) text))
            .notWith(GAMMA_BETWEEN, "")
            .notWith(ROW_GAMMA, "")
            .notWith(TRUTHFUL_SHARE, "")
            .notWith(WISH_NOISE, "");

    /** Which values of the target mean yes, with logistic loss. */
    public static final Setting<GameSpec.Answers> YES = Settings.<GameSpec.Answers>of(
                    "yes", Kind.TEXT, GameSpec.Answers.class)
            .fileKey("answers")
            .label("VALUE")
            .help(
                    "With --loss logistic: the value of the target that means yes, or a comparison such as \">=6\" (default: the"
                            + " larger of two numbers; of two texts the one that reads like a yes, otherwise the later one).")
            .called("what counts as a yes")
            .reads(text -> new GameSpec.Answers(text, null))
            .byDefault(GameSpec.Answers.UNSAID)
            .ofLogisticLoss();

    /** The unit of wishes with logistic loss. */
    public static final Setting<GameSpec.WishUnits> WISH_UNITS = word(
                    "wishUnits", GameSpec.WishUnits.class, GameSpec.WishUnits.PROBABILITY)
            .help("With --loss logistic: the unit of the wishes (default: probability).")
            .called("wishes in log-odds")
            .ofLogisticLoss();

    /** How far a move can go, in the units of the data. */
    public static final Setting<GameSpec.Limits> LIMIT = Settings.<GameSpec.Limits>of("limit", Kind.TEXTS, List.class)
            .fileKey("limits")
            .words(Map.of("data", GameSpec.Limits.NONE.and("data")), "data")
            .label("LIMIT")
            .help(
                    "How far a move can go, in the units of the data: \"debt>=0\", \"savings<=1e6\", \"schooling up\", \"debt"
                            + " down\", or data for the range seen in training; may be repeated. The best rule is then searched for,"
                            + " not proven.")
            .called("limits")
            .byDefault(GameSpec.Limits.NONE)
            .file(limits -> limits.none() ? null : limits.inWords(), Settings::limits)
            .notWith(GAMMA_BETWEEN, "the worst gamma need not be an end of the interval then")
            .notWith(HEDGE, "the trade-off between the two losses cannot be proven then")
            .notWith(LOSS, "");

    /** The only direction in which people want to move their score; null for both. */
    public static final Setting<GameSpec.@Nullable Side> ONE_SIDED = Settings.<GameSpec.@Nullable Side>of(
                    "oneSided", Kind.WORD, GameSpec.Side.class)
            .constants(GameSpec.Side.class)
            .help(
                    "The only direction in which people want to move their score: up, a score that is as high as wished or"
                            + " higher stays; down, one that is as low or lower stays (default: both).")
            .called("one-sided moves")
            .notWith(GAMMA_BETWEEN, "the worst gamma need not be an end of the interval then")
            .notWith(HEDGE, "the trade-off between the two losses cannot be proven then")
            .notWith(LOSS, "");

    /**
     * The real change of the target for a move by one unit of the data, by column or encoded column; 0 where nothing is declared.
     */
    public static final Setting<Map<String, Double>> EFFECT = byColumn("effect")
            .fileKey("effects")
            .help(
                    "What a move of a feature by one unit of the data really does to the target; may be repeated (default:"
                            + " nothing, moves change only the score).")
            .called("effects of moves on the target")
            .check((setting, effects) ->
                    effects.forEach((column, effect) -> GameSpec.requireSize("The effect of '" + column + "'", effect)))
            .countsIf(effects -> effects.values().stream().anyMatch(effect -> effect != 0))
            .file(effects -> effects.isEmpty() ? null : effects, null)
            .notWith(GAMMA_BETWEEN, "the real effect of moves differs between gammas")
            .notWith(ROW_GAMMA, "")
            .notWith(TRUTHFUL_SHARE, "")
            .notWith(LOSS, "");

    /** Who can change the constant term. */
    public static final Setting<GameSpec.Intercept> INTERCEPT = word(
                    "intercept", GameSpec.Intercept.class, GameSpec.Intercept.IMMUTABLE)
            .help("Who can change the constant term (default: immutable, no one).")
            .inEveryFile();

    /** How features are scaled before the cost of moves is computed. */
    public static final Setting<Scaling> SCALING = word("scaling", Scaling.class, Scaling.STANDARD)
            .words(
                    Map.of("standard", Scaling.STANDARD, "range", Scaling.RANGE, "none", Scaling.NONE),
                    "standard",
                    "range",
                    "none")
            .option("scale")
            .help("How features are scaled before the cost of moves is computed (default: standard).")
            .inEveryFile();

    /** Whether immutable categories keep the indicator of their first level, which the paper's protocol asks for. */
    public static final Setting<Boolean> FULL_ONE_HOT = Settings.<Boolean>of("fullOneHot", Kind.FLAG, Boolean.class)
            .scope(Scope.NONE)
            .byDefault(false)
            .inEveryFile();

    private Settings() {}

    /** All settings, in the order of their declarations, which is also the order in help and in model files. */
    public static List<Setting<?>> all() {
        return Collections.unmodifiableList(ALL);
    }

    /** The setting of this name in the Java builder. */
    public static Setting<?> named(String name) {
        return ALL.stream()
                .filter(setting -> setting.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no setting '" + name + "'."));
    }

    /** Refuses a game with two settings that cannot be combined, or with a setting that lacks one it depends on. */
    static void requireCombinable(Function<Setting<?>, @Nullable Object> values) {
        clashes(values).findFirst().ifPresent(clash -> {
            throw clash.refusal(values);
        });
        Loss loss = (Loss) Objects.requireNonNull(values.apply(LOSS));
        for (Setting<?> setting : ALL) {
            if (setting.counts(values.apply(setting)) && setting.isOfLogisticLoss() && !loss.isLogistic()) {
                throw needsLogisticLoss(setting, loss);
            }
        }
    }

    /** Returns the pairs of declared settings that cannot be combined. */
    private static Stream<Clash> clashes(Function<Setting<?>, @Nullable Object> values) {
        Predicate<Setting<?>> declared = setting -> setting.counts(values.apply(setting));
        return ALL.stream()
                .filter(declared)
                .flatMap(setting -> setting.clashes().stream())
                .filter(clash -> declared.test(clash.second()));
    }

    /** Returns the setting because of which a game that declares no hedge has none; empty if it gets a balanced rule. */
    static Optional<Setting<?>> excludesHedge(Function<Setting<?>, @Nullable Object> values) {
        return clashes(setting -> setting == HEDGE ? Hedge.BALANCED : values.apply(setting))
                .filter(clash -> clash.first() == HEDGE || clash.second() == HEDGE)
                .<Setting<?>>map(clash -> clash.first() == HEDGE ? clash.second() : clash.first())
                .findFirst();
    }

    /** Returns the refusal of a setting that needs logistic loss, under another loss. */
    public static Message.Refused needsLogisticLoss(Setting<?> setting, Loss loss) {
        return Message.Refused.of(
                setting.apart('-') + "-without-logistic-loss",
                "{} ({}) can be declared for logistic loss only, not for {}.\nMaybe add {}.",
                setting.calledFirst(null),
                setting.any(),
                loss,
                LOSS.word("LOGISTIC"));
    }

    // ------------------------------------------------------------------ kinds of settings

    private static <T extends @Nullable Object> Setting<T> of(String name, Kind kind, Class<?> fileType) {
        Setting<T> setting = new Setting<>(ALL.size(), name, kind, fileType);
        ALL.add(setting);
        return setting;
    }

    private static Setting<Double> number(String name, double byDefault) {
        return Settings.<Double>of(name, Kind.NUMBER, Double.class).byDefault(byDefault);
    }

    private static Setting<@Nullable String> column(String name) {
        return Settings.<@Nullable String>of(name, Kind.COLUMN, String.class).label("COL");
    }

    private static Setting<Map<String, Double>> byColumn(String name) {
        return Settings.<Map<String, Double>>of(name, Kind.NUMBERS_BY_COLUMN, Map.class)
                .label("COL=VALUE")
                .byDefault(Map.of())
                .copied(values -> Collections.unmodifiableMap(new LinkedHashMap<>(values)));
    }

    private static <E extends Enum<E>> Setting<E> word(String name, Class<E> type, E byDefault) {
        return Settings.<E>of(name, Kind.WORD, type).constants(type).byDefault(byDefault);
    }

    // ------------------------------------------------------------------ checks

    /** Returns the setting's name at the beginning of a sentence, such as "The wish noise". */
    private static String title(Setting<?> setting) {
        return "The " + Message.Choice.apart(setting.name(), ' ');
    }

    private static void requireAtLeastZero(Setting<?> setting, double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw Message.Refused.of(
                    setting.apart('-') + "-range", "{} is {}; it must be 0 or more and finite.", title(setting), value);
        }
        GameSpec.requireSize(title(setting), value);
    }

    private static void requireShare(Setting<?> setting, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw Message.Refused.of(
                    setting.apart('-') + "-range", "{} is {}; it must lie between 0 and 1.", title(setting), value);
        }
    }

    /** Checks gamma, which is NaN until a share is converted to a number. */
    private static void requireGamma(Setting<?> setting, double gamma) {
        if (!Double.isNaN(gamma)) {
            GameSpec.requirePositive("gamma", gamma);
        }
    }

    private static void requireGammaShare(Setting<?> setting, @Nullable Double share) {
        if (share == null || !(share > 0 && share < 1)) {
            throw Message.Refused.of(
                    "gamma-share-range",
                    "gamma is a share of {}; it must lie between 0 and 1, both excluded.\nMaybe write 0.3 for 30%.",
                    share);
        }
    }

    private static void requireCost(String column, double cost) {
        if (!(cost > 0) || Double.isInfinite(cost)) {
            throw Message.Refused.of(
                    "cost-range",
                    "The cost of '{}' is {}; it must be positive and finite.\nMaybe declare the feature {} instead.",
                    column,
                    cost,
                    IMMUTABLE.any());
        }
        GameSpec.requireSize("The cost of '" + column + "'", cost);
    }

    private static Set<String> ordered(Set<String> names) {
        return Collections.unmodifiableSet(new LinkedHashSet<>(names));
    }

    private static GameSpec.Limits limits(Object words) {
        GameSpec.Limits limits = GameSpec.Limits.NONE;
        for (Object one : (List<?>) words) {
            limits = limits.and((String) one);
        }
        return limits;
    }
}
