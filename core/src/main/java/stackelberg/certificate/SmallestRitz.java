package stackelberg.certificate;

import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem;

/**
 * The smallest Ritz pair of H after some Lanczos steps: its value bounds the smallest eigenvalue from above, so it can refute and never
 * prove.
 *
 * @param value u'Hu
 * @param vector u, a unit vector
 */
record SmallestRitz(double value, double[] vector) {
    private static final int STEPS = 60;

    /** Lanczos with full reorthogonalisation from a fixed start that no structure of H favours. */
    static SmallestRitz of(SphereProblem problem) {
        int d = problem.dimension();
        int steps = Math.min(STEPS, d);
        double[][] basis = new double[steps][];
        double[][] t = new double[steps][steps];
        double[] next = start(d);
        int used = 0;
        DenseMatrix product = DenseMatrix.zeros(d, 1);
        while (used < steps) {
            basis[used] = next;
            problem.hessianTimes(DenseMatrix.column(next), product);
            next = product.column(0);
            double before = Vectors.norm(next);
            for (int round = 0; round < 2; round++) {
                for (int k = 0; k <= used; k++) {
                    double c = Vectors.dot(basis[k], next);
                    t[k][used] += c;
                    Vectors.axpy(-c, basis[k], next);
                }
            }
            used++;
            double beta = Vectors.norm(next);
            if (beta <= 1e-13 * before || used == steps) {
                break;
            }
            Vectors.scale(1 / beta, next);
        }
        DenseMatrix small = DenseMatrix.zeros(used, used);
        for (int i = 0; i < used; i++) {
            for (int j = 0; j <= i; j++) {
                small.set(i, j, t[j][i]);
                small.set(j, i, t[j][i]);
            }
        }
        SymmetricEigen eigen = SymmetricEigen.of(small, Workers.of(1));
        double[] u = new double[d];
        double[] coordinates = eigen.vectors().column(0);
        for (int k = 0; k < used; k++) {
            Vectors.axpy(coordinates[k], basis[k], u);
        }
        Vectors.scale(1 / Vectors.norm(u), u);
        return new SmallestRitz(eigen.values()[0], u);
    }

    /** Fractional parts of multiples of the golden ratio, centred: spread evenly and without a seed. */
    private static double[] start(int d) {
        double[] v = new double[d];
        for (int i = 0; i < d; i++) {
            double multiple = (i + 1) * 0.6180339887498949;
            v[i] = multiple - Math.floor(multiple) - 0.5;
        }
        if (Vectors.norm(v) == 0) {
            v[0] = 1;
        }
        Vectors.scale(1 / Vectors.norm(v), v);
        return v;
    }
}
