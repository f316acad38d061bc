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
 * What becomes of those who retrain instead of anticipating: in round k everybody answers rule k, and rule k + 1 is least squares on people as they then are,
 * or what today's rule is where the game's loss is another. Rule 1 is the one in force today.
 *
 * <p>Moved rows are linear in (x, v, z), so a round takes only the sums of their products, O(n^3) however many the people; where limits stop some, or gammas
 * differ, or the loss is not squared, it takes a pass. The rounds settle at a rule that gives itself back, circle, run away, or do none of these in the time given. A rule that gives itself back
 * is in general worse than the one that anticipates (Perdomo et al., Performative Prediction, 2020).
 *
 * <p>Wishes stay what they are, as do people who are truthful. A ridge is the game's own if nobody moved, mu w'C^{-1}w: that is what somebody pays who does not
 * see people move.
 */
public final class Retraining {
    /** Up to so many columns their products are formed. */
    private static final int MOST_COLUMNS = 2000;

    /** Numbers that the rules of all rounds may take: 800 MB. */
    private static final long MOST_VALUES = 100_000_000;

    /** How far two rules may be apart and be one, as {@link Round#change}. */
    private static final double SAME = 1e-8;

    /** The same for what is left of a way that gets shorter, and for rules of two rounds of a circle. */
    private static final double NEAR = 1e-6;

    /** Part of the way around that a circle may be open. */
    private static final double CLOSED = 1e-4;

    private static final double ROUNDING = 1e-13;

    /** Where people keep less of what they are, the next rule would be learned from what rounding leaves of them. */
    private static final double LEAST_KEPT = 1e-9;

    /** A search for a rule that gives itself back starts at the mean of so many rules. */
    private static final int LAST_RULES = 64;

    /** Rounds that a rate of contraction is taken from. */
    private static final int RATE_ROUNDS = 10;

    /** Fewer rounds show no trend. */
    private static final int FEWEST_FOR_A_TREND = 16;

    /** What runs away gets so much further from quarter to quarter of the rounds, by steps that do not get shorter. */
    private static final double FURTHER = 1.25;

    private static final double AS_LONG = 0.99;

    /** A search for a rule that gives itself back takes so many rounds at least. */
    private static final int SEARCH_ROUNDS = 1000;

    private static final double[] PARTS = {0.5, 0.2, 0.05};

    /** What people start a round from. */
    public enum Memory {
        /** What they were at first: what a rule no longer rewards is let go, and a move is paid for from there. */
        ORIGINAL,
        /** What they have become: every round's move comes on top, and is paid for from there. */
        PRESENT
    }

    /**
     * What is played.
     *
     * @param rounds how many rules are published
     * @param inertia the share of each round's move that is not made
     */
    public record Plan(int rounds, Memory memory, double inertia) {
        private static final int MOST_ROUNDS = 100_000;

        public Plan {
            if (rounds < 1 || rounds > MOST_ROUNDS) {
                throw new IllegalArgumentException(
                        "There are " + rounds + " rounds; there must be 1 to " + MOST_ROUNDS + ".");
            }
            if (memory == null) {
                throw new IllegalArgumentException("The memory is null; people start from somewhere.");
            }
            if (!(inertia >= 0 && inertia < 1)) {
                throw new IllegalArgumentException("The inertia is " + inertia
                        + "; it must be 0 or more and less than 1.\nMaybe 1 was meant as nobody moves: then there is"
                        + " nothing to learn from rounds.");
            }
        }

        /** So many rounds, in which people start anew and answer fully. */
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
     * One rule, and what became of it.
     *
     * @param number from 1
     * @param rule in the game's units
     * @param promised what it loses on the people it was learned from, as they were then
     * @param loss what it loses once they have answered it
     * @param pullThrough the share of the gap to their wish that people close in this round, where no limit stops them
     * @param change how far the next rule says otherwise of the people as they were at first: the root mean square in standard deviations of the target, in log-odds
     *     where the loss is logistic, or the change of the pull-through where that is larger
     * @param anticipated what the rule that anticipates loses in this round, if it was in force from the first; not a number where there is none
     */
    public record Round(
            int number,
            LinearRule rule,
            double promised,
            double loss,
            double pullThrough,
            double change,
            double anticipated) {}

    /** How it ends. */
    public enum Outcome {
        /** The rules come to rest. */
        SETTLES,
        /** The same rules come again and again. */
        CIRCLES,
        /** The rules get ever further away, or as far as numbers go. */
        RUNS_AWAY,
        /** None of these can be told from the rounds that were played. */
        OPEN
    }

    /**
     * A rule that gives itself back: what is learned from people who have answered it is this rule.
     *
     * @param loss what it loses once they have
     * @param residual how far the rule that is then learned is from it, as {@link Round#change}
     * @param reached whether the rounds came there; if not, it was searched for
     */
    public record FixedPoint(LinearRule rule, double loss, double residual, boolean reached) {}

    /** The least, the mean and the largest loss of some rounds. */
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
        this.walked = people.walks();
    }

