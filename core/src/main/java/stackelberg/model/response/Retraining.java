package stackelberg.model.response;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntConsumer;
import stackelberg.data.DataException;
import stackelberg.data.Message;
import stackelberg.estimate.Loss;
import stackelberg.game.GameSpec.Today;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.game.PublishedRule;
import stackelberg.game.Response;
import stackelberg.game.Sample;
import stackelberg.game.Settings;
import stackelberg.game.World;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;
import stackelberg.model.Training;

/**
 * Simulates repeated retraining, the alternative to anticipating moves: in round k all followers respond to rule k, and
 * rule k + 1 is learned from their features after that response. Rule 1 is today's rule; the others are least squares,
 * or regression by the game's loss.
 *
 * <p>Moved rows are linear in (x, v, z), so a round needs only sums of products of the columns, O(n^3) for any number
 * of rows. If limits stop some followers, gammas differ, or the loss is not squared, a round takes a pass over the
 * rows. The rounds settle at a fixed point (a rule that retraining reproduces), circle, diverge, or do none of these in
 * the given number of rounds. A fixed point is in general worse than the rule that anticipates (Perdomo et al.,
 * Performative Prediction, 2020).
 *
 * <p>Wishes do not change between rounds, nor does who is truthful. A ridge has the form that it takes in the game
 * before any move, mu w'C^{-1}w, because retraining does not model moves.
 */
public final class Retraining {
    /** The largest number of columns whose products are formed. */
    private static final int MOST_COLUMNS = 2000;

    /** The largest number of coefficients in the rules of all rounds, 800 MB. */
    private static final long MOST_VALUES = 100_000_000;

    /** Rules that differ by less count as equal, measured like {@link Round#change}. */
    private static final double SAME = 1e-8;

    /** The tolerance for the extrapolated remaining change of rules that converge, and for rules one period apart. */
    private static final double NEAR = 1e-6;

    /** The tolerance for closing a circle, relative to its length. */
    private static final double CLOSED = 1e-4;

    private static final double ROUNDING = 1e-13;

    /**
     * If followers keep a smaller fraction 1 - t of their original scores, the next rule would be learned from rounding
     * errors.
     */
    private static final double LEAST_KEPT = 1e-9;

    /** The search for a fixed point starts at the mean of this many of the last rules. */
    private static final int LAST_RULES = 64;

    /** The number of rounds from which a rate of contraction is estimated. */
    private static final int RATE_ROUNDS = 10;

    /** The smallest number of rounds from which a trend can be seen. */
    private static final int FEWEST_FOR_A_TREND = 16;

    /**
     * Rounds diverge if from each quarter of them to the next the distance grows by this factor, in steps that do not
     * become shorter.
     */
    private static final double FURTHER = 1.25;

    private static final double AS_LONG = 0.99;

    /** The smallest number of rounds that the search for a fixed point may take. */
    private static final int SEARCH_ROUNDS = 1000;

    private static final double[] PARTS = {0.5, 0.2, 0.05};

    /** Where a follower's move starts in each round. */
    public enum Memory {
        /**
         * At the original features: a move that a rule no longer rewards is undone, and costs are paid for the distance
         * from the original features.
         */
        ORIGINAL,
        /**
         * At the features reached in the previous round: each round's move is added, and costs are paid for that move
         * alone.
         */
        PRESENT
    }

    /**
     * What to simulate.
     *
     * @param rounds the number of rules that are published, 1 to 100,000
     * @param memory where moves start in each round
     * @param inertia the share of each round's move that is not made, at least 0 and below 1
     */
    public record Plan(int rounds, Memory memory, double inertia) {
        private static final int MOST_ROUNDS = 100_000;

        public Plan {
            if (rounds < 1 || rounds > MOST_ROUNDS) {
                throw new IllegalArgumentException(
                        "There are " + rounds + " rounds; there must be 1 to " + MOST_ROUNDS + ".");
            }
            if (memory == null) {
                throw new IllegalArgumentException("The memory is null; it must be ORIGINAL or PRESENT.");
            }
            if (!(inertia >= 0 && inertia < 1)) {
                throw new IllegalArgumentException("The inertia is " + inertia
                        + "; it must be 0 or more and less than 1.\nWith 1 nobody would move, so there would be"
                        + " nothing to learn from rounds.");
            }
        }

        /** Returns a plan in which every move starts at the original features and is made in full. */
        public static Plan of(int rounds) {
            return new Plan(rounds, Memory.ORIGINAL, 0);
        }

        public Plan withMemory(Memory value) {
            return new Plan(rounds, value, inertia);
        }

