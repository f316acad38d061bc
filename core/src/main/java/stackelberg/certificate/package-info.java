/**
 * Proofs of near-optimality: a bound on how far a point of the sphere is from the global minimum, computed from the problem and the point alone.
 *
 * <p>With lambda = -r'(Hr + g) and e = (H + lambda I)r + g, f(r) is within ||e||^2/kappa of the minimum if H + lambda I >= kappa I with kappa > 0; rounding
 * errors are included in the bound. This package depends on no solver, so it can judge the points of any solver, and points from elsewhere.
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
@org.jspecify.annotations.NullMarked
package stackelberg.certificate;
