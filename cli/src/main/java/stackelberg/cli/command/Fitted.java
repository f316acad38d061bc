package stackelberg.cli.command;

import java.util.List;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression.FitOptions;
import stackelberg.model.Training;

/**
 * Fitted models together with their training data, so that other gammas can be fitted too.
 *
 * @param training the people, encoded and reduced
 */
record Fitted(Training training, List<StackelbergModel> models) {
    /** The first model. */
    StackelbergModel model() {
        return models.get(0);
    }

    /** A copy with other options for further fits. */
    Fitted by(FitOptions options) {
        return new Fitted(training.withOptions(options), models);
    }
}
