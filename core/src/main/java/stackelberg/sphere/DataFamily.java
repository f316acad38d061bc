package stackelberg.sphere;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.Optional;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Gram;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * The family of a game whose rows are at hand: products with P X without forming it, residuals without cancellation.
 *
 * <p>P X V = X V - E (F'V) with F = X'SE, row by row inside the one pass over X, so sparse data stays sparse and mapped data is read once.
 */
final class DataFamily implements SphereFamily {
    private final Matrix x;
    private final double[] weights;
    private final ProjectedColumns fixed;
    private final double[] py;
    private final double[] pz;
    private final double removedNorm;
    private final double noise;
    private final Workers workers;
    private final double[][] f;
    private final double[] xy;
    private final double[] xz;
    private final double yy;
    private final double yz;
    private final double zz;
    private final double p;
    private final double believeEverybodyLoss;
    private final double squaredNorm;

    /**
     * Reads the data once.
     *
     * @param x the manipulable features, costs already applied
     * @param py P y
     * @param pz P z
     * @param removedNorm ||y - Py|| + ||z - Pz||
     * @param noise s^2, the summed variance of the wishes
     */
    DataFamily(
            Matrix x,
            double[] weights,
            ProjectedColumns fixed,
            double[] py,
            double[] pz,
            double removedNorm,
            double noise,
            Workers workers) {
        this.x = x;
        this.weights = weights;
        this.fixed = fixed;
        this.py = py;
        this.pz = pz;
        this.removedNorm = removedNorm;
        this.noise = noise;
        this.workers = workers;
        int m = x.rows();
        int n = x.cols();
        int k = fixed.rank();
        DenseMatrix side = DenseMatrix.zeros(m, k + 2);
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < k; j++) {
                side.set(i, j, weights[i] * fixed.basis(j)[i]);
            }
            side.set(i, k, weights[i] * py[i]);
            side.set(i, k + 1, weights[i] * pz[i]);
        }
        DenseMatrix products = DenseMatrix.zeros(n, k + 2);
        double[] rowSquares = new double[m];
        x.transposeTimes(side, products, rowSquares, workers);
        this.f = new double[k][];
        for (int j = 0; j < k; j++) {
            f[j] = products.column(j);
        }
        this.xy = products.column(k);
        this.xz = products.column(k + 1);
        double yySum = 0;
        double yzSum = 0;
        double zzSum = 0;
        double bSum = 0;
        double gapSum = 0;
        double norm = 0;
        for (int i = 0; i < m; i++) {
            double s = weights[i];
            double b = py[i] - pz[i] / 2;
            double gap = pz[i] - py[i];
            yySum += s * py[i] * py[i];
            yzSum += s * py[i] * pz[i];
            zzSum += s * pz[i] * pz[i];
            bSum += s * b * b;
            gapSum += s * gap * gap;
            norm += s * rowSquares[i];
            if (!Double.isFinite(rowSquares[i])) {
                throw new IllegalArgumentException("The features of row " + (i + 1)
                        + " have a value that is not a number, not finite, or too large to square.");
            }
        }
        this.yy = yySum;
        this.yz = yzSum;
        this.zz = zzSum + noise;
        this.p = bSum + noise / 4;
        this.believeEverybodyLoss = gapSum + noise;
        this.squaredNorm = norm;
        Magnitude.require("the features", norm, norm > 0 || isPresent(xy) || isPresent(xz));
        Magnitude.require("the target and the wish", yySum + zz, isPresent(py) || isPresent(pz));
    }

    private static boolean isPresent(double[] v) {
        return Arrays.stream(v).anyMatch(value -> value != 0);
    }

    @Override
    public int features() {
        return x.cols();
    }

    @Override
    public int rankBound() {
        return Math.max(0, Math.min(x.cols(), x.rows() - fixed.rank()));
    }

    @Override
    public void gramTimes(DenseMatrix v, DenseMatrix out) {
        int k = v.cols();
        double[][] fv = projections(v);
        Matrix.RowStep[] steps = new Matrix.RowStep[x.parts(k)];
        for (int part = 0; part < steps.length; part++) {
            steps[part] = (firstRow, rowCount, u) -> {
                for (int i = 0; i < rowCount; i++) {
                    double s = weights[firstRow + i];
                    for (int c = 0; c < k; c++) {
                        u.put(i * k + c, s * (u.get(i * k + c) - fixedPart(firstRow + i, fv[c])));
                    }
                }
            };
        }
        x.pass(v, steps, out, workers);
    }

    @Override
    public Evaluation[] evaluate(double[] gammas, double[][] r) {
        for (double[] point : r) {
            if (point.length != x.cols() + 1) {
                throw new IllegalArgumentException(
                        "A point of this sphere has " + (x.cols() + 1) + " coordinates, not " + point.length + ".");
            }
        }
        SpanningSet span = gammas.length < SpanningSet.WORTHWHILE ? null : SpanningSet.of(r, x.cols());
        return span == null ? evaluateEach(gammas, r) : evaluateInSpan(gammas, r, span);
    }

    /** X'S of every residual: one vector per gamma goes through the pass. */
    private Evaluation[] evaluateEach(double[] gammas, double[][] r) {
        int n = x.cols();
        int k = gammas.length;
        DenseMatrix v = DenseMatrix.zeros(n, k);
        for (int c = 0; c < k; c++) {
            double root = Math.sqrt(gammas[c]) / 2;
            for (int j = 0; j < n; j++) {
                v.set(j, c, root * r[c][j]);
            }
        }
        double[][] fv = projections(v);
        ResidualSums[] sums = residualSums(x.parts(k), r);
        Matrix.RowStep[] steps = new Matrix.RowStep[sums.length];
        for (int part = 0; part < steps.length; part++) {
            ResidualSums sum = sums[part];
            steps[part] = (firstRow, rowCount, u) -> {
                for (int i = 0; i < rowCount; i++) {
                    int row = firstRow + i;
                    for (int c = 0; c < k; c++) {
                        double fitted = u.get(i * k + c) - fixedPart(row, fv[c]);
                        u.put(i * k + c, sum.add(c, fitted, row));
                    }
                }
            };
        }
        DenseMatrix out = DenseMatrix.zeros(n, k);
        x.pass(v, steps, out, workers);
        Evaluation[] result = new Evaluation[k];
        for (int c = 0; c < k; c++) {
            double[] product = new double[n];
            for (int j = 0; j < n; j++) {
                product[j] = out.get(j, c);
            }
            result[c] = evaluation(gammas[c], product, sums, c, 0);
        }
        return result;
    }

    /** The same when many points span few directions: only those go through the pass, and X'S of a residual is W c + (1 + alphaTilde)/2 X'Pz - X'Py. */
    private Evaluation[] evaluateInSpan(double[] gammas, double[][] r, SpanningSet span) {
        int n = x.cols();
        int k = gammas.length;
        int b = span.size();
        double[][] fv = projections(span.basis());
        double[][] coefficients = new double[k][];
        for (int c = 0; c < k; c++) {
            double root = Math.sqrt(gammas[c]) / 2;
            coefficients[c] = Arrays.stream(span.coefficients(c))
                    .map(value -> root * value)
                    .toArray();
        }
        ResidualSums[] sums = residualSums(x.parts(b), r);
        Matrix.RowStep[] steps = new Matrix.RowStep[sums.length];
        for (int part = 0; part < steps.length; part++) {
            ResidualSums sum = sums[part];
            steps[part] = (firstRow, rowCount, u) -> {
                double[][] projected = new double[b][rowCount];
                for (int i = 0; i < rowCount; i++) {
                    int row = firstRow + i;
                    for (int d = 0; d < b; d++) {
                        projected[d][i] = u.get(i * b + d) - fixedPart(row, fv[d]);
                        u.put(i * b + d, weights[row] * projected[d][i]);
                    }
                }
                double[] fitted = new double[rowCount];
                for (int c = 0; c < k; c++) {
                    combine(coefficients[c], projected, fitted);
                    sum.addRows(c, fitted, firstRow);
                }
            };
        }
        DenseMatrix w = DenseMatrix.zeros(n, b);
        x.pass(span.basis(), steps, w, workers);
        double[][] images = new double[b][];
        Arrays.setAll(images, w::column);
        Evaluation[] result = new Evaluation[k];
        workers.run(k, c -> {
            double wish = (1 + r[c][n]) / 2;
            double[] product = new double[n];
            combine(coefficients[c], images, product);
            for (int j = 0; j < n; j++) {
                product[j] += wish * xz[j] - xy[j];
            }
            // ||L|| times what the residuals lack
            double features = Math.sqrt(gammas[c] * squaredNorm) / 2;
            double neglected = Math.hypot(features, Math.sqrt(zz) / 2) * features * span.neglected(c);
            result[c] = evaluation(gammas[c], product, sums, c, neglected);
        });
        return result;
    }

    /** out = coefficients[0] v[0] + coefficients[1] v[1] + ... */
    private static void combine(double[] coefficients, double[][] v, double[] out) {
        Arrays.fill(out, 0);
        for (int d = 0; d < v.length; d++) {
            Vectors.axpy(coefficients[d], v[d], out);
        }
    }

    /** f and its half gradient from X'S of the residual and the sums over the rows, with the wish noise's row added. */
    private Evaluation evaluation(double gamma, double[] product, ResidualSums[] sums, int c, double neglected) {
        double wish = sums[0].wish[c];
        double objective = noise * wish * wish;
        double last = noise * wish;
        for (ResidualSums part : sums) {
            objective += part.squares[c];
            last += part.wishProducts[c];
        }
        double[] halfGradient = Arrays.copyOf(product, product.length + 1);
        Vectors.scale(Math.sqrt(gamma) / 2, halfGradient);
        halfGradient[product.length] = last / 2;
        return new Evaluation(objective, halfGradient, neglected);
    }

    /** Sums over the rows of one part: the squared residuals and their products with the wishes, for every gamma. */
    private final class ResidualSums {
        private final double[] wish;
        private final double[] squares;
        private final double[] wishProducts;

        private ResidualSums(double[] wish) {
            this.wish = wish;
            this.squares = new double[wish.length];
            this.wishProducts = new double[wish.length];
        }

        /** Adds the residual of a row at the c-th gamma; returns it weighted. */
        double add(int c, double fitted, int row) {
            double residual = fitted + wish[c] * pz[row] - py[row];
            double weighted = weights[row] * residual;
            squares[c] += weighted * residual;
            wishProducts[c] += weighted * pz[row];
            return weighted;
        }

        /** The same for a block of rows, with the sums in registers: many gammas make this loop a large part of a pass. */
        void addRows(int c, double[] fitted, int firstRow) {
            double square = 0;
            double product = 0;
            for (int i = 0; i < fitted.length; i++) {
                double z = pz[firstRow + i];
                double residual = fitted[i] + wish[c] * z - py[firstRow + i];
                double weighted = weights[firstRow + i] * residual;
                square += weighted * residual;
                product += weighted * z;
            }
            squares[c] += square;
            wishProducts[c] += product;
        }
    }

    private ResidualSums[] residualSums(int parts, double[][] r) {
        double[] wish =
                Arrays.stream(r).mapToDouble(point -> (1 + point[x.cols()]) / 2).toArray();
        ResidualSums[] sums = new ResidualSums[parts];
        for (int part = 0; part < parts; part++) {
            sums[part] = new ResidualSums(wish);
        }
        return sums;
    }

    @Override
    public DenseMatrix gram() {
        int m = x.rows();
        int n = x.cols();
        DenseMatrix sum = DenseMatrix.zeros(n, n);
        int height = Math.max(1, Math.min(m, (1 << 22) / Math.max(1, n)));
        DoubleBuffer tile = scratch(height, n);
        for (int first = 0; first < m; first += height) {
            int count = Math.min(height, m - first);
            x.tile(first, count, 0, n, tile);
            project(tile, first, count, 0, n);
            Gram.addTransposeProduct(tile, count, n, sum, workers);
        }
        Gram.symmetrize(sum);
        return sum;
    }

    @Override
    public Optional<SparseGram> sparse() {
        return Optional.ofNullable(SparseGram.of(x, weights, fixed));
    }

    @Override
    public Optional<Dual> dual() {
        if (x.rows() >= x.cols()) {
            return Optional.empty();
        }
        return Optional.of(new RowSide());
    }

    /** The dual in coordinates scaled by sqrt(s_i), where P is symmetric. */
    private final class RowSide implements Dual {
        @Override
        public DenseMatrix gram() {
            int m = x.rows();
            int n = x.cols();
            DenseMatrix sum = DenseMatrix.zeros(m, m);
            int width = Math.max(1, Math.min(n, (1 << 22) / Math.max(1, m)));
            DoubleBuffer tile = scratch(m, width);
            for (int first = 0; first < n; first += width) {
                int count = Math.min(width, n - first);
                x.tile(0, m, first, count, tile);
                project(tile, 0, m, first, count);
                Gram.addProductTranspose(tile, m, count, sum, workers);
            }
            Gram.symmetrize(sum);
            return sum;
        }

        @Override
        public double[] y() {
            return scaled(py);
        }

        @Override
        public double[] z() {
            return scaled(pz);
        }

        @Override
        public void times(DenseMatrix v, DenseMatrix out) {
            double[][] fv = projections(v);
            x.times(v, out, workers);
            for (int i = 0; i < x.rows(); i++) {
                double root = Math.sqrt(weights[i]);
                for (int c = 0; c < v.cols(); c++) {
                    out.set(i, c, root * (out.get(i, c) - fixedPart(i, fv[c])));
                }
            }
        }

        @Override
        public void transposeTimes(DenseMatrix u, DenseMatrix out) {
            int m = x.rows();
            DenseMatrix projected = DenseMatrix.zeros(m, u.cols());
            for (int c = 0; c < u.cols(); c++) {
                double[] column = u.column(c);
                for (int i = 0; i < m; i++) {
                    column[i] = weights[i] > 0 ? column[i] / Math.sqrt(weights[i]) : 0;
                }
                double[] clean = fixed.remove(column, fixed.coordinates(column));
                for (int i = 0; i < m; i++) {
                    projected.set(i, c, weights[i] * clean[i]);
                }
            }
            x.transposeTimes(projected, out, null, workers);
        }

        private double[] scaled(double[] v) {
            double[] result = v.clone();
            for (int i = 0; i < result.length; i++) {
                result[i] *= Math.sqrt(weights[i]);
            }
            return result;
        }
    }

    /** Turns a tile of X into the same tile of S^{1/2} P X. */
    private void project(DoubleBuffer tile, int firstRow, int rowCount, int firstCol, int colCount) {
        boolean plain = fixed.rank() == 0;
        for (int i = 0; i < rowCount && plain; i++) {
            plain = weights[firstRow + i] == 1;
        }
        if (plain) {
            return;
        }
        for (int i = 0; i < rowCount; i++) {
            int row = firstRow + i;
            double root = Math.sqrt(weights[row]);
            for (int j = 0; j < colCount; j++) {
                double value = tile.get(i * colCount + j);
                for (int k = 0; k < f.length; k++) {
                    value -= fixed.basis(k)[row] * f[k][firstCol + j];
                }
                tile.put(i * colCount + j, root * value);
            }
        }
    }

    /** F'v for every column v. */
    private double[][] projections(DenseMatrix v) {
        double[][] fv = new double[v.cols()][f.length];
        if (f.length == 0) {
            return fv;
        }
        for (int j = 0; j < v.rows(); j++) {
            for (int c = 0; c < v.cols(); c++) {
                double value = v.get(j, c);
                for (int k = 0; k < f.length; k++) {
                    fv[c][k] += f[k][j] * value;
                }
            }
        }
        return fv;
    }

    private double fixedPart(int row, double[] coefficients) {
        double sum = 0;
        for (int k = 0; k < coefficients.length; k++) {
            sum += fixed.basis(k)[row] * coefficients[k];
        }
        return sum;
    }

    /** -E'S(L r - b) without the part of z and y, which the reduction adds: -F'v. */
    double[] fixedCoordinates(double[] v) {
        double[] c = projections(DenseMatrix.column(v))[0];
        for (int k = 0; k < c.length; k++) {
            c[k] = -c[k];
        }
        return c;
    }

    private static DoubleBuffer scratch(int rows, int cols) {
        return ByteBuffer.allocateDirect(Math.toIntExact(8L * rows * cols))
                .order(ByteOrder.nativeOrder())
                .asDoubleBuffer();
    }

    @Override
    public double[] xy() {
        return xy.clone();
    }

    @Override
    public double[] xz() {
        return xz.clone();
    }

    @Override
    public double yy() {
        return yy;
    }

    @Override
    public double yz() {
        return yz;
    }

    @Override
    public double zz() {
        return zz;
    }

    @Override
    public double p() {
        return p;
    }

    @Override
    public double believeEverybodyLoss() {
        return believeEverybodyLoss;
    }

    @Override
    public double squaredNorm() {
        return squaredNorm;
    }

    @Override
    public double roundingGrowth() {
        return roundingGrowth(x.rows());
    }

    /** Sums over m rows: measured up to 3.1 times the rounding of short ones at m = 100,000, so the fourth root, with room. */
    static double roundingGrowth(int rows) {
        return 1 + Math.sqrt(Math.sqrt(Math.max(0, rows) / 1000.0));
    }

    @Override
    public double projectionGrowth() {
        return fixed.conditioning();
    }

    @Override
    public double removedNorm() {
        return removedNorm;
    }
}
