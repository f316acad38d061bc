package stackelberg.sphere;

import java.util.Arrays;
import java.util.Optional;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.sphere.Reduction.RemoteRows;
import stackelberg.sphere.SphereProblem.Evaluation;

/**
 * The family of a game whose rows are on other machines: every product is one read through {@link RemoteRows#times}.
 *
 * <p>A row of P X v is x'v - e'(F'v) with F = X'SE and e = R^{-T} (the row of V): a linear combination of the row's entries, so the projection is part of
 * the matrix C that is sent. Each image also returns V'Su, which shows what rounding left of u along E; that part is then subtracted.
 */
final class RemoteFamily implements SphereFamily {
    private final RemoteRows rows;
    private final SumsProjection fixed;
    private final double[] rootCosts;
    private final double noise;
    private final Workers workers;
    /** The number of columns of V, which is the index of the first column of X in M = [V, X, y, z - y]. */
    private final int first;

    private final int n;
    /** The rows of F' = E'SX. */
    private final double[][] f;
    /** E'Sy. */
    private final double[] yCoordinates;
    /** E'S(z - y). */
    private final double[] gapCoordinates;

    private final Sums sums;
    private final Rounding rounding;

    /**
     * Reads the rows once for V'SV (if there is a V) and once for X'SE, X'Py and X'Pz; again for columns of V whose sums do not show whether they are
     * independent, and again if E turns out not to be orthonormal.
     */
    RemoteFamily(RemoteRows rows, RemoteRows.Totals totals, double[] rootCosts, double noise, Workers workers) {
        this.rows = rows;
        this.rootCosts = rootCosts;
        this.noise = noise;
        this.workers = workers;
        this.first = rows.fixed();
        this.n = rows.features();
        double norm = 0;
        for (int j = 0; j < n; j++) {
            norm += rootCosts[j] * rootCosts[j] * totals.squares()[j];
        }
        DenseMatrix image = first > 0 ? rows.times(unitColumns()).image() : DenseMatrix.zeros(n + 2, 2);
        SumsProjection next = SumsProjection.of(image, first, totals.rows());
        SumsProjection projection;
        double[] cy;
        double[] cGap;
        RemoteRows.Product product;
        // doubtful columns of V are measured with each product; repeat until none changes the projection
        do {
            projection = next;
            cy = projection.coordinates(image.column(first));
            cGap = projection.coordinates(image.column(first + 1));
            product = rows.times(projectedColumns(projection, cy, cGap));
            next = measured(projection, image, product);
        } while (next != projection);
        DenseMatrix ee = innerProducts(projection, product);
        // E came from V'SV, whose condition is squared: if it is not orthonormal to 1e-10, a second factorisation is
        // needed
        if (!SumsProjection.isOrthonormal(ee)) {
            SumsProjection better = projection.refined(ee);
            cy = inRefined(projection, better, cy, product, 0);
            cGap = inRefined(projection, better, cGap, product, 1);
            projection = better;
            product = rows.times(projectedColumns(projection, cy, cGap));
        }
        this.fixed = projection;
        int rank = fixed.rank();
        this.f = new double[rank][];
        for (int k = 0; k < rank; k++) {
            f[k] = featurePart(product.image(), k);
        }
        double[] yLeft = left(product, rank);
        double[] gapLeft = left(product, rank + 1);
        double[] xy = clean(featurePart(product.image(), rank), yLeft);
        double[] xGap = clean(featurePart(product.image(), rank + 1), gapLeft);
        double[] xz = xy.clone();
        Vectors.axpy(1, xGap, xz);
        this.yCoordinates = sum(cy, yLeft);
        this.gapCoordinates = sum(cGap, gapLeft);
        double[] squares = product.squares();
        double yy = squares[rank];
        if (Math.sqrt(yy) <= Projection.ROUNDING * fixed.terms(Vectors.norm(yCoordinates), yCoordinates)) {
            // the immutable columns explain y, and what remains of it is rounding
            yy = 0;
            Arrays.fill(xy, 0);
        }
        // y'Pz = y'Py + y'P(z - y): no difference of large squares where the gap z - y is small
        double yz = yy + product.image().get(first + n, rank + 1) - Vectors.dot(yCoordinates, gapLeft);
        double zz = squares[rank + 2] + noise;
        this.sums = new Sums(xy, xz, yy, yz, zz, squares[rank + 3] + noise / 4, squares[rank + 1] + noise);
        double removedNorm = Vectors.norm(yCoordinates) + Vectors.norm(sum(yCoordinates, gapCoordinates));
        // squared, because V'SV has the square of the condition of V
        double projectionGrowth = fixed.conditioning() * fixed.conditioning();
        this.rounding = new Rounding(norm, removedNorm, projectionGrowth, totals.rows());
        Magnitude.require("the features", norm, Magnitude.hasNonzero(xy) || Magnitude.hasNonzero(xz));
        Magnitude.require("the target and the wish", yy + zz, false);
    }

