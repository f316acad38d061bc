package stackelberg.linalg;

import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/**
 * A = Q diag(values) Q', values ascending.
 *
 * @param values the eigenvalues
 * @param vectors Q, one eigenvector per column
 */
public record SymmetricEigen(double[] values, DenseMatrix vectors) {
    /** Decomposes the symmetric matrix a, of which the lower triangle is read; a is not changed. */
    public static SymmetricEigen of(DenseMatrix a, Workers workers) {
        int n = a.rows();
        DMatrixRMaj copy = new DMatrixRMaj(n, n);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                copy.set(i, j, a.get(i, j));
                copy.set(j, i, a.get(i, j));
            }
        }
        EigenDecomposition_F64<DMatrixRMaj> eig = DecompositionFactory_DDRM.eig(n, true, true);
        if (n > 0 && !eig.decompose(copy)) {
            throw new ArithmeticException("The symmetric eigenvalue iteration did not converge for order " + n + ".");
        }
        Integer[] order = new Integer[n];
        for (int i = 0; i < n; i++) {
            order[i] = i;
        }
        java.util.Arrays.sort(order, java.util.Comparator.comparingDouble(i -> eig.getEigenvalue(i)
                .getReal()));
        double[] values = new double[n];
        DenseMatrix vectors = DenseMatrix.zeros(n, n);
        for (int k = 0; k < n; k++) {
            values[k] = eig.getEigenvalue(order[k]).getReal();
            vectors.setColumn(k, eig.getEigenVector(order[k]).getData());
        }
        return new SymmetricEigen(values, vectors);
    }
}
