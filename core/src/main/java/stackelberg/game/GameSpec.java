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
import java.util.function.DoublePredicate;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import stackelberg.data.Missing;
import stackelberg.data.Scaling;
import stackelberg.data.Table;

/**
 * Everything that is declared of a game, and nothing that is learned from data: the one value that the estimator, the model file, the command
 * line and Spark hold.
 *
 * @param columns which column is what
 * @param people how they respond
 * @param moves what can be moved, and at what cost
 * @param units how columns become the numbers that moves are paid in
 * @param aim what the leader minimises
 */
public record GameSpec(Columns columns, People people, Moves moves, Units units, Aim aim) {
    public GameSpec {
        if (!aim.loss().isSquared()) {
            String with = people.rowGamma() != null
                    ? "everybody's own gamma (rowGamma(...))"
                    : people.between() != null
                            ? "a gamma that lies between two (gammaBetween(...))"
                            : people.truthfulShare() > 0
                                    ? "a truthful share (truthfulShare(...))"
                                    : people.wishNoise() > 0
                                            ? "noise of wishes (wishNoise(...))"
                                            : moves.hasEffects()
                                                    ? "effects of moves on the target (effect(...))"
                                                    : aim.hedge() != null
                                                            ? "a hedge (hedge(...))"
                                                            : !moves.limits().none()
                                                                    ? "limits (limit(...), oneSided(...))"
                                                                    : null;
            if (with != null) {
                throw new IllegalArgumentException("The loss " + aim.loss()
                        + " (loss(...)) is not minimised together with " + with + ".\nMaybe leave out one of the two.");
            }
        }
        if (aim.ridge() > 0 && people.rowGamma() != null) {
            throw new IllegalArgumentException("A ridge counts moves at one gamma, not at everybody's own"
                    + " (rowGamma(...)).\nMaybe leave out one of the two.");
        }
        if (people.between() != null) {
            String with = moves.hasEffects()
                    ? "effects of moves on the target (effect(...)), which move the truth by another amount at every gamma"
                    : !moves.limits().none()
                            ? "limits (limit(...), oneSided(...)), under which the worst gamma need not be an end"
                            : aim.hedge() != null
                                    ? "a hedge (hedge(...)), whose bound is met at one gamma"
                                    : people.truthfulShare() > 0
                                            ? "a truthful share (truthfulShare(...)), under which the best rule of"
                                                    + " each gamma is a search of its own"
                                            : null;
            if (with != null) {
                throw new IllegalArgumentException("A gamma that is known to lie between two (gammaBetween(...)) is not"
                        + " played together with " + with + ".\nMaybe leave out one of the two.");
            }
        }
        if (moves.hasEffects()) {
            String with = people.rowGamma() != null
                    ? "everybody's own gamma (rowGamma(...))"
                    : people.truthfulShare() > 0
                            ? "a truthful share (truthfulShare(...))"
                            : aim.hedge() != null ? "a hedge (hedge(...))" : null;
            if (with != null) {
                throw new IllegalArgumentException(
                        "Effects of moves on the target (effect(...)) are not counted together" + " with " + with
                                + ".\nMaybe leave out one of the two.");
            }
        }
        if (aim.hedge() != null) {
            String with = people.rowGamma() != null
                    ? "everybody's own gamma (rowGamma(...))"
                    : people.truthfulShare() > 0
                            ? "a truthful share (truthfulShare(...)), which it chooses itself"
                            : !moves.limits().none()
                                    ? "limits (limit(...), oneSided(...)), under which no trade between the two"
                                            + " losses is proven"
                                    : null;
            if (with != null) {
                throw new IllegalArgumentException("A hedge (hedge(...)) is not found together with " + with
                        + ".\nMaybe leave out one of the two.");
            }
        }
    }

    /**
     * Which column is what.
     *
     * @param target the column that holds the truth y; null until it is chosen
     * @param wish a column, or an expression in y and other columns; null until it is chosen, or where wishes are given as numbers
     * @param weight how much each row counts, or null
     * @param group the column to report by, a feature only where the features name it; or null
     * @param id the column that names people, never a feature; or null
     * @param features only these, in this order; null for all that have no other role
     * @param ignore never features
     */
    public record Columns(
            String target,
            String wish,
            String weight,
            String group,
            String id,
            List<String> features,
            Set<String> ignore) {
        public Columns {
            features = features == null ? null : List.copyOf(features);
            ignore = ordered(ignore);
        }
    }

