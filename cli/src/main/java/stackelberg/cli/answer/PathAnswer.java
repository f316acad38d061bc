package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;
import stackelberg.model.StackelbergModel;

/** The answer of {@code path}: what all gammas share, and the rest per gamma. */
public record PathAnswer(
        @Meaning("Wall-clock seconds of disjoint phases, of all gammas together.")
        ModelAnswer.Seconds seconds,

        @Meaning("How many times the data were read.") int passes,
        @Meaning("The solver's name.") String solver,
        @JsonUnwrapped Shared shared,

        @Meaning("One entry per gamma.")
        @JsonIgnoreProperties({
            "seconds",
            "passes",
            "solver",
            "target",
            "weight",
            "totalWeight",
            "immutable",
            "today",
            "truthfulShare"
        })
        List<ModelAnswer> path) {
    public static PathAnswer of(List<StackelbergModel> models, StackelbergModel.Phases seconds, int passes) {
        StackelbergModel first = models.get(0);
        List<ModelAnswer> path = models.stream().map(ModelAnswer::of).toList();
        ModelAnswer shared = path.get(0);
        return new PathAnswer(
                ModelAnswer.Seconds.of(seconds),
                passes,
                first.solver().name(),
                new Shared(
                        first.game().truthfulShare(),
                        first.game().chosenTarget(),
                        first.game().weight(),
                        first.losses().totalWeight(),
                        shared.rule().immutable(),
                        shared.game().today()),
                path);
    }

    /** What does not depend on gamma. */
    record Shared(
            @Meaning("The share of people who do not move.") double truthfulShare,
            @Meaning("The column that is predicted.") String target,

            @Meaning("The column of sample weights, or null.") @Nullable
            String weight,

            @Meaning("The sum of the sample weights, or null where it is not known.") @Nullable
            Double totalWeight,

            @Meaning("The encoded columns that people cannot change.")
            List<String> immutable,

            @Meaning("Today's rule; null where it is not known.")
            ModelAnswer.@Nullable Today today) {}
}
