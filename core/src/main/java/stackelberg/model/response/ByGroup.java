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
 * What rules do to groups of people: how far each group's scores are from the truth and to which side, before and after the move, what moving costs its people, and who moves.
 * Where the loss is logistic, probabilities stand for scores, and the truth is the share of yes.
 *
 * <p>Means are by weight, and expected ones where some are truthful or wishes are known up to noise. An interval says where the mean of all people like these
 * lies in 95 of 100 cases, the rule being given: m +- 1.96 se with se^2 = n/(n - 1) sum_i s_i^2 (v_i - m)^2 / (sum_i s_i)^2, the usual standard error of a
 * weighted mean; of an error it is that of the mean loss, and of a share Wilson's, which has a width where nobody or everybody moves.
 */
public final class ByGroup {
    /** The probability of the intervals. */
    public static final double LEVEL = 0.95;

    /** Of fewer people, by weight, an interval is rough. */
    public static final int FEW = 30;

    /** Groups of which anything is said, the largest: more are no summary. */
    public static final int MOST = 100;

    /** The normal distribution has 95% within so many standard deviations. */
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

    /** A mean and its interval; the ends are no numbers where one person alone, or nobody, counts. */
    public record Figure(double value, double low, double high) {
        /** The same of what is never negative. */
        private Figure atLeastZero() {
            return new Figure(value, Math.max(0, low), high);
        }
    }

    /** A figure if nobody moves, and after the move. */
    public record Twice(Figure before, Figure after) {}

    /**
     * What a rule does to a group.
     *
     * @param error how far scores are from the truth: the root mean square, by another loss its mean
     * @param bias mean of score less truth, after the move less the truth as it then is
     * @param cost mean of gamma_i sum_j c_j delta_ij^2, what people pay for moving
     * @param distance mean of how far they move, in scaled units
     * @param moving the share of people whose score moves by more than the threshold
     * @param move mean of the score after the move less that before
     */
    public record Figures(Twice error, Twice bias, Figure cost, Figure distance, Figure moving, Figure move) {}

    /**
     * A group.
     *
     * @param weight how much its people count together
     * @param effective (sum_i s_i)^2 / sum_i s_i^2: as many people who all count the same tell as much
     * @param rules what each of the rules does to it, in their order
     */
    public record Part(String name, int people, double weight, double effective, List<Figures> rules) {
        public Part {
            rules = List.copyOf(rules);
        }

        /** Whether too few of them count to trust the intervals. */
        public boolean few() {
            return effective < FEW;
        }
    }

    /** Of a rule and of today's, on the people whom they were learned from; empty where no groups are declared, or there is no rule. */
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
     * Of rules that the people in these rows face.
     *
     * @param column whose values are the groups
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

    /** The error in the units of the target, from the mean of what is lost, or that mean itself: nothing else here knows squares from other losses. */
    private static Figure error(Loss loss, Figure lost) {
        return loss.isSquared()
                ? new Figure(Math.sqrt(lost.value), Math.sqrt(Math.max(0, lost.low)), Math.sqrt(lost.high))
                : lost.atLeastZero();
    }

    private static Figure mean(Followers people, int[] members, IntToDoubleFunction value) {
        double total = 0;
        double sum = 0;
        int counting = 0;
        double first = members.length == 0 ? Double.NaN : value.applyAsDouble(members[0]);
        for (int i : members) {
            // from the first, so that equal values have exactly their own value as their mean
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

    /** Wilson's interval for as many people as count, times the share of those who may move at all. */
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
        // nobody and everybody are ends of it, which rounding would miss
        double low = p == 0 ? 0 : middle - half;
        double high = p == 1 ? 1 : middle + half;
        return new Figure(movers * p, movers * low, movers * high);
    }

    /** A tenth of the target's standard deviation, rounded to 1, 2 or 5 of a power of ten: whose score moves by less hardly moves. */
    private static double threshold(Followers people) {
        double mean = people.mean(people::truth);
        double variance = people.mean(i -> (people.truth(i) - mean) * (people.truth(i) - mean));
        double tenth = Math.sqrt(variance) / 10;
        if (!(tenth > 0) || Double.isInfinite(tenth)) {
            return 0;
        }
        int power = (int) Math.floor(Math.log10(tenth));
        double digits = tenth / Math.pow(10, power);
        // the geometric means of neighbours part them
        int round = digits < Math.sqrt(2) ? 1 : digits < Math.sqrt(10) ? 2 : digits < Math.sqrt(50) ? 5 : 10;
        return Double.parseDouble(round + "e" + power);
    }

    /** The same of the largest groups, in their order. */
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

    /** What the rules lose by, and errors are told in. */
    public Loss loss() {
        return loss;
    }

    /** Whoever moves its score by more is said to move: a readable number near a tenth of the target's standard deviation. */
    public double threshold() {
        return threshold;
    }

    /** How many groups there are, those included of which nothing is said. */
    public int groups() {
        return groups;
    }

    /** How many people all groups have. */
    public int people() {
        return people;
    }

    /** The names of the rules. */
    public List<String> rules() {
        return rules;
    }

    /** The groups in the order of the column's values; where there are more than {@link #MOST}, the largest. */
    public List<Part> parts() {
        return parts;
    }
}
