package stackelberg.sphere;

/**
 * What the data says about a point r of the sphere.
 *
 * @param objective f(r)
 * @param halfGradient H r + g
 * @param neglected a bound of what was knowingly left out of the half gradient, in norm, beside rounding
 */
public record Evaluation(double objective, double[] halfGradient, double neglected) {
    public Evaluation(double objective, double[] halfGradient) {
        this(objective, halfGradient, 0);
    }
}
