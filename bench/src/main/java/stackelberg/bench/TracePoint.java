package stackelberg.bench;

import java.util.List;

/**
 * One iteration of one run, for the figures of convergence.
 *
 * @param run the curve it belongs to, such as {@code rho=50}
 * @param objective the objective after this iteration
 * @param optimum the certified minimum of the same game; NaN if no run is certified
 */
public record TracePoint(String experiment, String run, int iteration, double objective, double optimum) {
    static final List<String> HEADER = List.of("experiment", "run", "iteration", "objective", "optimum");
}
