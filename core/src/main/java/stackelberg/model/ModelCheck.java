package stackelberg.model;

import java.util.List;
import java.util.Set;
import stackelberg.certificate.Certificate;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.game.Settings;
import stackelberg.objective.Solution;

/** Refuses model files whose parts contradict each other. */
final class ModelCheck {
    /** A file may call a model certified only if its relative gap is at most this, whatever version wrote it. */
    private static final double CERTAIN = 1e-6;

    private ModelCheck() {}

    private static Hedge hedge(ModelLayout.Game game, String name) {
        Object declared = game.of(Settings.HEDGE);
        require(declared != null, name, "it does not say whether there is a hedge");
        try {
            return Hedge.fromFile(declared);
        } catch (IllegalArgumentException e) {
            throw senseless(name, "the hedge is " + declared);
        }
    }

    /** Throws, naming the contradiction, if the parts of a model file do not fit together. */
    static void requireSense(ModelLayout model, String name) {
        require(model.terms() != null && model.encoding() != null && model.game() != null, name, "parts are missing");
        require(
                model.optimality() != null && model.losses() != null && model.provenance() != null,
                name,
                "parts are missing");
        require(model.gamma() > 0 && Double.isFinite(model.gamma()), name, "gamma is " + model.gamma());
        require(
                model.pullThrough() >= 0 && model.pullThrough() <= 1,
                name,
                "the pull-through is " + model.pullThrough());
        requireFiniteness(model.optimality(), name);
        Hedge declared = hedge(model.game(), name);
        require(
                declared.isNone() == (model.hedge() == null),
                name,
                "a hedge is " + (declared.isNone() ? "not " : "") + "declared, but its bound is "
                        + (model.hedge() == null ? "missing" : "there"));
        if (model.hedge() != null) {
            Solution.Hedged.Balance balance = model.hedge().balance();
            require(
                    declared.isBalanced() == (balance != null),
                    name,
                    "the rule is " + (declared.isBalanced() ? "" : "not ")
                            + "declared to be balanced, but its regret is " + (balance == null ? "missing" : "there"));
            require(
                    balance == null || balance.regret() >= 0 && balance.regretBound() >= balance.regret(),
                    name,
                    "the regret is "
                            + (balance == null ? "" : balance.regret() + ", its bound " + balance.regretBound()));
            double theta = model.hedge().share();
            require(theta >= 0 && theta <= 1, name, "the share of the hedge is " + theta);
        }
        boolean limits = model.game().of(Settings.LIMIT) != null || model.game().of(Settings.ONE_SIDED) != null;
        require(
                limits == (model.limited() != null),
                name,
                "limits are " + (limits ? "" : "not ") + "declared, but the result for the rule without them is "
                        + (limits ? "missing" : "there"));
        if (limits) {
            ModelLayout.Optimality unlimited = model.limited().unlimited();
            requireFiniteness(unlimited, name);
            // whether larger gaps count as certified depends on the version
            require(
                    unlimited.certified() == unlimited.value().certified() || unlimited.relativeGap() > CERTAIN,
                    name,
                    "certified is " + unlimited.certified() + " without limits, but the gap there "
                            + unlimited.relativeGap());
        }
        GameSpec.Between range = (GameSpec.Between) model.game().of(Settings.GAMMA_BETWEEN);
        require(
                (range == null) == (model.between() == null),
                name,
                "gamma is " + (range == null ? "not " : "")
                        + "declared to lie between two, but what the rule loses there is "
                        + (model.between() == null ? "missing" : "there"));
        if (range != null) {
            require(
                    model.gamma() == range.low() || model.gamma() == range.high(),
                    name,
                    "gamma is " + model.gamma() + ", which is no end of the interval it lies in");
            double weight = model.between().weight();
            require(weight >= 0 && weight <= 1, name, "the weight of the smallest gamma is " + weight);
            require(
                    range.regret() == (model.between().regret() != null),
                    name,
                    "the regret is " + (range.regret() ? "" : "not ") + "minimised, but the largest one is "
                            + (range.regret() ? "missing" : "there"));
        }
        double tolerance = model.optimality().tolerance();
        require(tolerance > 0 && tolerance < 1, name, "the tolerance is " + tolerance);
        require(
                (model.losses().naive() == null) == (model.losses().naiveAttacked() == null),
                name,
                "of the two losses of least squares one is missing");
        model.encoding().features().forEach(feature -> requireSense(feature, name));
        List<EncodedColumn> columns = model.encoding().columns();
        require(
                columns.size() == model.terms().size(),
                name,
                columns.size() + " encoded columns but " + model.terms().size() + " coefficients");
        int manipulable = 0;
        boolean past = false;
        for (int j = 0; j < columns.size(); j++) {
            StackelbergModel.Term term = model.terms().get(j);
            require(
                    columns.get(j).name().equals(term.name()),
                    name,
                    "coefficient " + (j + 1) + " is of '" + term.name() + "', not of '"
                            + columns.get(j).name() + "'");
            require(columns.get(j).scale() > 0, name, "the scale of '" + term.name() + "' is not positive");
            require(
                    !term.manipulable() || !past,
                    name,
                    "'" + term.name() + "' stands behind an immutable column but is not one");
            require(!term.manipulable() || term.cost() > 0, name, "the cost of '" + term.name() + "' is not positive");
            require(term.manipulable() || term.cost() == 0, name, "'" + term.name() + "' is immutable and has a cost");
            past |= !term.manipulable();
            manipulable += term.manipulable() ? 1 : 0;
        }
        int ones = model.game().of(Settings.INTERCEPT) == GameSpec.Intercept.MANIPULABLE ? 1 : 0;
        int dimension = manipulable + ones + 1;
        require(
                model.r().length == dimension,
                name,
                "r has " + model.r().length + " coordinates instead of " + dimension);
        boolean finite = Double.isFinite(model.intercept())
                && model.terms().stream().allMatch(term -> Double.isFinite(term.coefficient()));
        require(
                finite || model.optimality().finiteness() != Certificate.Finiteness.FINITE,
                name,
                "a coefficient or the intercept is not finite, but the equilibrium is");
        requireSense(model.standardErrors(), columns.size(), name);
        double square = 0;
        for (double value : model.r()) {
            square += value * value;
        }
        require(Math.abs(square - 1) < 1e-12, name, "r is not a unit vector");
    }

