package stackelberg.model.response;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.estimate.Resampling;
import stackelberg.estimate.Resampling.Folds;
import stackelberg.game.GameSpec.Today;
import stackelberg.game.Population;
import stackelberg.game.PredictionGame;
import stackelberg.game.PublishedRule;
import stackelberg.game.Sample;
import stackelberg.game.World;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression.FitOptions;
import stackelberg.model.Training;
import stackelberg.solver.ProgressListener;

/**
 * What a rule and today's lose after the move, if the game is not quite the declared one.
 *
 * <p>Where the data are small and the rows many, on people who were not learned from: in each of five folds both rules are learned again, and with
 * them today's rule, gamma as a share and the wish, and those held out respond to them; a mean is that of all folds together. Otherwise
 * on the people whom the rules were learned from.
 */
public final class WhatIf {
    private static final int FOLDS = 5;

    /** So many people, and so many for each column, are enough to learn from four fifths of them. */
    private static final int FEWEST_ROWS = 50;

    private static final int ROWS_PER_COLUMN = 5;

    /** So many values are learned from five times in a moment. */
    private static final long MOST_VALUES = 200_000;

    /** The same where each of the five is a search: for people who differ or have limits, or with a hedge. */
    private static final long MOST_SEARCHED = 20_000;

    /** How near the best such a rule is proven to be at least: the errors keep the five digits that are shown. */
    private static final double SEARCHED = 1e-4;

    /** Wishes that are noisier are so by this part of the target's spread. */
    private static final double NOISE = 0.5;

    /** The spread of a yes or no about its log-odds: the standard deviation of a logistic variable. */
    private static final double LOGISTIC_SPREAD = Math.PI / Math.sqrt(3);

    private static final double ROUNDING = 1e-9;

    private final List<Row> rows;
    private final Judged judged;
    private final double wishError;

    private WhatIf(List<Row> rows, Judged judged, double wishError) {
        this.rows = List.copyOf(rows);
        this.judged = judged;
        this.wishError = wishError;
    }

    /** How the game may differ from the declared one. */
    public enum Doubt {
        /** Not at all. */
        AS_DECLARED,
        /** Everybody's gamma is half as large: people move more. */
        HALF_GAMMA,
        /** Everybody's gamma is twice as large: people move less. */
        DOUBLE_GAMMA,
        /** Wishes are off by a further standard deviation, {@link WhatIf#wishError}. */
        NOISIER_WISHES,
        /** A third of those who would move stay as they are. */
        THIRD_TRUTHFUL,
        /** Moves really change the target by half of what is declared; only where effects are declared, as the next. */
        HALF_EFFECTS,
        /** Moves really change the target by twice what is declared. */
        DOUBLE_EFFECTS;

        private boolean applies(World world) {
            return this != HALF_EFFECTS && this != DOUBLE_EFFECTS
                    || world.spec().hasEffects();
        }
    }

    /** Who the rules were judged on. */
    public enum Judged {
        /** Everybody once, by rules that were learned without them. */
        HELD_OUT_PEOPLE,
        /** The same, where people of one group are held out together. */
        HELD_OUT_GROUPS,
        /** Those whom the rules were learned from. */
        SAMPLE
    }

    /**
     * The errors after the move, by weight: root mean squares, or the mean of the game's loss where that is not squared.
     *
     * @param error of the rule
     * @param todayError of today's rule
     */
    public record Row(Doubt doubt, double error, double todayError) {}

    /** Of a rule and the people it was learned from; empty where there is no finite rule, or where today's is not known. */
    public static Optional<WhatIf> of(Training training, StackelbergModel model) {
        if (!model.optimality().finite() || training.today().isEmpty()) {
            return Optional.empty();
        }
        double wishError = NOISE * spread(training.sample());
        return heldOut(training, wishError).or(() -> Optional.of(onSample(training, model, wishError)));
    }

