package stackelberg.cli.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import stackelberg.game.World;
import stackelberg.model.response.Bootstrap;
import stackelberg.model.response.EffectEstimate;

/** What outcomes showed of real effects, as text and as an object with stable keys. */
public final class EffectReport {
    private EffectReport() {}

    public static String text(EffectEstimate estimate, World world) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "%,d people, seen before and after with %s as it came out.%n%n",
                estimate.people(),
                world.target()));
        TextTable rules = new TextTable()
                .add(
                        "rule",
                        "people",
                        "gap closed",
                        "95% interval",
                        "by the truth",
                        "95% interval",
                        "worth of a point");
        for (EffectEstimate.UnderRule rule : estimate.rules()) {
            rules.add(
                    rule.name(),
                    String.format(Locale.ROOT, "%,d", rule.people()),
                    GammaReport.number(rule.closed().value()),
                    GammaReport.interval(rule.closed().interval()),
                    GammaReport.number(rule.earned().value()),
                    GammaReport.interval(rule.earned().interval()),
                    GammaReport.number(rule.real().value()));
        }
        text.append(rules).append('\n');
        for (EffectEstimate.UnderRule rule : estimate.rules()) {
            if (!Double.isNaN(rule.earned().value())) {
                text.append(String.format(
                        Locale.ROOT,
                        "%s: %s%n",
                        rule.name(),
                        !rule.notAllGaming()
                                ? "all moves may have been for show."
                                : rule.real().value() > 0
                                        ? "not all moves were for show, the target moved along."
                                        : "moves did harm, the target moved the other way."));
            }
        }
        if (!estimate.effects().isEmpty()) {
            TextTable table = new TextTable().add("effect of one unit", "estimate", "95% interval", "declared");
            estimate.effects()
                    .forEach((name, effect) -> table.add(
                            name,
                            GammaReport.number(effect.value()),
                            GammaReport.interval(effect.interval()),
                            GammaReport.number(declared(world, name))));
            text.append('\n').append(table);
        }
        if (!estimate.unidentified().isEmpty()) {
            text.append(String.format("%nNot told apart: %s.%n", String.join(", ", estimate.unidentified())));
        }
        if (!estimate.unmoved().isEmpty()) {
            text.append(String.format("%nRewarded by no rule: %s.%n", String.join(", ", estimate.unmoved())));
        }
        return text.toString();
    }

    /** What a move by one unit of the data was declared to do. */
    private static double declared(World world, String name) {
        int j = world.encoding().names().indexOf(name);
        return world.effects()[j] / world.encoding().columns().get(j).scale();
    }

    public static Map<String, Object> object(EffectEstimate estimate, World world) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("people", estimate.people());
        object.put("identified", estimate.identified());
        List<Map<String, Object>> rules = new ArrayList<>();
        for (EffectEstimate.UnderRule rule : estimate.rules()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("rule", rule.name());
            row.put("people", rule.people());
            put(row, "closed", rule.closed());
            put(row, "earned", rule.earned());
            put(row, "real", rule.real());
            put(row, "combination", rule.combination());
            row.put("notAllGaming", rule.notAllGaming());
            rules.add(row);
        }
        object.put("rules", rules);
        List<Map<String, Object>> effects = new ArrayList<>();
        estimate.effects().forEach((name, effect) -> {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("feature", name);
            row.put("effect", Json.finite(effect.value()));
            row.put("interval", ComparisonReport.intervalObject(effect.interval()));
            row.put("declared", Json.finite(declared(world, name)));
            effects.add(row);
        });
        object.put("effects", effects);
        object.put("notIdentified", estimate.unidentified());
        object.put("notRewarded", estimate.unmoved());
        object.put("warnings", estimate.warnings());
        return object;
    }

    private static void put(Map<String, Object> row, String key, Bootstrap.Estimate estimate) {
        row.put(key, Json.finite(estimate.value()));
        row.put(key + "Interval", ComparisonReport.intervalObject(estimate.interval()));
    }
}
