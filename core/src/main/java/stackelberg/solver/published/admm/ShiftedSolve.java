package stackelberg.solver.published.admm;

/** Solves (H + sigma I) r = q for one sigma = rho/2, with a factorisation that is computed once and used in every iteration. */
interface ShiftedSolve {
    /** Replaces q by (H + sigma I)^{-1} q. */
    void solve(double[] q);
}