    /**
     * The rule in force now, before the game starts: what {@code today} in a wish is everybody's score under, and what gamma as a share is counted by.
     *
     * @param kind where it comes from
     * @param rule in the units of the data; null until it is learned
     * @param source what it is, in words; null until it is learned
     */
    public record Today(Kind kind, PublishedRule rule, String source) {
        /** What tables call it. */
        public static final String NAME = "today's rule";

        /** Where the rule comes from. */
        public enum Kind {
            /** Least squares of the truth on the game's columns, or ridge where that is ill-posed. */
            LEARNED,
            /** The same, but those it is learned from are scored by a rule that did not see them. */
            CROSS_FITTED,
            /** It was given. */
            GIVEN
        }

        /** To be learned: the default. */
        public static final Today LEARNED = new Today(Kind.LEARNED, null, null);

        /** To be learned, and to score nobody by what it learned from them. */
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

        /** Whether there are coefficients. */
        public boolean known() {
            return rule != null;
        }

        /** This one, once it is learned. */
        Today found(PublishedRule learned, String what) {
            return new Today(kind, learned, what);
        }

        /** To be learned again, from other people; a given rule stays as it is. */
        public Today anew() {
            return kind == Kind.GIVEN ? this : new Today(kind, null, null);
        }

        /** The columns that a given rule's terms may be about, by name. */
        Predicate<String> usedColumns() {
            if (kind != Kind.GIVEN) {
                return column -> false;
            }
            Set<String> terms = rule.coefficients().keySet();
            return column -> terms.contains(column) || terms.stream().anyMatch(term -> term.startsWith(column + "="));
        }
    }

    /**
     * How people respond.
     *
     * @param gamma how hard it is to move: a move by delta in feature j costs gamma * cost_j * delta^2; not a number until a share is turned into one
     * @param gammaShare gamma in words: those who face today's rule would close this share of the gap to their wish; null where it was given as a number
     * @param today the rule in force now
     * @param rowGamma a column with everybody's own gamma instead, or null
     * @param truthfulShare the probability with which anybody stays as they are
     * @param wishNoise the standard deviation with which the wishes are known
     * @param between what is known of gamma where it is known roughly; then gamma is the middle of it before a rule is found, and the worst one for
     *     the rule after that. Null where it is known
     */
    public record People(
            double gamma,
            Double gammaShare,
            Today today,
            String rowGamma,
            double truthfulShare,
            double wishNoise,
            Between between) {
        public People {
            boolean unsettled = gammaShare != null || between != null && between.leastShare() != null;
            if (!unsettled || !Double.isNaN(gamma)) {
                requirePositive("gamma", gamma);
            }
            if (between != null && gammaShare != null) {
                throw new IllegalArgumentException("gamma is one share (gammaShare(...)) and lies between two"
                        + " (gammaBetween(...)).\nMaybe leave out one of the two.");
            }
            if (between != null && rowGamma != null) {
                throw new IllegalArgumentException(
                        "gamma lies between two (gammaBetween(...)), and everybody has a gamma"
                                + " of their own (rowGamma(...)).\nMaybe leave out one of the two.");
            }
            if (gammaShare != null && !(gammaShare > 0 && gammaShare < 1)) {
                throw new IllegalArgumentException("gamma is a share of " + gammaShare
                        + "; it must lie between 0 and 1, both excluded.\nMaybe write 0.3 for 30%.");
            }
            if (gammaShare != null && rowGamma != null) {
                throw new IllegalArgumentException(
                        "gamma is a share (gammaShare(...)), and everybody has a gamma of their"
                                + " own (rowGamma(...)).\nMaybe leave out one of the two.");
            }
            Objects.requireNonNull(today, "today");
            if (!(truthfulShare >= 0 && truthfulShare <= 1)) {
                throw new IllegalArgumentException(
                        "The truthful share is " + truthfulShare + "; it must lie between 0 and 1.");
            }
            if (!(wishNoise >= 0) || Double.isInfinite(wishNoise)) {
                throw new IllegalArgumentException(
                        "The wish noise is " + wishNoise + "; it must be 0 or more and finite.");
            }
            requireSize("The wish noise", wishNoise);
        }

        /** People of one gamma, today's rule to be learned. */
        public People(double gamma, String rowGamma, double truthfulShare, double wishNoise) {
            this(gamma, null, Today.LEARNED, rowGamma, truthfulShare, wishNoise);
        }

        /** People whose gamma is known. */
        public People(
                double gamma, Double gammaShare, Today today, String rowGamma, double truthfulShare, double wishNoise) {
            this(gamma, gammaShare, today, rowGamma, truthfulShare, wishNoise, null);
        }
    }