    /**
     * Plays the rounds from today's rule on.
     *
     * @param model the rule that anticipates, which stays in force; null, or without a finite rule, for none
     * @param progress is told the number of each round
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
        requireSayable(sample, game, today, first, workers);
        boolean ruled = model != null && model.optimality().finite();
        return play(game, first, ruled ? training.encoded(model.rule()) : null, world, plan, workers, progress);
    }

    /** Refuses what is too large, before anything is fitted. */
    public static void requirePlayable(Training training, Plan plan) {
        Sample sample = training.sample();
        if (sample.spec().isHedged()) {
            throw Message.Refused.of(
                    "hedge-in-retraining",
                    "A hedge bounds what a rule may lose if nobody moves, and retraining knows no such bound.\n"
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

    /** Refuses a rule in force that the game's columns cannot say. */
    private static void requireSayable(
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
                    "Retraining starts from today's rule, which looks at something that is no feature of this game: the rules "
                            + "after it could not.\n"
                            + "Maybe add the columns that it uses, or leave out {}: then it is learned from the data.",
                    Settings.TODAY.any()));
        }
    }

    /** The same for any game; people whom nothing tells apart are played by their sums. */
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
        Beside beside = new Beside(anticipating, people.again(), plan);
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

    /** The rule that anticipates, in force from the first round on among people of its own. */
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

    /** How far rules are apart. */
    private record Ruler(PeopleSums start, double spread, double gamma, double[] costs, PredictionGame game) {
        Ruler(PeopleSums start, PredictionGame game) {
            this(start, game.loss().isLogistic() ? 1 : start.spread(), game.gamma(), game.costs(), game);
        }

        double apart(LinearRule one, LinearRule other) {
            double pull = Math.abs(
                    Response.pullThrough(one.omega(costs), gamma) - Response.pullThrough(other.omega(costs), gamma));
            return Math.max(start.apart(one, other) / spread, pull);
        }

        /** What people close on average, from one gamma where all have the same. */
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
     * @param period of a circle, 1 where they settle, otherwise 0
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

        /** Whether the last step is nothing, and what is left of the way at the rate at which steps get shorter is as good as nothing. */
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

    /** How far the rules of two rounds are apart, by their indices. */
    interface Distance {
        double between(int one, int other);
    }

    /**
     * The smallest number of rounds after which the rules come again, seen twice around at the end; 0 where there is none.
     *
     * @param changes from each rule to the next, so that there is one rule more
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

    /** Looks for a rule that gives itself back. */
    private record Search(Crowd people, Ruler ruler, Plan plan) {
        /** Null where none is found. */
        FixedPoint near(Course course, List<LinearRule> rules) {
            boolean reached = course.outcome == Outcome.SETTLES;
            if (plan.memory == Memory.PRESENT) {
                // people have gone on with the rules, and can go on only from where they are
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

        /** The mean of the rules that came last. */
        private static LinearRule mean(List<LinearRule> rules) {
            List<LinearRule> some = rules.subList(Math.max(0, rules.size() - LAST_RULES), rules.size());
            LinearRule mean = some.get(0);
            for (int k = 1; k < some.size(); k++) {
                mean = between(mean, some.get(k), 1.0 / (k + 1));
            }
            return mean;
        }

        /** Part of the way to the rule that is learned next, again and again, and smaller parts where that leads nowhere; null where none does. */
        private LinearRule damped(LinearRule from) {
            int all = people.walks() ? plan.rounds : Math.max(2 * plan.rounds, SEARCH_ROUNDS);
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

    /** In their order; fewer than planned where numbers ended before. */
    public List<Round> rounds() {
        return rounds;
    }

    /** Whether the rounds end because people have moved so far that the next rule would be learned from rounding. */
    public boolean endsInRounding() {
        return endsInRounding(rounds);
    }

    public Outcome outcome() {
        return outcome;
    }

    /** Rounds of a circle; 1 where the rules settle, 0 where neither is known. */
    public int period() {
        return period;
    }

    /** A rule that gives itself back, as verified; empty where none was found. */
    public Optional<FixedPoint> fixedPoint() {
        return Optional.ofNullable(fixedPoint);
    }

    /** Whether every round took a pass over the people, instead of their sums. */
    public boolean walked() {
        return walked;
    }

    /** What a user should know of the rounds, beside what is known of the data. */
    public List<Message> warnings() {
        int columns = world.encoding().columns().size();
        // by another loss people who are held out choose a penalty where columns are many
        return world.spec().ridge() > 0 || 2L * columns < people || !loss().isSquared()
                ? List.of()
                : List.of(Message.of(
                        "few-people",
                        "{}: least squares learns them by heart in every round. Maybe add a {}.",
                        String.format(Locale.ROOT, "%,d people are few for %,d columns", people, columns),
                        Message.Choice.any("ridge")));
    }

    /** What rules are learned by, and what losses are sums of. */
    public Loss loss() {
        return world.spec().loss();
    }

    /** sum_i s_i: a loss divided by it is a mean square, or the mean of another loss. */
    public double totalWeight() {
        return weight;
    }

    /** A rule in the units of the data. */
    public PublishedRule published(LinearRule rule) {
        return StackelbergModel.published("retrained", rule, world);
    }

    /** What retraining loses in the long run: once around where it circles, in the last round where it settles or ends in rounding, otherwise in the second half of the rounds. */
    public Losses longRun() {
        return losses(lasting().stream().mapToDouble(Round::loss).toArray());
    }

    /** What the rule that anticipates loses in the same rounds; empty where there is none. */
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