    /** Returns the C that selects V, y and z - y themselves, for the first read. */
    private DenseMatrix unitColumns() {
        DenseMatrix c = DenseMatrix.zeros(first + n + 2, first + 2);
        for (int j = 0; j < first; j++) {
            c.set(j, j, 1);
        }
        c.set(first + n, first, 1);
        c.set(first + n + 1, first + 1, 1);
        return c;
    }

    /** Returns the C that gives E, Py, P(z - y), Pz and P(y - z/2), and the parts of the doubtful columns outside the earlier ones. */
    private DenseMatrix projectedColumns(SumsProjection projection, double[] cy, double[] cGap) {
        int rank = projection.rank();
        DenseMatrix c = DenseMatrix.zeros(
                first + n + 2, rank + 4 + projection.doubtful().size());
        for (int k = 0; k < rank; k++) {
            double[] unit = new double[rank];
            unit[k] = 1;
            setFixed(c, k, projection.coefficients(unit));
        }
        // the factors of y and z - y in y, z - y, z and y - z/2
        double[][] parts = {{1, 0}, {0, 1}, {1, 1}, {0.5, -0.5}};
        for (int i = 0; i < parts.length; i++) {
            double[] coordinates = new double[rank];
            Vectors.axpy(-parts[i][0], cy, coordinates);
            Vectors.axpy(-parts[i][1], cGap, coordinates);
            setFixed(c, rank + i, projection.coefficients(coordinates));
            c.set(first + n, rank + i, parts[i][0]);
            c.set(first + n + 1, rank + i, parts[i][1]);
        }
        double[][] doubtful = projection.doubtfulParts();
        for (int i = 0; i < doubtful.length; i++) {
            setFixed(c, rank + parts.length + i, doubtful[i]);
        }
        return c;
    }

    /** Returns the projection after its doubtful columns were measured by the last columns of a product; the same object if nothing changed. */
    private static SumsProjection measured(SumsProjection projection, DenseMatrix sums, RemoteRows.Product product) {
        int count = projection.doubtful().size();
        int from = product.squares().length - count;
        double[][] images = new double[count][];
        Arrays.setAll(images, i -> product.image().column(from + i));
        double[] squares = Arrays.copyOfRange(product.squares(), from, from + count);
        return projection.measured(sums, images, squares);
    }

    private static void setFixed(DenseMatrix c, int col, double[] coefficients) {
        for (int j = 0; j < coefficients.length; j++) {
            c.set(j, col, coefficients[j]);
        }
    }

    /** Returns the measured E'SE. */
    private static DenseMatrix innerProducts(SumsProjection projection, RemoteRows.Product product) {
        int rank = projection.rank();
        DenseMatrix ee = DenseMatrix.zeros(rank, rank);
        for (int k = 0; k < rank; k++) {
            ee.setColumn(k, projection.coordinates(product.image().column(k)));
        }
        return ee;
    }

    /** Returns the coordinates of y or z - y on the refined columns, E'S(E c + remainder), from products that have been read already. */
    private static double[] inRefined(
            SumsProjection old, SumsProjection better, double[] c, RemoteRows.Product product, int which) {
        double[] onV = product.image().column(old.rank() + which);
        for (int k = 0; k < old.rank(); k++) {
            Vectors.axpy(c[k], product.image().column(k), onV);
        }
        return better.coordinates(onV);
    }

    /** Returns E'Su of a projected column u, which would be 0 without rounding. */
    private double[] left(RemoteRows.Product product, int col) {
        return fixed.coordinates(product.image().column(col));
    }

    /** Returns X'Su from an image, on cost-scaled features. */
    private double[] featurePart(DenseMatrix image, int col) {
        double[] part = new double[n];
        for (int j = 0; j < n; j++) {
            part[j] = rootCosts[j] * image.get(first + j, col);
        }
        return part;
    }

    /** Subtracts from X'Su what u still has along E: the second round of a Gram-Schmidt process. */
    private double[] clean(double[] part, double[] left) {
        for (int k = 0; k < left.length; k++) {
            Vectors.axpy(-left[k], f[k], part);
        }
        return part;
    }

    private static double[] sum(double[] a, double[] b) {
        double[] c = a.clone();
        Vectors.axpy(1, b, c);
        return c;
    }

