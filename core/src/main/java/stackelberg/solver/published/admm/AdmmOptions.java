package stackelberg.solver.published.admm;

import java.util.Optional;
import stackelberg.linalg.Vectors;

/**
 * What ADMM can be told beyond {@link stackelberg.solver.SolverOptions}.
 *
 * @param penalty a fixed one runs the algorithm as published: its stopping rule, no acceleration, no escape
 * @param eps stop when max(||s - r||, rho ||s - s_previous||) <= eps; read with a fixed penalty only
 * @param start s0, a unit vector; ones/sqrt(d) if empty (with an adaptive penalty: the minimiser on a small Krylov space)
 * @param dualStart v0; 0 if empty; read with a fixed penalty only
 * @param memory how many steps Anderson acceleration looks back; 0 turns it off; read with an adaptive penalty only
 * @param lanczosSteps products with H spent on a first guess of the multiplier; 0 starts from s0 alone; read with an adaptive penalty only
 */
public record AdmmOptions(
        Penalty penalty,
        double eps,
        Optional<double[]> start,
        Optional<double[]> dualStart,
        int memory,
        int lanczosSteps) {
    /** Adaptive, memory 5, eight Lanczos steps; eps 1e-8 once a penalty is fixed. */
    public static final AdmmOptions DEFAULT =
            new AdmmOptions(Penalty.adaptive(), 1e-8, Optional.empty(), Optional.empty(), 5, 8);

    public AdmmOptions {
        if (!(eps > 0) || eps >= 1) {
            throw new IllegalArgumentException("eps is " + eps + "; it must lie between 0 and 1.");
        }
        if (memory < 0 || memory > 50) {
            throw new IllegalArgumentException("The memory of the acceleration is " + memory + "; it must be 0 to 50.");
        }
        if (lanczosSteps < 0) {
            throw new IllegalArgumentException("The number of Lanczos steps is " + lanczosSteps + ", below 0.");
        }
        start = start.map(double[]::clone);
        dualStart = dualStart.map(double[]::clone);
        start.ifPresent(s -> {
            if (!(Math.abs(Vectors.norm(s) - 1) <= 1e-9)) {
                throw new IllegalArgumentException("The start s0 has norm " + Vectors.norm(s) + " instead of 1.");
            }
        });
    }

    /** The algorithm as published with this rho. */
    public static AdmmOptions plain(double rho) {
        return DEFAULT.withPenalty(Penalty.fixed(rho));
    }

    public AdmmOptions withPenalty(Penalty newPenalty) {
        return new AdmmOptions(newPenalty, eps, start, dualStart, memory, lanczosSteps);
    }

    public AdmmOptions withEps(double newEps) {
        return new AdmmOptions(penalty, newEps, start, dualStart, memory, lanczosSteps);
    }

    public AdmmOptions withStart(double[] s0) {
        return new AdmmOptions(penalty, eps, Optional.of(s0), dualStart, memory, lanczosSteps);
    }

    public AdmmOptions withDualStart(double[] v0) {
        return new AdmmOptions(penalty, eps, start, Optional.of(v0), memory, lanczosSteps);
    }

    public AdmmOptions withMemory(int newMemory) {
        return new AdmmOptions(penalty, eps, start, dualStart, newMemory, lanczosSteps);
    }

    public AdmmOptions withLanczosSteps(int newSteps) {
        return new AdmmOptions(penalty, eps, start, dualStart, memory, newSteps);
    }
}