    /** Requires that the statements about a finite equilibrium agree with each other. */
    private static void requireFiniteness(ModelLayout.Optimality optimality, String name) {
        require(
                optimality.finite() == (optimality.finiteness() != Certificate.Finiteness.NONE),
                name,
                "finite is " + optimality.finite() + ", but finiteness " + optimality.finiteness());
    }

    /** Requires either standard errors of each coefficient or a reason why there are none. */
    private static void requireSense(ModelLayout.Sure errors, int columns, String name) {
        if (errors == null) {
            return;
        }
        require(
                (errors.intervals() == null) != (errors.reason() == null),
                name,
                "there must be either standard errors or a reason why there are none");
        require(
                errors.intervals() == null || errors.intervals().coefficients().size() == columns,
                name,
                "standard errors are not those of " + columns + " coefficients");
        require(
                errors.intervals() == null || errors.people() > errors.parameters(),
                name,
                errors.people() + " people leave no degree of freedom to " + errors.parameters() + " coefficients");
    }

    /**
     * Requires that a numeric feature has one column and no level, and a categorical one a level for each of its
     * columns.
     */
    private static void requireSense(Encoding.Feature feature, String name) {
        String what = "feature '" + feature.column() + "' ";
        List<String> levels = feature.levels();
        if (!feature.categorical()) {
            require(
                    feature.columns().size() == 1,
                    name,
                    what + "has " + feature.columns().size() + " columns");
            require(feature.columns().get(0).level() == null, name, what + "is a number and has a level");
            require(feature.mostFrequentLevel() == null, name, what + "is a number and has a most frequent level");
            return;
        }
        require(Set.copyOf(levels).size() == levels.size(), name, what + "has a level twice");
        require(
                feature.mostFrequentLevel() != null && levels.contains(feature.mostFrequentLevel()),
                name,
                what + "has the most frequent level " + feature.mostFrequentLevel() + ", which is none of its levels");
        Set<String> known = Set.copyOf(levels);
        for (EncodedColumn column : feature.columns()) {
            require(
                    column.level() != null && known.contains(column.level()),
                    name,
                    "column '" + column.name() + "' is of the level " + column.level() + ", which is none of "
                            + feature.column());
        }
    }

    private static void require(boolean sense, String name, String what) {
        if (!sense) {
            throw senseless(name, what);
        }
    }

    private static DataException senseless(String name, String what) {
        return DataException.of(
                "model-damaged",
                "'{}' makes no sense as a model: {}.\n" + "Maybe it was edited by hand: fit it again.",
                name,
                what);
    }
}