    /**
     * A gamma that is known to lie between two.
     *
     * @param low the smallest; not a number until shares are turned into gammas
     * @param high the largest
     * @param leastShare of the gap to their wish, which people who face today's rule close at the largest gamma; null where numbers were given
     * @param mostShare the same at the smallest gamma
     * @param regret whether the rule is to be nearest to the best of every gamma, instead of having the least worst loss
     */
    public record Between(double low, double high, Double leastShare, Double mostShare, boolean regret) {
        public Between {
            if ((leastShare == null) != (mostShare == null)) {
                throw new IllegalArgumentException("Of the two shares that gamma lies between one is missing.");
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

        private Between settled(double lowest, double highest) {
            return new Between(lowest, highest, leastShare, mostShare, regret);
        }
    }

    /**
     * What can be moved, and at what cost.
     *
     * @param immutable the columns nobody can change; null for the categorical ones
     * @param costs by column or encoded column; 1 where nothing is said
     * @param costUnits the units moves are paid in
     * @param intercept who can change the constant term
     * @param effects what a move by one unit of the data really does to the target, by column or encoded column; 0 where nothing is said
     * @param limits how far a move can go
     */
    public record Moves(
            Set<String> immutable,
            Map<String, Double> costs,
            CostUnits costUnits,
            Intercept intercept,
            Map<String, Double> effects,
            Limits limits) {
        /** Moves that change nothing but the features, and know no bounds. */
        public Moves(Set<String> immutable, Map<String, Double> costs, CostUnits costUnits, Intercept intercept) {
            this(immutable, costs, costUnits, intercept, Map.of(), Limits.NONE);
        }

        public Moves {
            Objects.requireNonNull(limits, "limits");
            effects = Collections.unmodifiableMap(new LinkedHashMap<>(effects));
            effects.forEach((column, effect) -> {
                requireSize("The effect of '" + column + "'", effect);
            });
            immutable = immutable == null ? null : ordered(immutable);
            Objects.requireNonNull(costUnits, "costUnits");
            Objects.requireNonNull(intercept, "intercept");
            costs = Collections.unmodifiableMap(new LinkedHashMap<>(costs));
            costs.forEach((column, cost) -> {
                if (!(cost > 0) || Double.isInfinite(cost)) {
                    throw new IllegalArgumentException("The cost of '" + column + "' is " + cost
                            + "; it must be positive and finite.\nMaybe declare the feature immutable instead.");
                }
                requireSize("The cost of '" + column + "'", cost);
            });
        }

        /** Whether moves really change the target. */
        public boolean hasEffects() {
            return effects.values().stream().anyMatch(effect -> effect != 0);
        }
    }

    /**
     * How far a move can go, in the units of the data: whoever is outside already cannot get further out.
     *
     * @param floors the least value, by column or encoded column; infinite where a column can only grow
     * @param ceilings the largest value; minus infinite where a column can only shrink
     * @param data whether nobody leaves the range seen in training
     * @param oneSided the only direction in which anybody wants to move the score, null for both
     */
    public record Limits(Map<String, Double> floors, Map<String, Double> ceilings, boolean data, Side oneSided) {
        /** Moves without bounds. */
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

        /** Whether there are none. */
        public boolean none() {
            // not by equals, which Java makes when it is first asked for: hundredths of a second
            return floors.isEmpty() && ceilings.isEmpty() && !data && oneSided == null;
        }

        /** These and one more in words: {@code debt>=0}, {@code savings<=1e6}, {@code schooling up}, {@code debt down}, or {@code data}. */
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
                throw new IllegalArgumentException(
                        "The limit '" + words + "' holds more than one.\nMaybe give each a limit(...) of its own.");
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
                // told below, with the rest
            }
            throw unreadable(words);
        }

