package stackelberg.model.response;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import stackelberg.data.Table;
import stackelberg.estimate.Loss;
import stackelberg.game.PublishedRule;
import stackelberg.game.Sample;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;
import stackelberg.model.Training;

/**
 * What rules do to groups of people: for each group the error and the bias of the scores before and after the move, the
 * cost and the length of moves, and the share of people who move. For logistic loss the scores are probabilities and
 * the truth is the share of yes.
 *
 * <p>Means are weighted, and they are expectations where some people are truthful or wishes are known up to noise. An
 * interval covers the mean of all people like these with probability 95%, given the rule: m +- 1.96 se with se^2 = n/(n
 * - 1) sum_i s_i^2 (v_i - m)^2 / (sum_i s_i)^2, the usual standard error of a weighted mean. The interval of an error
 * is that of the mean loss. The interval of a share is Wilson's, whose width is positive even if the share is 0 or 1.
 */
public final class ByGroup {
    /** The coverage probability of the intervals. */
    public static final double LEVEL = 0.95;

    /** Below this effective number of people a group's intervals are only rough. */
    public static final int FEW = 30;

    /** The largest number of groups that are reported; beyond it only the largest groups are. */
    public static final int MOST = 100;

    /** The 97.5% quantile of the standard normal distribution. */
    private static final double DEVIATIONS = 1.959963984540054;

    private final String column;
    private final Loss loss;
    private final double threshold;
    private final int groups;
    private final int people;
    private final List<String> rules;
    private final List<Part> parts;

    private ByGroup(
            String column, Loss loss, double threshold, int groups, int people, List<String> rules, List<Part> parts) {
        this.column = column;
        this.loss = loss;
        this.threshold = threshold;
        this.groups = groups;
        this.people = people;
        this.rules = List.copyOf(rules);
        this.parts = List.copyOf(parts);
    }

    /** A mean and its interval; the ends are NaN if at most one person has a positive weight. */
    public record Figure(double value, double low, double high) {
        /** Returns the same figure with the interval cut off at 0, for quantities that are never negative. */
        private Figure atLeastZero() {
            return new Figure(value, Math.max(0, low), high);
        }
    }

    /** A figure before any move and after the move. */
    public record Twice(Figure before, Figure after) {}

    /**
     * What a rule does to a group.
     *
     * @param error the root mean squared error of the scores; for other losses than the squared one, the mean loss
     * @param bias the mean of score minus truth; after the move both are the values after it
     * @param cost the mean of gamma_i sum_j c_j delta_ij^2, what people pay for moving
     * @param distance the mean length of a move, in scaled units
     * @param moving the share of people whose score moves by more than the threshold
     * @param move the mean change of the score by the move
     */
    public record Figures(Twice error, Twice bias, Figure cost, Figure distance, Figure moving, Figure move) {}

    /**
     * One group.
     *
     * @param weight the sum of its sample weights
     * @param effective the effective number of people, (sum_i s_i)^2 / sum_i s_i^2
     * @param rules what each rule does to the group, in the order of the rules
     */
    public record Part(String name, int people, double weight, double effective, List<Figures> rules) {
        public Part {
            rules = List.copyOf(rules);
        }

        /** Returns whether the effective number of people is too small to trust the intervals. */
        public boolean few() {
            return effective < FEW;
        }
    }

    /**
     * Returns the figures of a model's rule and of today's rule on the training rows; empty if no group column is
     * declared or there is no finite rule.
     */
    public static Optional<ByGroup> of(Training training, StackelbergModel model) {
        String column = training.sample().spec().group();
        if (column == null) {
            return Optional.empty();
        }
        Sample sample = training.people(model);
        Workers workers = training.options().workers();
        List<RuleEvaluation> rules = new ArrayList<>();
        if (model.optimality().finite()) {
            double[] p = sample.predictions(model.rule(), workers);
            rules.add(WhatIf.evaluation(model.world(), model.rule(), sample, p, workers));
        }
        training.today().ifPresent(today -> {
            PublishedRule rule = today.rule();
            double[] scores = training.todaysScores().orElseThrow();
            rules.add(WhatIf.evaluation(model.world(), rule, sample, scores, workers));
        });
        return rules.isEmpty() ? Optional.empty() : Optional.of(of(sample.rows(), column, rules));
    }

    /**
     * Returns the figures of several rules on the given rows.
     *
     * @param column the column whose values define the groups
     */
    public static ByGroup of(Table rows, String column, List<RuleEvaluation> rules) {
        Table.Grouped grouped = rows.groups(column, MOST);
        double threshold = rules.isEmpty() ? 0 : threshold(rules.get(0).people());
        Loss loss = rules.isEmpty() ? Loss.SQUARED : rules.get(0).loss();
        List<List<Figures>> figures = new ArrayList<>();
        for (RuleEvaluation rule : rules) {
            RuleEvaluation.Each each = rule.each();
            figures.add(grouped.rows().values().stream()
                    .map(members -> figures(rule, each, members, threshold))
                    .toList());
        }
        List<Part> parts = new ArrayList<>();
        grouped.rows().forEach((name, members) -> {
            int k = parts.size();
            List<Figures> own = figures.stream().map(all -> all.get(k)).toList();
            parts.add(part(name, rules.get(0).people(), members, own));
        });
        List<String> names = rules.stream().map(rule -> rule.rule().name()).toList();
        return new ByGroup(column, loss, threshold, grouped.groups(), rows.rows(), names, parts);
    }

    private static Part part(String name, Followers people, int[] members, List<Figures> figures) {
        double weight = 0;
        double squares = 0;
        for (int i : members) {
            weight += people.weight(i);
            squares += people.weight(i) * people.weight(i);
        }
        return new Part(name, members.length, weight, squares == 0 ? 0 : weight * weight / squares, figures);
    }

