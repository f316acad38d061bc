package stackelberg.cli.answer;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@code predict --json} prints.
 *
 * @param target the column that is predicted
 * @param loss the loss; only where it is not squared
 * @param gamma the gamma of all people; null if people have their own gammas
 * @param pullThrough the share of the gap to their wish that people close
 * @param rows the number of people
 * @param filled for each column with missing values, how many were filled in and with what
 * @param predictions one entry per person
 */
public record PredictionAnswer(
        String target,
        @JsonInclude(NON_NULL) @Nullable String loss,
        double gamma,
        double pullThrough,
        int rows,
        Map<String, ModelAnswer.Filled> filled,
        List<Person> predictions) {

    /**
     * The prediction for one person: a number, or with logistic loss a probability and its score in log-odds.
     *
     * @param row the number of the row in the data, from 1
     * @param prediction the prediction from the person's present features
     * @param score the value of prediction in log-odds; only with logistic loss
     * @param wish the score that the person wants; null if it is not known
     * @param pullThrough the share of the gap that this person closes; only where people have their own gammas
     * @param afterResponse the prediction after the person has moved; null if the wish is not known
     * @param afterScore the value of afterResponse in log-odds; only with logistic loss
     */
    public record Person(
            @JsonUnwrapped @Nullable PersonId id,
            long row,
            double prediction,
            @JsonInclude(NON_NULL) @Nullable Double score,
            double wish,
            @JsonInclude(NON_NULL) @Nullable Double pullThrough,
            double afterResponse,
            @JsonInclude(NON_NULL) @Nullable Double afterScore) {}
}
