/**
 * The one way from a game to certified rules: reduce, solve, certify, recover. Fits, paths, cross-validation, Spark and the benchmarks all go it.
 *
 * <pre>{@code
 * Reduction reduction = Pipeline.reduce(game, workers, 0.5);
 * Pipeline pipeline = new Pipeline(Solvers.named("auto", workers), SolverOptions.DEFAULT);
 * Pipeline.Solution solution = pipeline.run(reduction, 0.5).solutions().get(0);
 * LinearRule rule = solution.rule();
 * boolean proven = solution.certificate().certified(1e-9);
 * }</pre>
 */
package stackelberg.pipeline;
