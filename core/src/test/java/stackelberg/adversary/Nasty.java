package stackelberg.adversary;

import java.util.Arrays;
import java.util.Random;
import stackelberg.game.Population;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/**
 * Small games that look for trouble: at most eight people and features, units that differ by many decades, columns that depend or nearly depend on one
 * another, wishes that are the truth or have nothing to do with it, people who do not count, hard cases.
 */
final class Nasty {
    private static final int LARGEST = 8;

    private final Random random;
    /** Whether units may differ by many decades. */
    private final boolean wild;

    private Nasty(Random random, boolean wild) {
        this.random = random;
        this.wild = wild;
    }

    /** Game k, always the same. */
    static PredictionGame game(long k) {
        Nasty nasty = new Nasty(new Random(0x5DEECE66DL * (k + 114)), true);
        return nasty.oneIn(12) ? nasty.hard() : nasty.general();
    }

    /**
     * The same with people who differ.
     *
     * @param wild whether units may differ by many decades, and columns nearly depend on one another
     */
    static PredictionGame mixed(long k, boolean wild) {
        Nasty nasty = new Nasty(new Random(0x2545F491L * (k + 114)), wild);
        PredictionGame game = nasty.general();
        int rows = game.x().rows();
        double typical = game.gamma();
        double[] gammas = new double[rows];
        boolean alike = nasty.oneIn(2);
        Arrays.setAll(
                gammas, i -> alike ? typical : nasty.oneIn(6) ? Double.POSITIVE_INFINITY : typical * nasty.power(2));
        double share = nasty.pick(0, 0, 0.3, 0.999, 1, nasty.random.nextDouble());
        return game.withPopulation(new Population(gammas, share));
    }

    private PredictionGame general() {
        int m = 1 + random.nextInt(LARGEST);
        int n = 1 + random.nextInt(LARGEST);
        double[][] x = features(m, n);
        // decades that a scale may have, most often few
        double unit = power(pick(0, 3, 3, 6, oneIn(6) ? 150 : 6));
        double[] y = truths(x, unit);
        double[] z = wishes(x, y, unit);
        boolean manipulable = oneIn(4);
        if (manipulable) {
            x = Arrays.stream(x).map(row -> append(row, 1)).toArray(double[][]::new);
        }
        // the gamma at which a move by the size of a feature is worth the size of the truth, times some decades
        double typical = oneIn(3) ? 1 : unit / Math.max(1e-140, largest(x)) * (unit / Math.max(1e-140, largest(x)));
        double gamma = Math.max(1e-300, Math.min(1e300, typical * power(wild ? pick(1, 3, 6, 12, 25) : pick(1, 3))));
        PredictionGame game = PredictionGame.of(matrix(x), y, z, gamma);
        if (!manipulable && random.nextBoolean()) {
            game = game.withIntercept();
        }
        if (oneIn(3)) {
            game = game.withImmutable(immutables(x, y, z));
        }
        if (oneIn(4)) {
            game = game.withWeights(weights(m));
        }
        if (oneIn(4)) {
            double noise = unit * power(pick(0, 1, 9));
            game = oneIn(2) ? game.withWishNoise(noise) : game.withWishNoise(vector(m, noise, true));
        }
        if (oneIn(5)) {
            double decades = wild ? pick(1, 3, 20) : 1;
            double[] costs = new double[x[0].length];
            Arrays.setAll(costs, j -> power(decades));
            game = game.withCosts(costs);
        }
        return game;
    }

    /** L is diagonal and b has nothing on its smallest entry: the hard case, exactly, if what the others give is shorter than 1. */
    private PredictionGame hard() {
        int n = 1 + random.nextInt(LARGEST - 1);
        double[][] x = new double[n + 1][n];
        double[] y = new double[n + 1];
        double[] z = new double[n + 1];
        int smallest = 1 + random.nextInt(3);
        int alike = random.nextInt(n);
        for (int j = 0; j < n; j++) {
            x[j][j] = j <= alike ? smallest : smallest + 1 + random.nextInt(5);
            y[j] = j <= alike ? 0 : pick(0, 0.5, -1, 2) * random.nextDouble();
        }
        z[n] = pick(1, 2, 8, 100);
        y[n] = pick(0, 1, 0.5) * z[n];
        double unit = power(pick(0, 0, 3, 40));
        double gamma = pick(4, 4, 1, power(3));
        for (int i = 0; i <= n; i++) {
            y[i] *= unit;
            z[i] *= unit;
        }
        return PredictionGame.of(matrix(x), y, z, gamma * unit * unit);
    }

