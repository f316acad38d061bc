package stackelberg.estimate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import stackelberg.estimate.LinearEstimator.Fit;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Lanczos;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * Least squares and ridge without forming the covariances, from Krylov spaces: one started from the target, which gives
 * the coefficients for every lambda, and for generalised cross-validation one from random signs, which estimates the
 * trace (Hutchinson's estimator). Rules with different row weights share their passes over sparse data.
 */
final class KrylovFit {
    /** After this many passes over the data the current solution is accepted. */
    private static final int MOST_STEPS = 512;

    /** The same for ridge with a given lambda, unless the basis takes too much memory before. */
    private static final int MOST_RIDGE_STEPS = 2048;

    /** The same in a cross-validation: rules that have not converged then are evaluated as they are. */
    private static final int HELD_OUT_STEPS = 150;

    /** Krylov steps before convergence is checked for the first time. */
    private static final int FIRST_STEPS = 32;

    /** A Krylov space is exhausted when the relative norm of the next vector falls below this: the rest is rounding. */
    private static final double EXHAUSTED = 1e-14;

    /** Values in all Krylov spaces held at once: 1 GB. */
    private static final long MOST_VALUES = 1 << 27;

    /** The relative residual of the normal equations below which they count as solved. */
    private static final double CONVERGED = 1e-10;

    /** The seed of the random signs. */
    private static final long SEED = 5;

    private final Matrix x;
    private final double[] y;
    private final boolean intercept;
    private final double[] factors;
    private final Workers workers;

    /** @param factors what the columns are multiplied by; 0 for a constant column */
    KrylovFit(Matrix x, double[] y, boolean intercept, double[] factors, Workers workers) {
        this.x = x;
        this.y = y;
        this.intercept = intercept;
        this.factors = factors;
        this.workers = workers;
    }

    /**
     * Returns least squares or, where that is ill-posed, ridge with lambda by generalised cross-validation, for each of
     * these sets of row weights.
     */
    List<Fit> fit(List<double[]> weights, double wellPosed) {
        List<Fit> fits = new ArrayList<>();
        int together = room(2L * MOST_STEPS);
        for (int first = 0; first < weights.size(); first += together) {
            List<Learning> all = weights.subList(first, Math.min(weights.size(), first + together)).stream()
                    .map(each -> new Learning(each, wellPosed))
                    .toList();
            List<Learning> open = all;
            for (int steps = FIRST_STEPS; !open.isEmpty(); steps *= 2) {
                // the space of random signs is needed only if least squares turns out to be ill-posed
                grow(open.stream().flatMap(each -> each.tall ? Stream.of(each.truth) : each.spaces()), steps);
                grow(open.stream().filter(each -> !each.isWellPosed()).flatMap(Learning::spaces), steps);
                int taken = steps;
                open = open.stream().filter(each -> !each.learn(taken)).toList();
            }
            all.forEach(each -> fits.add(each.learned()));
        }
        return fits;
    }

    /** Returns ridge for each of these lambdas, least squares of smallest norm for 0, from one space. */
    List<Fit> ridge(double[] weights, double... lambdas) {
        Learning one = new Learning(weights, 0);
        long room = MOST_VALUES / Math.max(1, x.cols());
        grow(List.of(one), lambdas, (int) Math.max(FIRST_STEPS, Math.min(MOST_RIDGE_STEPS, room)));
        return one.fits(lambdas);
    }

    /**
     * Returns for each lambda the squared error on the held-out rows of the rules learned from the others.
     *
     * @param parts the folds: rows that are held out together
     */
    double[] heldOutErrors(double[] weights, int[][] parts, double[] lambdas) {
        double[] errors = new double[lambdas.length];
        int together = room(HELD_OUT_STEPS);
        for (int first = 0; first < parts.length; first += together) {
            List<Learning> folds = new ArrayList<>();
            for (int f = first; f < Math.min(parts.length, first + together); f++) {
                double[] others = weights.clone();
                Arrays.stream(parts[f]).forEach(i -> others[i] = 0);
                folds.add(new Learning(others, 0));
            }
            grow(folds, lambdas, HELD_OUT_STEPS);
            for (int f = first; f < first + folds.size(); f++) {
                Predictions predicted = folds.get(f - first).predictions(SumsFit.ROUNDING, lambdas);
                for (int i : parts[f]) {
                    for (int k = 0; k < lambdas.length; k++) {
                        double error = predicted.p.get(i, k) + predicted.constants[k] - y[i];
                        errors[k] += weights[i] * error * error;
                    }
                }
            }
        }
        return errors;
    }

    /** The number of rules whose spaces of this many vectors may be held at once. */
    private int room(long vectors) {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, MOST_VALUES / (vectors * Math.max(1, x.cols()))));
    }

    /** Extends the targets' spaces until the rules of all lambdas have converged, or to this many steps. */
    private void grow(List<Learning> all, double[] lambdas, int most) {
        Predicate<Learning> open = each -> !each.truth.exhausted()
                && Arrays.stream(lambdas).anyMatch(lambda -> each.truth.residual(lambda) > CONVERGED);
        List<Learning> left = all;
        for (int steps = FIRST_STEPS; !left.isEmpty(); steps = Math.min(most, 2 * steps)) {
            Workers.throwIfInterrupted();
            grow(left.stream().map(each -> each.truth), steps);
            left = steps == most ? List.of() : left.stream().filter(open).toList();
        }
    }

    /** Extends the spaces that have fewer steps to this many, with shared passes over the data. */
    private void grow(Stream<Space> spaces, int steps) {
        List<Space> shorter = spaces.filter(each -> each.needs(steps)).toList();
        if (shorter.isEmpty()) {
            return;
        }
        Lanczos[] longer = Lanczos.extended(
                shorter.stream().map(each -> each.lanczos).toArray(Lanczos[]::new),
                (which, v, out) -> covariancesTimes(
                        Arrays.stream(which).mapToObj(k -> shorter.get(k).of).toList(), v, out),
                steps + 1,
                EXHAUSTED,
                workers);
        for (int k = 0; k < longer.length; k++) {
            shorter.get(k).take(longer[k], steps);
        }
    }

    /**
     * Computes out = A v for each pair of vectors, A the covariance matrix with the weights of the respective rule.
     * Sparse products are computed for all vectors at once; dense ones with one vector sum in more parts, which is more
     * accurate for columns far from 0.
     */
    private void covariancesTimes(List<Learning> of, double[][] v, double[][] out) {
        boolean sparse =
                x instanceof CsrMatrix || x instanceof AffineMatrix affine && affine.inner() instanceof CsrMatrix;
        int k = sparse ? v.length : 1;
        DenseMatrix in = workers.borrow(x.cols(), k);
        DenseMatrix product = workers.borrow(x.rows(), k);
        for (int first = 0; first < v.length; first += k) {
            in.setColumns(0, scaled(Arrays.copyOfRange(v, first, first + k)));
            x.times(in, product, workers);
            double[][] u = product.columns();
            for (int c = 0; c < k; c++) {
                of.get(first + c).weigh(u[c]);
            }
            product.setColumns(0, u);
            x.transposeTimes(product, in, null, workers);
            double[][] images = scaled(in.columns());
            for (int c = 0; c < k; c++) {
                System.arraycopy(images[c], 0, out[first + c], 0, factors.length);
            }
        }
        workers.giveBack(in);
        workers.giveBack(product);
    }

    private double[][] scaled(double[][] vectors) {
        return Arrays.stream(vectors).map(this::scaled).toArray(double[][]::new);
    }

    private double[] scaled(double[] vector) {
        double[] scaled = vector.clone();
        Arrays.setAll(scaled, j -> vector[j] * factors[j]);
        return scaled;
    }

    /** Rules for several lambdas: coefficients, products with all rows, and intercepts. */
    private record Predictions(DenseMatrix w, DenseMatrix p, double[] constants) {}

    /** A rule that is being learned with one set of row weights. */
    private final class Learning {
        private final double[] weights;
        private final double wellPosed;
        private final double total;
        private final long rows;
        private final boolean tall;
        private final boolean wide;
        private final double meanY;
        private final double yy;
        private final Space truth;
        /** The space of random signs; null until it is needed. */
        private @Nullable Space signs;

        /** The mean square of the random signs, centred. */
        private double uu;
        /** The rule, once it has been learned. */
        private @Nullable Fit learned;

        /** Prepares a fit with these row weights and computes the starting vector of the target's Krylov space. */
        Learning(double[] weights, double wellPosed) {
            this.weights = weights;
            this.wellPosed = wellPosed;
            this.total = Arrays.stream(weights).sum();
            this.rows = Arrays.stream(weights).filter(s -> s > 0).count();
            long used = Arrays.stream(factors).filter(f -> f > 0).count();
            this.tall = 2 * used < rows;
            this.wide = used >= rows - 1;
            double[] centred = y.clone();
            this.meanY = centre(centred);
            this.yy = meanSquare(centred);
            this.truth = started(centred);
        }

        /** Returns the space of A started from the covariances of the columns with u, which is overwritten. */
        private Space started(double[] u) {
            for (int i = 0; i < u.length; i++) {
                u[i] = weights[i] * u[i] / total;
            }
            DenseMatrix product = DenseMatrix.zeros(x.cols(), 1);
            x.transposeTimes(DenseMatrix.column(u), product, null, workers);
            return new Space(this, scaled(product.column(0)));
        }

        private Space signs() {
            if (signs == null) {
                SplittableRandom random = new SplittableRandom(SEED);
                double[] drawn = new double[y.length];
                Arrays.setAll(
                        drawn,
                        i -> weights[i] > 0 ? (random.nextBoolean() ? 1 : -1) * Math.sqrt(total / weights[i]) : 0);
                centre(drawn);
                uu = meanSquare(drawn);
                signs = started(drawn);
            }
            return signs;
        }

        Stream<Space> spaces() {
            return Stream.of(truth, signs());
        }

        /** Subtracts the weighted mean, if there is an intercept, and returns it. */
        private double centre(double[] u) {
            double mean = intercept ? weightedMean(u) : 0;
            for (int i = 0; i < u.length; i++) {
                u[i] -= mean;
            }
            return mean;
        }

        private double weightedMean(double[] u) {
            double sum = 0;
            for (int i = 0; i < u.length; i++) {
                sum += weights[i] * u[i];
            }
            return sum / total;
        }

        private double meanSquare(double[] u) {
            double sum = 0;
            for (int i = 0; i < u.length; i++) {
                sum += weights[i] * u[i] * u[i] / total;
            }
            return sum;
        }

        /** Centres a vector, if there is an intercept, and multiplies it by the normalised weights. */
        void weigh(double[] u) {
            centre(u);
            for (int i = 0; i < u.length; i++) {
                u[i] = weights[i] * u[i] / total;
            }
        }

        Fit learned() {
            return Objects.requireNonNull(learned, "the rule has not been learned yet");
        }

        boolean isWellPosed() {
            Space of = truth;
            return tall && of.spectrum().isWellPosed(wellPosed * wellPosed) && of.residual(0) <= CONVERGED;
        }

        /**
         * Tries to finish after so many steps. Returns whether the rule is learned; its Krylov spaces are released
         * then.
         */
        boolean learn(int steps) {
            boolean least = isWellPosed();
            Space of = truth;
            double lambda = least ? 0 : lambda();
            // if there are enough rows, least squares may still converge in more steps, so ridge is not accepted yet
            boolean done = least || !tall && of.residual(lambda) <= CONVERGED;
            if (!done && steps < MOST_STEPS && !of.exhausted()) {
                return false;
            }
            // the reason for ridge, if least squares ran out of passes
            String why = tall && !least && !of.exhausted() ? ", least squares needing too many passes" : "";
            learned = fit(predictions(0, lambda), 0, LinearEstimator.source(least, lambda) + why);
            if (signs != null) {
                signs.lanczos.giveBack(workers);
            }
            return true;
        }

        private double lambda() {
            Spectrum explained = truth.spectrum();
            Spectrum ofSigns = signs().spectrum();
            return new GeneralisedCrossValidation(
                            GeneralisedCrossValidation.Left.of(
                                    yy, explained.coordinates(), explained.values(), wide, 2),
                            GeneralisedCrossValidation.Left.of(uu, ofSigns.coordinates(), ofSigns.values(), wide, 1))
                    // the relative error of a trace estimated with one vector of random signs
                    .best(Math.sqrt(2.0 / rows));
        }

        /** Returns the rules for these lambdas in the target's space, which is released. */
        Predictions predictions(double rounding, double... lambdas) {
            DenseMatrix w = DenseMatrix.zeros(x.cols(), lambdas.length);
            for (int k = 0; k < lambdas.length; k++) {
                w.setColumn(k, scaled(truth.solution(lambdas[k], rounding)));
            }
            truth.lanczos.giveBack(workers);
            DenseMatrix p = DenseMatrix.zeros(x.rows(), lambdas.length);
            x.times(w, p, workers);
            double[] constants = new double[lambdas.length];
            Arrays.setAll(constants, k -> meanY - (intercept ? weightedMean(p.column(k)) : 0));
            return new Predictions(w, p, constants);
        }

        List<Fit> fits(double... lambdas) {
            Predictions all = predictions(SumsFit.ROUNDING, lambdas);
            List<Fit> fits = new ArrayList<>();
            for (int k = 0; k < lambdas.length; k++) {
                fits.add(fit(all, k, lambdas[k] > 0 ? LinearEstimator.RIDGE : LinearEstimator.LEAST_SQUARES));
            }
            return fits;
        }

        private Fit fit(Predictions all, int k, String source) {
            return new Fit(all.w.column(k), intercept ? all.constants[k] : 0, source);
        }
    }

    /** A Krylov space of the covariances A of one rule, started from b and extended step by step. */
    private static final class Space {
        private final Learning of;
        private final double norm;
        private Lanczos lanczos;
        /** A and b restricted to the space; null before the first extension. */
        private @Nullable Spectrum spectrum;

        /** The norm of the part of A v, v the last basis vector, outside the space; 0 if the space is invariant. */
        private double next;

        Space(Learning of, double[] b) {
            this.of = of;
            this.norm = Vectors.norm(b);
            if (norm > 0) {
                Vectors.scale(1 / norm, b);
            } else {
                b[0] = 1;
            }
            this.lanczos = Lanczos.from(b);
        }

        boolean needs(int steps) {
            return spectrum == null || !exhausted() && spectrum.values().length < steps;
        }

        Spectrum spectrum() {
            return Objects.requireNonNull(spectrum, "the space has not been built yet");
        }

        /** Takes a longer basis and diagonalises A in the space after a number of steps. */
        void take(Lanczos longer, int steps) {
            lanczos = longer;
            int used = longer.t().rows();
            int k = Math.min(steps, used);
            double[] b = new double[k];
            b[0] = norm;
            spectrum = Spectrum.of(longer.t().firstRows(k).columns(0, k).copy(), b, Workers.of(1));
            next = used == steps + 1 ? longer.t().get(k, k - 1) : 0;
        }

        boolean exhausted() {
            return next == 0;
        }

        /** The relative residual ||(A + lambda) w - b|| / ||b|| of the solution in this space. */
        double residual(double lambda) {
            double size = Vectors.norm(spectrum().coordinates());
            double[] c = spectrum().solve(lambda);
            return size == 0 ? 0 : Math.abs(next * c[c.length - 1]) / size;
        }

        /** @param rounding the relative size, per eigenvalue, of what counts as 0 in least squares */
        double[] solution(double lambda, double rounding) {
            double[] c = lambda > 0
                    ? spectrum().solve(lambda)
                    : spectrum().smallest(spectrum().values().length * rounding);
            double[] w = new double[lanczos.basis()[0].length];
            for (int k = 0; k < c.length; k++) {
                Vectors.axpy(c[k], lanczos.basis()[k], w);
            }
            return w;
        }
    }
}