        public Plan withInertia(double value) {
            return new Plan(rounds, memory, value);
        }
    }

    /**
     * One rule and its results.
     *
     * @param number the round, from 1
     * @param rule in the game's units
     * @param promised its loss on the features from which it was learned
     * @param loss its loss after the followers have responded to it
     * @param pullThrough the share of the gap that followers close in this round if no limit stops them
     * @param change the distance to the next rule: the root mean square difference of their scores on the original
     *     features, in standard deviations of the target (for logistic loss, in log-odds), or the change of the
     *     pull-through if that is larger
     * @param anticipated the loss in this round of the rule that anticipates, if it is in force from the first round;
     *     NaN if there is none
     */
    public record Round(
            int number,
            LinearRule rule,
            double promised,
            double loss,
            double pullThrough,
            double change,
            double anticipated) {}

    /** How the rounds end. */
    public enum Outcome {
        /** The rules converge. */
        SETTLES,
        /** The same rules recur periodically. */
        CIRCLES,
        /** The rules diverge, or leave the range of floating-point numbers. */
        RUNS_AWAY,
        /** The rounds that were simulated do not decide between these. */
        OPEN
    }

    /**
     * A rule that retraining reproduces: the rule learned from followers who have responded to it is the same rule.
     *
     * @param loss its loss after the response
     * @param residual the distance to the rule that is then learned, measured like {@link Round#change}
     * @param reached true if the rounds converged to it, false if it was found by a search
     */
    public record FixedPoint(LinearRule rule, double loss, double residual, boolean reached) {}

    /** The smallest, the mean and the largest loss of several rounds. */
    public record Losses(double least, double mean, double most) {}

    private final Plan plan;
    private final World world;
    private final double weight;
    private final int people;
    private final List<Round> rounds;
    private final Outcome outcome;
    private final int period;
    private final FixedPoint fixedPoint;
    private final boolean walked;

    private Retraining(
            Plan plan,
            World world,
            PeopleSums start,
            List<Round> rounds,
            Course course,
            FixedPoint point,
            Crowd people) {
        this.plan = plan;
        this.world = world;
        this.weight = start.weight();
        this.people = start.people();
        this.rounds = List.copyOf(rounds);
        this.outcome = course.outcome;
        this.period = course.period;
        this.fixedPoint = point;
        this.walked = people.needsPass();
    }

    /**
     * Simulates the rounds, starting from today's rule.
     *
     * @param model the rule that anticipates, which stays in force in all rounds for comparison; null, or a model
     *     without a finite rule, for none
     * @param progress receives the number of each round
     */
    public static Retraining of(Training training, StackelbergModel model, Plan plan, IntConsumer progress) {
        requirePlayable(training, plan);
        Sample sample = training.sample();
        World world = sample.world();
        Workers workers = training.options().workers();
        PredictionGame game = sample.game();
        Today today = training.today().orElseGet(() -> sample.today(workers));
        LinearRule first = training.encoded(today.rule());
        if (!isFinite(first)) {
            throw DataException.of(
                    "value-too-large",
                    "Today's rule cannot be computed: a value is too large to square.\n"
                            + "Maybe measure in other units.");
        }
        requireExpressible(sample, game, today, first, workers);
        boolean ruled = model != null && model.optimality().finite();
        return play(game, first, ruled ? training.encoded(model.rule()) : null, world, plan, workers, progress);
    }

    /** Throws if the simulation is too large or the game is not supported, before anything is fitted. */
    public static void requirePlayable(Training training, Plan plan) {
        Sample sample = training.sample();
        if (sample.spec().isHedged() && !sample.spec().isHedgeDefault()) {
            throw Message.Refused.of(
                    "hedge-in-retraining",
                    "Retraining cannot keep a hedge, which bounds what a rule loses if nobody moves.\n"
                            + "Maybe leave out {}.",
                    Settings.HEDGE.any());
        }
        int columns = sample.world().encoding().columns().size();
        if (columns > MOST_COLUMNS) {
            throw new DataException(Message.of(
                    "too-many-columns",
                    "Retraining needs the products of all columns, which are formed up to {} of them; there are {}.\n"
                            + "Maybe choose some of them with {}.",
                    MOST_COLUMNS,
                    columns,
                    Settings.FEATURES.any()));
        }
        if ((long) plan.rounds * columns > MOST_VALUES) {
            throw new DataException(Message.of(
                    "too-many-rules",
                    "{} rules of {} columns are more than {} numbers.\n" + "Maybe play fewer {}.",
                    plan.rounds,
                    columns,
                    MOST_VALUES,
                    Message.Choice.any("rounds")));
        }
    }

