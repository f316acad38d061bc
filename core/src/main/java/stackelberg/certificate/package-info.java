/**
 * How far a point of the sphere can be from the global minimum, computed from the problem and the point alone.
 *
 * <p>With lambda = -r'(Hr + g) and e = (H + lambda I)r + g, f(r) is within ||e||^2/kappa of the minimum wherever H + lambda I >= kappa I > 0; rounding is
 * included. A certificate knows no solver, so it can judge any of them, and points from elsewhere.
 *
 * <pre>{@code
 * DenseMatrix h = DenseMatrix.of(new double[][] {{2, 1}, {1, 3}});
 * SphereProblem problem = SphereProblem.of(h, new double[] {1, -1}, 4);
 * Certificate certificate = Certificate.of(problem, new double[] {-0.8, 0.6});
 * double gap = certificate.gapBound(); // f(r) is at most this far above the minimum
 * Certificate.Proof proof = certificate.proof(); // PROVEN, ESTIMATED or REFUTED
 * boolean certified = certificate.certified(1e-9); // proven, and within this relative gap
 * double multiplier = certificate.multiplier();
 * Optional<double[]> better = certificate.better(); // a point that is better, if one was found
 * }</pre>
 */
package stackelberg.certificate;
