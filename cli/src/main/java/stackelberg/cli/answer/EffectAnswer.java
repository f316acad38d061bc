package stackelberg.cli.answer;

import java.util.List;
import stackelberg.data.Message;
import stackelberg.game.World;
import stackelberg.model.response.EffectEstimate;

/**
 * What {@code effect --json} prints: how much moves really changed the target.
 *
 * @param people the number of people seen before and after, over all rules
 * @param identified whether the data identify the effect of every feature that a rule rewards
 * @param rules one entry per published rule
 * @param effects the estimated effect of each feature
 * @param notIdentified features whose effects cannot be separated with these rules
 * @param notRewarded features that no rule rewards
 * @param warnings what to check before the estimates are used
 */
public record EffectAnswer(
        int people,
        boolean identified,
        List<Rule> rules,
        List<Effect> effects,
        List<String> notIdentified,
        List<String> notRewarded,
        List<Message> warnings) {

    /**
     * How people moved under one rule, and how their outcomes changed. Intervals are [low, high] with 95% confidence.
     *
     * @param rule the name of the rule
     * @param people the number of people who responded to the rule
     * @param closed the share of the gap that the score closed
     * @param closedInterval the interval of closed
     * @param earned the share of the gap that the target itself closed
     * @param earnedInterval the interval of earned
     * @param real by how much the target rises per point of score gained by moving
     * @param realInterval the interval of real
     * @param combination the sum over features of effect * coefficient / cost: one rule alone identifies only this combination of the effects
     * @param combinationInterval the interval of combination
     * @param notAllGaming whether the moves changed the target: the interval of real does not contain 0
     */
    record Rule(
            String rule,
            int people,
            double closed,
            List<Double> closedInterval,
            double earned,
            List<Double> earnedInterval,
            double real,
            List<Double> realInterval,
            double combination,
            List<Double> combinationInterval,
            boolean notAllGaming) {
        static Rule of(EffectEstimate.UnderRule rule) {
            return new Rule(
                    rule.name(),
                    rule.people(),
                    rule.closed().value(),
                    Finite.ends(rule.closed().interval()),
                    rule.earned().value(),
                    Finite.ends(rule.earned().interval()),
                    rule.real().value(),
                    Finite.ends(rule.real().interval()),
                    rule.combination().value(),
                    Finite.ends(rule.combination().interval()),
                    rule.notAllGaming());
        }
    }

    /**
     * What one feature does to the target.
     *
     * @param feature the feature
     * @param effect the real change of the target for a move of the feature by one raw unit
     * @param interval the 95% interval of the effect, [low, high]
     * @param declared the effect of the feature as declared
     */
    record Effect(String feature, double effect, List<Double> interval, double declared) {}

    public static EffectAnswer of(EffectEstimate estimate, World world) {
        return new EffectAnswer(
                estimate.people(),
                estimate.identified(),
                estimate.rules().stream().map(Rule::of).toList(),
                estimate.effects().entrySet().stream()
                        .map(one -> new Effect(
                                one.getKey(),
                                one.getValue().value(),
                                Finite.ends(one.getValue().interval()),
                                declared(world, one.getKey())))
                        .toList(),
                estimate.unidentified(),
                estimate.unmoved(),
                estimate.warnings());
    }

    /** The declared effect of one raw unit of a feature. */
    public static double declared(World world, String name) {
        int j = world.encoding().names().indexOf(name);
        return world.effects()[j] / world.encoding().columns().get(j).scale();
    }
}
