package stackelberg.cli.answer;

import java.util.Locale;
import java.util.Optional;
import stackelberg.estimate.Resampling;
import stackelberg.game.World;
import stackelberg.model.response.GammaEstimate;

/**
 * Gamma and costs estimated from observed moves: the result of {@code gamma}.
 *
 * @param judged whether a declared gamma is printed for comparison
 */
public record GammaResult(GammaEstimate estimate, World world, boolean judged) implements Result {
    @Override
    public GammaAnswer json() {
        return GammaAnswer.of(estimate, world);
    }

    @Override
    public Answer answer() {
        boolean unlimited = world.spec().limits().none();
        Answer.Builder answer = Answer.builder();
        answer.say(
                        "%,d people, seen before and after. The gap to the wish explains %s of the change in predictions.",
                        estimate.people(), Numbers.percent(estimate.explained()))
                .say(leftOut(estimate.behaviour().satisfied(), estimate.people()))
                .section();
        answer.block(Answer.table("", "estimate", "95% interval")
                        .row(
                                "gamma",
                                number(estimate.gamma().value()),
                                interval(estimate.gamma().interval()))
                        .row(
                                unlimited ? "pull-through" : "pull-through without limits",
                                number(estimate.pullThrough().value()),
                                interval(estimate.pullThrough().interval()))
                        .build())
                .section();
        GammaAnswer.share(estimate, world).stream().forEach(share -> answer.say(
                        "Under today's rule, people %s%s (--gamma %s).",
                        GapWords.wouldClose(share), unlimited ? "" : ", without limits", Numbers.share(share))
                .section());
        if (judged) {
            answer.say("The rule was fitted for gamma %s.", Numbers.plain(world.gamma()))
                    .section();
        }
        if (!estimate.costs().isEmpty()) {
            Answer.TableBuilder table = Answer.table("cost", "estimate", "95% interval", "declared");
            estimate.costs()
                    .forEach((name, cost) -> table.row(
                            name,
                            number(cost.value()),
                            interval(cost.interval()),
                            number(GammaAnswer.declaredCost(world, name))));
            answer.block(table.build()).section();
        }
        if (!estimate.behaviour().limits().isEmpty()) {
            Answer.TableBuilder table = Answer.table("limit", "at the floor", "at the ceiling", "in between");
            estimate.behaviour()
                    .limits()
                    .forEach(one ->
                            table.row(one.feature(), count(one.atFloor()), count(one.atCeiling()), count(one.free())));
            answer.block(table.build());
        }
        return answer.warnings(estimate.warnings()).build();
    }

    /** A note on the number of people who are left out; empty if there are none. */
    static Optional<String> leftOut(int satisfied, int people) {
        return satisfied == 0
                ? Optional.empty()
                : Optional.of("The limits hold back " + LimitWords.ofPeople(satisfied, people)
                        + " because their score is already as good as they want; they are left out.");
    }

    static String count(int people) {
        return String.format(Locale.ROOT, "%,d", people);
    }

    static String number(double value) {
        return Double.isNaN(value) ? "-" : Double.isInfinite(value) ? "infinite" : Numbers.number(value);
    }

    static String interval(Resampling.Interval interval) {
        return number(interval.low()) + " to " + number(interval.high());
    }
}
