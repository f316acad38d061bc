package stackelberg.objective.omega;

/**
 * The squares that make up the loss of a rule: two copies of every row, one truthful and one moving, and the noise of
 * its wish.
 *
 * @param truthful the residuals of the truthful copies
 * @param moved the residuals of the moving copies
 * @param noise t_i sigma_i
 */
record Copies(MixedRows rows, double[] truthful, double[] moved, double[] noise) {
    /** Receives the squares. */
    @FunctionalInterface
    interface Visitor {
        /**
         * Receives one square.
         *
         * @param weight its weight in the loss
         * @param gamma the gamma of the copy; infinite for a truthful one
         * @param y the truth
         * @param gap wish minus truth
         * @param e the residual
         */
        void visit(double weight, double gamma, double y, double gap, double e);
    }

    void forEach(Visitor visitor) {
        double share = rows.share();
        for (int i = 0; i < moved.length; i++) {
            double weight = rows.weight()[i];
            if (weight > 0 && share < 1) {
                visitor.visit((1 - share) * weight, rows.gamma()[i], rows.y()[i], rows.gap()[i], moved[i]);
            }
            if (weight > 0 && share < 1 && noise[i] != 0) {
                // the noise is a row of its own: no features, truth 0, wish sigma
                visitor.visit((1 - share) * weight, rows.gamma()[i], 0, rows.noise()[i], noise[i]);
            }
            if (weight > 0 && share > 0) {
                visitor.visit(share * weight, Double.POSITIVE_INFINITY, rows.y()[i], 0, truthful[i]);
            }
        }
    }

    /** Returns the loss. */
    double squares() {
        double[] sum = new double[1];
        forEach((weight, gamma, y, gap, e) -> sum[0] += weight * e * e);
        return sum[0];
    }
}