    /** Throws if today's rule cannot be expressed by the game's columns. */
    private static void requireExpressible(
            Sample sample, PredictionGame game, Today today, LinearRule first, Workers workers) {
        boolean same = sample.world().uses(today.rule());
        double[] scores = same ? sample.scores(today, workers) : new double[0];
        double[] said = same ? game.predict(first, workers) : new double[0];
        double largest = Arrays.stream(scores).map(Math::abs).max().orElse(0);
        for (int i = 0; i < scores.length; i++) {
            same &= Math.abs(scores[i] - said[i]) <= NEAR * largest;
        }
        if (!same) {
            throw new DataException(Message.of(
                    "today-beyond-features",
                    "Retraining starts from today's rule, which uses columns that are not features of this game: the rules "
                            + "after it could not use them.\n"
                            + "Maybe add the columns that it uses, or leave out {}: then today's rule is learned from the data.",
                    Settings.TODAY.any()));
        }
    }

    /** Simulates the rounds of any game. */
    static Retraining play(
            PredictionGame game,
            LinearRule first,
            LinearRule anticipating,
            World world,
            Plan plan,
            Workers workers,
            IntConsumer progress) {
        PeopleSums start = PeopleSums.of(game, workers);
        Crowd people = Crowd.of(game, start, plan, workers);
        Ruler ruler = new Ruler(start, game);
        Beside beside = new Beside(anticipating, people.initial(), plan);
        List<Round> rounds = new ArrayList<>();
        List<LinearRule> rules = new ArrayList<>(List.of(first));
        while (rounds.size() < plan.rounds && isFinite(last(rules)) && !endsInRounding(rounds)) {
            Workers.throwIfInterrupted();
            LinearRule rule = last(rules);
            int number = rounds.size() + 1;
            progress.accept(number);
            double promised = people.loss(rule);
            people.answer(rule);
            LinearRule next = people.refit();
            rounds.add(new Round(
                    number,
                    rule,
                    promised,
                    people.loss(rule),
                    (1 - plan.inertia) * ruler.pullThrough(rule),
                    ruler.apart(rule, next),
                    beside.next()));
            rules.add(next);
        }
        Course course = endsInRounding(rounds) ? new Course(Outcome.RUNS_AWAY, 0) : Course.of(rounds, rules, ruler);
        FixedPoint point = new Search(people, ruler, plan).near(course, rules);
        return new Retraining(plan, world, start, rounds, course, point, people);
    }

    private static boolean endsInRounding(List<Round> rounds) {
        return !rounds.isEmpty() && 1 - rounds.get(rounds.size() - 1).pullThrough < LEAST_KEPT;
    }

    private static LinearRule last(List<LinearRule> rules) {
        return rules.get(rules.size() - 1);
    }

    private static boolean isFinite(LinearRule rule) {
        return Double.isFinite(rule.intercept())
                && Arrays.stream(rule.w()).allMatch(Double::isFinite)
                && Arrays.stream(rule.q()).allMatch(Double::isFinite);
    }

    /** The rule that anticipates, in force from the first round on, with a crowd of its own. */
    private static final class Beside {
        private final LinearRule rule;
        private final Crowd people;
        private final Plan plan;
        private double loss = Double.NaN;

        private Beside(LinearRule rule, Crowd people, Plan plan) {
            this.rule = rule;
            this.people = people;
            this.plan = plan;
        }

        private double next() {
            boolean same = plan.memory == Memory.ORIGINAL && !Double.isNaN(loss);
            if (rule != null && !same) {
                people.answer(rule);
                loss = people.loss(rule);
            }
            return loss;
        }
    }

    /** Measures the distance between rules. */
    private record Ruler(PeopleSums start, double spread, double gamma, double[] costs, PredictionGame game) {
        Ruler(PeopleSums start, PredictionGame game) {
            this(start, game.loss().isLogistic() ? 1 : start.spread(), game.gamma(), game.costs(), game);
        }

        double apart(LinearRule one, LinearRule other) {
            double pull = Math.abs(
                    Response.pullThrough(one.omega(costs), gamma) - Response.pullThrough(other.omega(costs), gamma));
            return Math.max(start.apart(one, other) / spread, pull);
        }

        /** Returns the mean pull-through; without individual gammas, from the one gamma. */
        double pullThrough(LinearRule rule) {
            double omega = rule.omega(costs);
            return game.population().hasEqualGammas()
                    ? game.population().expectedPullThrough(0, omega)
                    : game.pullThrough(omega);
        }
    }

