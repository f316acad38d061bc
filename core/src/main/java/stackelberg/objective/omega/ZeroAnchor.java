package stackelberg.objective.omega;

/** The end omega = 0, where w = 0; from there the loss decreases at most like the square root of omega. */
final class ZeroAnchor implements Anchor {
    private final Copies copies;
    private final double slope;
    private final Penalty penalty;
    private final double[] references;

    ZeroAnchor(MixedReduction reduction, double[] references) {
        MixedSlice slice = reduction.at(0);
        this.copies = Copies.at(slice, reduction.rows(), new double[reduction.features()]);
        this.penalty = reduction.penalty();
        this.slope = slice.slope();
        this.references = references;
    }

    @Override
    public double omega() {
        return 0;
    }

    @Override
    public double lowerBound(double lo, double hi) {
        if (Double.isInfinite(hi)) {
            return Double.NEGATIVE_INFINITY;
        }
        double best = Double.NEGATIVE_INFINITY;
        for (double gamma0 : references) {
            Expansion expansion = Expansion.at(0, gamma0, copies);
            double far = hi / (gamma0 + hi);
            // the scaled squared norm D gamma0 (1 - D) = hi (gamma0/(gamma0 + hi))^2 is at most hi
            best = Math.max(
                    best,
                    expansion.least(0, far, penalty.slope(0, hi, gamma0), 0)
                            - 2 * slope * Math.sqrt(hi)
                            - expansion.rounding(far, 10));
        }
        return best;
    }

    double objective() {
        return copies.squares();
    }
}
