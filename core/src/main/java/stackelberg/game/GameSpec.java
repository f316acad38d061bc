package stackelberg.game;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.DoublePredicate;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Message;
import stackelberg.data.Missing;
import stackelberg.data.Scaling;
import stackelberg.data.Table;
import stackelberg.estimate.Loss;

/**
 * The declaration of a game, without anything learned from data: a value for each {@link Setting}, checked once. It is
 * what the estimator, the model file, the command line and Spark hold.
 */
public final class GameSpec {
    /** The values, in the order of {@link Settings#all}; never changed. */
    private final Object[] values;

    /** The limits and the declared side together, kept because every response needs them. */
    private final Limits limits;

    private final boolean hedgeByDefault;

    GameSpec(Object[] declared) {
        values = declared.clone();
        hedgeByDefault = get(Settings.HEDGE) == null;
        if (hedgeByDefault) {
            boolean excluded =
                    Settings.excludesHedge(setting -> values[setting.index()]).isPresent();
            values[Settings.HEDGE.index()] = excluded ? Hedge.NONE : Hedge.BALANCED;
        }
        Settings.requireCombinable(setting -> values[setting.index()]);
        Side side = get(Settings.ONE_SIDED);
        Limits both = get(Settings.LIMIT);
        limits = side == null ? both : new Limits(both.floors, both.ceilings, both.data, side);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts from this game. */
    public Builder toBuilder() {
        return new Builder().from(this);
    }

    /** The value of any setting: what its accessor returns. */
    @SuppressWarnings("unchecked")
    public <T> T get(Setting<T> setting) {
        return (T) values[setting.index()];
    }

    /** Returns a setting's value as text, for files and messages. */
    public <T> String inWords(Setting<T> setting) {
        return setting.inWords(get(setting));
    }

    /** Whether a setting changes the game, compared with its default. */
    public boolean declares(Setting<?> setting) {
        return setting.counts(values[setting.index()]);
    }

    /** The declared values, for a builder that starts from them. */
    Object[] values() {
        Object[] declared = values.clone();
        if (hedgeByDefault) {
            declared[Settings.HEDGE.index()] = null;
        }
        return declared;
    }

    /**
     * The value of a setting's key in a model file; absent if nothing is declared or the setting does not apply to this
     * game.
     */
    public <T> @Nullable Object inFile(Setting<T> setting) {
        return setting.isOfLogisticLoss() && !loss().isLogistic() ? null : setting.toFile(get(setting));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof GameSpec game && Arrays.equals(values, game.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    /** Returns the values that differ from the defaults, written as calls of the builder. */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ", "GameSpec[", "]");
        for (Setting<?> setting : Settings.all()) {
            if (declares(setting)) {
                text.add(setting.name() + "(" + inWords(setting) + ")");
            }
        }
        return text.toString();
    }

    // ------------------------------------------------------------------ which column is what

    /** The column that holds the truth y; absent until it is chosen. */
    public @Nullable String target() {
        return get(Settings.TARGET);
    }

    /** The target, where the game needs one; refused before one is chosen. */
    public String chosenTarget() {
        return Objects.requireNonNull(target(), "the game has no target yet");
    }

    /**
     * A column, or an expression in y and other columns; absent until it is chosen, or where wishes are given as numbers.
     */
    public @Nullable String wish() {
        return get(Settings.WISH);
    }

    /** The wish, where the game needs one; refused before one is chosen. */
    public String chosenWish() {
        return Objects.requireNonNull(wish(), "the game has no wish yet");
    }

    /** The column of sample weights; absent if every row counts the same. */
    public @Nullable String weight() {
        return get(Settings.WEIGHT);
    }

    /** The column that divides people into the groups for which results are also reported; null if there is none. It is a feature only if it is on the list of features. */
    public @Nullable String group() {
        return get(Settings.GROUP);
    }

    /** The identifier column, never a feature; or null. */
    public @Nullable String id() {
        return get(Settings.ID);
    }

    /** The columns to use as features, in this order; null for all columns without another role. */
    public @Nullable List<String> features() {
        return get(Settings.FEATURES);
    }

    /** Columns that are never features. */
    public Set<String> ignore() {
        return get(Settings.IGNORE);
    }

    // ------------------------------------------------------------------ how people respond

    /** gamma as a number. A gamma declared as a share is known once {@link Sample} has computed today's rule. */
    public double gamma() {
        if (!gammaKnown()) {
            throw new IllegalStateException("gamma is declared as a share, and today's rule is not known yet.");
        }
        return get(Settings.GAMMA);
    }

    /** Whether gamma is a number, or a share that was turned into one. */
    public boolean gammaKnown() {
        return !Double.isNaN(get(Settings.GAMMA));
    }

    /**
     * gamma as a share, if it was declared so: under today's rule people would close this share of the gap to their
     * wish.
     */
    public OptionalDouble gammaShare() {
        Double share = get(Settings.GAMMA_SHARE);
        return share == null ? OptionalDouble.empty() : OptionalDouble.of(share);
    }

    /**
     * The interval of gamma; absent if gamma is known. Before a rule is found {@link #gamma} is the middle of the
     * interval, afterwards the worst gamma for the rule.
     */
    public @Nullable Between between() {
        return get(Settings.GAMMA_BETWEEN);
    }

    /** The rule in force now. */
    public Today today() {
        return get(Settings.TODAY);
    }

    /** The column with a gamma for each person, or null. */
    public @Nullable String rowGamma() {
        return get(Settings.ROW_GAMMA);
    }

    /** The probability, the same for each person, of not moving at all. */
    public double truthfulShare() {
        return get(Settings.TRUTHFUL_SHARE);
    }

    /** The standard deviation with which the wishes are known. */
    public double wishNoise() {
        return get(Settings.WISH_NOISE);
    }

    /** Whether people differ in how they respond. */
    public boolean mixed() {
        return truthfulShare() > 0 || rowGamma() != null;
    }

    // ------------------------------------------------------------------ what can be moved, and at what cost

    /** The columns that people cannot change; null for the categorical ones. */
    public @Nullable Set<String> immutable() {
        return get(Settings.IMMUTABLE);
    }

    /** The costs of moves by column or encoded column; 1 where nothing is declared. */
    public Map<String, Double> costs() {
        return get(Settings.COST);
    }

    /** The units in which the cost of a move is computed. */
    public CostUnits costUnits() {
        return get(Settings.COST_UNITS);
    }

    /** Who can change the constant term. */
    public Intercept intercept() {
        return get(Settings.INTERCEPT);
    }

    /** Whether rules have a constant term, in the units of the data. */
    public boolean hasConstant() {
        return intercept() != Intercept.NONE;
    }

    /** How far a move can go, and in which direction people want to move their score. */
    public Limits limits() {
        return limits;
    }

    /**
     * The real change of the target for a move by one unit of the data, by column or encoded column; 0 where nothing is declared.
     */
    public Map<String, Double> effects() {
        return get(Settings.EFFECT);
    }

    /** Whether moves really change the target. */
    public boolean hasEffects() {
        return declares(Settings.EFFECT);
    }

    // ------------------------------------------------------------------ how columns become the numbers that moves are
    // paid in

    /** The scaling of every feature. */
    public Scaling scaling() {
        return get(Settings.SCALING);
    }

    /** How missing values are treated. */
    public Missing missing() {
        return get(Settings.MISSING);
    }

    /** Whether immutable categories keep the indicator of their first level. */
    public boolean fullOneHot() {
        return get(Settings.FULL_ONE_HOT);
    }

    // ------------------------------------------------------------------ what the leader minimises

    /**
     * MU: for every person MU times (||u||^2 + gamma t^2) is added to the loss, u = (1 - t) w on scaled features, t the
     * pull-through.
     */
    public double ridge() {
        return get(Settings.RIDGE);
    }

    /** The bound on a rule's loss before any move: the declared one, or the default. */
    public Hedge hedge() {
        return Objects.requireNonNull(get(Settings.HEDGE));
    }

    /** Whether no hedge was declared, so that {@link #hedge} is the default. */
    public boolean isHedgeDefault() {
        return hedgeByDefault;
    }

    /** Returns the declared setting because of which the default is no hedge, as a noun phrase for messages. */
    public Optional<Message> excludesHedge() {
        return Settings.excludesHedge(setting -> values[setting.index()])
                .map(setting -> Message.part("{} ({})", setting.called(values[setting.index()]), setting.any()));
    }

    /** Returns this game without a hedge if none was declared; otherwise this game. */
    public GameSpec withoutDefaultHedge() {
        return hedgeByDefault ? toBuilder().hedge(Hedge.NONE).build() : this;
    }

    /** Whether the loss before any move is bounded: the hedge is a fraction or balanced. */
    public boolean isHedged() {
        return !hedge().isNone();
    }

    /**
     * The reference from which the hedge is measured: the best rule before any move, except in games from older model
     * files.
     */
    public HedgeOf hedgeOf() {
        return get(Settings.HEDGE_OF);
    }

    /** The loss function of score and target. */
    public Loss loss() {
        return get(Settings.LOSS);
    }

    /** The unit of wishes with logistic loss. */
    public WishUnits wishUnits() {
        return get(Settings.WISH_UNITS);
    }

    /** Which values of the target mean yes, with logistic loss. */
    public Answers answers() {
        return get(Settings.YES);
    }

    /** Returns a copy with the value that means yes filled in; this object if the loss is not logistic. */
    GameSpec answeredBy(Table rows) {
        if (!loss().isLogistic()) {
            return this;
        }
        return toBuilder()
                .set(Settings.YES, new AnsweredTarget(rows, chosenTarget()).settled(answers()))
                .build();
    }

    /**
     * The columns that can matter to this game, by name: a reader need not look at the others.
     *
     * <p>All columns that a wish expression mentions are included.
     */
    public Predicate<String> usedColumns() {
        Set<String> roles = new HashSet<>(Arrays.asList(target(), weight(), rowGamma(), group(), id()));
        Predicate<String> today = today().usedColumns();
        Set<String> features = features() == null ? null : new HashSet<>(features());
        return column -> roles.contains(column)
                || today.test(column)
                || (features == null ? !ignore().contains(column) : features.contains(column))
                || wish() != null && mentions(wish(), column);
    }

    private static boolean mentions(String text, String name) {
        for (int at = text.indexOf(name); at >= 0 && !name.isEmpty(); at = text.indexOf(name, at + 1)) {
            int end = at + name.length();
            boolean inWord = at > 0
                            && Character.isLetterOrDigit(text.charAt(at - 1))
                            && Character.isLetterOrDigit(name.charAt(0))
                    || end < text.length()
                            && Character.isLetterOrDigit(text.charAt(end))
                            && Character.isLetterOrDigit(name.charAt(name.length() - 1));
            if (!inWord) {
                return true;
            }
        }
        return false;
    }

    /** Returns a copy in which immutable categories keep the indicator of every level. */
    GameSpec withFullOneHot() {
        return toBuilder().set(Settings.FULL_ONE_HOT, true).build();
    }

    /**
     * The largest number that a game may be declared with: products and ratios of any four numbers between its inverse and it neither overflow nor underflow.
     */
    private static final double LARGEST = 1e60;

    private static final double SMALLEST = 1e-60;

    /**
     * Refuses a declared number that is so large or so small that its squares and ratios may overflow or underflow.
     *
     * @param what the name of the number, at the beginning of a sentence
     */
    public static void requireSize(String what, double value) {
        double size = Math.abs(value);
        if (!(size == 0 || size >= SMALLEST && size <= LARGEST)) {
            throw new IllegalArgumentException(what + " is " + value + "; its size must lie between " + SMALLEST
                    + " and " + LARGEST + ".\nMaybe measure in other units.");
        }
    }

    static void requirePositive(String what, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(what + " is " + value + "; it must be positive and finite.");
        }
    }

    /** Builds a game. Every choice has a default, except the target and the wish. */
    public static final class Builder extends GameSetters<Builder> {
        private Builder() {}

        @Override
        protected Builder self() {
            return this;
        }

        public GameSpec build() {
            return spec();
        }
    }

    /**
     * The rule in force before the game: {@code today} in a wish is the score under it, and a gamma given as a share
     * refers to it.
     *
     * @param kind where the rule comes from
     * @param rule the rule, in the units of the data; absent until it is learned
     * @param source a description of the rule; absent until it is learned
     */
    public record Today(
            Kind kind,
            @Nullable PublishedRule rule,
            @Nullable String source) {
        /** The name of today's rule in tables. */
        public static final String NAME = "today's rule";

        /** Where the rule comes from. */
        public enum Kind {
            /** Least squares of the truth on the game's columns, or ridge where that is ill-posed. */
            LEARNED,
            /**
             * The rule is learned, and its scores are cross-fitted: each training row is scored by a rule learned
             * without it.
             */
            CROSS_FITTED,
            /** The rule was given. */
            GIVEN
        }

        /** Today's rule is to be learned: the default. */
        public static final Today LEARNED = new Today(Kind.LEARNED, null, null);

        /** Today's rule is to be learned, with cross-fitted scores: each row is scored by a rule learned without it. */
        public static final Today CROSS_FITTED = new Today(Kind.CROSS_FITTED, null, null);

        public Today {
            if (kind == Kind.GIVEN && rule == null) {
                throw new IllegalArgumentException("Today's rule is given, but it is null.");
            }
        }

        /**
         * A rule that is known.
         *
         * @param source where it is from, in words
         */
        public static Today given(PublishedRule rule, String source) {
            return new Today(Kind.GIVEN, new PublishedRule(NAME, rule.intercept(), rule.coefficients()), source);
        }

        /** Whether the coefficients are known. */
        public boolean known() {
            return rule != null;
        }

        /** The rule, where one is given or has been learned; refused before. */
        public PublishedRule knownRule() {
            return Objects.requireNonNull(rule, "today's rule has not been learned yet");
        }

        /** Returns a copy with the learned rule and its description. */
        Today found(PublishedRule learned, String what) {
            return new Today(kind, learned, what);
        }

        /** A copy that is to be learned from other rows; a rule that was given is not changed. */
        public Today toBeRefitted() {
            return kind == Kind.GIVEN ? this : new Today(kind, null, null);
        }

        /** The columns that a given rule's terms may be about, by name. */
        Predicate<String> usedColumns() {
            if (kind != Kind.GIVEN) {
                return column -> false;
            }
            Set<String> terms = knownRule().coefficients().keySet();
            return column -> terms.contains(column) || terms.stream().anyMatch(term -> term.startsWith(column + "="));
        }
    }

    /**
     * An interval in which gamma is known to lie.
     *
     * @param low the smallest; not a number until shares are turned into gammas
     * @param high the largest
     * @param leastShare the share of the gap that people close under today's rule at the largest gamma; absent if numbers
     *     were given
     * @param mostShare the share of the gap that people close under today's rule at the smallest gamma
     * @param regret whether the rule minimises the largest regret, instead of the worst loss
     */
    public record Between(
            double low,
            double high,
            @Nullable Double leastShare,
            @Nullable Double mostShare,
            boolean regret) {
        public Between {
            if ((leastShare == null) != (mostShare == null)) {
                throw new IllegalArgumentException("One of the two shares between which gamma lies is missing.");
            }
            if (leastShare != null && !(leastShare > 0 && leastShare <= mostShare && mostShare < 1)) {
                throw new IllegalArgumentException("gamma lies between the shares " + leastShare + " and " + mostShare
                        + "; they must lie between 0 and 1, both excluded, the smaller one first.\nMaybe write 0.1 and 0.5"
                        + " for 10% to 50%.");
            }
            if (leastShare == null || !Double.isNaN(low) || !Double.isNaN(high)) {
                requirePositive("gamma", low);
                requirePositive("gamma", high);
                if (!(low <= high)) {
                    throw new IllegalArgumentException("gamma lies between " + low + " and " + high
                            + "; the smaller one must come first.\nMaybe they are the wrong way round.");
                }
            }
        }

        /** The gamma in the middle, by ratio. */
        public double middle() {
            return Math.sqrt(low) * Math.sqrt(high);
        }

        /** A copy with the gammas that belong to the declared shares. */
        Between settled(double lowest, double highest) {
            return new Between(lowest, highest, leastShare, mostShare, regret);
        }

        /** A copy for the other criterion, worst loss or largest regret. */
        Between with(boolean leastRegret) {
            return regret == leastRegret ? this : new Between(low, high, leastShare, mostShare, leastRegret);
        }
    }

    /**
     * Limits on moves, in the units of the data; a value that is already outside cannot move further out.
     *
     * @param floors the least value, by column or encoded column; infinite where a column can only grow
     * @param ceilings the largest value; minus infinite where a column can only shrink
     * @param data whether moves stay within the range seen in training
     * @param oneSided the only direction in which people want to move their score; null for both
     */
    public record Limits(
            Map<String, Double> floors,
            Map<String, Double> ceilings,
            boolean data,
            @Nullable Side oneSided) {
        /** No limits on moves. */
        public static final Limits NONE = new Limits(Map.of(), Map.of(), false, null);

        private static final double MOST_WRITTEN = 1e12;

        private static final String DATA = "data";
        private static final Pattern BOUND = Pattern.compile("(?s)(.+?)\\s*(>=|<=)\\s*([^<>=]+)");
        private static final Pattern SECOND = Pattern.compile("(?s).*(>=|<=).*");
        private static final Pattern DIRECTION = Pattern.compile("(?s)(.+?)\\s+(up|down)");

        public Limits {
            requireNumbers(floors);
            requireNumbers(ceilings);
            floors = Collections.unmodifiableMap(new LinkedHashMap<>(floors));
            ceilings = Collections.unmodifiableMap(new LinkedHashMap<>(ceilings));
            for (Map.Entry<String, Double> floor : floors.entrySet()) {
                double ceiling = ceilings.getOrDefault(floor.getKey(), Double.POSITIVE_INFINITY);
                if (Double.isFinite(floor.getValue()) && Double.isFinite(ceiling) && floor.getValue() > ceiling) {
                    throw new IllegalArgumentException(
                            "The limits of '" + floor.getKey() + "' leave no value: at least " + floor.getValue()
                                    + " and at most " + ceiling + ".\nMaybe they are the wrong way round.");
                }
            }
        }

        private static void requireNumbers(Map<String, Double> limits) {
            limits.forEach((column, value) -> {
                if (value.isNaN()) {
                    throw new IllegalArgumentException("The limit of '" + column + "' is not a number.");
                }
                if (!value.isInfinite()) {
                    requireSize("The limit of '" + column + "'", value);
                }
            });
        }

        /** Whether no limit and no side is declared. */
        public boolean none() {
            // not by equals, which Java makes when it is first asked for: hundredths of a second
            return floors.isEmpty() && ceilings.isEmpty() && !data && oneSided == null;
        }

        /**
         * Returns these limits and one more, given as text: {@code debt>=0}, {@code savings<=1e6}, {@code schooling up}, {@code debt down}, or {@code data}.
         */
        public Limits and(String words) {
            String text = words.strip();
            if (text.equals(DATA)) {
                return new Limits(floors, ceilings, true, oneSided);
            }
            Matcher bound = BOUND.matcher(text);
            Matcher direction = DIRECTION.matcher(text);
            boolean bounded = bound.matches();
            if (!bounded && !direction.matches()) {
                throw unreadable(words);
            }
            String column = (bounded ? bound : direction).group(1);
            // a column may be called follow up
            boolean twice = !bounded && DIRECTION.matcher(column).matches();
            if (twice || SECOND.matcher(column).matches()) {
                throw Message.Refused.of(
                        "limit-of-two",
                        "The text '{}' holds more than one limit.\nMaybe give each limit in a separate {}.",
                        words,
                        Settings.LIMIT.any());
            }
            boolean floor = (bounded ? bound : direction).group(2).equals(bounded ? ">=" : "up");
            double value = bounded
                    ? number(bound.group(3), words)
                    : floor ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
            Map<String, Double> changed = new LinkedHashMap<>(floor ? floors : ceilings);
            changed.merge(column, value, floor ? Math::max : Math::min);
            return new Limits(floor ? changed : floors, floor ? ceilings : changed, data, oneSided);
        }

        private static double number(String text, String words) {
            try {
                double value = Double.parseDouble(text.strip());
                if (Double.isFinite(value)) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // reported below, with the other malformed limits
            }
            throw unreadable(words);
        }

        private static IllegalArgumentException unreadable(String words) {
            return new IllegalArgumentException("The limit '" + words + "' cannot be read.\nMaybe write 'debt>=0',"
                    + " 'savings<=1e6', 'schooling up', 'debt down', or data for the range seen in training.");
        }

        /** Returns the limits without the side, as texts that {@link #and} reads. */
        public List<String> inWords() {
            List<String> words = new ArrayList<>();
            floors.forEach((column, floor) ->
                    words.add(Double.isInfinite(floor) ? column + " up" : column + ">=" + written(floor)));
            ceilings.forEach((column, ceiling) ->
                    words.add(Double.isInfinite(ceiling) ? column + " down" : column + "<=" + written(ceiling)));
            if (data) {
                words.add(DATA);
            }
            return words;
        }

        /** A number in its shorter notation: 0 and 1000000 rather than 0.0 and 1.0E6. */
        private static String written(double bound) {
            return bound == (long) bound && Math.abs(bound) < MOST_WRITTEN
                    ? String.valueOf((long) bound)
                    : String.valueOf(bound);
        }

        /** The columns with a declared floor or ceiling. */
        public Set<String> columns() {
            Set<String> columns = new LinkedHashSet<>(floors.keySet());
            columns.addAll(ceilings.keySet());
            return columns;
        }
    }

    /** The reference rule from which a hedge is measured. */
    public enum HedgeOf {
        /** Today's rule, as in model files up to format version 2: renewed every quarter, such a bound can drift. */
        TODAY,
        /** The best rule before any move, with the game's ridge. */
        BEST
    }

    /** In which direction people want to move their score. */
    public enum Side {
        /** People move only to raise their score: a score that is as high as the wish, or higher, stays. */
        UP,
        /** People move only to lower their score: a score that is as low as the wish, or lower, stays. */
        DOWN
    }

    /**
     * Which values of a yes-or-no target mean yes (1) and no (0).
     *
     * @param yes the value of a yes, or which numbers are: {@code >=6}; absent until it is declared or found in the data
     * @param no the only other value; absent where every other is a no
     */
    public record Answers(@Nullable String yes, @Nullable String no) {
        /**
         * Not declared: the target then has two values, of which the larger number, or the text that reads like a yes,
         * means yes.
         */
        public static final Answers UNSAID = new Answers(null, null);

        private static final Pattern COMPARISON = Pattern.compile("\\s*(>=|<=|>|<)\\s*(\\S+)\\s*");

        /**
         * Whether nothing is declared. It does not use a record's equals, which generates classes at its first call and
         * so would slow down every start.
         */
        boolean isUnsaid() {
            return yes == null && no == null;
        }

        /** The numbers that mean yes, if they were declared by a comparison. */
        Optional<DoublePredicate> comparison() {
            Matcher matcher = yes == null ? null : COMPARISON.matcher(yes);
            if (matcher == null || !matcher.matches()) {
                return Optional.empty();
            }
            double bound;
            try {
                bound = Double.parseDouble(matcher.group(2));
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
            return Optional.of(
                    switch (matcher.group(1)) {
                        case ">=" -> value -> value >= bound;
                        case "<=" -> value -> value <= bound;
                        case ">" -> value -> value > bound;
                        default -> value -> value < bound;
                    });
        }

        /** Whether the target consists of 0 and 1 already. */
        boolean plain() {
            return "1".equals(yes) && "0".equals(no);
        }

        /** The event whose probability is predicted: {@code deny = yes}, {@code quality >= 6}. */
        public String event(String target) {
            Matcher matcher = COMPARISON.matcher(yes == null ? "" : yes);
            return comparison().isPresent() && no == null && matcher.matches()
                    ? target + " " + matcher.group(1) + " " + matcher.group(2)
                    : target + " = " + (yes == null ? "yes" : yes);
        }

        /** The declaration as text. */
        public String inWords() {
            return yes != null && no == null && comparison().isPresent()
                    ? "a yes is " + yes.strip()
                    : "'" + yes + "' is a yes, " + (no == null ? "every other value" : "'" + no + "'") + " a no";
        }
    }

    /** The unit of wishes with logistic loss; with other losses wishes are in units of the target. */
    public enum WishUnits {
        /** Probabilities of a yes, and so are {@code today} and {@code p} in expressions. */
        PROBABILITY,
        /** Scores: log-odds. */
        LOGODDS
    }

    /** Who can change the constant term. */
    public enum Intercept {
        /** The constant term is immutable: the default. */
        IMMUTABLE,
        /** The constant term is a manipulable feature that is 1 in every row: the paper's model. */
        MANIPULABLE,
        /** Rules have no constant term. */
        NONE
    }

    /** The units in which the cost of a move is computed. */
    public enum CostUnits {
        /**
         * In scaled units: with standard scaling, a move by one standard deviation of any feature costs gamma times its
         * cost.
         */
        SCALED,
        /** In the units of the data. */
        RAW
    }
}