        private static IllegalArgumentException unreadable(String words) {
            return new IllegalArgumentException("The limit '" + words + "' cannot be read.\nMaybe write 'debt>=0',"
                    + " 'savings<=1e6', 'schooling up', 'debt down', or data for the range seen in training.");
        }

        /** All but the side, in the words that {@link #and} reads. */
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

        /** As people write it: 0 and 1000000, where it is no longer than that. */
        private static String written(double bound) {
            return bound == (long) bound && Math.abs(bound) < MOST_WRITTEN
                    ? String.valueOf((long) bound)
                    : String.valueOf(bound);
        }

        /** The columns that have one of their own. */
        public Set<String> columns() {
            Set<String> columns = new LinkedHashSet<>(floors.keySet());
            columns.addAll(ceilings.keySet());
            return columns;
        }
    }

    /** In which direction people want to move their score. */
    public enum Side {
        /** Nobody lowers a score that is as high as wished, or higher. */
        UP,
        /** Nobody raises a score that is as low as wished, or lower. */
        DOWN
    }

    /**
     * How columns become the numbers that moves are paid in.
     *
     * @param scaling of every feature
     * @param missing what becomes of missing values
     * @param fullOneHot whether immutable categories keep the indicator of their first level
     */
    public record Units(Scaling scaling, Missing missing, boolean fullOneHot) {
        public Units {
            Objects.requireNonNull(scaling, "scaling");
            Objects.requireNonNull(missing, "missing");
        }
    }

    /**
     * Which values of a target that is yes or no are a yes, which counts 1, and which a no, which counts 0.
     *
     * @param yes the value of a yes, or which numbers are: {@code >=6}; null until somebody says or the data show it
     * @param no the only other value; null where every other is a no
     */
    public record Answers(String yes, String no) {
        /** To be found: the target then has two values, and the larger number, or what reads like a yes, is one. */
        public static final Answers UNSAID = new Answers(null, null);

        private static final Pattern COMPARISON = Pattern.compile("\\s*(>=|<=|>|<)\\s*(\\S+)\\s*");

        /** Asked in every fit, so not by a record's equals, which spins classes when it is first used. */
        boolean isUnsaid() {
            return yes == null && no == null;
        }

        /** Which numbers are a yes, where that is what was said. */
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

        /** Whether the target was 0 and 1 to begin with. */
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

        /** What counts as a yes. */
        public String inWords() {
            return comparison().isPresent() && no == null
                    ? "a yes is " + yes.strip()
                    : "'" + yes + "' is a yes, " + (no == null ? "every other value" : "'" + no + "'") + " a no";
        }
    }

    /**
     * What the leader minimises: the loss after everybody has moved, and what it pays for relying on features.
     *
     * @param ridge MU: for every person MU times (||u||^2 + gamma t^2) is added to the loss, u = (1 - t) w on scaled features, t the pull-through
     * @param hedge H: only among rules whose error, if nobody moves, is at most 1 + H times that of today's rule; null for all rules
     * @param loss what a score of S costs where the truth is y
     * @param wishUnits what wishes are numbers of, where the loss is logistic
     * @param answers which values of the target are a yes, where the loss is logistic
     */
    public record Aim(double ridge, Double hedge, Loss loss, WishUnits wishUnits, Answers answers) {
        /** By squared loss. */
        public Aim(double ridge, Double hedge) {
            this(ridge, hedge, Loss.SQUARED, WishUnits.PROBABILITY, Answers.UNSAID);
        }

