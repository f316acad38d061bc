package stackelberg.cli.text;

import java.util.Locale;
import java.util.Map;
import stackelberg.cli.answer.GammaAnswer;
import stackelberg.cli.answer.Numbers;
import stackelberg.game.World;
import stackelberg.model.response.Bootstrap;
import stackelberg.model.response.GammaEstimate;

/** What people showed of gamma and costs, as text. */
public final class GammaReport {
    private GammaReport() {}

    /** @param judged whether somebody said what gamma is */
    public static String text(GammaEstimate estimate, World world, boolean judged) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "%,d people, seen before and after. The gap to the wish explains %s of the change in predictions.%n%s%n",
                estimate.people(),
                Numbers.percent(estimate.explained()),
                leftOut(estimate.behaviour().satisfied(), estimate.people())));
        text.append(new TextTable()
                .add("", "estimate", "95% interval")
                .add(
                        "gamma",
                        number(estimate.gamma().value()),
                        interval(estimate.gamma().interval()))
                .add(
                        world.spec().limits().none() ? "pull-through" : "pull-through if nothing stops people",
                        number(estimate.pullThrough().value()),
                        interval(estimate.pullThrough().interval())));
        GammaAnswer.share(estimate, world).stream()
                .mapToObj(Numbers::share)
                .forEach(share -> text.append(String.format(
                        Locale.ROOT,
                        "%nUnder today's rule, people would close %s of the gap to the score they want%s (--gamma %s).%n",
                        share,
                        world.spec().limits().none() ? "" : ", if nothing stopped it",
                        share)));
        if (judged) {
            text.append(String.format(
                    Locale.ROOT, "%nThe rule was judged with gamma %s until now.%n", Numbers.plain(world.gamma())));
        }
        if (!estimate.costs().isEmpty()) {
            TextTable table = new TextTable().add("cost", "estimate", "95% interval", "declared");
            Map<String, Double> declared = GammaAnswer.declaredCosts(world, estimate);
            estimate.costs()
                    .forEach((name, cost) -> table.add(
                            name, number(cost.value()), interval(cost.interval()), number(declared.get(name))));
            text.append('\n').append(table);
        }
        if (!estimate.behaviour().limits().isEmpty()) {
            TextTable table = new TextTable().add("limit", "at the floor", "at the ceiling", "free to tell");
            estimate.behaviour()
                    .limits()
                    .forEach(one ->
                            table.add(one.feature(), count(one.atFloor()), count(one.atCeiling()), count(one.free())));
            text.append('\n').append(table);
        }
        return text.toString();
    }

    /** A line on those who do not count. */
    static String leftOut(int satisfied, int people) {
        return satisfied == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "The limits hold back %s because their score is as good as they wish: they are left out.%n",
                        LimitWords.ofPeople(satisfied, people));
    }

    private static String count(int people) {
        return String.format(Locale.ROOT, "%,d", people);
    }

    static String number(double value) {
        return Double.isNaN(value) ? "-" : Double.isInfinite(value) ? "infinite" : Numbers.number(value);
    }

    static String interval(Bootstrap.Interval interval) {
        return number(interval.low()) + " to " + number(interval.high());
    }
}