    private static WhatIf onSample(Training training, StackelbergModel model, double wishError) {
        Sample sample = training.people(model);
        Sums sums = new Sums(sample.world(), wishError);
        Workers workers = training.options().workers();
        double[] p = training.predictions(model).orElseGet(() -> sample.predictions(model.rule(), workers));
        double[] scores = training.todaysScores().orElseThrow();
        PublishedRule today = training.today().orElseThrow().rule();
        sums.add(
                evaluation(model.world(), model.rule(), sample, p, workers),
                evaluation(model.world(), today, sample, scores, workers),
                workers);
        return new WhatIf(sums.rows(), Judged.SAMPLE, wishError);
    }

    /** Of those whom the rules were learned from. */
    static RuleEvaluation evaluation(World world, PublishedRule rule, Sample sample, double[] p, Workers workers) {
        Followers people = Followers.keeping(sample.population(), p, sample.shared());
        return RuleEvaluation.of(world, rule, people.with(world.features(sample.rows()), workers));
    }

    /** Empty where the data are too large or too few, or where some of the people are not enough to learn from. */
    private static Optional<WhatIf> heldOut(Training training, double wishError) {
        Sample sample = training.sample();
        if (!isLearnedQuickly(sample)) {
            return Optional.empty();
        }
        long seed = training.options().seed();
        Optional<Folds> groups = groups(sample, seed);
        Folds folds =
                groups.orElseGet(() -> Resampling.of(sample.weights(), seed).folds(FOLDS));
        FitOptions options = options(training);
        Sums sums = new Sums(sample.world(), wishError);
        try {
            for (int f = 0; f < FOLDS; f++) {
                Training learned = training.anew(folds.training(f)).by(options);
                StackelbergModel model = learned.answer();
                if (!model.optimality().finite()) {
                    return Optional.empty();
                }
                Table others = sample.rows().select(folds.heldOut(f));
                World world = model.world();
                Today today = learned.today().orElseThrow();
                double[] p = model.predict(others, Encoding.UnknownLevel.ZERO);
                sums.add(
                        evaluation(world, model.rule(), others, p, options.workers()),
                        evaluation(world, today.rule(), others, world.scores(today, others), options.workers()),
                        options.workers());
            }
        } catch (DataException some) {
            // four fifths of the people may all have one value, or weigh nothing, where all together do not
            return Optional.empty();
        }
        return Optional.of(new WhatIf(
                sums.rows(), groups.isPresent() ? Judged.HELD_OUT_GROUPS : Judged.HELD_OUT_PEOPLE, wishError));
    }

    private static RuleEvaluation evaluation(
            World world, PublishedRule rule, Table others, double[] p, Workers workers) {
        double[] y = world.truths(others);
        Wish wish = Wish.parse(world.wish(), others.names());
        Followers people = Followers.of(world.population(others), p, world.wishes(wish, others, y, null))
                .with(world.features(others), workers);
        return RuleEvaluation.of(world, rule, people.withTruth(y, world.weights(others)));
    }

    private static FitOptions options(Training training) {
        FitOptions options = training.options().withSolver(null).withListener(ProgressListener.NONE);
        double tolerance = Math.max(options.tolerance(), SEARCHED);
        return isSearched(training.sample())
                ? options.withLimits(options.limits().withTolerance(tolerance))
                : options;
    }

    private static boolean isSearched(Sample sample) {
        return sample.spec().mixed()
                || sample.spec().isHedged()
                || sample.spec().between() != null
                || !sample.spec().limits().none();
    }

    private static boolean isLearnedQuickly(Sample sample) {
        long rows = sample.spec().weight() == null
                ? sample.size()
                : Arrays.stream(sample.weights()).filter(weight -> weight > 0).count();
        long columns = sample.world().encoding().columns().size();
        return rows >= FEWEST_ROWS
                && rows >= ROWS_PER_COLUMN * columns
                && rows * columns <= (isSearched(sample) ? MOST_SEARCHED : MOST_VALUES);
    }

