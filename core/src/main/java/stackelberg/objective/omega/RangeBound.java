package stackelberg.objective.omega;

/**
 * A lower bound, over an interval of omega, of a mixture theta F_low + (1 - theta) F_high of the losses at two gammas,
 * for one theta and one relaxation of the rules.
 *
 * <p>Let a_i = gamma_i/(gamma_i + omega), t_i = 1 - a_i, A = sum theta_i a_i^2, B = sum theta_i a_i t_i and C = sum
 * theta_i t_i^2. The mixture is at least A (a0 + a1 sqrt(omega) + a2 omega) + B (b0 + b1 sqrt(omega)) - (B^2/A) c + C d
 * + mu omega sum theta_i a_i - less. In x = sqrt(omega)/(sqrt(g) + sqrt(omega)), with g between the two gammas, this is
 * a ratio of two polynomials of degree twelve. In Bernstein form on an interval the coefficients of the denominator are
 * positive, and the ratio is at least the smallest ratio of coefficients. That bound is exact at both ends, and its
 * error is of the order of the squared width.
 */
final class RangeBound {
    /** The rounding error of one coefficient, relative to the sum of the absolute values of its terms. */
    private static final double ROUNDING = 128 * 0x1p-52;

    private RangeBound() {}

    /**
     * The coefficients of the lower bound of the losses of all rules of a relaxation, independent of omega.
     *
     * @param c not negative
     * @param d not negative
     */
    record Face(double a0, double a1, double a2, double b0, double b1, double c, double d) {
        /**
         * Makes it from what remains of y and of z - y.
         *
         * @param v0 the square that remains of y
         * @param v1 the product of both remainders
         * @param v2 the square that remains of z - y
         * @param square the square of z - y
         * @param noise the noise of all wishes
         */
        static Face of(double v0, double v1, double v2, double square, double noise, double a1, double a2, double b1) {
            return new Face(v0, a1, a2, -2 * v1, b1, square - v2, square + noise);
        }
    }

    /**
     * The mixture of the losses at two gammas.
     *
     * @param low the smaller gamma
     * @param theta its weight
     * @param ridge mu
     * @param less what is subtracted from the mixture
     */
    record Mixture(double low, double high, double theta, double ridge, double less) {}

    /** Returns a lower bound of the mixture for from &lt;= omega &lt;= to; to may be infinite. */
    static double least(Mixture mixture, Face face, double from, double to) {
        double g = Math.sqrt(mixture.low) * Math.sqrt(mixture.high);
        double root = Math.sqrt(g);
        Bernstein x = new Bernstein(part(from, g), part(to, g));
        Bernstein y = new Bernstein(rest(from, g), rest(to, g));
        Bernstein xx = x.times(x);
        Bernstein yy = y.times(y);
        Bernstein xy = x.times(y);
        double low = mixture.low / g;
        double high = mixture.high / g;
        Bernstein dLow = yy.times(low).plus(xx);
        Bernstein dHigh = yy.times(high).plus(xx);
        Bernstein squareLow = dLow.times(dLow);
        Bernstein squareHigh = dHigh.times(dHigh);
        Bernstein forLow = squareHigh.times(mixture.theta);
        Bernstein forHigh = squareLow.times(1 - mixture.theta);
        Bernstein p0 = forLow.plus(forHigh);
        Bernstein p1 = forLow.times(low).plus(forHigh.times(high));
        Bernstein p2 = forLow.times(low * low).plus(forHigh.times(high * high));
        Bernstein below = squareLow.times(squareHigh);
        Bernstein aPart = yy.times(yy)
                .times(face.a0)
                .plus(xy.times(yy).times(face.a1 * root))
                .plus(xx.times(yy).times(face.a2 * g));
        Bernstein bPart = xx.times(yy).times(face.b0).plus(xy.times(xx).times(face.b1 * root));
        Bernstein sum = aPart.times(p2)
                .plus(bPart.times(p1))
                .plus(xx.times(xx).times(face.d).times(p0))
                .plus(below.times(-mixture.less));
        if (mixture.ridge > 0) {
            Bernstein shares =
                    dLow.times(forLow).times(low).plus(dHigh.times(forHigh).times(high));
            sum = sum.plus(xx.times(shares).times(mixture.ridge * g));
        }
        Bernstein above = sum.times(p2).plus(xx.times(xx).times(p1).times(p1).times(-face.c));
        return above.leastRatio(below.times(p2), ROUNDING);
    }

    private static double part(double omega, double g) {
        return Double.isInfinite(omega) ? 1 : Math.sqrt(omega) / (Math.sqrt(g) + Math.sqrt(omega));
    }

    private static double rest(double omega, double g) {
        return Double.isInfinite(omega) ? 0 : Math.sqrt(g) / (Math.sqrt(g) + Math.sqrt(omega));
    }

    /**
     * A polynomial on an interval by its Bernstein coefficients, with the sums of the absolute values of their terms.
     */
    private static final class Bernstein {
        private static final double[][] BINOMIALS = binomials(16);

        private final double[] coefficients;
        private final double[] sizes;

        /** Makes a linear polynomial from its values at both ends. */
        Bernstein(double from, double to) {
            this(new double[] {from, to}, new double[] {Math.abs(from), Math.abs(to)});
        }

        private Bernstein(double[] coefficients, double[] sizes) {
            this.coefficients = coefficients;
            this.sizes = sizes;
        }

        private static double[][] binomials(int most) {
            double[][] rows = new double[most + 1][];
            for (int n = 0; n <= most; n++) {
                rows[n] = new double[n + 1];
                rows[n][0] = 1;
                for (int k = 1; k <= n; k++) {
                    rows[n][k] = rows[n - 1][k - 1] + (k < n ? rows[n - 1][k] : 0);
                }
            }
            return rows;
        }

        Bernstein times(Bernstein other) {
            int m = coefficients.length - 1;
            int n = other.coefficients.length - 1;
            double[] product = new double[m + n + 1];
            double[] size = new double[m + n + 1];
            for (int i = 0; i <= m; i++) {
                for (int j = 0; j <= n; j++) {
                    double share = BINOMIALS[m][i] * BINOMIALS[n][j] / BINOMIALS[m + n][i + j];
                    product[i + j] += share * coefficients[i] * other.coefficients[j];
                    size[i + j] += share * sizes[i] * other.sizes[j];
                }
            }
            return new Bernstein(product, size);
        }

        Bernstein times(double factor) {
            double[] product = coefficients.clone();
            double[] size = sizes.clone();
            for (int k = 0; k < product.length; k++) {
                product[k] *= factor;
                size[k] *= Math.abs(factor);
            }
            return new Bernstein(product, size);
        }

        /** Returns the sum with a polynomial of the same degree. */
        Bernstein plus(Bernstein other) {
            double[] sum = coefficients.clone();
            double[] size = sizes.clone();
            for (int k = 0; k < sum.length; k++) {
                sum[k] += other.coefficients[k];
                size[k] += other.sizes[k];
            }
            return new Bernstein(sum, size);
        }

        /** Returns the smallest ratio of coefficients; those of the other polynomial are positive. */
        double leastRatio(Bernstein other, double rounding) {
            double least = Double.POSITIVE_INFINITY;
            for (int k = 0; k < coefficients.length; k++) {
                double ratio = (coefficients[k] - rounding * sizes[k]) / other.coefficients[k];
                least = Math.min(least, ratio);
            }
            return Double.isNaN(least) ? Double.NEGATIVE_INFINITY : least;
        }
    }
}