    /** Sets column col of C so that its image belongs to P(X v + y yFactor + (z - y) gapFactor). */
    private void setColumn(DenseMatrix c, int col, double[] v, double yFactor, double gapFactor) {
        setFixed(c, col, fixed.coefficients(fixedCoordinates(v, yFactor, gapFactor)));
        for (int j = 0; j < n; j++) {
            c.set(first + j, col, rootCosts[j] * v[j]);
        }
        c.set(first + n, col, yFactor);
        c.set(first + n + 1, col, gapFactor);
    }

    /** Returns -E'S(X v + y yFactor + (z - y) gapFactor). */
    private double[] fixedCoordinates(double[] v, double yFactor, double gapFactor) {
        double[] c = new double[f.length];
        for (int k = 0; k < c.length; k++) {
            c[k] = -Vectors.dot(f[k], v) - yFactor * yCoordinates[k] - gapFactor * gapCoordinates[k];
        }
        return c;
    }

    /** Returns {@link Reduction#immutablePart}, with t z - y = (t - 1) y + t (z - y). */
    double[] immutablePart(double[] v, double wish) {
        return fixed.coefficients(fixedCoordinates(v, wish - 1, wish));
    }

    /** Returns ||(I - P)(z - y)||^2. */
    double explainedGap() {
        return Vectors.dot(gapCoordinates, gapCoordinates);
    }

    Projection projection() {
        return fixed;
    }

    @Override
    public Sums sums() {
        return sums;
    }

    @Override
    public Rounding rounding() {
        return rounding;
    }

    @Override
    public Workers workers() {
        return workers;
    }

    @Override
    public void gramTimes(DenseMatrix v, DenseMatrix out) {
        DenseMatrix c = DenseMatrix.zeros(first + n + 2, v.cols());
        for (int i = 0; i < v.cols(); i++) {
            setColumn(c, i, v.column(i), 0, 0);
        }
        RemoteRows.Product product = rows.times(c);
        for (int i = 0; i < v.cols(); i++) {
            out.setColumn(i, clean(featurePart(product.image(), i), left(product, i)));
        }
    }

    @Override
    public Evaluation[] evaluate(double[] gammas, double[][] r) {
        sums.requirePoints(r);
        DenseMatrix c = DenseMatrix.zeros(first + n + 2, gammas.length);
        for (int i = 0; i < gammas.length; i++) {
            double wish = (1 + r[i][n]) / 2;
            // L r - b = X v + t z - y; where the immutable columns explain y, its rounding is kept out
            double yFactor = sums.yy() == 0 ? 0 : wish - 1;
            setColumn(c, i, SphereGeometry.scaledCoefficients(r[i], gammas[i]), yFactor, wish);
        }
        RemoteRows.Product product = rows.times(c);
        Evaluation[] result = new Evaluation[gammas.length];
        for (int i = 0; i < gammas.length; i++) {
            double wish = (1 + r[i][n]) / 2;
            double[] left = left(product, i);
            double[] gradient = clean(featurePart(product.image(), i), left);
            Vectors.scale(Math.sqrt(gammas[i]) / 2, gradient);
            double[] halfGradient = Arrays.copyOf(gradient, n + 1);
            double withZ = product.image().get(first + n, i)
                    + product.image().get(first + n + 1, i)
                    - Vectors.dot(yCoordinates, left)
                    - Vectors.dot(gapCoordinates, left);
            halfGradient[n] = (withZ + noise * wish) / 2;
            result[i] = new Evaluation(product.squares()[i] + noise * wish * wish, halfGradient);
        }
        return result;
    }

    /** {@inheritDoc} X'SX - FF' from the formed sums, one read; only certificates that need a factorisation ask for it. */
    @Override
    public DenseMatrix gram() {
        DenseMatrix formed = rows.sums().products();
        DenseMatrix gram = DenseMatrix.zeros(n, n);
        for (int i = 0; i < n; i++) {
            double[] row = Arrays.copyOfRange(formed.row(first + i), first, first + n);
            for (int j = 0; j < n; j++) {
                row[j] *= rootCosts[i] * rootCosts[j];
            }
            gram.setRow(i, row);
        }
        if (f.length > 0) {
            DenseMatrix removed = DenseMatrix.of(f);
            removed.transposeProduct(-1, removed, 1, gram, workers);
        }
        return gram;
    }

    /** Empty: rows on other machines outnumber the features. */
    @Override
    public Optional<Dual> dual() {
        return Optional.empty();
    }

    @Override
    public int rankBound() {
        return (int) Math.max(0, Math.min(n, rounding.rows() - fixed.rank()));
    }
}
