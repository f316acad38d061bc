package stackelberg.model.tuning;

import java.util.Collections;
import java.util.List;
import stackelberg.certificate.Certificate;
import stackelberg.linalg.DenseMatrix;
import stackelberg.sphere.SphereGeometry;

/**
 * The rules of one fold, one per model gamma, each divided by its 1 + alpha so that all are finite.
 *
 * @param points on the sphere
 * @param coefficients on the shared columns and the ones after them: one column per gamma
 * @param unsettled how many are not known to be optimal to the tolerance
 * @param geometries the sphere of each point
 */
record FoldRules(double[][] points, DenseMatrix coefficients, int unsettled, List<SphereGeometry> geometries) {
    /** Where moves do nothing to the target; how much of a prediction a point keeps then depends on no gamma. */
    FoldRules(double[][] points, DenseMatrix coefficients, int unsettled) {
        this(points, coefficients, unsettled, Collections.nCopies(points.length, SphereGeometry.of(1, null)));
    }

    /** A rule is taken for infinite when people close all but this part of the gap to their wish. */
    private static final double UNBOUNDED = 1e-12;

    /** Whether a point is known to be optimal to the tolerance, be it a rule or not. */
    static boolean proven(Certificate certificate, double tolerance) {
        return certificate.proof() == Certificate.Proof.PROVEN && certificate.relativeGap() <= tolerance;
    }

    static boolean settled(List<FoldRules> folds) {
        return folds.stream().allMatch(fold -> fold.unsettled() == 0 && fold.unbounded() == 0);
    }

    static void warn(List<FoldRules> folds, List<String> warnings) {
        int all = folds.size() * folds.get(0).points().length;
        int unsettled = folds.stream().mapToInt(FoldRules::unsettled).sum();
        long unbounded = folds.stream().mapToLong(FoldRules::unbounded).sum();
        if (unsettled > 0) {
            warnings.add(unsettled + " of the " + all + " rules are not known to be optimal to the tolerance.");
        }
        if (unbounded > 0) {
            warnings.add(unbounded + " of the " + all
                    + " rules let people go all the way to their wish, so that there may be no finite equilibrium. Maybe say"
                    + " how uncertain the wishes are with wishNoise(...).");
        }
    }

    private long unbounded() {
        long count = 0;
        for (double remainder : remainders()) {
            count += Math.abs(remainder) <= UNBOUNDED ? 1 : 0;
        }
        return count;
    }

    /** 1/(1 + alpha) = (1 - alphaTilde)/2 of each rule, 1 - tau where moves are real: what a person's y is multiplied by beside the scaled prediction. */
    double[] remainders() {
        double[] result = new double[points.length];
        for (int j = 0; j < result.length; j++) {
            result[j] = geometries.get(j).kept(points[j]);
        }
        return result;
    }
}
