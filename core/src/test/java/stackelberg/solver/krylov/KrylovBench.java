package stackelberg.solver.krylov;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import stackelberg.certificate.Certificate;
import stackelberg.data.Table;
import stackelberg.data.io.DataFile;
import stackelberg.game.Hedge;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.PlainRead;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergRegression;
import stackelberg.model.tuning.Tuning;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.auto.Solvers;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;

/**
 * What krylov claims, as ratios of one run: passes, the speed of a pass beside a plain read, one gamma beside forty, beside CD-ADMM, sparse data,
 * cross-validation, data beyond the heap. Not a test; run on a quiet machine.
 *
 * <p>Arguments: any of passes, pass, admm, sparse, path, tune, or mapped FILE.npy ROWS COLS (writes the file if it is not there).
 */
public final class KrylovBench {
    private static final Workers ALL = Workers.available();

    private KrylovBench() {}

    public static void main(String[] arguments) throws Exception {
        List<String> wanted = Arrays.asList(arguments);
        if (wanted.contains("passes")) {
            passes();
        }
        if (wanted.contains("pass")) {
            passBesidePlainRead(20_000, 10_000);
        }
        if (wanted.contains("path")) {
            path(20_000, 10_000);
        }
        if (wanted.contains("admm")) {
            besideAdmm("dense 8000 x 4000", dense(8000, 4000, 1));
            besideAdmm("sparse 15000 x 30000, density 1e-4", sparse(15_000, 30_000, 1e-4, 2));
            besideAdmm("sparse 30000 x 30000, density 1e-4", sparse(30_000, 30_000, 1e-4, 2));
        }
        if (wanted.contains("sparse")) {
            sparsePass(90_000, 30_000, 0.01);
        }
        if (wanted.contains("tune")) {
            tune(100_000, 500);
        }
        if (wanted.contains("mapped")) {
            int at = wanted.indexOf("mapped");
            mapped(
                    Path.of(wanted.get(at + 1)),
                    Integer.parseInt(wanted.get(at + 2)),
                    Integer.parseInt(wanted.get(at + 3)));
        }
        System.exit(0);
    }

    /** Certified within how many passes, on the paper's dense games. */
    private static void passes() {
        for (int n : new int[] {1000, 2000, 4000, 6000, 8000, 10_000}) {
            for (int m : new int[] {2 * n, n, n / 2}) {
                SphereFamily family = Reduction.of(dense(m, n, 3), ALL).family();
                for (double gamma : new double[] {0.1, 0.01}) {
                    SphereResult result =
                            solve(Solvers.named("krylov", ALL), family, gamma).get(0);
                    Certificate proof = Certificate.of(family.at(gamma), result.r());
                    System.out.printf(
                            "passes: n %d, m %d, gamma %s: %d passes, relative gap %.1e, certified %s%n",
                            n, m, gamma, result.effort().passes(), proof.relativeGap(), proof.certified(1e-9));
                }
            }
        }
    }

    private static void passBesidePlainRead(int m, int n) {
        PredictionGame game = dense(m, n, 1);
        DenseMatrix v = DenseMatrix.zeros(n + 1, 2);
        for (int j = 0; j <= n; j++) {
            v.set(j, 0, Math.sin(j));
            v.set(j, 1, Math.cos(j));
        }
        DenseMatrix out = DenseMatrix.zeros(n + 1, 2);
        SphereFamily family = Reduction.of(game, ALL).family();
        DenseMatrix x = (DenseMatrix) game.x();
        double pass = Double.POSITIVE_INFINITY;
        double read = Double.POSITIVE_INFINITY;
        for (int k = 0; k < 28; k++) {
            // two of each in turn: the second finds the caches and the threads as the first left them
            if (k % 4 < 2) {
                read = Math.min(read, seconds(() -> PlainRead.of(x, ALL)));
            } else {
                pass = Math.min(pass, seconds(() -> family.gramTimes(v, out)));
            }
        }
        System.out.printf(
                "pass: %d x %d, two vectors: pass %.0f ms, plain read %.0f ms (%.1f GB/s), ratio %.2f%n",
                m, n + 1, 1e3 * pass, 1e3 * read, 8e-9 * m * (n + 1) / read, pass / read);
    }

