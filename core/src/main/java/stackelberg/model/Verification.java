package stackelberg.model;

import java.util.Optional;
import stackelberg.certificate.Certificate;
import stackelberg.data.DataException;
import stackelberg.data.Table;
import stackelberg.game.Intercept;
import stackelberg.game.LinearRule;
import stackelberg.game.MixedGame;
import stackelberg.linalg.Workers;
import stackelberg.solver.mixed.MixedSolution;
import stackelberg.sphere.Reduction;

/**
 * A model's claim checked from scratch: the certificate computed again from the data and the point r, and the rule from r.
 *
 * @param certificate of the model's r in the game that the data and the model describe
 * @param certified whether it holds to the model's tolerance
 * @param ruleDifference how far the stored rule's loss on these data is from the certified objective, relative
 * @param pullThroughDifference how far the stored pull-through is from that of the stored rule on these data
 * @param sameData whether the data are the very bytes the model was fitted to; false if the model does not know
 */
public record Verification(
        Certificate certificate,
        boolean certified,
        double ruleDifference,
        double pullThroughDifference,
        boolean sameData) {
    /** How far the stored rule's loss and pull-through may be from the certified ones: coefficients are kept in other units than they are certified in. */
    private static final double RULE_TOLERANCE = 1e-6;

    public static Verification of(StackelbergModel model, Table table, Workers workers) {
        Assembly assembly = Assembly.again(table, model, workers);
        Reduction reduction = assembly.reduction(workers, assembly.extremes(model.gamma()));
        Optional<MixedGame> mixed = assembly.mixed(model.game().truthfulShare(), model.gamma());
        double tolerance = model.optimality().tolerance();
        Certificate certificate = mixed.map(
                        game -> check(model, game, reduction.family().p(), workers))
                .orElseGet(() -> Certificate.of(reduction.family().at(model.gamma()), model.r()));
        double difference = 0;
        double shareDifference = 0;
        if (certificate.finite()) {
            LinearRule stored = storedRule(model, assembly);
            double loss = mixed.map(game -> game.leaderLoss(stored, workers))
                    .orElseGet(() -> assembly.game().leaderLoss(stored, workers));
            double scale = Math.max(Math.abs(certificate.objective()), 1e-9 * certificate.scale());
            double share = mixed.map(
                            game -> game.pullThrough(stored.omega(game.game().costs())))
                    .orElseGet(() -> assembly.game().pullThrough(stored));
            shareDifference = Math.abs(share - model.pullThrough());
            difference = scale == 0 ? 0 : Math.abs(loss - certificate.objective()) / scale;
        }
        boolean sameData = assembly.source() != null
                && model.provenance().data() != null
                && assembly.source().sha256().equals(model.provenance().data().sha256());
        boolean certified =
                certificate.certified(tolerance) && difference <= RULE_TOLERANCE && shareDifference <= RULE_TOLERANCE;
        return new Verification(certificate, certified, difference, shareDifference, sameData);
    }

    /** A model's choices are sound: what the search refuses are values of the data. */
    private static Certificate check(StackelbergModel model, MixedGame game, double scale, Workers workers) {
        double tolerance = model.optimality().tolerance();
        try {
            return MixedSolution.check(game, scale, model.r(), model.gamma(), tolerance, workers);
        } catch (IllegalArgumentException e) {
            throw new DataException(e.getMessage(), e);
        }
    }

    /** Whether the stored rule is that of the certified point. */
    public boolean ruleHolds() {
        return ruleDifference <= RULE_TOLERANCE;
    }

    /** The rule as the file has it, in the units of the game. */
    private static LinearRule storedRule(StackelbergModel model, Assembly assembly) {
        int manipulable = assembly.manipulable();
        var columns = model.encoding().columns();
        double[] w = new double[assembly.game().x().cols()];
        double[] q = new double[columns.size() - manipulable];
        double constant = model.intercept();
        for (int j = 0; j < columns.size(); j++) {
            double encoded = model.terms().get(j).coefficient() * columns.get(j).scale();
            constant += model.terms().get(j).coefficient() * columns.get(j).shift();
            if (j < manipulable) {
                w[j] = encoded;
            } else {
                q[j - manipulable] = encoded;
            }
        }
        if (model.game().intercept() == Intercept.MANIPULABLE) {
            w[w.length - 1] = constant;
            constant = 0;
        }
        return new LinearRule(w, q, constant);
    }
}
