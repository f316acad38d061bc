package stackelberg.cli.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import stackelberg.cli.answer.LossWords;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.estimate.Loss;
import stackelberg.game.GameSpec;
import stackelberg.game.Population;
import stackelberg.game.Response;
import stackelberg.game.Sample;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;
import stackelberg.model.response.Followers;
import stackelberg.model.response.Responses;

/** How people move under a rule: x_i* - x_i = (z_i - p_i)/(gamma_i + omega) w/c, all along one direction. A truthful share of the people does not move; it is not known who they are. */
final class Movements {
    private static final int FURTHEST = 10;
    private static final int MOVES_SHOWN = 3;

    /** The number of further moves shown that leave the range seen in training. */
    private static final int MORE_SHOWN = 3;

    /** Up to this many values are compared with their ranges; more would take too long. */
    private static final long MOST_CHECKED = 20_000_000;

    /** The number of people whose values are read at a time. */
    private static final int TOGETHER = 1000;

    private final Sample people;
    private final double[] p;
    private final double[] z;
    private final List<EncodedColumn> columns;
    /** w_j/c_j in scaled units. */
    private final double[] steps;

    private final Population population;
    /** The loss, which converts scores to the numbers that people read. */
    private final Loss loss;

    private final double omega;
    private final IntFunction<Response> responses;
    private final double length;
    private final Doubts doubts;
    /** The responses under limits, if a limit stops a move. */
    private final @Nullable Responses limited;

    /**
     * Creates the moves of people who respond like this population.
     *
     * @param model a finite rule
     * @param p the prediction for each person
     */
    Movements(StackelbergModel model, Sample people, double[] p, Population population, Workers workers) {
        this.people = people;
        this.population = population;
        this.p = p;
        this.z = people.z();
        this.loss = model.game().loss();
        this.columns = model.encoding().columns();
        this.steps = IntStream.range(0, columns.size())
                .mapToDouble(j -> step(model, columns.get(j), j))
                .toArray();
        this.omega = model.omega();
        this.responses = population.responses(omega);
        double squares = 0;
        for (double step : steps) {
            squares += step * step;
        }
        this.length = Math.sqrt(squares);
        this.doubts = new Doubts(model.encoding(), people);
        this.limited = limited(model, workers);
    }

    private @Nullable Responses limited(StackelbergModel model, Workers workers) {
        if (model.game().limits().none()) {
            return null;
        }
        Followers followers = Followers.of(population, p, z).with(model.world().features(people.rows()), workers);
        Responses all = Responses.of(model.world(), model.rule(), people.rows(), followers);
        return all.isLimited() ? all : null;
    }

    /** The limits, with the numbers of people they stop and of those who are stuck; null without limits. */
    ReportData.Limits limits(StackelbergModel model) {
        List<String> words = new ArrayList<>(model.game().limits().inWords());
        GameSpec.Side side = model.game().limits().oneSided();
        if (side != null) {
            words.add("one-sided " + side.name().toLowerCase(Locale.ROOT));
        }
        Responses all = limited;
        return all == null
                ? new ReportData.Limits(words, 0, 0, 0)
                : new ReportData.Limits(
                        words,
                        people(i -> all.stops(i) > 0 || all.isStuck(i)),
                        people(i -> all.stops(i) > 0),
                        people(all::isStuck));
    }

    private int people(IntPredicate who) {
        return (int) IntStream.range(0, p.length).filter(who).count();
    }

    /** Returns the predictions for these people after the move, if they move. */
    double[] after(int[] some) {
        return IntStream.of(some).mapToDouble(this::after).toArray();
    }

    /** Weighted mean size of the moves of these encoded columns, in scaled units. */
    double[] meanMoves(int[] some) {
        double[] weights = people.weights();
        double[] sums = new double[some.length];
        double weight = 0;
        // one person after the other, so that each row is read once
        for (int i = 0; i < p.length; i++) {
            weight += weights[i];
            for (int k = 0; k < some.length; k++) {
                sums[k] += steps[some[k]] == 0 ? 0 : weights[i] * Math.abs(scaledMove(i, some[k]));
            }
        }
        double all = weight;
        return Arrays.stream(sums).map(sum -> sum / all).toArray();
    }

