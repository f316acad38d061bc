package stackelberg.solver.admm;

/** Factors H + sigma I on demand, counts and times. */
final class Factors {
    private final ShiftedSystem system;
    private int count;
    private double seconds;

    Factors(ShiftedSystem system, double secondsSoFar) {
        this.system = system;
        this.seconds = secondsSoFar;
    }

    /** Gives the state this sigma, or the next larger one at which H + sigma I has a factorisation. */
    void use(AdmmState state, double wanted) {
        double sigma = wanted;
        while (true) {
            long start = System.nanoTime();
            var solve = system.factor(sigma);
            seconds += (System.nanoTime() - start) * 1e-9;
            count++;
            if (solve.isPresent()) {
                state.use(sigma, solve.get());
                return;
            }
            sigma *= 4;
            if (!(sigma < Double.MAX_VALUE)) {
                throw new ArithmeticException("H + sigma I has no Cholesky factorisation for any sigma from " + wanted
                        + " on.\nMaybe the data contains a value that is not a number.");
            }
        }
    }

    /** Gives the state this sigma and no other. */
    void useExactly(AdmmState state, double sigma) {
        long start = System.nanoTime();
        var solve = system.factor(sigma);
        seconds += (System.nanoTime() - start) * 1e-9;
        count++;
        state.use(
                sigma,
                solve.orElseThrow(() -> new IllegalArgumentException("H + rho/2 I is not positive definite at rho "
                        + 2 * sigma + ".\nMaybe H is indefinite: rho must then exceed -2 lambda_min(H).")));
    }

    int count() {
        return count;
    }

    double seconds() {
        return seconds;
    }
}
