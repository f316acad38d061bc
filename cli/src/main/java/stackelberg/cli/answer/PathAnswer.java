package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;
import stackelberg.model.StackelbergModel;

/**
 * The answer of {@code path}: the values that all gammas share, and one model per gamma.
 *
 * @param seconds wall-clock seconds of disjoint phases, of all gammas together
 * @param passes the number of passes over the data, for all gammas together
 * @param solver the solver's name
 * @param path one entry per gamma
 */
public record PathAnswer(
        ModelAnswer.Seconds seconds,
        int passes,
        String solver,
        @JsonUnwrapped Shared shared,

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

    /**
     * The values that do not depend on gamma.
     *
     * @param truthfulShare the share of people who do not move
     * @param target the column that is predicted
     * @param weight the column of sample weights; null if there is none
     * @param totalWeight the sum of the sample weights; null where it is not known
     * @param immutable the encoded columns that people cannot change
     * @param today today's rule; null where it is not known
     */
    record Shared(
            double truthfulShare,
            String target,
            @Nullable String weight,
            @Nullable Double totalWeight,
            List<String> immutable,
            ModelAnswer.@Nullable Today today) {}
}
