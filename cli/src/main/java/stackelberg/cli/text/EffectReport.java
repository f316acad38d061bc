package stackelberg.cli.text;

import java.util.Locale;
import stackelberg.cli.answer.EffectAnswer;
import stackelberg.game.World;
import stackelberg.model.response.EffectEstimate;

/** What outcomes showed of real effects, as text. */
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
                            GammaReport.number(EffectAnswer.declared(world, name))));
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
}