    private double[][] features(int m, int n) {
        double[][] x = new double[m][n];
        int kind = random.nextInt(5);
        double[] direction = vector(n, 1, false);
        for (double[] row : x) {
            double along = random.nextGaussian();
            for (int j = 0; j < n; j++) {
                row[j] = switch (kind) {
                    case 0 -> random.nextInt(3) - 1;
                    case 1 -> random.nextInt(2);
                    case 2 -> along * direction[j];
                    default -> random.nextGaussian();
                };
            }
        }
        for (int change = wild ? random.nextInt(4) : 0; change > 0; change--) {
            changeColumn(x, random.nextInt(n), random.nextInt(n));
        }
        double decades = wild ? pick(0, 0, 2, 6, oneIn(5) ? 150 : 0) : 0;
        boolean together = random.nextBoolean();
        double all = power(decades);
        for (int j = 0; j < n; j++) {
            double factor = together ? all : power(decades);
            for (double[] row : x) {
                row[j] *= factor;
            }
        }
        if (wild && oneIn(15)) {
            for (double[] row : x) {
                double factor = power(12);
                Arrays.setAll(row, j -> row[j] * factor);
            }
        }
        return x;
    }

    private void changeColumn(double[][] x, int j, int other) {
        int kind = random.nextInt(7);
        double value = pick(0, 1, -4, 1e6) + (oneIn(3) ? 0.1 : 0);
        double little = Math.scalb(1.0, -20 - random.nextInt(33));
        for (double[] row : x) {
            row[j] = switch (kind) {
                case 0 -> value;
                case 1 -> row[other];
                case 2 -> -3 * row[other];
                case 3 -> row[other] * (1 + little * random.nextInt(8));
                case 4 -> row[other] + little * random.nextGaussian();
                case 5 -> row[0] + row[x[0].length - 1];
                default -> value + row[j];
            };
        }
    }

    private double[] truths(double[][] x, double unit) {
        double[] w = vector(x[0].length, 1, false);
        double[] y = new double[x.length];
        int kind = random.nextInt(6);
        double spread = Math.max(1e-140, largest(x));
        for (int i = 0; i < y.length; i++) {
            double linear = 0;
            for (int j = 0; j < w.length; j++) {
                linear += w[j] * (x[i][j] / spread);
            }
            y[i] = unit
                    * switch (kind) {
                        case 0 -> 3;
                        case 1 -> linear;
                        case 2 -> linear + 1e-7 * random.nextGaussian();
                        case 3 -> random.nextInt(4);
                        default -> linear + random.nextGaussian();
                    };
        }
        if (oneIn(40)) {
            Arrays.fill(y, 0);
        }
        return y;
    }

    private double[] wishes(double[][] x, double[] y, double unit) {
        int kind = random.nextInt(13);
        double shift = unit * pick(1, -2, 1e-9, 30);
        double huge = wild ? power(pick(9, 15, 60)) : 100;
        double spread = Math.max(1e-140, largest(x));
        double[] z = new double[y.length];
        for (int i = 0; i < z.length; i++) {
            z[i] = switch (kind) {
                case 0 -> y[i];
                case 1 -> 2 * y[i];
                case 2 -> y[i] + shift;
                case 3 -> shift;
                case 4 -> 0;
                case 5 -> -y[i];
                case 6 -> Math.max(y[i], shift);
                case 7 -> y[i] * (1 + 1e-10 * random.nextGaussian());
                case 8 -> unit * x[i][0] / spread;
                case 9 -> huge * (y[i] + unit * random.nextGaussian());
                case 10 -> y[i] + unit * random.nextDouble();
                default -> unit * random.nextGaussian();
            };
        }
        return z;
    }

