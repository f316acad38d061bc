package stackelberg.model;

import java.util.List;
import stackelberg.certificate.Certificate;
import stackelberg.certificate.Proof;
import stackelberg.linalg.DenseMatrix;

/**
 * The rules of one fold, one per model gamma, each divided by its 1 + alpha so that all are finite.
 *
 * @param points on the sphere
 * @param coefficients on the shared columns and the ones after them: one column per gamma
 * @param uncertified how many are not proven optimal to the tolerance
 * @param unbounded how many have no finite equilibrium
 */
record FoldRules(double[][] points, DenseMatrix coefficients, int uncertified, int unbounded) {
    static FoldRules of(double[][] points, DenseMatrix coefficients, Certificate[] certificates, double tolerance) {
        int uncertified = 0;
        int unbounded = 0;
        for (Certificate certificate : certificates) {
            boolean proven = certificate.proof() == Proof.PROVEN && certificate.relativeGap() <= tolerance;
            uncertified += proven ? 0 : 1;
            unbounded += certificate.finite() ? 0 : 1;
        }
        return new FoldRules(points, coefficients, uncertified, unbounded);
    }

    static void warn(List<FoldRules> folds, List<String> warnings) {
        int all = folds.size() * folds.get(0).points().length;
        int uncertified = folds.stream().mapToInt(FoldRules::uncertified).sum();
        int unbounded = folds.stream().mapToInt(FoldRules::unbounded).sum();
        if (uncertified > 0) {
            warnings.add(uncertified + " of the " + all + " rules are not proven optimal to the tolerance.");
        }
        if (unbounded > 0) {
            warnings.add(
                    unbounded + " of the " + all + " rules have no finite equilibrium: believing everybody is as good"
                            + " there. Maybe say how uncertain the wishes are with wish noise.");
        }
    }

    /** (1 - alphaTilde)/2 = 1/(1 + alpha) of each rule: what a person's y is multiplied by beside the scaled prediction. */
    double[] remainders() {
        double[] result = new double[points.length];
        for (int j = 0; j < result.length; j++) {
            result[j] = HeldOut.below(points[j]) / 2;
        }
        return result;
    }
}