    /** Folds that keep groups whole; empty where none are declared, or too few for that. */
    private static Optional<Folds> groups(Sample sample, long seed) {
        String column = sample.spec().group();
        if (column == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Resampling.of(sample.weights(), seed)
                    .grouped(sample.rows(), column)
                    .folds(FOLDS));
        } catch (DataException tooFew) {
            return Optional.empty();
        }
    }

    /** The standard deviation of the target, by weight, in the units of the score. */
    private static double spread(Sample sample) {
        if (sample.spec().loss().isLogistic()) {
            return LOGISTIC_SPREAD;
        }
        PredictionGame.SharedArrays people = sample.shared();
        double[] y = people.y();
        double total = 0;
        double mean = 0;
        for (int i = 0; i < y.length; i++) {
            total += people.weight(i);
            mean += people.weight(i) * y[i];
        }
        mean /= total;
        double squares = 0;
        for (int i = 0; i < y.length; i++) {
            squares += people.weight(i) * (y[i] - mean) * (y[i] - mean);
        }
        return Math.sqrt(squares / total);
    }

    /** Weighted sums of losses by doubt, over one part of the people after another. */
    private static final class Sums {
        private final double wishError;
        private final double[] rule = new double[Doubt.values().length];
        private final double[] today = new double[Doubt.values().length];
        private double weight;

        private final World world;

        private Sums(World world, double wishError) {
            this.world = world;
            this.wishError = wishError;
        }

        private void add(RuleEvaluation ofRule, RuleEvaluation ofToday, Workers workers) {
            double more = ofRule.weight();
            weight += more;
            List<Doubt> doubts = Arrays.stream(Doubt.values())
                    .filter(doubt -> doubt.applies(world))
                    .toList();
            // people whom limits stop are shared out among the threads one by one, and sums are there after the first
            // doubt
            Workers apart = world.bounds().isPresent() || ofRule.isSummed() ? Workers.of(1) : workers;
            apart.run(2 * doubts.size(), k -> {
                Doubt doubt = doubts.get(k / 2);
                if (k % 2 == 0) {
                    rule[doubt.ordinal()] += more * loss(ofRule, doubt);
                } else {
                    today[doubt.ordinal()] += more * loss(ofToday, doubt);
                }
            });
        }

        private double loss(RuleEvaluation declared, Doubt doubt) {
            Population people = declared.population();
            double others = 1 - people.truthfulShare();
            return switch (doubt) {
                case AS_DECLARED -> declared.movedLoss(0);
                case HALF_GAMMA -> declared.in(people.times(0.5)).movedLoss(0);
                case DOUBLE_GAMMA -> declared.in(people.times(2)).movedLoss(0);
                case NOISIER_WISHES -> declared.movedLoss(wishError);
                case HALF_EFFECTS -> declared.withEffects(0.5).movedLoss(0);
                case DOUBLE_EFFECTS -> declared.withEffects(2).movedLoss(0);
                case THIRD_TRUTHFUL ->
                    declared.in(people.withTruthfulShare(1 - others * 2 / 3)).movedLoss(0);
            };
        }

        private List<Row> rows() {
            return Arrays.stream(Doubt.values())
                    .filter(doubt -> doubt.applies(world))
                    .map(doubt -> new Row(
                            doubt, error(rule[doubt.ordinal()] / weight), error(today[doubt.ordinal()] / weight)))
                    .toList();
        }

        private double error(double mean) {
            return world.spec().loss().isSquared() ? Math.sqrt(mean) : mean;
        }
    }

    /** One per doubt, in their order; what was promised comes first. */
    public List<Row> rows() {
        return rows;
    }

    public Judged judged() {
        return judged;
    }

    /**
     * The standard deviation by which wishes are off where they are noisier, beside what is declared: half of the target's, or, in log-odds where the loss is
     * logistic, half of pi/sqrt(3), which is that of a yes or no about its log-odds.
     */
    public double wishError() {
        return wishError;
    }

    /** What was promised: the game as declared. */
    public Row promised() {
        return rows.get(0);
    }

    /** The doubt in which the rule's error is largest; empty if it is nowhere larger than promised. */
    public Optional<Row> worst() {
        return rows.stream()
                .max(Comparator.comparingDouble(Row::error))
                .filter(row -> row.error > promised().error * (1 + ROUNDING));
    }
}