    private static void path(int m, int n) {
        PredictionGame game = dense(m, n, 1);
        double[] one = {0.1};
        double[] forty = new double[40];
        for (int k = 0; k < forty.length; k++) {
            forty[k] = 0.001 + (0.75 - 0.001) * k / (forty.length - 1);
        }
        SphereSolver krylov = Solvers.named("krylov", ALL);
        double[] best = {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
        double[] solveOnly = {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
        int[] passes = new int[2];
        boolean[] certified = {true, true};
        for (int round = 0; round < 3; round++) {
            for (int k = 0; k < 2; k++) {
                double[] gammas = k == 0 ? one : forty;
                int which = k;
                best[k] = Math.min(best[k], seconds(() -> {
                    SphereFamily family = Reduction.of(game, ALL).family();
                    long start = System.nanoTime();
                    List<SphereResult> results =
                            krylov.solvePath(family, gammas, SolverOptions.DEFAULT, ProgressListener.NONE);
                    solveOnly[which] = Math.min(solveOnly[which], (System.nanoTime() - start) * 1e-9);
                    double[][] points = results.stream().map(SphereResult::r).toArray(double[][]::new);
                    for (Certificate proof : Certificate.ofPath(family, gammas, points)) {
                        certified[which] &= proof.certified(1e-9);
                    }
                    passes[which] = results.get(0).effort().passes();
                }));
            }
        }
        System.out.printf(
                "path: %d x %d, set-up and certificates included: one gamma %.2f s (%d passes, certified %s), 40 gammas %.2f s"
                        + " (%d passes, certified %s), ratio %.2f%n",
                m, n, best[0], passes[0], certified[0], best[1], passes[1], certified[1], best[1] / best[0]);
        System.out.printf("path: the solver alone: one gamma %.3f s, 40 gammas %.3f s%n", solveOnly[0], solveOnly[1]);
    }

    private static void besideAdmm(String name, PredictionGame game) {
        double[] best = {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
        double[] gaps = new double[2];
        String[] solvers = {"krylov", "cd-admm"};
        for (int round = 0; round < 4; round++) {
            for (int k = 0; k < 2; k++) {
                int which = k;
                Reduction reduction = Reduction.of(game, ALL);
                SphereSolver solver = Solvers.named(solvers[k], ALL);
                best[k] = Math.min(best[k], seconds(() -> {
                    SphereResult result = solve(solver, reduction.family(), 0.1).get(0);
                    gaps[which] = Certificate.of(reduction.family().at(0.1), result.r())
                            .relativeGap();
                }));
            }
        }
        System.out.printf(
                "admm: %s, solve and certificate: krylov %.3f s (gap %.0e), cd-admm %.3f s (gap %.0e), ratio %.0f%n",
                name, best[0], gaps[0], best[1], gaps[1], best[1] / best[0]);
    }

    private static void sparsePass(int m, int n, double density) {
        CsrMatrix x = nonzeros(m, n, density, 4);
        PredictionGame game = sparse(x, 4);
        SphereFamily family = Reduction.of(game, ALL).family();
        SphereResult result = solve(Solvers.named("krylov", ALL), family, 0.1).get(0);
        Certificate proof = Certificate.of(family.at(0.1), result.r());
        int d = family.features();
        DenseMatrix v = DenseMatrix.zeros(d, 2);
        for (int j = 0; j < d; j++) {
            v.set(j, 0, Math.sin(j));
            v.set(j, 1, Math.cos(j));
        }
        DenseMatrix out = DenseMatrix.zeros(d, 2);
        // the same matrix with columns of four bytes, the usual form of compressed rows elsewhere
        CsrMatrix plain = x.transpose().transpose();
        double pass = Double.POSITIVE_INFINITY;
        double read = Double.POSITIVE_INFINITY;
        double stored = Double.POSITIVE_INFINITY;
        for (int k = 0; k < 84; k++) {
            // two of each in turn: the second finds the caches and the threads as the first left them
            if (k % 6 < 2) {
                read = Math.min(read, seconds(() -> PlainRead.of(plain, ALL)));
            } else if (k % 6 < 4) {
                stored = Math.min(stored, seconds(() -> PlainRead.of(x, ALL)));
            } else {
                pass = Math.min(pass, seconds(() -> family.gramTimes(v, out)));
            }
        }
        System.out.printf(
                "sparse: %d x %d, %d nonzeros: %d passes, relative gap %.1e, certified %s; pass %.1f ms, read of the arrays %.1f ms,"
                        + " ratio %.2f; read with columns of two bytes %.1f ms, ratio %.2f%n",
                m,
                n,
                x.nonzeros(),
                result.effort().passes(),
                proof.relativeGap(),
                proof.certified(1e-9),
                1e3 * pass,
                1e3 * read,
                pass / read,
                1e3 * stored,
                pass / stored);
    }

    private static void tune(int m, int n) {
        PredictionGame game = dense(m, n, 5);
        double[] gammas = new double[40];
        for (int k = 0; k < gammas.length; k++) {
            gammas[k] = Math.pow(10, -2 + 4.0 * k / (gammas.length - 1));
        }
        var regression = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("y")
                .wish("z")
                .gamma(1)
                .build();
        double[] y = game.y();
        double[] z = game.z();
        double fit = Double.POSITIVE_INFINITY;
        double tune = Double.POSITIVE_INFINITY;
        for (int round = 0; round < 3; round++) {
            fit = Math.min(fit, seconds(() -> regression.fit(game.x(), y, z)));
            tune = Math.min(tune, seconds(() -> regression
                    .tune(game.x(), y, z, Tuning.Plan.of(gammas), (phase, fraction) -> true)
                    .regret(gammas)));
        }
        System.out.printf(
                "tune: %d x %d, 10 folds, 40 model x 40 world gammas: %.2f s, one fit %.2f s, ratio %.2f%n",
                m, n, tune, fit, tune / fit);
    }

    private static void mapped(Path file, int m, int n) throws Exception {
        Path truth = file.resolveSibling("y.npy");
        if (!Files.exists(file)) {
            write(file, truth, m, n);
        }
        Table data = DataFile.arrays(file, truth, null, ALL);
        double[] y = data.numeric(DataFile.TRUTH).values();
        double[] z = Arrays.stream(y).map(value -> Math.max(value, 0)).toArray();
        Matrix x = data.block().orElseThrow().matrix();
        double[] best = {Double.POSITIVE_INFINITY};
        for (int round = 0; round < 2; round++) {
            double[] gap = new double[1];
            best[0] = seconds(() -> {
                Reduction reduction = Reduction.of(PredictionGame.of(x, y, z, 1).withIntercept(), ALL);
                SphereResult result = solve(Solvers.named("krylov", ALL), reduction.family(), 1)
                        .get(0);
                gap[0] = Certificate.of(reduction.family().at(1), result.r()).relativeGap();
                System.out.printf(
                        "mapped: %d passes, relative gap %.1e%n",
                        result.effort().passes(), gap[0]);
            });
            System.out.printf(
                    "mapped: %.1f GB with a heap of at most %.1f GB in %.1f s%n",
                    8e-9 * m * n, Runtime.getRuntime().maxMemory() * 1e-9, best[0]);
        }
    }

    private static List<SphereResult> solve(SphereSolver solver, SphereFamily family, double gamma) {
        return solver.solvePath(family, new double[] {gamma}, SolverOptions.DEFAULT, ProgressListener.NONE);
    }

    /** The paper's dense game written in place: standard normal X, ten informative features, range scaling, a column of ones. */
    private static PredictionGame dense(int m, int n, long seed) {
        DenseMatrix x = DenseMatrix.zeros(m, n + 1);
        double[] coefficients = new SplittableRandom(seed).doubles(10, 0, 100).toArray();
        double[] y = new double[m];
        // the range of m standard normal draws is nearly the same for every column: one scale for all keeps this to one
        // pass
        double range = 2 * Math.sqrt(2 * Math.log(m));
        ALL.run(m, i -> {
            SplittableRandom random = new SplittableRandom(seed * 1_000_003 + i);
            double[] row = new double[n + 1];
            for (int j = 0; j < n; j++) {
                double value = random.nextGaussian();
                y[i] += j < 10 ? coefficients[j] * value : 0;
                row[j] = value / range + 0.5;
            }
            row[n] = 1;
            y[i] += 0.1 * random.nextGaussian();
            x.setRow(i, row);
        });
        return PredictionGame.of(x, y, wish(y), 0.1);
    }

    /** The paper's sparse game with a manipulable column of ones that is never formed. */
    private static PredictionGame sparse(int m, int n, double density, long seed) {
        return sparse(nonzeros(m, n, density, seed), seed);
    }

    private static PredictionGame sparse(CsrMatrix x, long seed) {
        SplittableRandom random = new SplittableRandom(seed + 1_000_003);
        DenseMatrix w = DenseMatrix.zeros(x.cols(), 1);
        for (int j = 0; j < x.cols(); j++) {
            w.set(j, 0, random.nextGaussian());
        }
        DenseMatrix product = DenseMatrix.zeros(x.rows(), 1);
        x.times(w, product, ALL);
        double[] y = product.column(0);
        for (int i = 0; i < y.length; i++) {
            y[i] += 0.5 * random.nextGaussian();
        }
        return PredictionGame.of(new AffineMatrix(x, null, null, true), y, wish(y), 0.1);
    }

    private static CsrMatrix nonzeros(int m, int n, double density, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        CsrMatrix.Builder builder = new CsrMatrix.Builder();
        for (int i = 0; i < m; i++) {
            int j = -1;
            while (true) {
                // gaps between nonzeros of a row are geometric
                j += 1 + (int) Math.min(n, Math.log(1 - random.nextDouble()) / Math.log(1 - density));
                if (j >= n) {
                    break;
                }
                builder.put(j, random.nextGaussian());
            }
            builder.endRow();
        }
        return builder.build(n);
    }

    private static double[] wish(double[] y) {
        double[] sorted = y.clone();
        Arrays.sort(sorted);
        double quartile = sorted[sorted.length / 4];
        return Arrays.stream(y).map(value -> Math.max(value, quartile)).toArray();
    }

    private static void write(Path file, Path truth, int m, int n) throws Exception {
        byte[] header = ("{'descr': '<f8', 'fortran_order': False, 'shape': (" + m + ", " + n + "), }")
                .getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        double[] y = new double[m];
        try (var out = Files.newByteChannel(
                file, java.nio.file.StandardOpenOption.CREATE_NEW, java.nio.file.StandardOpenOption.WRITE)) {
            ByteBuffer prefix = ByteBuffer.allocate(128).order(ByteOrder.LITTLE_ENDIAN);
            prefix.put((byte) 0x93).put("NUMPY".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            prefix.put((byte) 1).put((byte) 0).putShort((short) 118).put(header);
            while (prefix.position() < 127) {
                prefix.put((byte) ' ');
            }
            prefix.put((byte) '\n').flip();
            out.write(prefix);
            ByteBuffer row = ByteBuffer.allocateDirect(8 * n).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < m; i++) {
                SplittableRandom random = new SplittableRandom(i);
                row.clear();
                for (int j = 0; j < n; j++) {
                    double value = random.nextDouble() - 0.5;
                    y[i] += j < 10 ? (j + 1) * value : 0;
                    row.putDouble(value);
                }
                y[i] += 0.1 * random.nextGaussian();
                row.flip();
                out.write(row);
            }
        }
        stackelberg.data.io.NpyWriter.write(truth, y);
    }

    private static double seconds(Runnable work) {
        long start = System.nanoTime();
        work.run();
        return (System.nanoTime() - start) * 1e-9;
    }
}
