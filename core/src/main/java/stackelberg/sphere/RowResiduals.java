package stackelberg.sphere;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem.Evaluation;

/**
 * Computes f(r) = ||P(L r - b)||^2 and its half gradient L'P(L r - b) from the residuals of the rows, for many gammas
 * in one pass over the data.
 *
 * <p>Sums of squared residuals do not cancel, unlike r'H r + 2 g'r + p, which loses eps p.
 */
final class RowResiduals {
    private final ProjectedRows rows;
    private final Matrix x;
    private final double[] weights;
    /** Whether every row has weight 1. */
    private final boolean isOne;

    private final Workers workers;
    private final double[] py;
    private final double[] pz;
    private final double noise;
    private final SphereFamily.Sums sums;
    private final double squaredNorm;

    /**
     * Stores its arguments; reads no row.
     *
     * @param py P y
     * @param pz P z
     * @param noise s^2, the summed variance of the wishes
     * @param squaredNorm ||S^{1/2} X||_F^2
     */
    RowResiduals(
            ProjectedRows rows, double[] py, double[] pz, double noise, SphereFamily.Sums sums, double squaredNorm) {
        this.rows = rows;
        this.x = rows.x();
        this.weights = rows.weights();
        this.isOne = weights.length == 1 && weights[0] == 1;
        this.workers = rows.workers();
        this.py = py;
        this.pz = pz;
        this.noise = noise;
        this.sums = sums;
        this.squaredNorm = squaredNorm;
    }

    /**
     * Returns one evaluation for each gamma and its point; in the span of fewer directions where many points allow it.
     */
    Evaluation[] evaluate(double[] gammas, double[][] r) {
        sums.requirePoints(r);
        SpanningSet span = gammas.length < SpanningSet.MIN_POINTS ? null : SpanningSet.of(r, x.cols());
        return span == null ? evaluateEach(gammas, r) : evaluateInSpan(gammas, r, span);
    }

    /** Evaluates every point by a separate vector: the pass computes X'S of k residuals. */
    private Evaluation[] evaluateEach(double[] gammas, double[][] r) {
        int n = x.cols();
        int k = gammas.length;
        double[][] columns = new double[k][];
        for (int c = 0; c < k; c++) {
            columns[c] = Arrays.copyOf(r[c], n);
            Vectors.scale(Math.sqrt(gammas[c]) / 2, columns[c]);
        }
        DenseMatrix v = workers.borrow(n, k);
        v.setColumns(0, columns);
        double[][] fv = rows.projections(v);
        ResidualSums[] parts = residualSums(x.parts(k), r);
        Matrix.RowStep[] steps = new Matrix.RowStep[parts.length];
        for (int part = 0; part < steps.length; part++) {
            ResidualSums sum = parts[part];
            steps[part] = (firstRow, rowCount, u) -> {
                if (k == 1) {
                    sum.addBlock(firstRow, rowCount, fv[0], u);
                    return;
                }
                for (int i = 0; i < rowCount; i++) {
                    int row = firstRow + i;
                    for (int c = 0; c < k; c++) {
                        double fitted = u.get(i * k + c) - rows.fixedPart(row, fv[c]);
                        u.put(i * k + c, sum.add(c, fitted, row));
                    }
                }
            };
        }
        DenseMatrix out = workers.borrow(n, k);
        x.pass(v, steps, out, workers);
        workers.giveBack(v);
        Evaluation[] result = new Evaluation[k];
        for (int c = 0; c < k; c++) {
            result[c] = evaluation(gammas[c], out.column(c), parts, c, 0);
        }
        workers.giveBack(out);
        return result;
    }

