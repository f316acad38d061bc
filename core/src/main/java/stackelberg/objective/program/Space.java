package stackelberg.objective.program;

import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.solver.krylov.KrylovSolver;

/**
 * Orthonormal coordinates in which X'PX is diagonal, on a subspace that contains the solution for every weight of the
 * hedge, at least approximately.
 *
 * @param values the diagonal of X'PX
 * @param y the coordinates of X'Py
 * @param z the coordinates of X'Pz
 * @param effects the coordinates of beta, on cost-scaled features; null without effects
 * @param lift returns the coefficients of the features with given coordinates
 * @param outside returns the length of the part of X'PX a that lies outside the subspace
 * @param whole whether the subspace contains the whole range of X'PX, so that the smallest eigenvalue is among the
 *     values
 */
record Space(
        double[] values,
        double[] y,
        double[] z,
        double @Nullable [] effects,
        UnaryOperator<double[]> lift,
        ToDoubleFunction<double[]> outside,
        boolean whole) {
    /**
     * Makes the space of a full decomposition of X'PX. If X'PX is singular, one more coordinate has the value 0: along
     * the component of the effects in the null space if there is one, otherwise along any null vector.
     */
    static Space of(DirectSolver.Decomposition whole, double @Nullable [] effects, Workers workers) {
        double[] roots = whole.singularValues();
        int k = roots.length;
        int order = k + (whole.hasNullVector() ? 1 : 0);
        double[] values = Arrays.copyOf(roots, order);
        double[] y = Arrays.copyOf(whole.leftPy(), order);
        double[] z = Arrays.copyOf(whole.leftPz(), order);
        for (int i = 0; i < k; i++) {
            values[i] *= roots[i];
            y[i] *= roots[i];
            z[i] *= roots[i];
        }
        if (effects == null) {
            return new Space(values, y, z, null, a -> whole.coefficients(a, workers), a -> 0, true);
        }
        double[] beta = Arrays.copyOf(whole.coordinates(effects, workers), order);
        double[] hidden = Vectors.minus(effects, whole.coefficients(beta, workers));
        double length = Vectors.norm(hidden);
        if (order == k || length <= 1e-12 * Vectors.norm(effects)) {
            return new Space(values, y, z, beta, a -> whole.coefficients(a, workers), a -> 0, true);
        }
        beta[k] = length;
        Vectors.scale(1 / length, hidden);
        UnaryOperator<double[]> lift = a -> {
            double[] v = whole.coefficients(Arrays.copyOf(Arrays.copyOf(a, k), order), workers);
            Vectors.axpy(a[k], hidden, v);
            return v;
        };
        return new Space(values, y, z, beta, lift, a -> 0, true);
    }

    /**
     * Makes the space of the current state of a Krylov space that started from X'Py, X'Pz and the effects, if there are
     * any.
     */
    static Space of(KrylovSolver.Space.Coordinates ritz, boolean effects) {
        return new Space(
                ritz.values(),
                ritz.start(0),
                ritz.start(1),
                effects ? ritz.start(2) : null,
                ritz::lift,
                ritz::outside,
                false);
    }
}
