package stackelberg.solver.krylov;

import java.util.ArrayList;
import java.util.List;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Gemm;
import stackelberg.linalg.Workers;

/** Orthonormal vectors V, added one at a time; in panels, so that growing copies nothing. */
final class Basis {
    /** Columns per panel, unused ones zero: enough for the speed of GEMM, few enough to waste nothing. */
    private static final int PANEL = 32;

    private final int length;
    private final Workers workers;
    private final List<DenseMatrix> panels = new ArrayList<>();
    private int size;

    Basis(int length, Workers workers) {
        this.length = length;
        this.workers = workers;
    }

    int size() {
        return size;
    }

    void append(double[] v) {
        if (size == panels.size() * PANEL) {
            panels.add(DenseMatrix.zeros(length, PANEL));
        }
        panels.get(size / PANEL).setColumn(size % PANEL, v);
        size++;
    }

    /** W -= V C with C = V'W, one round of Gram-Schmidt; returns C. */
    double[][] project(DenseMatrix w) {
        double[][] coordinates = coordinates(w);
        subtract(coordinates, w);
        return coordinates;
    }

    /** V'W, row i for vector i. */
    double[][] coordinates(DenseMatrix w) {
        double[][] coordinates = new double[size][];
        DenseMatrix c = DenseMatrix.zeros(PANEL, w.cols());
        for (int first = 0; first < size; first += PANEL) {
            Gemm.transposeProduct(1, panels.get(first / PANEL), w, 0, c, workers);
            for (int i = 0; i < Math.min(PANEL, size - first); i++) {
                coordinates[first + i] = c.row(i);
            }
        }
        return coordinates;
    }

    private void subtract(double[][] coordinates, DenseMatrix w) {
        for (int first = 0; first < size; first += PANEL) {
            DenseMatrix c = slice(coordinates, first, w.cols());
            Gemm.product(-1, panels.get(first / PANEL), c, 1, w, workers);
        }
    }

    /** V H, one combination for each column of H, of which row i belongs to vector i; H may have fewer rows than V has vectors. */
    DenseMatrix combine(double[][] h, int columns) {
        DenseMatrix out = DenseMatrix.zeros(length, columns);
        for (int first = 0; first < h.length; first += PANEL) {
            Gemm.product(1, panels.get(first / PANEL), slice(h, first, columns), 1, out, workers);
        }
        return out;
    }

    private static DenseMatrix slice(double[][] h, int first, int columns) {
        DenseMatrix c = DenseMatrix.zeros(PANEL, columns);
        for (int i = 0; i < Math.min(PANEL, h.length - first); i++) {
            c.setRow(i, h[first + i]);
        }
        return c;
    }

    double[] vector(int index) {
        return panels.get(index / PANEL).column(index % PANEL);
    }
}
