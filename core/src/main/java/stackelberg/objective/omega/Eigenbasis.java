package stackelberg.objective.omega;

/** X'PX = Q diag(h) Q' of one data, known before any omega is looked at: then no slice forms or decomposes it. Only where everybody has one gamma. */
interface Eigenbasis {
    /** A lower bound of the smallest eigenvalue of X'PX. */
    double smallest();

    /** Q diag(h)^+ Q' X'Py: what explains the truth best. */
    double[] leastSquares();

    /** The w of all with ||w||^2 = omega that is best in a slice, divided by sqrt(omega). */
    double[] minimiser(MixedSlice slice);
}
