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
 * The losses of a rule and of today's rule after the move if the game differs from the declared one.
 *
 * <p>If the data are small and there are enough rows, the losses are five-fold cross-validated: in each fold both rules
 * are learned on the training rows, together with gamma if it is declared as a share, and the wish; the held-out rows
 * respond to them, and the means are over all folds together. Otherwise the losses are those on the training rows.
 */
public final class WhatIf {
    private static final int FOLDS = 5;

    /** The smallest number of rows for cross-validation; {@link #ROWS_PER_COLUMN} rows per column are needed too. */
    private static final int FEWEST_ROWS = 50;

    private static final int ROWS_PER_COLUMN = 5;

    /** The largest number of values for cross-validation, which then takes a moment. */
    private static final long MOST_VALUES = 200_000;

    /**
     * The largest number of values if each of the five fits is a search: with gammas that differ, limits or a hedge.
     */
    private static final long MOST_SEARCHED = 20_000;

    /** The relative gap to which such a search is run, so that the errors have the five digits that are shown. */
    private static final double SEARCHED = 1e-4;

    /** The additional standard deviation of noisier wishes, as a share of the target's. */
    private static final double NOISE = 0.5;

    /** The standard deviation of a yes or no about its log-odds: that of a logistic variable. */
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

    /** A way in which the game may differ from the declared one. */
    public enum Doubt {
        /** The game is as declared. */
        AS_DECLARED,
        /** All gammas are half as large: people move more. */
        HALF_GAMMA,
        /** All gammas are twice as large: people move less. */
        DOUBLE_GAMMA,
        /** Wishes have an additional error with the standard deviation {@link WhatIf#wishError}. */
        NOISIER_WISHES,
        /** One third of those who would move do not move. */
        THIRD_TRUTHFUL,
        /** Effects are half of the declared ones; only if effects are declared. */
        HALF_EFFECTS,
        /** Effects are twice the declared ones; only if effects are declared. */
        DOUBLE_EFFECTS;

        private boolean applies(World world) {
            return this != HALF_EFFECTS && this != DOUBLE_EFFECTS
                    || world.spec().hasEffects();
        }
    }

    /** The rows on which the rules were evaluated. */
    public enum Judged {
        /** All rows, each with rules that were learned without it. */
        HELD_OUT_PEOPLE,
        /** All rows, each with rules that were learned without any row of its group. */
        HELD_OUT_GROUPS,
        /** The rows from which the rules were learned. */
        SAMPLE
    }

    /**
     * The errors after the move: weighted root mean squares, or the mean of the game's loss if that is not squared.
     *
     * @param error the error of the rule
     * @param todayError the error of today's rule
     */
    public record Row(Doubt doubt, double error, double todayError) {}

    /**
     * Returns the losses of a model's rule and of today's rule; empty if there is no finite rule or today's rule is
     * unknown.
     */
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

    /** Returns the evaluation of a rule on the rows from which it was learned. */
    static RuleEvaluation evaluation(World world, PublishedRule rule, Sample sample, double[] p, Workers workers) {
        Followers people = Followers.sharing(sample.population(), p, sample.shared());
        return RuleEvaluation.of(world, rule, people.with(world.features(sample.rows()), workers));
    }

    /**
     * Returns the cross-validated losses; empty if the data are too large, the rows are too few, or a fold cannot be
     * learned from.
     */
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
                Training learned = training.subset(folds.training(f)).withOptions(options);
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
            // in a fold's training rows the target may be constant or all weights 0, although it is not so in all rows
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

    /**
     * Returns folds that keep groups whole; empty if no group column is declared or there are fewer groups than folds.
     */
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

    /** Returns the weighted standard deviation of the target, in the units of the score. */
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

    /** Adds up the weighted losses for each doubt over the folds. */
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

        /** Adds the losses of both rules on some rows, for each doubt. */
        private void add(RuleEvaluation ofRule, RuleEvaluation ofToday, Workers workers) {
            double more = ofRule.weight();
            weight += more;
            List<Doubt> doubts = Arrays.stream(Doubt.values())
                    .filter(doubt -> doubt.applies(world))
                    .toList();
            // bounded responses are shared among the threads row by row; sums need only one thread
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
                case HALF_GAMMA -> declared.withPopulation(people.times(0.5)).movedLoss(0);
                case DOUBLE_GAMMA -> declared.withPopulation(people.times(2)).movedLoss(0);
                case NOISIER_WISHES -> declared.movedLoss(wishError);
                case HALF_EFFECTS -> declared.withEffects(0.5).movedLoss(0);
                case DOUBLE_EFFECTS -> declared.withEffects(2).movedLoss(0);
                case THIRD_TRUTHFUL ->
                    declared.withPopulation(people.withTruthfulShare(1 - others * 2 / 3))
                            .movedLoss(0);
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

    /** Returns one row per doubt, in their order, the declared game first. */
    public List<Row> rows() {
        return rows;
    }

    public Judged judged() {
        return judged;
    }

    /**
     * Returns the standard deviation of the additional error of noisier wishes: half of the target's, or for logistic
     * loss, in log-odds, half of pi/sqrt(3), the standard deviation of a yes or no about its log-odds.
     */
    public double wishError() {
        return wishError;
    }

    /** Returns the row of the declared game. */
    public Row promised() {
        return rows.get(0);
    }

    /**
     * Returns the row of the doubt with the largest error of the rule; empty if none exceeds that of the declared game.
     */
    public Optional<Row> worst() {
        return rows.stream()
                .max(Comparator.comparingDouble(Row::error))
                .filter(row -> row.error > promised().error * (1 + ROUNDING));
    }
}
