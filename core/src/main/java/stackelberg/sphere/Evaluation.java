package stackelberg.sphere;

/**
 * What the data says about a point r of the sphere.
 *
 * @param objective f(r)
 * @param halfGradient H r + g
 * @param neglected a bound of what was knowingly left out of the half gradient, in norm, beside rounding
 * @param overstated by how much the objective may knowingly have been given too large
 */
public record Evaluation(double objective, double[] halfGradient, double neglected, double overstated) {
    public Evaluation(double objective, double[] halfGradient) {
        this(objective, halfGradient, 0, 0);
    }

    /** With tilt t added to f, t = (1 + alphaTilde)/2 at r: what a ridge does. */
    public Evaluation tilted(double tilt, double[] r) {
        if (tilt == 0) {
            return this;
        }
        double[] tilted = halfGradient.clone();
        tilted[tilted.length - 1] += tilt / 4;
        return new Evaluation(objective + tilt * SphereGeometry.above(r) / 2, tilted, neglected, overstated);
    }
}
