package stackelberg.model.tuning;

import java.util.List;
import stackelberg.certificate.Certificate;
import stackelberg.data.Message;
import stackelberg.linalg.DenseMatrix;
import stackelberg.sphere.SphereGeometry;

/**
 * The rules of one fold, one per model gamma, each divided by its 1 + alpha so that all are finite.
 *
 * @param places on the sphere
 * @param coefficients on the shared columns and the ones after them: one column per gamma
 * @param unsettled how many are not known to be optimal to the tolerance
 */
record FoldRules(List<Place> places, DenseMatrix coefficients, int unsettled) {
    /**
     * Of a rule's point on the sphere all that judging it asks for.
     *
     * @param alphaTilde its last coordinate
     * @param below 1 - alphaTilde, to the last digit
     * @param remainder 1/(1 + alpha) = (1 - alphaTilde)/2, 1 - tau where moves are real: what a person's y is multiplied by beside the scaled prediction
     * @param real null where moves do nothing to the target
     */
    record Place(double alphaTilde, double below, double remainder, HeldOut.Real real) {
        static Place of(double[] point, SphereGeometry geometry) {
            double remainder = geometry.oneMinusTau(point);
            HeldOut.Real real = geometry.hasEffects()
                    ? new HeldOut.Real(geometry.omega(point), geometry.earned(point), remainder)
                    : null;
            return new Place(point[point.length - 1], SphereGeometry.oneMinusAlphaTilde(point), remainder, real);
        }

        /** Where moves do nothing to the target; how much of a prediction a point keeps then depends on no gamma. */
        static Place of(double[] point) {
            return of(point, SphereGeometry.of(1, null));
        }
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

    static void warn(List<FoldRules> folds, List<Message> warnings) {
        int all = folds.size() * folds.get(0).places().size();
        int unsettled = folds.stream().mapToInt(FoldRules::unsettled).sum();
        long unbounded = folds.stream().mapToLong(FoldRules::unbounded).sum();
        if (unsettled > 0) {
            warnings.add(Message.of(
                    "rules-not-optimal",
                    "{} of the {} rules are not known to be optimal to the tolerance.",
                    unsettled,
                    all));
        }
        if (unbounded > 0) {
            warnings.add(Message.of(
                    "rules-unbounded",
                    "{} of the {} rules let people go all the way to their wish, so that there may be no finite equilibrium. Maybe say"
                            + " how uncertain the wishes are with {}.",
                    unbounded,
                    all,
                    Message.Choice.any("wishNoise")));
        }
    }

    private long unbounded() {
        return places.stream()
                .filter(place -> Math.abs(place.remainder()) <= UNBOUNDED)
                .count();
    }

    double[] remainders() {
        return places.stream().mapToDouble(Place::remainder).toArray();
    }
}
