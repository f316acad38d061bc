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
 * What moves really did to the target, from outcomes before and after rules were in force: y_i* - y_i = beta'(x_i* - x_i) + what happens anyway.
 *
 * <p>Least squares on the moves as seen would make effects too small, because features are measured with error and change for reasons of their own. The gap z_i -
 * p_i to the wish is the instrument: under one rule the slope of outcomes on it is beta'd with d the slopes of the moves, which point along C^{-1}w. One rule thus tells
 * one combination of the effects and whether there are any; as many rules in different directions, or populations with different costs, tell as many combinations, and
 * two-stage least squares over them the effects. An intercept of each rule's own takes what happens to everybody.
 *
 * @param people how many there are
 * @param rules what each rule tells by itself
 * @param effects by encoded column, in the units of the data, of the features that are told apart
 * @param unidentified features that some rule rewards, whose effects cannot be told apart from those of others
 * @param unmoved features that people can change and that no rule rewards
 * @param warnings what a user should know
 */
public record EffectEstimate(
        int people,
        List<UnderRule> rules,
        Map<String, Resampling.Estimate> effects,
        List<String> unidentified,
        List<String> unmoved,
        List<Message> warnings) {
    /** Gaps that differ less than this, against the predictions, leave nothing to regress on. */
    private static final double NO_SPREAD = 1e-9;

    /** A first stage with a smaller F is weak. */
    private static final double STRONG = 10;

    /** The squared part of a feature that may lie in directions that nobody was pushed to. */
    private static final double LEAK = 0.01;

    /** Noise of moves below this, against the moves, is rounding. */
    private static final double ROUNDING = 1e-6;

    /** A part of the moves that may be errors of measurement and is worth a word. */
    private static final double WORTH_A_WORD = 0.05;

    private static final int NAMES_SHOWN = 10;

    public EffectEstimate {
        rules = List.copyOf(rules);
        effects = Collections.unmodifiableMap(new LinkedHashMap<>(effects));
        unidentified = List.copyOf(unidentified);
        unmoved = List.copyOf(unmoved);
        warnings = List.copyOf(warnings);
    }

    /** Whether the data tell the effect of every feature that a rule rewards. */
    public boolean identified() {
        return unidentified.isEmpty() && !effects.isEmpty();
    }

    /**
     * What one rule tells.
     *
     * @param closed t, the slope of predictions on the gap: the share of it that people closed
     * @param earned the slope of outcomes on the gap: the share of it that the truth closed
     * @param real earned/closed: what a point of score that people gained was worth in the target
     * @param combination beta'C^{-1}w, which is all that the rule tells of the effects, if people moved as the declared costs say and nothing stopped them
     */
    public record UnderRule(
            String name,
            int people,
            Resampling.Estimate closed,
            Resampling.Estimate earned,
            Resampling.Estimate real,
            Resampling.Estimate combination) {
        /** Whether the outcomes contradict that all moves were for show. */
        public boolean notAllGaming() {
            return earned.interval().low() > 0 || earned.interval().high() < 0;
        }
    }

    /**
     * People who met one rule.
     *
     * @param name what reports call it
     * @param before encoded in the world's encoding
     * @param after the same people later
     * @param wishes what they wished when they saw the rule
     * @param gained y_i* - y_i
     * @param people numbers from 0 that tell who is who across rules: they are drawn together
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
     * From people under one rule or several.
     *
     * @param wishesKnowTruth whether wishes were made from the outcomes before
     */
    public static EffectEstimate of(World world, List<Trial> trials, boolean wishesKnowTruth, Bootstrap bootstrap) {
        if (trials.isEmpty()) {
            throw new IllegalArgumentException("There is no rule that anybody met.");
        }
        return new Estimator(world, trials).estimate(wishesKnowTruth, bootstrap);
    }

    /** What is known of the people under one rule, in the units of the data. */
    private static final class Seen {
        private final Trial trial;
        private final double[] gap;
        private final double[] change;
        private final double[][] moves;
        /** w'C^{-1}w of the columns. */
        private final double omega;

        private final boolean spread;
        /** Whether who has a high score has another gap: errors of measurement are then in both. */
        private final boolean follows;

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
            // beyond what chance does
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

        /** At most this part of the moves towards the wish is regression to the mean: if all that the gap does not explain were errors of measurement before. */
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

    /** The slopes of one rule, from people drawn again. */
    private static final class Slopes {
        private final double squares;
        private final double closed;
        private final double earned;
        private final double[] moved;

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

    private static final class Estimator {
        private static final int PER_RULE = 4;

        private final List<String> names = new ArrayList<>();
        private final List<String> unmoved = new ArrayList<>();
        private final List<Seen> seen = new ArrayList<>();
        private final int people;
        /** By feature: what of its moves the gap does not explain. */
        private final double[] noise;
        /** How many directions people were pushed to. */
        private final int rank;

        private final boolean[] told;

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
            told = new boolean[names.size()];
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
            for (int k = 0; k < told.length; k++) {
                double outside = 0;
                for (int d = 0; d < told.length - rank; d++) {
                    double part = directions.vectors().get(k, d);
                    outside += part * part;
                }
                told[k] = outside <= LEAK;
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
                // a feature that nobody moved has no directions
                result[k] = result[k] == 0 ? 1 : result[k];
            }
            return result;
        }

        /** The moment matrix of the first stage, in units of its noise: an eigenvalue is the F of its direction. */
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
            for (int k = 0; k < told.length; k++) {
                int at = PER_RULE * seen.size() + k;
                if (told[k]) {
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

        /** Of each rule closed, earned, real and the combination, then the effects, with person i counted counts[i] times. */
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

        /** Two-stage least squares along the directions that people were pushed to. */
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

        private List<Message> warnings(boolean wishesKnowTruth, List<String> unidentified) {
            List<Message> warnings = new ArrayList<>();
            for (Seen one : seen) {
                if (!one.spread) {
                    warnings.add(Message.of(
                            "gaps-equal",
                            "Under the rule '{}' everybody's gap to the wish is the same, so that what moves did cannot be told from "
                                    + "what happened to everybody. Maybe the wishes are not those of these people.",
                            one.trial.name));
                }
            }
            if (names.isEmpty()) {
                warnings.add(Message.plain(
                        "nothing-rewarded",
                        "No rule counts anything that people can move, so that nobody had a reason to."));
            } else if (rank == 0 && informative() > 0) {
                warnings.add(Message.plain(
                        "moves-too-small",
                        "The moves towards the wishes are too small to tell what they did. Maybe observe more"
                                + " people, or wait longer."));
            } else if (!unidentified.isEmpty()) {
                boolean alike = rank < Math.min(informative(), names.size());
                warnings.add(Message.of(
                        "effects-alike",
                        "Effects that cannot be told apart: {}. {} Maybe observe people under further rules that reward the features "
                                + "in other proportions.",
                        listed(unidentified),
                        alike
                                ? "The rules push people in directions that are too much alike, or too weakly."
                                : (rank == 1 ? "One rule tells" : rank + " rules tell")
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
                                "The gap to the wish goes with the score before, so that errors with which features were measured"
                                        + " before are in both gap and moves: at worst %.0f%% of the moves towards the wish are that,"
                                        + " and effects too small by as much. Wishes that rise and fall with the score, as p+hope does,"
                                        + " are free of it.",
                                Math.min(100, 100 * doubtful))));
            }
            if (wishesKnowTruth) {
                warnings.add(Message.plain(
                        "wishes-know-outcomes",
                        "The wishes are made from the outcomes before, so that who was lucky then has another gap"
                                + " and is less lucky later, without having moved: effects are off by that regression to the"
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
