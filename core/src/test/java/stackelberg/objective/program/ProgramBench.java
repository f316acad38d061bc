package stackelberg.objective.program;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import stackelberg.certificate.Certificate;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.auto.Solvers;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereProblem;

/** Sphere problems, passes and seconds of a hedge and of a balanced rule beside one plain fit: {@code java ... ProgramBench ROWS COLUMNS [DENSITY]}. */
final class ProgramBench {
    private ProgramBench() {}

    public static void main(String[] args) {
        int m = Integer.parseInt(args[0]);
        int n = Integer.parseInt(args[1]);
        double density = args.length > 2 ? Double.parseDouble(args[2]) : 1;
        Workers workers = Workers.of(2);
        RandomGenerator random = new SplittableRandom(7);
        Matrix x = density < 1 ? sparse(random, m, n, density) : dense(random, m, n);
        double[] truth = new double[n];
        for (int j = 0; j < n; j++) {
            truth[j] = random.nextGaussian() / Math.sqrt(n * density);
        }
        DenseMatrix scores = DenseMatrix.zeros(m, 1);
        x.times(DenseMatrix.column(truth), scores, workers);
        double[] signal = scores.column(0);
        double[] y = new double[m];
        Arrays.setAll(y, i -> signal[i] + random.nextGaussian());
        // a rule that has learned part of the signal; least squares would know the noise of wide data
        double[] sorted = signal.clone();
        Arrays.sort(sorted);
        double quartile = sorted[3 * m / 4];
        double[] z =
                Arrays.stream(signal).map(score -> Math.max(score, quartile)).toArray();
        double omega = Arrays.stream(truth).map(w -> w * w).sum();
        double gamma = omega * 7 / 3;
        PredictionGame game = PredictionGame.of(x, y, z, gamma).withIntercept();
        if (m < 2 * n) {
            game = game.withRidge(0.05 * m * density);
        }
        long start = System.nanoTime();
        Reduction reduction = Reduction.of(game, workers);
        System.out.printf("reduced in %.2f s%n", seconds(start));
        for (int again = 0; again < (m * (double) n < 1e8 ? 4 : 1); again++) {
            start = System.nanoTime();
            SphereProblem problem = reduction.family().at(gamma);
            SphereResult plain =
                    Solvers.named("auto", workers).solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE);
            Certificate proof = Certificate.of(problem, plain.r());
            System.out.printf(
                    "plain: %.2f s, %d passes, gap %.1e%n",
                    seconds(start), plain.effort().passes(), proof.relativeGap());
            Program program = Program.squared(reduction, gamma, m, SolverOptions.DEFAULT, null, ProgressListener.NONE);
            print("hedge 5%", program.hedged(0.05));
            print("balanced", program.balanced());
        }
    }

    private static void print(String what, Program.Hedged found) {
        System.out.printf(
                "%s: %.2f s, %d passes, %d sphere problems, share %.4f, regret %.4f%%, bound %.4f%%, relative gap %.1e%n",
                what,
                found.effort().seconds(),
                found.effort().passes(),
                found.effort().problems(),
                found.point().share(),
                100 * found.regret(),
                100 * found.regretBound(),
                found.gap() / found.losses().moved());
    }

    private static double seconds(long start) {
        return (System.nanoTime() - start) * 1e-9;
    }

    private static Matrix dense(RandomGenerator random, int m, int n) {
        DenseMatrix x = DenseMatrix.zeros(m, n);
        double[] row = new double[n];
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                row[j] = random.nextGaussian();
            }
            x.setRow(i, row);
        }
        return x;
    }

    private static Matrix sparse(RandomGenerator random, int m, int n, double density) {
        List<double[]> rows = new ArrayList<>();
        int each = (int) Math.max(1, density * n);
        for (int i = 0; i < m; i++) {
            int[] columns = random.ints(each, 0, n).distinct().sorted().toArray();
            for (int j : columns) {
                rows.add(new double[] {i, j, random.nextGaussian()});
            }
        }
        return of(m, n, rows);
    }

    private static Matrix of(int m, int n, List<double[]> entries) {
        int[] starts = new int[m + 1];
        int[] columns = new int[entries.size()];
        double[] values = new double[entries.size()];
        for (int k = 0; k < values.length; k++) {
            double[] entry = entries.get(k);
            starts[(int) entry[0] + 1]++;
            columns[k] = (int) entry[1];
            values[k] = entry[2];
        }
        for (int i = 0; i < m; i++) {
            starts[i + 1] += starts[i];
        }
        return CsrMatrix.over(m, n, starts, columns, values);
    }
}
