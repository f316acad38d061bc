package stackelberg.solver.published.admm;

import java.util.Optional;

/** H + sigma I for any sigma: what is prepared once for all of them, and the factorisation for one. */
interface ShiftedSystem {
    /** Factors H + sigma I; empty if it is not positive definite, which cannot happen where H is a Gram matrix well above rounding. */
    Optional<ShiftedSolve> factor(double sigma);
}
