/**
 * The game as a problem on the unit sphere: minimise r'H r + 2 g'r + p subject to ||r|| = 1.
 *
 * <p>A {@link stackelberg.sphere.Reduction} maps a game to a {@link stackelberg.sphere.SphereFamily}, one problem for every gamma, and a point of the sphere
 * back to a rule. There are reductions for rows in memory, for rows on other machines, and for sums over rows. A
 * {@link stackelberg.sphere.SphereProblem} can also be made from any symmetric matrix. This package knows no solver.
 *
 * <pre>{@code
 * DenseMatrix h = DenseMatrix.of(new double[][] {{2, 1}, {1, 3}});
 * double[] g = {1, -1};
 * SphereProblem problem = SphereProblem.ofGram(h, g, 4); // of(h, g, 4) if H may be indefinite
 * double[] r = {0.6, 0.8};
 * double objective = problem.evaluate(r).objective();
 * double[] halfGradient = problem.evaluate(r).halfGradient(); // H r + g
 * DenseMatrix hr = DenseMatrix.zeros(2, 1);
 * problem.hessianTimes(DenseMatrix.column(r), hr);
 * }</pre>
 */
@org.jspecify.annotations.NullMarked
package stackelberg.sphere;
