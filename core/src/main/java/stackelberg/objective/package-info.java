/**
 * The leader's objective: what is minimised. {@link stackelberg.objective.Objective} tells the variants of the game
 * apart, each of which says how it is solved and what is proven of the answer.
 *
 * <p>{@link stackelberg.objective.Pipeline} runs the steps reduce, solve, certify and recover for one sphere problem,
 * or for several of the same data. Fits, paths, cross-validation, Spark and the benchmarks use it.
 *
 * <pre>{@code
 * Reduction reduction = Pipeline.reduce(game, workers, 0.5);
 * Pipeline pipeline = new Pipeline(Solvers.named("auto", workers), SolverOptions.DEFAULT);
 * Solution solution = pipeline.run(reduction, 0.5).solutions().get(0);
 * LinearRule rule = solution.rule();
 * boolean proven = solution.certificate().certified(1e-9);
 * }</pre>
 */
@NullMarked
package stackelberg.objective;

import org.jspecify.annotations.NullMarked;
