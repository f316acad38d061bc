package stackelberg.cli.command;

import java.util.List;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression.FitOptions;
import stackelberg.model.Training;

/**
 * Fitted models and the training data, with which further gammas can be fitted.
 *
 * @param training the encoded and reduced training data
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
