package stackelberg.solver.published.admm;

import java.util.Optional;

/** Factorises H + sigma I on demand and counts factorisations, their time, and other passes over the data. */
final class Factors {
    /** The number of larger sigmas that are tried if a factorisation fails. */
    private static final int ATTEMPTS = 10;

    private final ShiftedSystem system;
    private int count;
    private int passes;
    private double seconds;

    Factors(ShiftedSystem system, double secondsSoFar) {
        this.system = system;
        this.seconds = secondsSoFar;
    }

    /** Returns the factorisation of H + sigma I; empty if it is not positive definite. */
    Optional<ShiftedSolve> at(double sigma) {
        long start = System.nanoTime();
        Optional<ShiftedSolve> solve = system.factor(sigma);
        seconds += (System.nanoTime() - start) * 1e-9;
        count++;
        return solve;
    }

    /**
     * Gives the state a new sigma: the wanted one, or the first of a few larger ones at which H - mu I + sigma I has a factorisation.
     *
     * @param size an upper bound on ||H||, to which the larger sigmas are relative
     */
    void use(AdmmState state, double wanted, double mu, double size) {
        double sigma = wanted;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<ShiftedSolve> solve = at(sigma - mu);
            if (solve.isPresent()) {
                state.use(sigma, mu, solve.get());
                return;
            }
            sigma = Math.max(4 * sigma, 0.05 * size);
        }
        throw new ArithmeticException("H + sigma I has no Cholesky factorisation for sigma from " + wanted + " to "
                + sigma + ".\nMaybe the data contains a value that is not a number.");
    }

    /** Gives the state exactly this sigma, or throws. */
    void useExactly(AdmmState state, double sigma, double mu) {
        ShiftedSolve solve = at(sigma - mu)
                .orElseThrow(() -> new IllegalArgumentException("H + rho/2 I is not positive definite at rho "
                        + 2 * sigma + ".\nMaybe "
                        + "rho is below the rounding of H, or H is indefinite: as published rho must then exceed"
                        + " -2 lambda_min(H)."));
        state.use(sigma, mu, solve);
    }

    int count() {
        return count;
    }

    /** Adds to the number of products with the data, or with H. */
    void read(int times) {
        passes += times;
    }

    int passes() {
        return passes;
    }

    double seconds() {
        return seconds;
    }
}