    private double scaledMove(int i, int j) {
        return limited == null ? responses.apply(i).step(p[i], z[i]) * steps[j] : limited.scaledMove(i, j);
    }

    /** w_j/c_j in scaled units, 0 for an immutable column. */
    static double step(StackelbergModel model, EncodedColumn column, int j) {
        StackelbergModel.Term term = model.terms().get(j);
        return term.manipulable() ? term.coefficient() * column.scale() / term.cost() : 0;
    }

    /** The people who move furthest, with their largest moves and moves out of the range seen in training. */
    List<ReportData.Mover> furthest() {
        int[] most = movable()
                .boxed()
                .sorted(Comparator.comparingDouble((Integer j) -> -Math.abs(steps[j])))
                .mapToInt(Integer::intValue)
                .toArray();
        int[] largest = IntStream.of(most).limit(MOVES_SHOWN).toArray();
        int[] others = IntStream.of(most).skip(MOVES_SHOWN).toArray();
        int[] movers = movers();
        if (limited != null) {
            return furthestLimited(limited, movers);
        }
        double[][] values = people.values(movers);
        List<ReportData.Mover> list = new ArrayList<>();
        for (int k = 0; k < movers.length; k++) {
            int i = movers[k];
            double[] before = values[k];
            List<ReportData.Move> moves = IntStream.concat(
                            IntStream.of(largest),
                            IntStream.of(others)
                                    .filter(j -> outside(i, j, before))
                                    .limit(MORE_SHOWN))
                    .mapToObj(j -> move(i, j, before[j]))
                    .toList();
            list.add(mover(i, moves));
        }
        return list;
    }

    /** Returns the people who move furthest under limits, where the largest moves differ from person to person. */
    private List<ReportData.Mover> furthestLimited(Responses all, int[] movers) {
        double[][] values = people.values(movers);
        List<ReportData.Mover> list = new ArrayList<>();
        for (int k = 0; k < movers.length; k++) {
            int i = movers[k];
            double[] before = values[k];
            int[] most = movable()
                    .boxed()
                    .sorted(Comparator.comparingDouble((Integer j) -> -Math.abs(all.scaledMove(i, j))))
                    .mapToInt(Integer::intValue)
                    .toArray();
            List<ReportData.Move> moves = IntStream.concat(
                            IntStream.of(most).limit(MOVES_SHOWN),
                            IntStream.of(most)
                                    .skip(MOVES_SHOWN)
                                    .filter(j -> all.isStopped(i, j) || outside(i, j, before))
                                    .limit(MORE_SHOWN))
                    .mapToObj(j -> move(i, j, before[j]))
                    .toList();
            list.add(mover(i, moves));
        }
        return list;
    }

    private ReportData.Mover mover(int i, List<ReportData.Move> moves) {
        return new ReportData.Mover(
                people.label(i),
                truth(i),
                LossWords.wish(loss, z[i]),
                loss.prediction(p[i]),
                loss.prediction(after(i)),
                distance(i),
                moves);
    }

