package stackelberg.solver.published.admm;

import java.util.Optional;

/** Factorises H + sigma I for any sigma, with the parts that all sigmas share (H itself, a symbolic factorisation) prepared once. */
interface ShiftedSystem {
    /** Returns the factorisation of H + sigma I; empty if it is not positive definite, which cannot happen if H is a Gram matrix and sigma well above rounding. */
    Optional<ShiftedSolve> factor(double sigma);
}
