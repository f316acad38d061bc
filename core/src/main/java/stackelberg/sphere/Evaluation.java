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
}
