package stackelberg.model.tuning;

import stackelberg.sphere.SphereGeometry;

/** Gathers {@link HeldOut} for the rules of one fold, person by person. */
final class HeldOutSums {
    private final double[] remainders;
    private final double[] uu;
    private final double[] ud;
    private double dd;

    HeldOutSums(double[] remainders) {
        this.remainders = remainders;
        this.uu = new double[remainders.length];
        this.ud = new double[remainders.length];
    }

    /** The gap of a person between wish and truth, noise included. */
    void addPerson(double weight, double gap, double noise) {
        dd += weight * (gap * gap + noise);
    }

    /** A person's scaled prediction p/(1 + alpha) under rule j. */
    void addPrediction(int j, double weight, double scaled, double y, double gap) {
        double u = scaled - remainders[j] * y;
        uu[j] += weight * u * u;
        ud[j] += weight * u * gap;
    }

    HeldOut[] heldOut(double[] gammas, FoldRules rules) {
        double[][] points = rules.points();
        HeldOut[] result = new HeldOut[gammas.length];
        for (int j = 0; j < result.length; j++) {
            double alphaTilde = points[j][points[j].length - 1];
            SphereGeometry geometry = rules.geometries().get(j);
            HeldOut.Real real = geometry.hasEffects()
                    ? new HeldOut.Real(geometry.omega(points[j]), geometry.earned(points[j]), remainders[j])
                    : null;
            result[j] = new HeldOut(gammas[j], alphaTilde, SphereGeometry.below(points[j]), uu[j], ud[j], dd, real);
        }
        return result;
    }
}
