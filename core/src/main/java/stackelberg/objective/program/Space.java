package stackelberg.objective.program;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.solver.krylov.KrylovSolver;

/**
 * Orthonormal coordinates in which X'PX is diagonal, on a subspace that contains the solution for every weight of the
 * hedge, at least approximately.
 */
interface Space {
    /** Returns the diagonal of X'PX. */
    double[] values();

    /** Returns the coordinates of X'Py. */
    double[] y();

    /** Returns the coordinates of X'Pz. */
    double[] z();

    /** Returns the coordinates of beta, on cost-scaled features; null without effects. */
    double @Nullable [] effects();

    /** Returns the coefficients of the features with these coordinates. */
    double[] lift(double[] a);

    /** Returns the length of the part of X'PX a that lies outside the subspace; 0 if it is the whole space. */
    double outside(double[] a);

    /**
     * Returns whether the subspace contains the whole range of X'PX, so that the smallest eigenvalue is among the
     * values.
     */
    boolean whole();

    /**
     * Makes the space of a full decomposition of X'PX. If X'PX is singular, one more coordinate has the value 0: along
     * the component of the effects in the null space if there is one, otherwise along any null vector.
     */
    static Space of(DirectSolver.Decomposition whole, double @Nullable [] effects, Workers workers) {
        double[] roots = whole.singularValues();
        int k = roots.length;
        double @Nullable [] hidden = effects == null ? null : effects.clone();
        double[] seen = effects == null ? new double[k] : whole.coordinates(effects, workers);
        if (hidden != null) {
            Vectors.axpy(-1, whole.coefficients(withNull(seen, whole), workers), hidden);
        }
        double length = hidden == null ? 0 : Vectors.norm(hidden);
        boolean along = effects != null && length > 1e-12 * Vectors.norm(effects);
        int order = k + (whole.hasNullVector() ? 1 : 0);
        double[] values = new double[order];
        double[] y = Arrays.copyOf(whole.leftPy(), order);
        double[] z = Arrays.copyOf(whole.leftPz(), order);
        double[] beta = Arrays.copyOf(seen, order);
        for (int i = 0; i < k; i++) {
            values[i] = roots[i] * roots[i];
            y[i] *= roots[i];
            z[i] *= roots[i];
        }
        if (along && hidden != null && order > k) {
            beta[k] = length;
            Vectors.scale(1 / length, hidden);
        }
        double @Nullable [] direction = along && order > k ? hidden : null;
        return new Fixed(values, y, z, effects == null ? null : beta) {
            @Override
            public double[] lift(double[] a) {
                if (direction == null) {
                    return whole.coefficients(a, workers);
                }
                double[] v = whole.coefficients(withNull(Arrays.copyOf(a, k), whole), workers);
                Vectors.axpy(a[k], direction, v);
                return v;
            }

            @Override
            public double outside(double[] a) {
                return 0;
            }

            @Override
            public boolean whole() {
                return true;
            }
        };
    }

    private static double[] withNull(double[] a, DirectSolver.Decomposition whole) {
        return whole.hasNullVector() ? Arrays.copyOf(a, whole.singularValues().length + 1) : a;
    }

    /**
     * Makes the space of the current state of a Krylov space that started from X'Py, X'Pz and the effects, if there are
     * any.
     */
    static Space of(KrylovSolver.Space.Coordinates ritz, boolean effects) {
        return new Fixed(ritz.values(), ritz.start(0), ritz.start(1), effects ? ritz.start(2) : null) {
            @Override
            public double[] lift(double[] a) {
                return ritz.lift(a);
            }

            @Override
            public double outside(double[] a) {
                return ritz.outside(a);
            }

            @Override
            public boolean whole() {
                return false;
            }
        };
    }

    /** The part that both kinds of space share. */
    abstract class Fixed implements Space {
        private final double[] values;
        private final double[] y;
        private final double[] z;
        private final double @Nullable [] effects;

        Fixed(double[] values, double[] y, double[] z, double @Nullable [] effects) {
            this.values = values;
            this.y = y;
            this.z = z;
            this.effects = effects;
        }

        @Override
        public double[] values() {
            return values;
        }

        @Override
        public double[] y() {
            return y;
        }

        @Override
        public double[] z() {
            return z;
        }

        @Override
        public double @Nullable [] effects() {
            return effects;
        }
    }
}
