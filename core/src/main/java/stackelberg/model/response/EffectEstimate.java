package stackelberg.model.response;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.Message;
import stackelberg.estimate.Resampling;
import stackelberg.estimate.Resampling.Bootstrap;
import stackelberg.game.PublishedRule;
import stackelberg.game.World;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Workers;

/**
 * Estimates the effects beta of moves on the target from outcomes before and after rules were in force: y_i* - y_i =
 * beta'(x_i* - x_i) + (changes that happen anyway).
 *
 * <p>Least squares on the observed moves would underestimate the effects, because features are measured with error and
 * change for other reasons too. The gap z_i - p_i to the wish serves as the instrument: under one rule the slope of
 * outcomes on the gap is beta'd, where d, the slopes of the moves on the gap, points along C^{-1}w. One rule therefore
 * identifies one linear combination of the effects, and whether there are any. Several rules in different directions,
 * or populations with different costs, identify as many combinations, and two-stage least squares over them gives the
 * effects. Each rule has an intercept of its own, which absorbs changes that are common to all people.
 *
 * @param people the number of people
 * @param rules the estimates from each rule alone
 * @param effects the effects that are identified, by encoded column, in the units of the data
 * @param unidentified features rewarded by some rule whose effects cannot be separated from those of others
 * @param unmoved features that people can change and that no rule rewards
 * @param warnings what the reader should know
 */
