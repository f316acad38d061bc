package stackelberg.cli.command;

import java.util.List;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression.FitOptions;
import stackelberg.model.Training;

/**
 * Models and what they were learned from, which is there for other gammas too.
 *
 * @param training the people, encoded and reduced
 */
record Fitted(Training training, List<StackelbergModel> models) {
    /** The first model. */
    StackelbergModel model() {
        return models.get(0);
    }

    /** The same, with other options for whatever is fitted besides. */
    Fitted by(FitOptions options) {
        return new Fitted(training.by(options), models);
    }
}
