package stackelberg.solver.krylov;

/**
 * The global minimiser of one problem restricted to the Krylov space, found without the data.
 *
 * @param top Ritz coordinates of wTilde
 * @param border the last coordinate of the sphere, alphaTilde
 * @param objective f, with an error of a few eps p
 * @param multiplier lambda
 * @param residual ||(H + lambda I) r + g||, from the recurrence; the true one may be larger by rounding
 * @param smallest the smallest eigenvalue of H within the space, an upper bound on that of H
 * @param smallestResidual the residual of that eigenpair: some eigenvalue of H is at most this far away
 */
record Projected(
        double[] top,
        double border,
        double objective,
        double multiplier,
        double residual,
        double smallest,
        double smallestResidual) {}
