package stackelberg.solver.krylov;

import java.util.ArrayList;
import java.util.List;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/** Orthonormal vectors, the rows of V, added one at a time; in panels, so that growing copies nothing. */
final class Basis {
    /** Vectors of a panel: enough for the speed of GEMM. */
    private static final int MAX_PANEL = 32;

    /** Vectors of the first panel: most games are over before it is full; the second has twice as many. */
    private static final int MAX_FIRST_PANEL = 8;

    /** Long vectors come in smaller panels, of 256 MB at most or one vector: memory that nothing fills yet is memory lost. */
    private static final int MAX_PANEL_DOUBLES = 1 << 25;

    /** The last vectors are at hand as arrays too: those of two blocks, which every step reads. */
    private static final int RECENT = 4;

    private final int length;
    private final int panelSize;
    private final int firstPanelSize;
    /** The vectors of the first two panels. */
    private final int early;

    private final Workers workers;
    private final List<DenseMatrix> panels = new ArrayList<>();
    private final double[][] recent = new double[RECENT][];
    private int size;

    Basis(int length, Workers workers) {
        this(length, MAX_PANEL_DOUBLES, workers);
    }

    Basis(int length, int maxPanelDoubles, Workers workers) {
        this.length = length;
        this.workers = workers;
        this.panelSize = Math.max(1, Math.min(MAX_PANEL, maxPanelDoubles / Math.max(1, length)));
        this.firstPanelSize = Math.min(MAX_FIRST_PANEL, panelSize);
        this.early = firstPanelSize + Math.min(2 * MAX_FIRST_PANEL, panelSize);
    }

    int size() {
        return size;
    }

    int panels() {
        return panels.size();
    }

    /** Takes a vector over: nobody may write to it from now on. */
    void append(double[] v) {
        int panel = panelOf(size);
        if (panel == panels.size()) {
            panels.add(DenseMatrix.zeros(firstOf(panel + 1) - firstOf(panel), length));
        }
        panels.get(panel).setRow(size - firstOf(panel), v);
        recent[size % RECENT] = v;
        size++;
    }

    /** To be read only. */
    double[] vector(int index) {
        if (index >= size - RECENT) {
            return recent[index % RECENT];
        }
        int panel = panelOf(index);
        return panels.get(panel).row(index - firstOf(panel));
    }

    private int panelOf(int vector) {
        return vector < firstPanelSize ? 0 : vector < early ? 1 : 2 + (vector - early) / panelSize;
    }

    /** The first vector of a panel. */
    private int firstOf(int panel) {
        return panel == 0 ? 0 : panel == 1 ? firstPanelSize : early + (panel - 2) * panelSize;
    }

    /** What this panel has of the first {@code count} vectors. */
    private DenseMatrix panel(int panel, int count) {
        return panels.get(panel).firstRows(Math.min(count, firstOf(panel + 1)) - firstOf(panel));
    }

    /** W -= C'V with C = V W', one round of Gram-Schmidt for the rows of W; returns C. */
    double[][] project(DenseMatrix w) {
        double[][] coordinates = coordinates(w);
        add(-1, coordinates, w);
        return coordinates;
    }

    /** The same with the vectors from the given one on alone, one after the other; adds to their rows of C. */
    void project(int first, double[][] w, double[][] coordinates) {
        for (int i = first; i < size; i++) {
            double[] v = vector(i);
            for (int c = 0; c < w.length; c++) {
                double along = Vectors.dot(v, w[c]);
                Vectors.axpy(-along, v, w[c]);
                coordinates[i][c] += along;
            }
        }
    }

    /** V W', row i for vector i. */
    double[][] coordinates(DenseMatrix w) {
        double[][] coordinates = new double[size][];
        for (int panel = 0; firstOf(panel) < size; panel++) {
            DenseMatrix v = panel(panel, size);
            DenseMatrix c = DenseMatrix.zeros(v.rows(), w.rows());
            v.innerProducts(w, c, workers);
            for (int i = 0; i < v.rows(); i++) {
                coordinates[firstOf(panel) + i] = c.row(i);
            }
        }
        return coordinates;
    }

    /** H'V, borrowed, one row for each of {@code count} columns of H, of which row i belongs to vector i; H may have fewer rows than there are vectors. */
    DenseMatrix combine(double[][] h, int count) {
        DenseMatrix out = workers.borrow(count, length);
        double[] zeros = new double[length];
        for (int c = 0; c < count; c++) {
            out.setRow(c, zeros);
        }
        add(1, h, out);
        return out;
    }

    /** W += alpha H'V. */
    private void add(double alpha, double[][] h, DenseMatrix w) {
        for (int panel = 0; firstOf(panel) < h.length; panel++) {
            DenseMatrix v = panel(panel, h.length);
            DenseMatrix transposed = DenseMatrix.zeros(w.rows(), v.rows());
            for (int i = 0; i < v.rows(); i++) {
                transposed.setColumn(i, h[firstOf(panel) + i]);
            }
            transposed.combineRows(alpha, v, 1, w, workers);
        }
    }
}
