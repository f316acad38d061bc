package stackelberg.model.tuning;

import java.util.List;
import stackelberg.certificate.Certificate;
import stackelberg.data.Message;
import stackelberg.linalg.DenseMatrix;
import stackelberg.sphere.SphereGeometry;

/**
 * The rules of one fold, one per candidate, each divided by its 1 + alpha so that all are finite.
 *
 * @param places their points on the sphere
 * @param coefficients one column per candidate, on the shared columns and those that follow them
 * @param unsettled the number of rules that are not known to be optimal to the tolerance
 */
record FoldRules(List<Place> places, DenseMatrix coefficients, int unsettled) {
    /**
     * The figures of a rule's point on the sphere that its held-out loss depends on.
     *
     * @param alphaTilde the last coordinate
     * @param below 1 - alphaTilde, to full accuracy
     * @param remainder the factor of y in the error of the scaled prediction: 1/(1 + alpha) = (1 - alphaTilde)/2, or 1
     *     - tau with effects
     * @param real null without effects
     */
    record Place(double alphaTilde, double below, double remainder, HeldOut.Real real) {
        static Place of(double[] point, SphereGeometry geometry) {
            double remainder = geometry.oneMinusTau(point);
            HeldOut.Real real = geometry.hasEffects()
                    ? new HeldOut.Real(geometry.omega(point), geometry.earned(point), remainder)
                    : null;
            return new Place(point[point.length - 1], SphereGeometry.oneMinusAlphaTilde(point), remainder, real);
        }

        /** Returns the place of a point in a game without effects; the remainder then does not depend on gamma. */
        static Place of(double[] point) {
            return of(point, SphereGeometry.of(1, null));
        }
    }

    /** A rule is treated as infinite if followers close all but this fraction of the gap. */
    private static final double UNBOUNDED = 1e-12;

    /** Returns whether a point is known to be optimal to the tolerance, even if it belongs to no finite rule. */
    static boolean proven(Certificate certificate, double tolerance) {
        return certificate.proof() == Certificate.Proof.PROVEN && certificate.relativeGap() <= tolerance;
    }

    static boolean settled(List<FoldRules> folds) {
        return folds.stream().allMatch(fold -> fold.unsettled() == 0 && fold.unbounded() == 0);
    }

    /** Adds warnings about rules that are not known to be optimal, or not finite. */
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
                    "With {} of the {} rules people get the score they want, so that there may be no finite equilibrium. Maybe say"
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
