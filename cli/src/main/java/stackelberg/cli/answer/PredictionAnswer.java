package stackelberg.cli.answer;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What {@code predict --json} prints. */
public record PredictionAnswer(
        @Meaning("The target.") String target,

        @Meaning("The loss; only where it is not squared.") @JsonInclude(NON_NULL) @Nullable
        String loss,

        @Meaning("Gamma; null if people have their own.") double gamma,

        @Meaning("The share of the gap to their wish that people close.")
        double pullThrough,

        @Meaning("The number of people.") int rows,

        @Meaning("By column with missing values: how many were filled in, and with what.")
        Map<String, ModelAnswer.Filled> filled,

        @Meaning("One entry per person.") List<Person> predictions) {

    /** The prediction for one person: a number, or with logistic loss a probability and its score in log-odds. */
    public record Person(
            @JsonUnwrapped @Nullable PersonId id,

            @Meaning("The number of the row in the data, from 1.")
            long row,

            @Meaning("The prediction from the person's present features.")
            double prediction,

            @Meaning("The same in log-odds; only with logistic loss.") @JsonInclude(NON_NULL) @Nullable
            Double score,

            @Meaning("The wish; null if it is not known.") double wish,

            @Meaning("The share of its gap that this person closes; only where people have their own gammas.")
            @JsonInclude(NON_NULL)
            @Nullable
            Double pullThrough,

            @Meaning("The prediction after the person has moved; null if the wish is not known.")
            double afterResponse,

            @Meaning("The same in log-odds; only with logistic loss.") @JsonInclude(NON_NULL) @Nullable
            Double afterScore) {}
}