        public Aim {
            Objects.requireNonNull(loss, "loss");
            Objects.requireNonNull(wishUnits, "wishUnits");
            Objects.requireNonNull(answers, "answers");
            if (!loss.isLogistic() && wishUnits != WishUnits.PROBABILITY) {
                throw new IllegalArgumentException("Wishes in log-odds (wishUnits(...)) are for logistic loss, not for "
                        + loss + ".\nMaybe add loss(LOGISTIC).");
            }
            if (!loss.isLogistic() && !answers.isUnsaid()) {
                throw new IllegalArgumentException("What counts as a yes (yes(...)) is asked by logistic loss, not by "
                        + loss + ".\nMaybe add loss(LOGISTIC).");
            }
            if (hedge != null && (!(hedge > 0) || hedge.isInfinite())) {
                throw new IllegalArgumentException(
                        "The hedge is " + hedge
                                + "; it must be positive and finite, 0.05 for rules at most 5% worse than today's if nobody moves.");
            }
            if (!(ridge >= 0) || Double.isInfinite(ridge)) {
                throw new IllegalArgumentException("The ridge is " + ridge + "; it must be 0 or more and finite.");
            }
            requireSize("The ridge", ridge);
            if (hedge != null) {
                requireSize("The hedge", hedge);
            }
        }
    }

    /** What wishes are numbers of, where the loss is logistic; for other losses they are in units of the target. */
    public enum WishUnits {
        /** Probabilities of a yes, and so are {@code today} and {@code p} in expressions. */
        PROBABILITY,
        /** Scores: log-odds. */
        LOGODDS
    }

    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts from this game. */
    public Builder toBuilder() {
        return new Builder().from(this);
    }

    public String target() {
        return columns.target();
    }

    public String wish() {
        return columns.wish();
    }

    public String weight() {
        return columns.weight();
    }

    /** Where it was declared as a share it is known once today's rule is, which {@link Sample} sees to. */
    public double gamma() {
        if (Double.isNaN(people.gamma)) {
            throw new IllegalStateException("gamma is declared as a share, and today's rule is not known yet.");
        }
        return people.gamma();
    }

    /** gamma in words, where it was declared so. */
    public OptionalDouble gammaShare() {
        return people.gammaShare == null ? OptionalDouble.empty() : OptionalDouble.of(people.gammaShare);
    }

    /** What is known of gamma where it is known roughly; null where it is known. */
    public Between between() {
        return people.between;
    }

    /** The rule in force now. */
    public Today today() {
        return people.today;
    }

    public String rowGamma() {
        return people.rowGamma();
    }

    public double truthfulShare() {
        return people.truthfulShare();
    }

    public double wishNoise() {
        return people.wishNoise();
    }

    public double ridge() {
        return aim.ridge();
    }

    /** How much worse than today's rule the rule may be if nobody moves, relative; null for no matter how much. */
    public Double hedge() {
        return aim.hedge();
    }

    /** What a score costs. */
    public Loss loss() {
        return aim.loss();
    }

    /** Which values of the target are a yes, where the loss is logistic. */
    public Answers answers() {
        return aim.answers();
    }

    /** The same game, in which it is known what counts as a yes; the game itself where nobody asks. */
    GameSpec answeredBy(Table rows) {
        if (!loss().isLogistic()) {
            return this;
        }
        Aim known = new Aim(
                aim.ridge, aim.hedge, aim.loss, aim.wishUnits, new AnsweredTarget(rows, target()).settled(aim.answers));
        return new GameSpec(columns, people, moves, units, known);
    }

    public Intercept intercept() {
        return moves.intercept();
    }

    /** Whether rules have a constant term, in the units of the data. */
    public boolean hasConstant() {
        return intercept() != Intercept.NONE;
    }

    /** How far a move can go. */
    public Limits limits() {
        return moves.limits();
    }

    /** What a move by one unit of the data really does to the target, by column or encoded column. */
    public Map<String, Double> effects() {
        return moves.effects();
    }

    /** Whether moves really change the target. */
    public boolean hasEffects() {
        return moves.hasEffects();
    }

    /** Whether people differ in how they respond. */
    public boolean mixed() {
        return truthfulShare() > 0 || rowGamma() != null;
    }

