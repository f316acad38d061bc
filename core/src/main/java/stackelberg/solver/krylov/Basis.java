package stackelberg.solver.krylov;

import java.util.ArrayList;
import java.util.List;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/** A growing list of orthonormal vectors, stored as the rows of matrices (panels), so that adding a vector copies none of the earlier ones. */
final class Basis {
    /** The number of vectors of a panel; enough for matrix products to reach full speed. */
    private static final int MAX_PANEL = 32;

    /** The number of vectors of the first panel, with which most games are solved; the second panel has twice as many. */
    private static final int MAX_FIRST_PANEL = 8;

    /** The largest number of values of a panel, 256 MB (but at least one vector), so that little memory is reserved before it is used. */
    private static final int MAX_PANEL_DOUBLES = 1 << 25;

    /** The number of latest vectors that are kept as arrays as well: two blocks of two, which every step reads. */
    private static final int RECENT = 4;

    private final int length;
    private final int panelSize;
    private final int firstPanelSize;
    /** The number of vectors of the first two panels together. */
    private final int early;

    private final Workers workers;
    private final List<DenseMatrix> panels = new ArrayList<>();
    private final double[][] recent = new double[RECENT][];
    private int size;

    Basis(int length, Workers workers) {
        this(length, MAX_PANEL_DOUBLES, workers);
    }

    /** Makes an empty basis with panels of at most this many values, for tests. */
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

    /** Appends a unit vector orthogonal to the others. The array is shared, not copied: the caller must not write to it afterwards. */
    void append(double[] v) {
        int panel = panelOf(size);
        if (panel == panels.size()) {
            panels.add(DenseMatrix.zeros(firstOf(panel + 1) - firstOf(panel), length));
        }
        panels.get(panel).setRow(size - firstOf(panel), v);
        recent[size % RECENT] = v;
        size++;
    }

    /** Returns a vector; the array may be shared and must not be modified. */
    double[] vector(int index) {
        if (index >= size - RECENT) {
            return recent[index % RECENT];
        }
        int panel = panelOf(index);
        return panels.get(panel).row(index - firstOf(panel));
    }

    /** Returns the panel that holds a vector. */
    private int panelOf(int vector) {
        return vector < firstPanelSize ? 0 : vector < early ? 1 : 2 + (vector - early) / panelSize;
    }

    /** Returns the index of the first vector of a panel. */
    private int firstOf(int panel) {
        return panel == 0 ? 0 : panel == 1 ? firstPanelSize : early + (panel - 2) * panelSize;
    }

    /** Returns those rows of a panel that belong to the first {@code count} vectors. */
    private DenseMatrix panel(int panel, int count) {
        return panels.get(panel).firstRows(Math.min(count, firstOf(panel + 1)) - firstOf(panel));
    }

    /** Subtracts C'V from W, with C = V W', and returns C: one round of classical Gram-Schmidt for the rows of W. */
    double[][] project(DenseMatrix w) {
        double[][] coordinates = coordinates(w);
        add(-1, coordinates, w);
        return coordinates;
    }

    /**
     * Orthogonalises vectors against the basis vectors from index {@code first} on only, one after the other (modified Gram-Schmidt).
     *
     * @param w overwritten with the remainders
     * @param coordinates the inner products are added to its rows
     */
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

    /** Returns V W', row i for basis vector i. */
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

    /**
     * Returns H'V, one row for each column of H, in a matrix borrowed from the workers.
     *
     * @param h row i belongs to basis vector i; may have fewer rows than there are vectors
     * @param count the number of columns of H
     */
    DenseMatrix combine(double[][] h, int count) {
        DenseMatrix out = workers.borrow(count, length);
        double[] zeros = new double[length];
        for (int c = 0; c < count; c++) {
            out.setRow(c, zeros);
        }
        add(1, h, out);
        return out;
    }

    /** Adds alpha H'V to W. */
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
