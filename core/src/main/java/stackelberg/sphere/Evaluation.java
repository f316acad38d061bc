package stackelberg.sphere;

/**
 * What the data says about a point r of the sphere.
 *
 * @param objective f(r)
 * @param halfGradient H r + g
 */
public record Evaluation(double objective, double[] halfGradient) {}
