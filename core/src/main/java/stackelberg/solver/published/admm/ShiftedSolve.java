package stackelberg.solver.published.admm;

/** r = (H + sigma I)^{-1} q for one sigma = rho/2, prepared once and used in every iteration. */
interface ShiftedSolve {
    /** Replaces q by (H + sigma I)^{-1} q. */
    void solve(double[] q);
}
