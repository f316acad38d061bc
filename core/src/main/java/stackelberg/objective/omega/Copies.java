package stackelberg.objective.omega;

/**
 * The squares that make up the loss at one omega: two copies of every row, one truthful and one moving, and the noise
 * of its wish.
 */
final class Copies {
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

    /** Receives the rows. */
    @FunctionalInterface
    interface PersonVisitor {
        /**
         * Receives one row with both of its copies.
         *
         * @param weight its weight in the loss, for both copies together
         * @param truthful the residual p - y of the truthful copy
         * @param moved the residual of the moving copy
         * @param sigma the standard deviation of the wish
         */
        void visit(double weight, double gamma, double gap, double truthful, double moved, double sigma);
    }

    private final MixedRows rows;
    private final double[] truthful;
    private final double[] moved;
    private final double[] noise;

    private Copies(MixedRows rows, double[] truthful, double[] moved, double[] noise) {
        this.rows = rows;
        this.truthful = truthful;
        this.moved = moved;
        this.noise = noise;
    }

    /** Returns the copies of all rows under the rule w with the best immutable part. */
    static Copies at(MixedSlice slice, MixedRows rows, double[] w) {
        double[] residuals = slice.residuals(w);
        double[] truthful = new double[residuals.length];
        double[] moved = new double[residuals.length];
        double[] noise = new double[residuals.length];
        for (int i = 0; i < residuals.length; i++) {
            truthful[i] = slice.truthfulResidual(i, residuals[i]);
            moved[i] = slice.movedResidual(i, residuals[i]);
            noise[i] = slice.noiseResidual(i);
        }
        return new Copies(rows, truthful, moved, noise);
    }

    /** Returns the moving copies of all rows in the limit of infinite omega. */
    static Copies inTheLimit(MixedRows rows, double[] moved) {
        return new Copies(rows, null, moved, rows.noise());
    }

    void forEach(Visitor visitor) {
        double share = rows.share();
        for (int i = 0; i < moved.length; i++) {
            double weight = rows.weight()[i];
            double gamma = rows.gamma()[i];
            if (weight == 0) {
                continue;
            }
            boolean moves = share < 1 && (truthful != null || gamma < Double.POSITIVE_INFINITY);
            if (moves) {
                visitor.visit((1 - share) * weight, gamma, rows.y()[i], rows.gap()[i], moved[i]);
            }
            if (moves && noise[i] != 0) {
                // the noise is a row of its own: no features, truth 0, wish sigma
                visitor.visit((1 - share) * weight, gamma, 0, rows.noise()[i], noise[i]);
            }
            if (truthful != null && share > 0) {
                visitor.visit(share * weight, Double.POSITIVE_INFINITY, rows.y()[i], 0, truthful[i]);
            }
        }
    }

    void forEachPerson(PersonVisitor visitor) {
        for (int i = 0; i < moved.length; i++) {
            if (rows.weight()[i] > 0) {
                visitor.visit(rows.weight()[i], rows.gamma()[i], rows.gap()[i], truthful[i], moved[i], rows.noise()[i]);
            }
        }
    }

    double share() {
        return rows.share();
    }

    /** Returns the loss. */
    double squares() {
        double[] sum = new double[1];
        forEach((weight, gamma, y, gap, e) -> sum[0] += weight * e * e);
        return sum[0];
    }

    int count() {
        return moved.length;
    }
}
