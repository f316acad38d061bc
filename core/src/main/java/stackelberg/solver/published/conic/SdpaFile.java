package stackelberg.solver.published.conic;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import stackelberg.linalg.DenseMatrix;
import stackelberg.sphere.SphereProblem;

/**
 * Writes the semidefinite program of a game in SDPA sparse format: minimise -mu subject to F1 mu + F2 lambda - F0 >= 0 with F0 = -A, F1 = -B, F2 = C.
 *
 * <p>The optimal value of the file is -f*; variable 1 is mu, variable 2 is four times the multiplier of the sphere problem.
 */
final class SdpaFile {
    private SdpaFile() {}

    /** Writes a file, replacing an existing one. */
    static void write(SphereProblem problem, Path file) throws IOException {
        try (Writer writer = Files.newBufferedWriter(file, StandardCharsets.US_ASCII)) {
            write(problem, writer);
        }
    }

    /** Writes the program; every number has the digits that reproduce it exactly. */
    static void write(SphereProblem problem, Writer writer) throws IOException {
        MatrixInequality lmi = MatrixInequality.of(problem, problem.hessian());
        int n = lmi.order() - 2;
        writer.write("\"maximise mu = x1 subject to A - mu B + lambda C >= 0; the optimal value here is -f*\n");
        writer.write("2\n1\n" + lmi.order() + "\n-1.0 0.0\n");
        DenseMatrix a = lmi.a();
        for (int i = 0; i < lmi.order(); i++) {
            double[] row = a.row(i);
            for (int j = i; j < lmi.order(); j++) {
                entry(writer, 0, i, j, -row[j]);
            }
        }
        entry(writer, 1, n, n, -1);
        entry(writer, 1, n, n + 1, -1);
        entry(writer, 1, n + 1, n + 1, -1);
        for (int i = 0; i < n; i++) {
            entry(writer, 2, i, i, 1 / lmi.gamma());
        }
        entry(writer, 2, n, n + 1, -0.5);
    }

    private static void entry(Writer writer, int matrix, int i, int j, double value) throws IOException {
        if (value != 0) {
            writer.write(matrix + " 1 " + (i + 1) + " " + (j + 1) + " " + value + "\n");
        }
    }
}
