package stackelberg.cli.answer;

import java.util.List;
import stackelberg.data.Message;
import stackelberg.game.World;
import stackelberg.model.response.EffectEstimate;

/** What {@code effect --json} prints: how much moves really changed the target. */
public record EffectAnswer(
        @Meaning("People seen before and after, over all rules.")
        int people,

        @Meaning("Whether the data identify the effect of every feature that a rule rewards.")
        boolean identified,

        @Meaning("One entry per published rule.") List<Rule> rules,
        @Meaning("The estimated effect of each feature.") List<Effect> effects,

        @Meaning("Features whose effects cannot be separated with these rules.")
        List<String> notIdentified,

        @Meaning("Features that no rule rewards.") List<String> notRewarded,

        @Meaning("What to check before the estimates are used.")
        List<Message> warnings) {

    /** How people moved under one rule, and how their outcomes changed. Intervals are [low, high] with 95% confidence. */
    record Rule(
            @Meaning("The name of the rule.") String rule,
            @Meaning("People who responded to it.") int people,

            @Meaning("The share of the gap that the score closed.")
            double closed,

            @Meaning("Its interval.") List<Double> closedInterval,

            @Meaning("The share of the gap that the target itself closed.")
            double earned,

            @Meaning("Its interval.") List<Double> earnedInterval,

            @Meaning("By how much the target rises per point of score gained by moving.")
            double real,

            @Meaning("Its interval.") List<Double> realInterval,

            @Meaning(
                    "The sum over features of effect * coefficient / cost: one rule alone identifies only this combination of the effects.")
            double combination,

            @Meaning("Its interval.") List<Double> combinationInterval,

            @Meaning("Whether the moves changed the target: the interval of real does not contain 0.")
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

    /** What one feature does to the target. */
    record Effect(
            @Meaning("The feature.") String feature,

            @Meaning("The real change of the target for a move of the feature by one raw unit.")
            double effect,

            @Meaning("Its 95% interval, [low, high].") List<Double> interval,
            @Meaning("The declared effect.") double declared) {}

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