public record EffectEstimate(
        int people,
        List<UnderRule> rules,
        Map<String, Resampling.Estimate> effects,
        List<String> unidentified,
        List<String> unmoved,
        List<Message> warnings) {
    /** A spread of the gaps below this, relative to the predictions, is too small for a regression on them. */
    private static final double NO_SPREAD = 1e-9;

    /** An F statistic of the first stage below this means that the instrument is weak. */
    private static final double STRONG = 10;

    /**
     * The largest share of a feature's squared direction that may lie outside the directions in which the rules pushed
     * people.
     */
    private static final double LEAK = 0.01;

    /** Noise of moves below this, relative to the moves, is rounding. */
    private static final double ROUNDING = 1e-6;

    /** The share of the moves that may be measurement error from which on a warning is given. */
    private static final double WORTH_A_WORD = 0.05;

    private static final int NAMES_SHOWN = 10;

    public EffectEstimate {
        rules = List.copyOf(rules);
        effects = Collections.unmodifiableMap(new LinkedHashMap<>(effects));
        unidentified = List.copyOf(unidentified);
        unmoved = List.copyOf(unmoved);
        warnings = List.copyOf(warnings);
    }

    /** Returns whether the effect of every feature that a rule rewards is identified. */
    public boolean identified() {
        return unidentified.isEmpty() && !effects.isEmpty();
    }

    /**
     * What one rule alone identifies.
     *
     * @param closed t, the slope of predictions on the gap: the share of the gap that people closed
     * @param earned the slope of outcomes on the gap: the share of the gap that the true target closed
     * @param real earned/closed, the true gain in the target per point of score gained
     * @param combination beta'C^{-1}w, the one combination of effects that the rule identifies, provided that people
     *     moved as the declared costs imply and no limit stopped them
     */
    public record UnderRule(
            String name,
            int people,
            Resampling.Estimate closed,
            Resampling.Estimate earned,
            Resampling.Estimate real,
            Resampling.Estimate combination) {
        /** Returns whether the data contradict the hypothesis that moves do not change the target. */
        public boolean notAllGaming() {
            return earned.interval().low() > 0 || earned.interval().high() < 0;
        }
    }

    /**
     * People who were subject to one rule.
     *
     * @param name the name of the rule in reports
     * @param before encoded features before, in the world's encoding
     * @param after encoded features of the same people later
     * @param wishes their wishes when they saw the rule
     * @param gained y_i* - y_i
     * @param people identifiers from 0 by which a person is recognised under several rules; the bootstrap resamples
     *     persons
     */
    public record Trial(
            String name,
            PublishedRule rule,
            DenseMatrix before,
            DenseMatrix after,
            double[] wishes,
            double[] gained,
            int[] people) {
        public Trial {
            int count = before.rows();
            if (after.rows() != count || wishes.length != count || gained.length != count || people.length != count) {
                throw new IllegalArgumentException("Rule '" + name + "': there are " + count + " people before, "
                        + after.rows() + " after, " + wishes.length + " wishes, " + gained.length + " outcomes and "
                        + people.length + " numbers; they must be the same people.");
            }
            wishes = wishes.clone();
            gained = gained.clone();
            people = people.clone();
        }

        @Override
        public double[] wishes() {
            return wishes.clone();
        }

        @Override
        public double[] gained() {
            return gained.clone();
        }

        @Override
        public int[] people() {
            return people.clone();
        }
    }

    /**
     * Estimates the effects from people under one or several rules.
     *
     * @param wishesKnowTruth whether wishes were computed from the earlier outcomes
     */
    public static EffectEstimate of(World world, List<Trial> trials, boolean wishesKnowTruth, Bootstrap bootstrap) {
        if (trials.isEmpty()) {
            throw new IllegalArgumentException("There is no rule that people were subject to.");
        }
        return new Estimator(world, trials).estimate(wishesKnowTruth, bootstrap);
    }

    /** The data of the people under one rule, in the units of the data. */
    private static final class Seen {
        private final Trial trial;
        private final double[] gap;
        private final double[] change;
        private final double[][] moves;
        /** omega = w'C^{-1}w over the columns. */
        private final double omega;

        private final boolean spread;
        /** Whether the gap is correlated with the score: measurement errors are then in both. */
        private final boolean follows;

        /** Computes predictions, gaps and moves of the people under one rule. */
        Seen(World world, Trial trial, List<Integer> columns) {
            this.trial = trial;
            double[] p = trial.rule.predict(world.encoding(), trial.before);
            double[] later = trial.rule.predict(world.encoding(), trial.after);
            gap = new double[p.length];
            change = new double[p.length];
            double sizes = 0;
            double least = Double.POSITIVE_INFINITY;
            double most = Double.NEGATIVE_INFINITY;
            for (int i = 0; i < p.length; i++) {
                gap[i] = trial.wishes[i] - p[i];
                change[i] = later[i] - p[i];
                sizes = Math.max(sizes, Math.abs(p[i]) + Math.abs(gap[i]));
                least = Math.min(least, gap[i]);
                most = Math.max(most, gap[i]);
            }
            spread = p.length > 1 && most - least > NO_SPREAD * sizes;
            double together = covariance(gap, p);
            // beyond what chance alone would give
            follows = spread
                    && together * together > Math.max(0.01, 9.0 / p.length) * covariance(gap, gap) * covariance(p, p);
            moves = new double[columns.size()][p.length];
            double sum = 0;
            double[] costs = world.costs();
            for (int k = 0; k < moves.length; k++) {
                int j = columns.get(k);
                EncodedColumn column = world.encoding().columns().get(j);
                double w = trial.rule.coefficient(column) * column.scale();
                sum += w * w / costs[j];
                for (int i = 0; i < p.length; i++) {
                    moves[k][i] = (trial.after.get(i, j) - trial.before.get(i, j)) * column.scale();
                }
            }
            omega = sum;
        }

        /**
         * Returns an upper bound of the share of the moves towards the wish that may be regression to the mean: all
         * that the gap does not explain counted as measurement error before.
         */
        private double doubtful() {
            double squares = covariance(gap, gap);
            double closed = covariance(gap, change) / squares;
            double unexplained = covariance(change, change) - closed * closed * squares;
            return follows ? unexplained / (squares * Math.abs(closed)) : 0;
        }

        private static double covariance(double[] a, double[] b) {
            double meanA = mean(a);
            double meanB = mean(b);
            double sum = 0;
            for (int i = 0; i < a.length; i++) {
                sum += (a[i] - meanA) * (b[i] - meanB);
            }
            return sum / a.length;
        }

        private static double mean(double[] values) {
            return Arrays.stream(values).average().orElse(0);
        }
    }

    /** The slopes of one rule on a resample of people. */
    private static final class Slopes {
        private final double squares;
        private final double closed;
        private final double earned;
        private final double[] moved;

        /** Computes the slopes of predictions, outcomes and moves on the gap, with person i counted counts[i] times. */
        Slopes(Seen seen, int[] counts) {
            double total = 0;
            double mean = 0;
            int[] people = seen.trial.people;
            for (int i = 0; i < people.length; i++) {
                total += counts[people[i]];
                mean += counts[people[i]] * seen.gap[i];
            }
            mean /= total;
            double[] weight = new double[people.length];
            double sum = 0;
            for (int i = 0; i < people.length; i++) {
                weight[i] = counts[people[i]] * (seen.gap[i] - mean);
                sum += weight[i] * (seen.gap[i] - mean);
            }
            squares = sum;
            closed = dot(weight, seen.change) / sum;
            earned = dot(weight, seen.trial.gained) / sum;
            moved = new double[seen.moves.length];
            for (int k = 0; k < moved.length; k++) {
                moved[k] = dot(weight, seen.moves[k]) / sum;
            }
        }

        private static double dot(double[] a, double[] b) {
            double sum = 0;
            for (int i = 0; i < a.length; i++) {
                sum += a[i] * b[i];
            }
            return sum;
        }
    }

    /** Computes the estimates from the people under all rules, once for the data and once for each bootstrap sample. */
    private static final class Estimator {
        private static final int PER_RULE = 4;

        private final List<String> names = new ArrayList<>();
        private final List<String> unmoved = new ArrayList<>();
        private final List<Seen> seen = new ArrayList<>();
        private final int people;
        /** For each feature, the variance of its moves that the gap does not explain. */
        private final double[] noise;
        /** The number of independent directions in which the rules pushed people. */
        private final int rank;

        private final boolean[] identified;

        /** Prepares the data of all rules and decides which effects are identified. */
        Estimator(World world, List<Trial> trials) {
            List<Integer> columns = new ArrayList<>();
            List<EncodedColumn> all = world.encoding().columns();
            for (int j = 0; j < all.size(); j++) {
                EncodedColumn column = all.get(j);
                boolean rewarded = trials.stream().anyMatch(trial -> trial.rule.coefficient(column) != 0);
                if (world.manipulable(j) && rewarded) {
                    columns.add(j);
                    names.add(column.name());
                } else if (world.manipulable(j)) {
                    unmoved.add(column.name());
                }
            }
            trials.forEach(trial -> seen.add(new Seen(world, trial, columns)));
            people = trials.stream()
                    .mapToInt(trial -> Arrays.stream(trial.people).max().orElse(-1) + 1)
                    .max()
                    .orElse(0);
            int[] once = new int[people];
            Arrays.fill(once, 1);
            noise = noise(once);
            identified = new boolean[names.size()];
            if (names.isEmpty()) {
                rank = 0;
                return;
            }
            SymmetricEigen directions = directions(slopes(once));
            double least = STRONG * Math.max(names.size(), informative());
            int strong = 0;
            for (double value : directions.values()) {
                strong += value >= least ? 1 : 0;
            }
            rank = Math.min(strong, Math.min(names.size(), informative()));
            for (int k = 0; k < identified.length; k++) {
                double outside = 0;
                for (int d = 0; d < identified.length - rank; d++) {
                    double part = directions.vectors().get(k, d);
                    outside += part * part;
                }
                identified[k] = outside <= LEAK;
            }
        }

        private int informative() {
            return (int) seen.stream().filter(one -> one.spread).count();
        }

        private List<Slopes> slopes(int[] counts) {
            List<Slopes> slopes = new ArrayList<>();
            for (Seen one : seen) {
                slopes.add(one.spread ? new Slopes(one, counts) : null);
            }
            return slopes;
        }

        /** Returns for each feature the variance of the moves that the gap does not explain. */
        private double[] noise(int[] once) {
            double[] result = new double[names.size()];
            List<Slopes> slopes = slopes(once);
            for (int k = 0; k < result.length; k++) {
                double rest = 0;
                double size = 0;
                int count = 0;
                for (int r = 0; r < seen.size(); r++) {
                    Seen one = seen.get(r);
                    if (!one.spread) {
                        continue;
                    }
                    double slope = slopes.get(r).moved[k];
                    double constant = Seen.mean(one.moves[k]) - slope * Seen.mean(one.gap);
                    for (int i = 0; i < one.gap.length; i++) {
                        double left = one.moves[k][i] - constant - slope * one.gap[i];
                        rest += left * left;
                        size += one.moves[k][i] * one.moves[k][i];
                    }
                    count += one.gap.length;
                }
                result[k] = count == 0 ? 1 : Math.sqrt(Math.max(rest, ROUNDING * ROUNDING * size) / count);
                // a feature that did not move has no direction
                result[k] = result[k] == 0 ? 1 : result[k];
            }
            return result;
        }

        /**
         * Returns the spectrum of the first stage's moment matrix in units of its noise: each eigenvalue is the F
         * statistic of its direction.
         */
        private SymmetricEigen directions(List<Slopes> slopes) {
            int n = names.size();
            DenseMatrix sums = DenseMatrix.zeros(n, n);
            for (Slopes one : slopes) {
                for (int a = 0; one != null && a < n; a++) {
                    for (int b = 0; b < n; b++) {
                        sums.set(
                                a, b, sums.get(a, b) + one.squares * one.moved[a] / noise[a] * one.moved[b] / noise[b]);
                    }
                }
            }
            return SymmetricEigen.of(sums, Workers.of(1));
        }

        /** Returns the estimates with their intervals and warnings. */
        EffectEstimate estimate(boolean wishesKnowTruth, Bootstrap bootstrap) {
            int[] once = new int[people];
            Arrays.fill(once, 1);
            double[] point = statistics(once);
            Resampling.Interval[] intervals = bootstrap.intervals(people, this::statistics);
            List<UnderRule> rules = new ArrayList<>();
            for (int r = 0; r < seen.size(); r++) {
                Resampling.Estimate[] own = new Resampling.Estimate[PER_RULE];
                for (int k = 0; k < PER_RULE; k++) {
                    own[k] = new Resampling.Estimate(point[PER_RULE * r + k], intervals[PER_RULE * r + k]);
                }
                Trial trial = seen.get(r).trial;
                rules.add(new UnderRule(trial.name, trial.people.length, own[0], own[1], own[2], own[3]));
            }
            Map<String, Resampling.Estimate> effects = new LinkedHashMap<>();
            List<String> unidentified = new ArrayList<>();
            for (int k = 0; k < identified.length; k++) {
                int at = PER_RULE * seen.size() + k;
                if (identified[k]) {
                    effects.put(names.get(k), new Resampling.Estimate(point[at], intervals[at]));
                } else {
                    unidentified.add(names.get(k));
                }
            }
            int count = (int) seen.stream()
                    .flatMapToInt(one -> Arrays.stream(one.trial.people))
                    .distinct()
                    .count();
            return new EffectEstimate(
                    count, rules, effects, unidentified, unmoved, warnings(wishesKnowTruth, unidentified));
        }

        /**
         * Returns closed, earned, real and the combination for each rule, followed by the effects, with person i
         * counted counts[i] times.
         */
        private double[] statistics(int[] counts) {
            int n = names.size();
            double[] result = new double[PER_RULE * seen.size() + n];
            Arrays.fill(result, Double.NaN);
            List<Slopes> slopes = slopes(counts);
            double[] right = new double[n];
            for (int r = 0; r < seen.size(); r++) {
                Slopes one = slopes.get(r);
                if (one == null) {
                    continue;
                }
                result[PER_RULE * r] = one.closed;
                result[PER_RULE * r + 1] = one.earned;
                result[PER_RULE * r + 2] = one.earned / one.closed;
                result[PER_RULE * r + 3] = seen.get(r).omega * one.earned / one.closed;
                for (int k = 0; k < n; k++) {
                    right[k] += one.squares * one.earned * one.moved[k] / noise[k];
                }
            }
            if (rank > 0 && Arrays.stream(right).noneMatch(Double::isNaN)) {
                double[] effects = solve(directions(slopes), right);
                System.arraycopy(effects, 0, result, PER_RULE * seen.size(), n);
            }
            return result;
        }

        /** Solves two-stage least squares in the directions in which the rules pushed people. */
        private double[] solve(SymmetricEigen directions, double[] right) {
            int n = right.length;
            double[] effects = new double[n];
            for (int d = n - rank; d < n; d++) {
                double along = 0;
                for (int k = 0; k < n; k++) {
                    along += directions.vectors().get(k, d) * right[k];
                }
                for (int k = 0; k < n; k++) {
                    effects[k] +=
                            directions.vectors().get(k, d) * along / directions.values()[d];
                }
            }
            for (int k = 0; k < n; k++) {
                effects[k] /= noise[k];
            }
            return effects;
        }

        /** Returns warnings about weak or missing identification and about biased wishes. */
        private List<Message> warnings(boolean wishesKnowTruth, List<String> unidentified) {
            List<Message> warnings = new ArrayList<>();
            for (Seen one : seen) {
                if (!one.spread) {
                    warnings.add(Message.of(
                            "gaps-equal",
                            "Under the rule '{}' everyone has the same gap to the wish, so that the effect of moves cannot be separated from "
                                    + "changes that are common to all. Maybe the wishes are not those of these people.",
                            one.trial.name));
                }
            }
            if (names.isEmpty()) {
                warnings.add(Message.plain(
                        "nothing-rewarded",
                        "No rule has a coefficient on anything that people can move, so no one had a reason to move."));
            } else if (rank == 0 && informative() > 0) {
                warnings.add(Message.plain(
                        "moves-too-small",
                        "The moves towards the wishes are too small to estimate their effects. Maybe observe more"
                                + " people, or wait longer."));
            } else if (!unidentified.isEmpty()) {
                boolean alike = rank < Math.min(informative(), names.size());
                warnings.add(Message.of(
                        "effects-alike",
                        "Effects that cannot be separated: {}. {} Maybe observe people under further rules that reward the features "
                                + "in other proportions.",
                        listed(unidentified),
                        alike
                                ? "The rules push people in directions that are too much alike, or too weakly."
                                : (rank == 1 ? "One rule identifies" : rank + " rules identify")
                                        + " no more than "
                                        + (rank == 1 ? "one combination" : rank + " combinations")
                                        + " of effects, and here are " + names.size() + " features."));
            }
            double doubtful = seen.stream().mapToDouble(Seen::doubtful).max().orElse(0);
            if (doubtful > WORTH_A_WORD) {
                warnings.add(Message.plain(
                        "regression-to-the-mean",
                        String.format(
                                Locale.ROOT,
                                "The gap to the wish is correlated with the score before, so that errors with which features were measured"
                                        + " before are in both the gap and the moves: at worst %.0f%% of the moves towards the wish are such errors,"
                                        + " and effects are too small by that much. Wishes that rise and fall with the score, such as p+hope,"
                                        + " avoid this.",
                                Math.min(100, 100 * doubtful))));
            }
            if (wishesKnowTruth) {
                warnings.add(Message.plain(
                        "wishes-know-outcomes",
                        "The wishes depend on the outcomes before. People who were lucky then have another gap and are"
                                + " less lucky later even if they do not move, so the effects are biased by regression to the"
                                + " mean. Maybe give wishes that do not use the outcome."));
            }
            return warnings;
        }

        private static String listed(List<String> names) {
            return String.join(", ", names.subList(0, Math.min(NAMES_SHOWN, names.size())))
                    + (names.size() > NAMES_SHOWN ? " and " + (names.size() - NAMES_SHOWN) + " more" : "");
        }
    }
}
