package stackelberg.solver.krylov;

/**
 * The global minimiser of one problem within the space.
 *
 * @param top Ritz coordinates of the part in the space
 * @param border the last coordinate of the sphere
 * @param objective f, up to a rounding of p
 * @param multiplier lambda
 * @param residual ||(H + lambda I) r + g||, by the recurrence
 * @param smallest the smallest eigenvalue of H within the space
 * @param smallestResidual the residual of that eigenpair: some eigenvalue of H is as near as this
 */
record Projected(
        double[] top,
        double border,
        double objective,
        double multiplier,
        double residual,
        double smallest,
        double smallestResidual) {}
