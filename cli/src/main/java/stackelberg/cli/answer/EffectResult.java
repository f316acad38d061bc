package stackelberg.cli.answer;

import stackelberg.game.World;
import stackelberg.model.response.EffectEstimate;

/** Real effects as estimated from outcomes: the result of {@code effect}. */
public record EffectResult(EffectEstimate estimate, World world) implements Result {
    @Override
    public EffectAnswer json() {
        return EffectAnswer.of(estimate, world);
    }

    @Override
    public Answer answer() {
        Answer.TableBuilder rules = Answer.table(
                "rule", "people", "gap closed", "95% interval", "by the target", "95% interval", "target per point");
        Answer.Builder answer = Answer.builder();
        for (EffectEstimate.UnderRule rule : estimate.rules()) {
            rules.row(
                    rule.name(),
                    GammaResult.count(rule.people()),
                    GammaResult.number(rule.closed().value()),
                    GammaResult.interval(rule.closed().interval()),
                    GammaResult.number(rule.earned().value()),
                    GammaResult.interval(rule.earned().interval()),
                    GammaResult.number(rule.real().value()));
        }
        answer.say(
                        "%,d people with features and %s before and after.",
                        estimate.people(), world.spec().chosenTarget())
                .section()
                .block(rules.build())
                .section();
        for (EffectEstimate.UnderRule rule : estimate.rules()) {
            if (!Double.isNaN(rule.earned().value())) {
                answer.say(
                        "%s: %s",
                        rule.name(),
                        !rule.notAllGaming()
                                ? "the moves may all have been gaming."
                                : rule.real().value() > 0
                                        ? "the moves were not all gaming, because the target moved along."
                                        : "the moves did harm, because the target moved the other way.");
            }
        }
        answer.section();
        if (!estimate.effects().isEmpty()) {
            Answer.TableBuilder table = Answer.table("effect of one unit", "estimate", "95% interval", "declared");
            estimate.effects()
                    .forEach((name, effect) -> table.row(
                            name,
                            GammaResult.number(effect.value()),
                            GammaResult.interval(effect.interval()),
                            GammaResult.number(EffectAnswer.declared(world, name))));
            answer.block(table.build()).section();
        }
        if (!estimate.unidentified().isEmpty()) {
            answer.say(
                            "Effects that cannot be separated with these rules: %s.",
                            String.join(", ", estimate.unidentified()))
                    .section();
        }
        if (!estimate.unmoved().isEmpty()) {
            answer.say("Not rewarded by any rule, so not estimated: %s.", String.join(", ", estimate.unmoved()));
        }
        return answer.warnings(estimate.warnings()).build();
    }
}
