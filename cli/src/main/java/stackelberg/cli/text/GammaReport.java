package stackelberg.cli.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import stackelberg.cli.answer.Numbers;
import stackelberg.game.World;
import stackelberg.model.response.Bootstrap;
import stackelberg.model.response.GammaEstimate;

/** What people showed of gamma and costs, as text and as an object with stable keys. */
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
        share(estimate, world)
                .ifPresent(share -> text.append(String.format(
                        Locale.ROOT,
                        "%nIn words: who faces today's rule would close %s of the gap to its wish%s (--gamma %s).%n",
                        share,
                        world.spec().limits().none() ? "" : ", if nothing stopped it",
                        share)));
        if (judged) {
            text.append(String.format(
                    Locale.ROOT, "%nThe rule was judged with gamma %s until now.%n", Numbers.plain(world.gamma())));
        }
        if (!estimate.costs().isEmpty()) {
            TextTable table = new TextTable().add("cost", "estimate", "95% interval", "declared");
            Map<String, Double> declared = declaredCosts(world, estimate);
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

    /** The estimate as a share of the gap that people close under today's rule, where the model knows that. */
    private static Optional<String> share(GammaEstimate estimate, World world) {
        double gamma = estimate.gamma().value();
        if (!(gamma > 0) || Double.isInfinite(gamma)) {
            return Optional.empty();
        }
        OptionalDouble share = world.withGamma(gamma).gammaShare();
        return share.isEmpty() ? Optional.empty() : Optional.of(Numbers.share(share.getAsDouble()));
    }

    /** The declared costs of the same features. */
    static Map<String, Double> declaredCosts(World world, GammaEstimate estimate) {
        Map<String, Double> costs = new LinkedHashMap<>();
        List<String> names = world.encoding().names();
        for (String name : estimate.costs().keySet()) {
            costs.put(name, world.costs()[names.indexOf(name)]);
        }
        return costs;
    }

    static String number(double value) {
        return Double.isNaN(value) ? "-" : Double.isInfinite(value) ? "infinite" : Numbers.number(value);
    }

    static String interval(Bootstrap.Interval interval) {
        return number(interval.low()) + " to " + number(interval.high());
    }

    private static Map<String, Object> behaviour(GammaEstimate.Behaviour behaviour) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("moved", behaviour.moved());
        object.put("against", behaviour.against());
        object.put("satisfied", behaviour.satisfied());
        object.put("immutableChanges", behaviour.immovable());
        List<Map<String, Object>> limits = new ArrayList<>();
        behaviour.limits().forEach(one -> {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("feature", one.feature());
            row.put("atFloor", one.atFloor());
            row.put("atCeiling", one.atCeiling());
            row.put("free", one.free());
            limits.add(row);
        });
        object.put("limits", limits);
        return object;
    }

    public static Map<String, Object> object(GammaEstimate estimate, World world) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("people", estimate.people());
        object.put("identified", estimate.identified());
        object.put("gamma", Json.finite(estimate.gamma().value()));
        object.put(
                "gammaInterval",
                ComparisonReport.intervalObject(estimate.gamma().interval()));
        double gamma = estimate.gamma().value();
        OptionalDouble share = gamma > 0 && gamma < Double.POSITIVE_INFINITY
                ? world.withGamma(gamma).gammaShare()
                : OptionalDouble.empty();
        object.put("gammaShare", share.isPresent() ? Json.finite(share.getAsDouble()) : null);
        object.put("pullThrough", Json.finite(estimate.pullThrough().value()));
        object.put(
                "pullThroughInterval",
                ComparisonReport.intervalObject(estimate.pullThrough().interval()));
        object.put("explained", Json.finite(estimate.explained()));
        List<Map<String, Object>> costs = new ArrayList<>();
        Map<String, Double> declared = declaredCosts(world, estimate);
        estimate.costs().forEach((name, cost) -> {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("feature", name);
            row.put("cost", Json.finite(cost.value()));
            row.put("interval", ComparisonReport.intervalObject(cost.interval()));
            row.put("declared", Json.finite(declared.get(name)));
            costs.add(row);
        });
        object.put("costs", costs);
        object.put("immutableButChanged", estimate.immovable());
        object.put("behaviour", behaviour(estimate.behaviour()));
        object.put("warnings", estimate.warnings());
        return object;
    }
}