    /**
     * How the rounds end.
     *
     * @param period the period of a circle; 1 if the rules converge, otherwise 0
     */
    private record Course(Outcome outcome, int period) {
        static Course of(List<Round> rounds, List<LinearRule> rules, Ruler ruler) {
            double[] changes = rounds.stream().mapToDouble(Round::change).toArray();
            if (!isFinite(last(rules)) || !Double.isFinite(changes[changes.length - 1])) {
                return new Course(Outcome.RUNS_AWAY, 0);
            }
            if (settles(changes)) {
                return new Course(Outcome.SETTLES, 1);
            }
            int period = Retraining.period(changes, (one, other) -> ruler.apart(rules.get(one), rules.get(other)));
            if (period > 0) {
                return new Course(Outcome.CIRCLES, period);
            }
            return new Course(runsAway(changes, rules, ruler) ? Outcome.RUNS_AWAY : Outcome.OPEN, 0);
        }

        /**
         * Returns whether the last step is negligible, and so is the remaining distance extrapolated from the rate at
         * which the steps shrink.
         */
        private static boolean settles(double[] changes) {
            double step = changes[changes.length - 1];
            if (step <= ROUNDING) {
                return true;
            }
            int back = Math.min(RATE_ROUNDS, changes.length - 1);
            double before = changes[changes.length - 1 - back];
            double rate = back == 0 ? 1 : Math.pow(step / before, 1.0 / back);
            return step <= SAME && rate < 1 && step * rate / (1 - rate) <= NEAR;
        }

        /**
         * Returns whether the distance from the first rules grows from quarter to quarter of the rounds, in steps that
         * do not become shorter.
         */
        private static boolean runsAway(double[] changes, List<LinearRule> rules, Ruler ruler) {
            int all = changes.length;
            if (all < FEWEST_FOR_A_TREND) {
                return false;
            }
            double[] furthest = new double[4];
            double[] steps = new double[4];
            for (int quarter = 0; quarter < 4; quarter++) {
                int from = quarter * all / 4;
                int to = (quarter + 1) * all / 4;
                for (int k = from + 1; k <= to; k++) {
                    furthest[quarter] = Math.max(furthest[quarter], ruler.apart(rules.get(k), rules.get(0)));
                }
                double[] sorted = Arrays.copyOfRange(changes, from, to);
                Arrays.sort(sorted);
                steps[quarter] = sorted[sorted.length / 2];
            }
            return furthest[2] >= FURTHER * furthest[1]
                    && furthest[3] >= FURTHER * furthest[2]
                    && steps[3] >= AS_LONG * steps[2];
        }
    }

    /** The distance between the rules of two rounds, given by their indices. */
    interface Distance {
        double between(int one, int other);
    }

    /**
     * Returns the smallest period with which the rules recur, seen at least twice at the end of the rounds; 0 if there
     * is none.
     *
     * @param changes the distance from each rule to the next, one fewer than rules
     */
    static int period(double[] changes, Distance distance) {
        double around = changes[changes.length - 1];
        for (int p = 2; 2 * p <= changes.length; p++) {
            around = Math.max(around, changes[changes.length - p]);
            if (comesAgain(p, changes.length, Math.min(NEAR, CLOSED * around), distance)) {
                return p;
            }
        }
        return 0;
    }

    private static boolean comesAgain(int p, int last, double open, Distance distance) {
        for (int k = 0; k < p; k++) {
            if (!(distance.between(last - k, last - k - p) <= open)) {
                return false;
            }
        }
        return true;
    }

    /** Searches for a fixed point. */
    private record Search(Crowd people, Ruler ruler, Plan plan) {
        /** Returns a fixed point, or null if none is found. */
        FixedPoint near(Course course, List<LinearRule> rules) {
            boolean reached = course.outcome == Outcome.SETTLES;
            if (plan.memory == Memory.PRESENT) {
                // if moves are cumulative, the fixed point depends on the features already reached: no search from
                // elsewhere is possible
                return reached ? verified(last(rules), true) : null;
            }
            if (course.outcome == Outcome.RUNS_AWAY && !isFinite(last(rules))) {
                return null;
            }
            LinearRule found = reached ? last(rules) : damped(mean(rules));
            return found == null ? null : verified(found, reached);
        }

        private FixedPoint verified(LinearRule rule, boolean reached) {
            people.answer(rule);
            double loss = people.loss(rule);
            double residual = ruler.apart(rule, people.refit());
            return residual <= SAME ? new FixedPoint(rule, loss, residual, reached) : null;
        }