    private double[][] immutables(double[][] x, double[] y, double[] z) {
        double[][] v = new double[1 + random.nextInt(3)][];
        for (int j = 0; j < v.length; j++) {
            int kind = wild ? random.nextInt(9) : 8;
            double little = Math.scalb(1.0, -10 - random.nextInt(45));
            double factor = wild && oneIn(4) ? power(pick(6, 100)) : 1;
            double[] before = v[Math.max(0, j - 1)];
            int column = random.nextInt(x[0].length);
            double[] values = new double[y.length];
            for (int i = 0; i < values.length; i++) {
                values[i] = factor
                        * switch (kind) {
                            case 0 -> 1;
                            case 1 -> 1 + little * i;
                            case 2 -> x[i][column];
                            case 3 -> y[i];
                            case 4 -> z[i] - y[i];
                            case 5 -> 0;
                            case 6 -> before == null ? i : before[i] * (1 + little * random.nextInt(3));
                            default -> random.nextGaussian();
                        };
            }
            // what is too large to be a number is no column
            v[j] = Arrays.stream(values).allMatch(Double::isFinite) ? values : new double[y.length];
        }
        return v;
    }

    private double[] weights(int m) {
        double decades = wild ? pick(0, 0, 1, 12) : 1;
        double[] weights = new double[m];
        Arrays.setAll(weights, i -> oneIn(4) ? 0 : power(decades));
        weights[random.nextInt(m)] = 1;
        return weights;
    }

    private Matrix matrix(double[][] x) {
        if (!oneIn(5)) {
            return DenseMatrix.of(x);
        }
        int count = x.length * x[0].length;
        int[] rows = new int[count];
        int[] columns = new int[count];
        double[] values = new double[count];
        int next = 0;
        for (int i = 0; i < x.length; i++) {
            for (int j = 0; j < x[0].length; j++) {
                if (x[i][j] != 0) {
                    rows[next] = i;
                    columns[next] = j;
                    values[next++] = x[i][j];
                }
            }
        }
        return CsrMatrix.ofTriplets(
                x.length,
                x[0].length,
                Arrays.copyOf(rows, next),
                Arrays.copyOf(columns, next),
                Arrays.copyOf(values, next));
    }

    /** The entries of a matrix, exactly: row i is the product with nothing but ones and zeros. */
    static double[][] rows(Matrix x) {
        DenseMatrix identity = DenseMatrix.zeros(x.cols(), x.cols());
        for (int j = 0; j < x.cols(); j++) {
            identity.set(j, j, 1);
        }
        DenseMatrix out = DenseMatrix.zeros(x.rows(), x.cols());
        x.times(identity, out, Workers.of(1));
        double[][] rows = new double[x.rows()][];
        Arrays.setAll(rows, out::row);
        return rows;
    }

    /** The whole game as text, to reproduce it. */
    static String describe(PredictionGame game) {
        return "x " + Arrays.deepToString(rows(game.x())) + (game.x() instanceof CsrMatrix ? " sparse" : "") + ", y "
                + Arrays.toString(game.y()) + ", z " + Arrays.toString(game.z()) + ", gamma "
                + (game.population().uniform()
                        ? game.gamma()
                        : Arrays.toString(game.population().gammas()))
                + ", truthful " + game.population().truthfulShare() + (game.hasIntercept() ? ", intercept" : "")
                + ", immutable " + Arrays.deepToString(game.immutable()) + ", weights "
                + Arrays.toString(game.weights()) + ", noise " + Arrays.toString(game.wishNoise()) + ", costs "
                + Arrays.toString(game.costs());
    }

    private double[] vector(int length, double size, boolean positive) {
        double[] v = new double[length];
        Arrays.setAll(v, i -> size * (positive ? random.nextDouble() : random.nextGaussian()));
        return v;
    }

    /** 10^u, u evenly between -decades and decades. */
    private double power(double decades) {
        return Math.pow(10, decades * (2 * random.nextDouble() - 1));
    }

    private double pick(double... values) {
        return values[random.nextInt(values.length)];
    }

    private boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    private static double largest(double[][] x) {
        return Arrays.stream(x)
                .flatMapToDouble(Arrays::stream)
                .map(Math::abs)
                .max()
                .orElse(1);
    }

    private static double[] append(double[] row, double value) {
        double[] longer = Arrays.copyOf(row, row.length + 1);
        longer[row.length] = value;
        return longer;
    }
}