    /**
     * The columns that can matter to this game, by name: a reader need not look at the others.
     *
     * <p>A wish that is an expression may be about any column, so all that it mentions count.
     */
    public Predicate<String> usedColumns() {
        Set<String> roles = new HashSet<>(Arrays.asList(target(), weight(), rowGamma(), columns.group(), columns.id()));
        Predicate<String> today = today().usedColumns();
        Set<String> features = columns.features() == null ? null : new HashSet<>(columns.features());
        return column -> roles.contains(column)
                || today.test(column)
                || (features == null ? !columns.ignore().contains(column) : features.contains(column))
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

    /** The same game, in which immutable categories keep the indicator of every level. */
    GameSpec withFullOneHot() {
        return new GameSpec(columns, people, moves, new Units(units.scaling, units.missing, true), aim);
    }

    /** The largest number that a game may be declared with: squares, products and ratios of any four of them and of the smallest are numbers. */
    private static final double LARGEST = 1e60;

    private static final double SMALLEST = 1e-60;

    /**
     * Refuses a declared number that is so large or so small that its squares and ratios may be none.
     *
     * @param what its name, at the beginning of a sentence
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

    private static Set<String> ordered(Set<String> names) {
        return Collections.unmodifiableSet(new LinkedHashSet<>(names));
    }

    /** Builds a game, each choice with a sensible default but the target and the wish. */
    public static final class Builder extends Setters<Builder> {
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
     * The choices that declare a game, for whoever builds one and more.
     *
     * @param <B> the builder itself
     */
    public abstract static class Setters<B extends Setters<B>> {
        /** The gamma share of those who say nothing: today's rule lets people close three tenths of the gap to their wish. */
        private static final double USUAL_SHARE = 0.3;

        private Columns columns = new Columns(null, null, null, null, null, null, Set.of());
        private double gamma = Double.NaN;
        private Double gammaShare;
        private Between between;
        private boolean regret;
        private Today today = Today.LEARNED;
        private String rowGamma;
        private double truthfulShare;
        private double wishNoise;
        private Moves moves = new Moves(null, Map.of(), CostUnits.SCALED, Intercept.IMMUTABLE);
        private Units units = new Units(Scaling.STANDARD, Missing.ERROR, false);
        private Aim aim = new Aim(0, null);

        protected abstract B self();

        /** What has been declared so far. */
        protected final GameSpec spec() {
            if (regret && between == null) {
                throw new IllegalArgumentException(
                        "The regret (regret(...)) is over a gamma that is known roughly, and it"
                                + " is known.\nMaybe say between which two it lies with gammaBetween(...).");
            }
            boolean unsaid = Double.isNaN(gamma) && gammaShare == null && between == null;
            Double share = unsaid && rowGamma == null ? Double.valueOf(USUAL_SHARE) : gammaShare;
            // where everybody has a gamma of their own, the common one plays no part
            double number = unsaid && rowGamma != null ? 1 : gamma;
            if (between != null && Double.isNaN(number)) {
                number = between.middle();
            }
            Between range = between == null || between.regret == regret
                    ? between
                    : new Between(between.low, between.high, between.leastShare, between.mostShare, regret);
            People people = new People(number, share, today, rowGamma, truthfulShare, wishNoise, range);
            return new GameSpec(columns, people, moves, units, aim);
        }

        /** Everything as in another game. */
        public final B from(GameSpec spec) {
            columns = spec.columns;
            gamma = spec.people.gamma;
            gammaShare = spec.people.gammaShare;
            between = spec.people.between;
            regret = between != null && between.regret;
            today = spec.people.today;
            rowGamma = spec.people.rowGamma;
            truthfulShare = spec.people.truthfulShare;
            wishNoise = spec.people.wishNoise;
            moves = spec.moves;
            units = spec.units;
            aim = spec.aim;
            return self();
        }

        private B columns(
                String target, String wish, String weight, String group, List<String> features, Set<String> ignore) {
            columns = new Columns(target, wish, weight, group, columns.id, features, ignore);
            return self();
        }

        /** The column that holds the truth y. */
        public final B target(String column) {
            return columns(column, columns.wish, columns.weight, columns.group, columns.features, columns.ignore);
        }

        /** What people wish to be scored: a column, or an expression in y and other columns, such as {@code max(y,6)}. */
        public final B wish(String columnOrExpression) {
            return columns(
                    columns.target,
                    columnOrExpression,
                    columns.weight,
                    columns.group,
                    columns.features,
                    columns.ignore);
        }

        /** A column of sample weights. */
        public final B weight(String column) {
            return columns(columns.target, columns.wish, column, columns.group, columns.features, columns.ignore);
        }

        /** A column to report by: a feature only where {@link #features} names it, and kept in the model's provenance. */
        public final B group(String column) {
            return columns(columns.target, columns.wish, columns.weight, column, columns.features, columns.ignore);
        }

        /** A column that names people: never a feature, and what they are called wherever one of them is shown. */
        public final B id(String column) {
            columns = new Columns(
                    columns.target,
                    columns.wish,
                    columns.weight,
                    columns.group,
                    column,
                    columns.features,
                    columns.ignore);
            return self();
        }

        /** Only these columns, in this order. */
        public final B features(List<String> names) {
            return columns(columns.target, columns.wish, columns.weight, columns.group, names, columns.ignore);
        }

        /** All columns but these. */
        public final B ignore(Set<String> names) {
            return columns(columns.target, columns.wish, columns.weight, columns.group, columns.features, names);
        }

        /** How hard it is to move: a move by delta in feature j costs gamma * cost_j * delta^2. */
        public final B gamma(double value) {
            requirePositive("gamma", value);
            requireSize("gamma", value);
            gamma = value;
            gammaShare = null;
            return known();
        }

        /**
         * How hard it is to move, in words: people who face today's rule would close this share of the gap to their wish, gamma = omega (1 - s)/s with omega
         * that of today's rule. The default is 0.3.
         */
        public final B gammaShare(double share) {
            gammaShare = new People(Double.NaN, share, Today.LEARNED, null, 0, 0).gammaShare;
            gamma = Double.NaN;
            return known();
        }

        private B known() {
            between = null;
            regret = false;
            return self();
        }

        /**
         * How hard it is to move, where that is known roughly: gamma lies between these two, and the rule is the one whose worst loss over all gammas
         * between them is least.
         */
        public final B gammaBetween(double low, double high) {
            requireSize("gamma", low);
            requireSize("gamma", high);
            return between(new Between(low, high, null, null, false));
        }

        /** The same in words: people who face today's rule would close between these two shares of the gap to their wish. */
        public final B gammaSharesBetween(double least, double most) {
            return between(new Between(Double.NaN, Double.NaN, least, most, false));
        }

        private B between(Between value) {
            between = value;
            gamma = Double.NaN;
            gammaShare = null;
            return self();
        }

        /**
         * With {@link #gammaBetween}: the rule that is nearest to the best of every gamma, so that the largest loss less that of the best rule of the same
         * gamma is least.
         */
        public final B regret(boolean value) {
            regret = value;
            return self();
        }

        /** The rule in force now, for {@code today} in wishes and for gamma as a share; by default it is learned from the data. */
        public final B today(Today value) {
            today = value;
            return self();
        }

        /** The gamma that a share came to, the share being kept as what was declared. */
        final B resolved(double value, Today found) {
            gamma = value;
            today = found;
            return self();
        }

        /** The gammas that two shares came to. */
        final B settled(double low, double high) {
            between = between.settled(low, high);
            return self();
        }

        /** The worst gamma of those that are possible, which still are. */
        final B worst(double value) {
            requirePositive("gamma", value);
            gamma = value;
            return self();
        }

        /** A column with everybody's own gamma, instead of one for all: 1e30 or more for people who never move. */
        public final B rowGamma(String column) {
            rowGamma = column;
            return self();
        }

        /** The probability with which anybody stays as they are, whatever they wish. */
        public final B truthfulShare(double value) {
            truthfulShare = new People(1, null, value, 0).truthfulShare;
            return self();
        }

        /** The standard deviation with which the wishes are known. */
        public final B wishNoise(double sd) {
            wishNoise = new People(1, null, 0, sd).wishNoise;
            return self();
        }

        private B moves(Set<String> immutable, Map<String, Double> costs, CostUnits costUnits, Intercept intercept) {
            moves = new Moves(immutable, costs, costUnits, intercept, moves.effects, moves.limits);
            return self();
        }

        /** What a move of a feature by one unit of the data really does to the target, by its column or one of its encoded columns; 0 where nothing is said. */
        public final B effect(String column, double value) {
            Map<String, Double> effects = new LinkedHashMap<>(moves.effects);
            effects.put(column, value);
            moves = new Moves(moves.immutable, moves.costs, moves.costUnits, moves.intercept, effects, moves.limits);
            return self();
        }

        /**
         * How far a move can go, in words and in the units of the data: {@code debt>=0}, {@code savings<=1e6}, {@code schooling up}, {@code debt down}, or
         * {@code data} for the range seen in training.
         */
        public final B limit(String words) {
            return limits(moves.limits.and(words));
        }

        /** The only direction in which anybody wants to move the score; null for both. */
        public final B oneSided(Side side) {
            Limits limits = moves.limits;
            return limits(new Limits(limits.floors, limits.ceilings, limits.data, side));
        }

        private B limits(Limits limits) {
            moves = new Moves(moves.immutable, moves.costs, moves.costUnits, moves.intercept, moves.effects, limits);
            return self();
        }

        /** Features that nobody can change; by default the categorical ones. */
        public final B immutable(Set<String> names) {
            return moves(names, moves.costs, moves.costUnits, moves.intercept);
        }

        /** The cost of moving a feature, by its column or by one of its encoded columns; 1 where nothing is said. */
        public final B cost(String column, double value) {
            Map<String, Double> costs = new LinkedHashMap<>(moves.costs);
            costs.put(column, value);
            return moves(moves.immutable, costs, moves.costUnits, moves.intercept);
        }

        public final B costUnits(CostUnits value) {
            return moves(moves.immutable, moves.costs, value, moves.intercept);
        }

        public final B intercept(Intercept value) {
            return moves(moves.immutable, moves.costs, moves.costUnits, value);
        }

        public final B scaling(Scaling value) {
            units = new Units(value, units.missing, units.fullOneHot);
            return self();
        }

        public final B missing(Missing value) {
            units = new Units(units.scaling, value, units.fullOneHot);
            return self();
        }

        /**
         * What the rule pays for relying on features, per person and scaled feature: 0 is nothing, 0.1 some, 10 nearly everything. Without it a rule with
         * as many coefficients as people learns them by heart.
         */
        public final B ridge(double value) {
            aim = new Aim(value, aim.hedge, aim.loss, aim.wishUnits, aim.answers);
            return self();
        }

        /**
         * The rule that is best after the move among those whose root mean squared error, if nobody moves, is at most 1 + value times today's rule's: 0.05
         * keeps nearly all of the gain where the best rule of all would be far worse if nobody moved. Null for no such bound.
         */
        public final B hedge(Double value) {
            aim = new Aim(aim.ridge, value, aim.loss, aim.wishUnits, aim.answers);
            return self();
        }

        /** What a score costs: squared by default, {@link Loss#LOGISTIC} where the target is yes or no, {@link Loss#huber} where some are far off. */
        public final B loss(Loss value) {
            aim = new Aim(aim.ridge, aim.hedge, value, aim.wishUnits, aim.answers);
            return self();
        }

        /** What wishes are numbers of, where the loss is logistic: probabilities, unless log-odds are asked for. */
        public final B wishUnits(WishUnits value) {
            aim = new Aim(aim.ridge, aim.hedge, aim.loss, value, aim.answers);
            return self();
        }

        /** The value of the target that is a yes, or those that are: {@code default}, {@code 1}, {@code >=6}; where the target has two values it is found, if nobody says. */
        public final B yes(String value) {
            aim = new Aim(aim.ridge, aim.hedge, aim.loss, aim.wishUnits, new Answers(value, null));
            return self();
        }

        /** The paper's protocol: range scaling, an intercept people can move, full one-hot encoding, nothing immutable; gamma, unless it is given, is 1. */
        public final B paper() {
            gamma = Double.isNaN(gamma) && gammaShare == null && between == null ? 1 : gamma;
            units = new Units(Scaling.RANGE, units.missing, true);
            return moves(Set.of(), moves.costs, moves.costUnits, Intercept.MANIPULABLE);
        }
    }

    /** Who can change the constant term. */
    public enum Intercept {
        /** Nobody: the sensible choice. */
        IMMUTABLE,
        /** Everybody, like a feature that is 1 for all: the paper's model. */
        MANIPULABLE,
        /** There is none. */
        NONE
    }

    /** In which units a move is measured when it is paid for. */
    public enum CostUnits {
        /** In scaled units: with standard scaling, a move by one standard deviation of any feature costs gamma times its cost. */
        SCALED,
        /** In the units of the data. */
        RAW
    }
}
