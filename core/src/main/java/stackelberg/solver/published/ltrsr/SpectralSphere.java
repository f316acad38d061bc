package stackelberg.solver.published.ltrsr;

/**
 * minimise sum d_i x_i^2 + 2 c_i x_i on ||x|| = 1, for ascending d: the small sphere problem in the coordinates of its eigenvectors.
 *
 * <p>The unknown of the secular equation ||c / (d - d_1 + t)|| = 1 is t = lambda + d_1 >= 0, so that nothing cancels when the multiplier comes
 * close to -d_1. Newton on 1/||.|| - 1 from the left of the root is monotone.
 *
 * @param x the minimiser
 * @param lambda the multiplier
 * @param hardCase whether the first eigenvector had to complete x
 */
record SpectralSphere(double[] x, double lambda, boolean hardCase) {
    private static final int NEWTON_STEPS = 200;

    /** A t below this part of the problem's size is 0: what that changes in f is far below rounding. */
    private static final double ZERO = 1e-40;

    static SpectralSphere solve(double[] d, double[] c) {
        double size = Math.max(Math.abs(d[0]), Math.abs(d[d.length - 1]));
        double norm = 0;
        for (double value : c) {
            norm += value * value;
        }
        norm = Math.sqrt(norm);
        size += norm;
        double floor = size == 0 ? Double.MIN_NORMAL : ZERO * size;
        double[] x = new double[d.length];
        if (norm(d, c, floor, x) <= 1) {
            return completeWithEigenvector(x, d[0]);
        }
        // ||x(t)|| >= |c_1|/t, so the root is not below |c_1|
        double t = Math.max(floor, Math.abs(c[0]));
        for (int step = 0; step < NEWTON_STEPS; step++) {
            double phi = norm(d, c, t, x);
            double slope = 0;
            for (int i = 0; i < d.length; i++) {
                slope += x[i] * x[i] / (d[i] - d[0] + t);
            }
            double next = t + (phi - 1) * phi * phi / slope;
            if (!(next > t)) {
                break;
            }
            t = next;
        }
        double phi = norm(d, c, t, x);
        for (int i = 0; i < x.length; i++) {
            x[i] /= phi;
        }
        return new SpectralSphere(x, t - d[0], false);
    }

    private static SpectralSphere completeWithEigenvector(double[] x, double smallest) {
        double rest = 1;
        for (int i = 1; i < x.length; i++) {
            rest -= x[i] * x[i];
        }
        x[0] = Math.copySign(Math.sqrt(Math.max(0, rest)), x[0] == 0 ? 1 : x[0]);
        return new SpectralSphere(x, -smallest, true);
    }

    /** x = -c / (d - d_1 + t) and its norm. */
    private static double norm(double[] d, double[] c, double t, double[] x) {
        double square = 0;
        for (int i = 0; i < d.length; i++) {
            x[i] = -c[i] / (d[i] - d[0] + t);
            square += x[i] * x[i];
        }
        return Math.sqrt(square);
    }
}
