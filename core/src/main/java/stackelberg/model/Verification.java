package stackelberg.model;

import stackelberg.certificate.Certificate;
import stackelberg.data.Table;
import stackelberg.game.GameSpec;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.game.Sample;
import stackelberg.linalg.Workers;
import stackelberg.pipeline.Pipeline;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;

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
        Sample sample = Sample.again(model.world(), table);
        PredictionGame game = sample.ordinary();
        Reduction reduction = Pipeline.reduce(game, workers, Training.extremes(sample, model.gamma()));
        PredictionGame played = Training.played(sample, game, model.gamma());
        double tolerance = model.optimality().tolerance();
        SphereFamily family = reduction.family();
        Certificate certificate = model.game().mixed()
                ? Pipeline.check(played, reduction, model.r(), model.gamma(), tolerance, workers)
                : Certificate.of(family.at(model.gamma()), model.r());
        double difference = 0;
        double shareDifference = 0;
        if (certificate.finite()) {
            LinearRule stored = storedRule(model, game.x().cols());
            double loss = played.leaderLoss(stored, workers) + played.penalty(stored);
            double scale = Math.max(Math.abs(certificate.objective()), 1e-9 * certificate.scale());
            shareDifference = Math.abs(played.pullThrough(stored) - model.pullThrough());
            difference = scale == 0 ? 0 : Math.abs(loss - certificate.objective()) / scale;
        }
        boolean sameData = model.provenance().data() != null
                && sample.source()
                        .map(source ->
                                source.sha256().equals(model.provenance().data().sha256()))
                        .orElse(false);
        boolean certified =
                certificate.certified(tolerance) && difference <= RULE_TOLERANCE && shareDifference <= RULE_TOLERANCE;
        return new Verification(certificate, certified, difference, shareDifference, sameData);
    }

    /** Whether the stored rule is that of the certified point. */
    public boolean ruleHolds() {
        return ruleDifference <= RULE_TOLERANCE;
    }

    /** The rule as the file has it, in the units of the game. */
    private static LinearRule storedRule(StackelbergModel model, int features) {
        int manipulable = model.world().manipulable();
        var columns = model.encoding().columns();
        double[] w = new double[features];
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
        if (model.game().intercept() == GameSpec.Intercept.MANIPULABLE) {
            w[w.length - 1] = constant;
            constant = 0;
        }
        return new LinearRule(w, q, constant);
    }
}