        /** Returns the mean of the last rules. */
        private static LinearRule mean(List<LinearRule> rules) {
            List<LinearRule> some = rules.subList(Math.max(0, rules.size() - LAST_RULES), rules.size());
            LinearRule mean = some.get(0);
            for (int k = 1; k < some.size(); k++) {
                mean = between(mean, some.get(k), 1.0 / (k + 1));
            }
            return mean;
        }

        /**
         * Iterates with damped steps towards the rule that is learned next, with smaller steps if these do not
         * converge; returns null if none do.
         */
        private LinearRule damped(LinearRule from) {
            int all = people.needsPass() ? plan.rounds : Math.max(2 * plan.rounds, SEARCH_ROUNDS);
            for (double part : PARTS) {
                LinearRule at = from;
                for (int left = all / PARTS.length; left > 0 && isFinite(at); left--) {
                    LinearRule aim = learned(at);
                    if (ruler.apart(at, aim) <= SAME / 10) {
                        return at;
                    }
                    at = between(at, aim, part);
                }
            }
            return null;
        }

        private LinearRule learned(LinearRule rule) {
            Workers.throwIfInterrupted();
            people.answer(rule);
            return people.refit();
        }

        private static LinearRule between(LinearRule one, LinearRule other, double part) {
            return new LinearRule(
                    between(one.w(), other.w(), part),
                    between(one.q(), other.q(), part),
                    (1 - part) * one.intercept() + part * other.intercept());
        }

        private static double[] between(double[] one, double[] other, double part) {
            double[] mixed = new double[one.length];
            Arrays.setAll(mixed, j -> (1 - part) * one[j] + part * other[j]);
            return mixed;
        }
    }

    public Plan plan() {
        return plan;
    }

    /** Returns the rounds in order; fewer than planned if the numbers overflowed before. */
    public List<Round> rounds() {
        return rounds;
    }

    /**
     * Returns whether the rounds end because followers have moved so far that the next rule would be learned from
     * rounding errors.
     */
    public boolean endsInRounding() {
        return endsInRounding(rounds);
    }

    public Outcome outcome() {
        return outcome;
    }

    /** Returns the period of a circle; 1 if the rules converge, 0 if neither is known. */
    public int period() {
        return period;
    }

    /** Returns a verified fixed point; empty if none was found. */
    public Optional<FixedPoint> fixedPoint() {
        return Optional.ofNullable(fixedPoint);
    }

    /** Returns whether every round took a pass over the rows. */
    public boolean tookPasses() {
        return walked;
    }

    /** Returns what the user should know about the rounds, besides warnings about the data. */
    public List<Message> warnings() {
        int columns = world.encoding().columns().size();
        // for other losses a cross-validated penalty is used if there are many columns, so no warning is needed
        return world.spec().ridge() > 0 || 2L * columns < people || !loss().isSquared()
                ? List.of()
                : List.of(Message.of(
                        "few-people",
                        "{}: least squares learns them by heart in every round. Maybe add a {}.",
                        String.format(Locale.ROOT, "%,d people are few for %,d columns", people, columns),
                        Message.Choice.any("ridge")));
    }

    /** Returns the loss by which rules are learned and evaluated. */
    public Loss loss() {
        return world.spec().loss();
    }

    /** Returns sum_i s_i: a loss divided by it is the mean squared error, or the mean of another loss. */
    public double totalWeight() {
        return weight;
    }

    /** Returns a rule in the units of the data. */
    public PublishedRule published(LinearRule rule) {
        return StackelbergModel.published("retrained", rule, world);
    }

    /**
     * Returns the losses of retraining in the long run: over one period of a circle, in the last round if the rules
     * converge or end in rounding, otherwise over the second half of the rounds.
     */
    public Losses longRun() {
        return losses(lasting().stream().mapToDouble(Round::loss).toArray());
    }

    /** Returns the losses in the same rounds of the rule that anticipates; empty if there is none. */
    public Optional<Losses> anticipated() {
        double[] all = lasting().stream().mapToDouble(Round::anticipated).toArray();
        return Double.isNaN(all[0]) ? Optional.empty() : Optional.of(losses(all));
    }

    private List<Round> lasting() {
        int count = period > 0 ? period : endsInRounding() ? 1 : Math.max(1, rounds.size() / 2);
        return rounds.subList(rounds.size() - count, rounds.size());
    }

    private static Losses losses(double[] all) {
        double sum = Arrays.stream(all).sum();
        return new Losses(
                Arrays.stream(all).min().orElseThrow(),
                sum / all.length,
                Arrays.stream(all).max().orElseThrow());
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d rounds of retraining: %s",
                rounds.size(),
                outcome.name().toLowerCase(Locale.ROOT));
    }
}
