package stackelberg.cli.option;

import java.util.List;
import java.util.Optional;
import stackelberg.cli.report.People;
import stackelberg.data.Source;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.game.OutOfRange;
import stackelberg.game.PublishedRule;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression;
import stackelberg.model.tuning.Tuning;
import stackelberg.model.tuning.TuningListener;
import stackelberg.model.tuning.TuningPlan;
import stackelberg.sphere.SphereProblem;

/** Data to learn from, in the form the estimator takes without a copy. */
public sealed interface TrainingData {
    /** How long the data took to read. */
    double readSeconds();

    /** The models of the given choices, which are told the target and the wish. */
    List<StackelbergModel> models(StackelbergRegression.Builder choices, double... gammas);

    /** The optimisation problem of the given choices, which are told the target and the wish. */
    SphereProblem sphereProblem(StackelbergRegression.Builder choices);

    /** The cross-validation of the given choices; whatever depends on the rows comes from each fold's training part. */
    Tuning tune(StackelbergRegression.Builder choices, TuningPlan plan, TuningListener listener);

    /** Least squares, the naive rival, where it is computed. */
    Optional<PublishedRule> leastSquares(StackelbergRegression.Builder choices);

    /** The people that a model of these data was fitted to. */
    People people(StackelbergModel model);

    /** What the data are called. */
    String name();

    /** One model per gamma, each knowing how long its data took to read. */
    default List<StackelbergModel> fitPath(StackelbergRegression.Builder choices, double... gammas) {
        return models(choices, gammas).stream()
                .map(model -> model.withReadSeconds(readSeconds()))
                .toList();
    }

    default StackelbergModel fit(StackelbergRegression.Builder choices, double gamma) {
        return fitPath(choices, gamma).get(0);
    }

    /** The same, with a warning if people who respond to the rule would end where nobody was seen. */
    default StackelbergModel fitAndWarn(StackelbergRegression.Builder choices, double gamma, Workers workers) {
        StackelbergModel model = fit(choices, gamma);
        if (!model.optimality().finite() || model.game().mixed()) {
            return model;
        }
        People people = people(model);
        return OutOfRange.warning(people.outOfRange(model, workers).orElse(0), people.size(), false)
                .map(model::withWarning)
                .orElse(model);
    }

    /** Columns by name. */
    record OfTable(Table table, String target, String wish, double readSeconds) implements TrainingData {
        public StackelbergRegression regression(StackelbergRegression.Builder choices) {
            return choices.target(target).wish(wish).build();
        }

        @Override
        public List<StackelbergModel> models(StackelbergRegression.Builder choices, double... gammas) {
            return regression(choices).fitPath(table, gammas);
        }

        @Override
        public SphereProblem sphereProblem(StackelbergRegression.Builder choices) {
            return regression(choices).sphereProblem(table);
        }

        @Override
        public Tuning tune(StackelbergRegression.Builder choices, TuningPlan plan, TuningListener listener) {
            return regression(choices).tune(table, plan, listener);
        }

        @Override
        public Optional<PublishedRule> leastSquares(StackelbergRegression.Builder choices) {
            return regression(choices).leastSquares(table);
        }

        @Override
        public People people(StackelbergModel model) {
            return People.of(table, model);
        }

        @Override
        public String name() {
            return table.source().map(Source::name).orElse("arrays");
        }
    }

    /**
     * Features that are numbers already, with the truth and the wishes beside them.
     *
     * @param wish the rule with its statistics frozen, or the name of the wishes
     * @param rule the rule as it was written, null if the wishes were given as numbers
     */
    record OfMatrix(Matrix x, double[] y, double[] z, String wish, String rule, double readSeconds)
            implements TrainingData {
        private StackelbergRegression regression(StackelbergRegression.Builder choices) {
            return choices.target(ArrayData.TRUTH).wish(wish).build();
        }

        @Override
        public List<StackelbergModel> models(StackelbergRegression.Builder choices, double... gammas) {
            return regression(choices).fitPath(x, y, z, gammas);
        }

        @Override
        public SphereProblem sphereProblem(StackelbergRegression.Builder choices) {
            return regression(choices).sphereProblem(x, y, z);
        }

        @Override
        public Tuning tune(StackelbergRegression.Builder choices, TuningPlan plan, TuningListener listener) {
            return rule == null
                    ? regression(choices).tune(x, y, z, plan, listener)
                    : regression(choices).tune(x, y, Wish.parse(rule, List.of(ArrayData.TRUTH)), plan, listener);
        }

        @Override
        public Optional<PublishedRule> leastSquares(StackelbergRegression.Builder choices) {
            return regression(choices).leastSquares(x, y, z);
        }

        @Override
        public People people(StackelbergModel model) {
            return new People.OfMatrix(x, y, z);
        }

        @Override
        public String name() {
            return "arrays";
        }
    }
}
