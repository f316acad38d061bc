package stackelberg.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;
import stackelberg.linalg.DenseMatrix;

/** Small data for the commands: y depends on a, b and on the kind, which is text; hope is the column of wishes. */
public final class Samples {
    static final int ROWS = 60;

    private Samples() {}

    public static Path csv(Path folder) {
        StringBuilder text = new StringBuilder("a,b,kind,y,hope\n");
        Random random = new Random(7);
        for (int i = 0; i < ROWS; i++) {
            double a = random.nextGaussian();
            double b = 3 * random.nextDouble();
            String kind = i % 3 == 0 ? "red" : "blue";
            double y = 2 * a - b + (i % 3 == 0 ? 1 : 0) + 0.3 * random.nextGaussian();
            double hope = y + 2 * random.nextDouble();
            text.append(String.format(Locale.ROOT, "%.4f,%.4f,%s,%.4f,%.4f%n", a, b, kind, y, hope));
        }
        return file(folder, "sample.csv", text.toString());
    }

    static Path file(Path folder, String name, String content) {
        try {
            return Files.writeString(folder.resolve(name), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A random game as plain arrays. */
    record Game(DenseMatrix x, double[] y, double[] z) {
        static Game random(int rows, int cols) {
            Random random = new Random(11);
            DenseMatrix x = DenseMatrix.zeros(rows, cols);
            double[] y = new double[rows];
            double[] z = new double[rows];
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < cols; j++) {
                    x.set(i, j, Math.rint(100 * random.nextGaussian()) / 100);
                    y[i] += (j + 1) * x.get(i, j);
                }
                y[i] = Math.rint(100 * (y[i] + random.nextGaussian())) / 100;
                z[i] = Math.max(y[i], Math.rint(300 * random.nextDouble()) / 100);
            }
            return new Game(x, y, z);
        }

        /** Columns 1, 2, ..., y and z. */
        public String csv() {
            StringBuilder text = new StringBuilder();
            for (int j = 0; j < x.cols(); j++) {
                text.append(j + 1).append(',');
            }
            text.append("y,z\n");
            for (int i = 0; i < x.rows(); i++) {
                for (int j = 0; j < x.cols(); j++) {
                    text.append(x.get(i, j)).append(',');
                }
                text.append(y[i]).append(',').append(z[i]).append('\n');
            }
            return text.toString();
        }

        String libsvm() {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < x.rows(); i++) {
                text.append(y[i]);
                for (int j = 0; j < x.cols(); j++) {
                    text.append(' ').append(j + 1).append(':').append(x.get(i, j));
                }
                text.append('\n');
            }
            return text.toString();
        }
    }
}
