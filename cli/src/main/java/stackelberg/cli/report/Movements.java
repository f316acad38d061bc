package stackelberg.cli.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import stackelberg.data.EncodedColumn;
import stackelberg.game.PullThrough;
import stackelberg.model.StackelbergModel;

/** How people move under a rule: x_i* - x_i = (z_i - p_i)/(gamma + omega) w/c, all along one line, those with the largest gap furthest. */
final class Movements {
    private static final int FURTHEST = 10;
    private static final int MOVES_SHOWN = 3;

    private final People people;
    private final double[] p;
    private final double[] z;
    private final List<EncodedColumn> columns;
    /** w_j/c_j in scaled units. */
    private final double[] steps;

    private final double reach;
    private final double pullThrough;
    private final double remainder;
    private final double distancePerGap;

    /**
     * Of people for whom moving costs gamma.
     *
     * @param model a finite rule for people who all respond alike
     * @param p what it predicts everybody
     */
    Movements(StackelbergModel model, People people, double[] p, double gamma) {
        this.people = people;
        this.p = p;
        this.z = people.z();
        this.columns = model.encoding().columns();
        this.steps = IntStream.range(0, columns.size())
                .mapToDouble(j -> step(model, columns.get(j), j))
                .toArray();
        double omega = model.omega();
        this.reach = gamma + omega;
        this.pullThrough = PullThrough.of(omega, gamma);
        this.remainder = PullThrough.remainder(omega, gamma);
        double squares = 0;
        for (double step : steps) {
            squares += step * step;
        }
        this.distancePerGap = Math.sqrt(squares) / reach;
    }

    /** w_j/c_j in scaled units, 0 where nobody can move. */
    static double step(StackelbergModel model, EncodedColumn column, int j) {
        StackelbergModel.Term term = model.terms().get(j);
        return term.manipulable() ? term.coefficient() * column.scale() / term.cost() : 0;
    }

    /** Those who move furthest, with what they move most. */
    List<ReportData.Mover> furthest() {
        int[] movers = IntStream.range(0, p.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer i) -> -Math.abs(gap(i))))
                .limit(FURTHEST)
                .mapToInt(Integer::intValue)
                .toArray();
        int[] most = IntStream.range(0, steps.length)
                .filter(j -> steps[j] != 0)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer j) -> -Math.abs(steps[j])))
                .limit(MOVES_SHOWN)
                .mapToInt(Integer::intValue)
                .toArray();
        double[][] values = people.values(movers);
        List<ReportData.Mover> list = new ArrayList<>();
        for (int k = 0; k < movers.length; k++) {
            int i = movers[k];
            double[] before = values[k];
            List<ReportData.Move> moves =
                    IntStream.of(most).mapToObj(j -> move(i, j, before[j])).toList();
            list.add(new ReportData.Mover(people.label(i), truth(i), z[i], p[i], after(i), distance(i), moves));
        }
        return list;
    }

    private ReportData.Move move(int i, int j, double from) {
        double to = from + gap(i) / reach * steps[j] * columns.get(j).scale();
        return new ReportData.Move(columns.get(j).name(), ReportBuilder.sixDigits(from), ReportBuilder.sixDigits(to));
    }

    /** Means over groups of people. */
    ReportData.GroupTable byGroup(String column, Map<String, int[]> groups) {
        List<ReportData.GroupRow> rows = new ArrayList<>();
        groups.forEach((name, members) -> rows.add(new ReportData.GroupRow(
                name,
                members.length,
                mean(members, this::distance),
                mean(members, i -> p[i]),
                mean(members, this::after),
                mean(members, this::truth))));
        return new ReportData.GroupTable(column, rows);
    }

    private double gap(int i) {
        return z[i] - p[i];
    }

    private double after(int i) {
        return remainder * p[i] + pullThrough * z[i];
    }

    private double distance(int i) {
        return distancePerGap * Math.abs(gap(i));
    }

    private double truth(int i) {
        return people.y() == null ? Double.NaN : people.y()[i];
    }

    private static double mean(int[] members, IntToDoubleFunction value) {
        return IntStream.of(members).mapToDouble(value).average().orElse(Double.NaN);
    }
}