    private int[] movers() {
        double[] distances =
                IntStream.range(0, p.length).mapToDouble(this::distance).toArray();
        return IntStream.range(0, p.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer i) -> -distances[i]))
                .limit(FURTHEST)
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** The moves that leave the range seen in training. */
    ReportData.Outside outside() {
        @Nullable Integer count = null;
        if ((long) p.length * columns.size() <= MOST_CHECKED) {
            count = 0;
            for (int first = 0; first < p.length; first += TOGETHER) {
                int[] some = IntStream.range(first, Math.min(first + TOGETHER, p.length))
                        .toArray();
                count += (int)
                        IntStream.of(outside(some)).filter(moves -> moves > 0).count();
            }
        }
        return new ReportData.Outside(count, outside(movers()));
    }

    /** Returns the number of moves out of the training range, for each of these people. */
    private int[] outside(int[] some) {
        int[] movable = movable().toArray();
        double[][] values = people.values(some);
        return IntStream.range(0, some.length)
                .map(k -> (int) IntStream.of(movable)
                        .filter(j -> outside(some[k], j, values[k]))
                        .count())
                .toArray();
    }

    private boolean outside(int i, int j, double[] before) {
        return doubts.outside(j, before[j], moved(i, j, before[j]));
    }

    private IntStream movable() {
        return IntStream.range(0, steps.length).filter(j -> steps[j] != 0);
    }

    private double moved(int i, int j, double from) {
        if (limited != null) {
            return from + limited.move(i, j);
        }
        return from
                + responses.apply(i).step(p[i], z[i])
                        * steps[j]
                        * columns.get(j).scale();
    }

    private ReportData.Move move(int i, int j, double from) {
        double to = moved(i, j, from);
        ReportData.Doubt doubt = limited != null && limited.isStopped(i, j)
                ? new ReportData.Doubt(Doubts.LIMIT, "A limit stops this move.")
                : doubts.of(j, from, to);
        return new ReportData.Move(columns.get(j).name(), Sampling.sixDigits(from), Sampling.sixDigits(to), doubt);
    }

    /** Means over groups of people. */
    ReportData.GroupTable byGroup(String column, Map<String, int[]> groups) {
        List<ReportData.GroupRow> rows = new ArrayList<>();
        groups.forEach((name, members) -> rows.add(new ReportData.GroupRow(
                name,
                members.length,
                mean(members, i -> (1 - population.truthfulShare()) * distance(i)),
                mean(members, i -> loss.prediction(p[i])),
                mean(members, this::expectedAfter),
                mean(members, this::truth))));
        return new ReportData.GroupTable(column, rows);
    }

    /** Means over each population of people who respond alike, by its name. */
    List<ReportData.PopulationRow> byPopulation(Map<String, Population.Group> kinds) {
        List<ReportData.PopulationRow> rows = new ArrayList<>();
        kinds.forEach((name, kind) -> {
            int[] members = kind.people();
            rows.add(new ReportData.PopulationRow(
                    name,
                    mean(members, i -> z[i]),
                    mean(members, i -> p[i]),
                    mean(members, kind.truthful() ? i -> p[i] : this::after),
                    mean(members, kind.truthful() ? i -> 0 : this::cost)));
        });
        return rows;
    }

    /** The expected pull-through, averaged over the people. */
    double pullThrough() {
        return mean(IntStream.range(0, p.length).toArray(), this::pullThrough);
    }

    /** The expected pull-through, averaged by weight. */
    double weightedPullThrough() {
        return weightedMean(this::pullThrough);
    }

    private double pullThrough(int i) {
        return limited == null ? population.expectedPullThrough(i, omega) : limited.pullThrough(i);
    }

    /** Weighted mean of t_i |z_i - p_i|, if all people move. */
    double meanWay() {
        return weightedMean(i -> limited == null
                ? responses.apply(i).pullThrough() * Math.abs(gap(i))
                : Math.abs(limited.after(i) - p[i]));
    }

    private double weightedMean(IntToDoubleFunction value) {
        double[] weights = people.weights();
        double sum = 0;
        double weight = 0;
        for (int i = 0; i < p.length; i++) {
            sum += weights[i] * value.applyAsDouble(i);
            weight += weights[i];
        }
        return sum / weight;
    }

    private double gap(int i) {
        return z[i] - p[i];
    }

    private double after(int i) {
        return limited == null ? responses.apply(i).after(p[i], z[i]) : limited.after(i);
    }

    private double expectedAfter(int i) {
        double share = population.truthfulShare();
        return share == 0
                ? loss.prediction(after(i))
                : share * loss.prediction(p[i]) + (1 - share) * loss.prediction(after(i));
    }

    /** gamma_i sum_j c_j (x_ij* - x_ij)^2 = t_i (1 - t_i) (z_i - p_i)^2. */
    private double cost(int i) {
        return limited == null ? responses.apply(i).cost(p[i], z[i]) : limited.cost(i);
    }

    private double distance(int i) {
        if (limited != null) {
            double squares = 0;
            for (int j : limited.movable()) {
                squares += limited.scaledMove(i, j) * limited.scaledMove(i, j);
            }
            return Math.sqrt(squares);
        }
        return length * Math.abs(gap(i)) / responses.apply(i).resistance();
    }

    private double truth(int i) {
        return people.y() == null ? Double.NaN : people.y()[i];
    }

    private static double mean(int[] members, IntToDoubleFunction value) {
        return IntStream.of(members).mapToDouble(value).average().orElse(Double.NaN);
    }
}