    private static Figures figures(RuleEvaluation rule, RuleEvaluation.Each each, int[] members, double threshold) {
        Followers people = rule.people();
        Loss loss = rule.loss();
        double movers = 1 - people.population().truthfulShare();
        return new Figures(
                new Twice(
                        error(loss, mean(people, members, each.lossBefore())),
                        error(loss, mean(people, members, each.lossAfter()))),
                new Twice(mean(people, members, each.offBefore()), mean(people, members, each.offAfter())),
                mean(people, members, each.cost()).atLeastZero(),
                mean(people, members, each.distance()).atLeastZero(),
                share(people, members, each.gain(), threshold, movers),
                mean(people, members, i -> movers * each.gain().applyAsDouble(i)));
    }

    /**
     * Converts the mean loss into the error that is reported: its root, in units of the target, for squared loss; for
     * other losses the mean itself.
     */
    private static Figure error(Loss loss, Figure lost) {
        return loss.isSquared()
                ? new Figure(Math.sqrt(lost.value), Math.sqrt(Math.max(0, lost.low)), Math.sqrt(lost.high))
                : lost.atLeastZero();
    }

    /** Returns the weighted mean of a value over a group, with its interval. */
    private static Figure mean(Followers people, int[] members, IntToDoubleFunction value) {
        double total = 0;
        double sum = 0;
        int counting = 0;
        double first = members.length == 0 ? Double.NaN : value.applyAsDouble(members[0]);
        for (int i : members) {
            // summed as differences from the first value, so that the mean of equal values is exactly that value
            sum += people.weight(i) * (value.applyAsDouble(i) - first);
            total += people.weight(i);
            counting += people.weight(i) > 0 ? 1 : 0;
        }
        double mean = first + sum / total;
        double squares = 0;
        for (int i : members) {
            double off = people.weight(i) / total * (value.applyAsDouble(i) - mean);
            squares += off * off;
        }
        double error = counting < 2 ? Double.NaN : DEVIATIONS * Math.sqrt(squares * counting / (counting - 1));
        return new Figure(mean, mean - error, mean + error);
    }

    /**
     * Returns Wilson's interval of the share of people who move, with the effective number of people, times the share
     * of people who may move at all (those who are not truthful).
     */
    private static Figure share(
            Followers people, int[] members, IntToDoubleFunction gain, double threshold, double movers) {
        double total = 0;
        double squares = 0;
        double moving = 0;
        for (int i : members) {
            double s = people.weight(i);
            total += s;
            squares += s * s;
            moving += Math.abs(gain.applyAsDouble(i)) > threshold ? s : 0;
        }
        double n = total * total / squares;
        double p = moving / total;
        double z2 = DEVIATIONS * DEVIATIONS;
        double middle = (p + z2 / (2 * n)) / (1 + z2 / n);
        double half = DEVIATIONS / (1 + z2 / n) * Math.sqrt(p * (1 - p) / n + z2 / (4 * n * n));
        // at a share of 0 or 1 that share is an end of the interval; rounding would miss it
        double low = p == 0 ? 0 : middle - half;
        double high = p == 1 ? 1 : middle + half;
        return new Figure(movers * p, movers * low, movers * high);
    }

    /**
     * Returns the threshold for moving: a tenth of the target's standard deviation, rounded to 1, 2 or 5 times a power
     * of ten. A person whose score changes by less counts as not moving.
     */
    private static double threshold(Followers people) {
        double mean = people.mean(people::truth);
        double variance = people.mean(i -> (people.truth(i) - mean) * (people.truth(i) - mean));
        double tenth = Math.sqrt(variance) / 10;
        if (!(tenth > 0) || Double.isInfinite(tenth)) {
            return 0;
        }
        int power = (int) Math.floor(Math.log10(tenth));
        double digits = tenth / Math.pow(10, power);
        // round to the nearest of 1, 2, 5, 10 on a logarithmic scale: neighbours are separated by their geometric
        // means
        int round = digits < Math.sqrt(2) ? 1 : digits < Math.sqrt(10) ? 2 : digits < Math.sqrt(50) ? 5 : 10;
        return Double.parseDouble(round + "e" + power);
    }

    /** Returns the same figures for the largest groups only, in their original order. */
    public ByGroup largest(int most) {
        if (parts.size() <= most) {
            return this;
        }
        int[] sizes = parts.stream().mapToInt(part -> -part.people).sorted().toArray();
        int least = -sizes[most - 1];
        long larger = Arrays.stream(sizes).filter(size -> -size > least).count();
        List<Part> kept = new ArrayList<>();
        long ties = most - larger;
        for (Part part : parts) {
            if (part.people > least || part.people == least && ties-- > 0) {
                kept.add(part);
            }
        }
        return new ByGroup(column, loss, threshold, groups, people, rules, kept);
    }

    public String column() {
        return column;
    }

    /** Returns the loss in which errors are measured. */
    public Loss loss() {
        return loss;
    }

    /**
     * Returns the change of the score above which a person counts as moving: a round number near a tenth of the
     * target's standard deviation.
     */
    public double threshold() {
        return threshold;
    }

    /** Returns the number of groups, including those that are not reported. */
    public int groups() {
        return groups;
    }

    /** Returns the number of people in all groups. */
    public int people() {
        return people;
    }

    /** Returns the names of the rules. */
    public List<String> rules() {
        return rules;
    }

    /**
     * Returns the groups in the order of the column's values; if there are more than {@link #MOST}, only the largest.
     */
    public List<Part> parts() {
        return parts;
    }
}
