/**
 * The interface of all solvers of the sphere problem: a {@link stackelberg.solver.SphereSolver} takes a problem and options, reports its progress to a
 * listener, and always returns a point with the reason why it stopped.
 *
 * <p>How good the point is, the certificate says. Solvers know the sphere, not the game or the data behind it.
 *
 * <pre>{@code
 * SphereSolver solver = Solvers.named("auto", Workers.of(2));
 * SolverOptions options = SolverOptions.DEFAULT.withTolerance(1e-10).withMaxIterations(500);
 * SphereResult result = solver.solve(problem, options, ProgressListener.NONE);
 * double[] r = result.r(); // a unit vector, whatever happened
 * SphereResult.Status why = result.status(); // CONVERGED, ITERATION_LIMIT, STALLED, STOPPED_BY_LISTENER
 * int iterations = result.effort().iterations();
 * boolean proven = Certificate.of(problem, r).certified(1e-9);
 * }</pre>
 */
@org.jspecify.annotations.NullMarked
package stackelberg.solver;
