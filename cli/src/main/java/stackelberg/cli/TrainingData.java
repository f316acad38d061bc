package stackelberg.cli;

import java.util.List;
import stackelberg.data.Table;
import stackelberg.linalg.Matrix;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression;
import stackelberg.sphere.SphereProblem;

/** Data to learn from, in the form the estimator takes without a copy. */
sealed interface TrainingData {
    /** How long the data took to read. */
    double readSeconds();

    /** The models of the given choices, which are told the target and the wish. */
    List<StackelbergModel> models(StackelbergRegression.Builder choices, double... gammas);

    /** The optimisation problem of the given choices, which are told the target and the wish. */
    SphereProblem sphereProblem(StackelbergRegression.Builder choices);

    /** One model per gamma, each knowing how long its data took to read. */
    default List<StackelbergModel> fitPath(StackelbergRegression.Builder choices, double... gammas) {
        return models(choices, gammas).stream()
                .map(model -> model.withReadSeconds(readSeconds()))
                .toList();
    }

    default StackelbergModel fit(StackelbergRegression.Builder choices, double gamma) {
        return fitPath(choices, gamma).get(0);
    }

    /** Columns by name. */
    record OfTable(Table table, String target, String wish, double readSeconds) implements TrainingData {
        @Override
        public List<StackelbergModel> models(StackelbergRegression.Builder choices, double... gammas) {
            return choices.target(target).wish(wish).build().fitPath(table, gammas);
        }

        @Override
        public SphereProblem sphereProblem(StackelbergRegression.Builder choices) {
            return choices.target(target).wish(wish).build().sphereProblem(table);
        }
    }

    /** Features that are numbers already, with the truth and the wishes beside them. */
    record OfMatrix(Matrix x, double[] y, double[] z, String wish, double readSeconds) implements TrainingData {
        @Override
        public List<StackelbergModel> models(StackelbergRegression.Builder choices, double... gammas) {
            return choices.target(ArrayData.TRUTH).wish(wish).build().fitPath(x, y, z, gammas);
        }

        @Override
        public SphereProblem sphereProblem(StackelbergRegression.Builder choices) {
            return choices.target(ArrayData.TRUTH).wish(wish).build().sphereProblem(x, y, z);
        }
    }
}