    /**
     * Evaluates many points that span few directions B: the pass computes W = X'SPX B only, and X'S of the residual of
     * a point with coefficients c is W c + (1 + alphaTilde)/2 X'Pz - X'Py.
     */
    private Evaluation[] evaluateInSpan(double[] gammas, double[][] r, SpanningSet span) {
        int n = x.cols();
        int k = gammas.length;
        int b = span.size();
        double[][] fv = rows.projections(span.basis());
        double[][] coefficients = new double[k][];
        for (int c = 0; c < k; c++) {
            double root = Math.sqrt(gammas[c]) / 2;
            coefficients[c] = Arrays.stream(span.coefficients(c))
                    .map(value -> root * value)
                    .toArray();
        }
        ResidualSums[] parts = residualSums(x.parts(b), r);
        Matrix.RowStep[] steps = new Matrix.RowStep[parts.length];
        for (int part = 0; part < steps.length; part++) {
            ResidualSums sum = parts[part];
            steps[part] = (firstRow, rowCount, u) -> {
                double[][] projected = new double[b][rowCount];
                for (int i = 0; i < rowCount; i++) {
                    int row = firstRow + i;
                    for (int d = 0; d < b; d++) {
                        projected[d][i] = u.get(i * b + d) - rows.fixedPart(row, fv[d]);
                        u.put(i * b + d, Vectors.at(weights, row) * projected[d][i]);
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
        double[] xy = sums.xy();
        double[] xz = sums.xz();
        Evaluation[] result = new Evaluation[k];
        workers.run(k, c -> {
            double wish = (1 + r[c][n]) / 2;
            double[] product = new double[n];
            combine(coefficients[c], images, product);
            for (int j = 0; j < n; j++) {
                product[j] += wish * xz[j] - xy[j];
            }
            // ||L|| times the part of the residuals that the span leaves out
            double features = Math.sqrt(gammas[c] * squaredNorm) / 2;
            double neglected = Math.hypot(features, Math.sqrt(sums.zz()) / 2) * features * span.neglected(c);
            result[c] = evaluation(gammas[c], product, parts, c, neglected);
        });
        return result;
    }

    /** Writes coefficients[0] v[0] + coefficients[1] v[1] + ... to out. */
    private static void combine(double[] coefficients, double[][] v, double[] out) {
        Arrays.fill(out, 0);
        for (int d = 0; d < v.length; d++) {
            Vectors.axpy(coefficients[d], v[d], out);
        }
    }

    /**
     * Returns f and its half gradient from X'S of the residual and the sums over the rows, plus the extra row of the
     * wish noise, s t.
     */
    private Evaluation evaluation(double gamma, double[] product, ResidualSums[] parts, int c, double neglected) {
        double wish = parts[0].wish[c];
        double objective = noise * wish * wish;
        double last = noise * wish;
        for (ResidualSums part : parts) {
            objective += part.squares[c];
            last += part.wishProducts[c];
        }
        double[] halfGradient = Arrays.copyOf(product, product.length + 1);
        Vectors.scale(Math.sqrt(gamma) / 2, halfGradient);
        halfGradient[product.length] = last / 2;
        return new Evaluation(objective, halfGradient, neglected, 0);
    }

    /**
     * Sums over the rows of one part of the data, which one thread reads: the squared residuals and their products with
     * z, for every gamma.
     */
    private final class ResidualSums {
        /** The factor of z in the residual, t, at each point. */
        private final double[] wish;

        private final double[] squares;
        private final double[] wishProducts;
        /** The residuals of one block of rows; kept between blocks, most of which have the same size. */
        private double[] block = new double[0];

        private ResidualSums(double[] wish) {
            this.wish = wish;
            this.squares = new double[wish.length];
            this.wishProducts = new double[wish.length];
        }

        /** Adds the residual of one row at the c-th gamma and returns it times the row's weight. */
        double add(int c, double fitted, int row) {
            double residual = fitted + wish[c] * pz[row] - py[row];
            double weighted = Vectors.at(weights, row) * residual;
            squares[c] += weighted * residual;
            wishProducts[c] += weighted * pz[row];
            return weighted;
        }

        /**
         * Adds a block of rows if there is only one gamma. Separate loops for storing and for summing, because the JIT
         * compiler vectorises the first kind only.
         *
         * @param u X v of the rows on entry, the weighted residuals on return
         */
        void addBlock(int firstRow, int count, double[] fixed, DoubleBuffer u) {
            if (block.length != count) {
                block = new double[count];
            }
            double[] weighted = block;
            u.get(0, weighted);
            rows.subtractFixed(firstRow, fixed, weighted);
            for (int i = 0; i < count; i++) {
                weighted[i] = weighted[i] + wish[0] * pz[firstRow + i] - py[firstRow + i];
            }
            double[] residuals = weighted;
            if (!isOne) {
                residuals = weighted.clone();
                for (int i = 0; i < count; i++) {
                    weighted[i] *= Vectors.at(weights, firstRow + i);
                }
            }
            double square = squares[0];
            double product = wishProducts[0];
            for (int i = 0; i < count; i++) {
                square += weighted[i] * residuals[i];
                product += weighted[i] * pz[firstRow + i];
            }
            squares[0] = square;
            wishProducts[0] = product;
            u.put(0, weighted);
        }

        /**
         * Adds a block of rows at the c-th of many gammas, with the sums in local variables: this loop is a large part
         * of such a pass.
         */
        void addRows(int c, double[] fitted, int firstRow) {
            double square = 0;
            double product = 0;
            for (int i = 0; i < fitted.length; i++) {
                double z = pz[firstRow + i];
                double residual = fitted[i] + wish[c] * z - py[firstRow + i];
                double weighted = Vectors.at(weights, firstRow + i) * residual;
                square += weighted * residual;
                product += weighted * z;
            }
            squares[c] += square;
            wishProducts[c] += product;
        }
    }

    /** Returns empty sums for each part of the data. */
    private ResidualSums[] residualSums(int count, double[][] r) {
        double[] wish =
                Arrays.stream(r).mapToDouble(point -> (1 + point[x.cols()]) / 2).toArray();
        ResidualSums[] parts = new ResidualSums[count];
        Arrays.setAll(parts, part -> new ResidualSums(wish));
        return parts;
    }
}
