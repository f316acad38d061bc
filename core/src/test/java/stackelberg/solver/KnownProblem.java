package stackelberg.solver;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stackelberg.linalg.DenseMatrix;
import stackelberg.sphere.SphereProblem;

/**
 * A small sphere problem with a known answer: minimise x'Hx/2 + g'x on ||x|| = radius, (H + lambda I)x = -g.
 *
 * <p>In our form (x = radius r): H' = radius^2 H/2, g' = radius g/2, lambda = 2 lambda'/radius^2.
 */
public record KnownProblem(
        String name, double[][] h, double[] g, double radius, double lambda, double minimum, boolean unique) {
    @Override
    public String toString() {
        return name;
    }

    public SphereProblem problem() {
        double[][] scaled =
                Arrays.stream(h).map(row -> times(row, radius * radius / 2)).toArray(double[][]::new);
        return SphereProblem.of(DenseMatrix.of(scaled), times(g, radius / 2), 0);
    }

    private static double[] times(double[] v, double factor) {
        return Arrays.stream(v).map(value -> value * factor).toArray();
    }

    /** Every row of the project's table of known answers. */
    public static List<KnownProblem> all() {
        double[][] h3 = {{1, 0, 4}, {0, 2, 0}, {4, 0, 3}};
        double[][] h4 = {{10, 2, 3, 4}, {2, 1, 7, 1}, {3, 7, 1, 7}, {4, 1, 7, 2}};
        List<KnownProblem> list = new ArrayList<>();
        list.add(new KnownProblem("H3, interior gradient", h3, new double[] {5, 0, 4}, 1, 4, -4.5, true));
        list.add(new KnownProblem(
                "H3, radius 0.5", h3, new double[] {5, 0, 4}, 0.5, 8.16641210981, -2.55991342264, true));
        list.add(new KnownProblem(
                "H3, radius 1e-4", h3, new double[] {5, 0, 4}, 1e-4, 64025.559528, -6.40284009377e-4, true));
        list.add(new KnownProblem("H3, radius 10", h3, new double[] {5, 0, 4}, 10, 2.27145254423, -123.26082356, true));
        list.add(new KnownProblem("H3, hard", h3, new double[] {0, 2, 0}, 1, 2.12310562562, -1.54662406288, false));
        list.add(new KnownProblem(
                "H3, nearly hard 1e-4", h3, new double[] {0, 2, 1e-4}, 1, 2.12317600033, -1.54667787964, true));
        list.add(new KnownProblem(
                "H3, nearly hard 1e-6", h3, new double[] {0, 2, 1e-6}, 1, 2.12310632937, -1.54662460104, true));
        list.add(new KnownProblem("H3, eigenvalue", h3, new double[3], 1, 2.12310562562, -1.06155281281, false));
        list.add(new KnownProblem(
                "diag(0,-20,0), hard", diagonal(0, -20, 0), new double[] {1, 0, -1}, 1, 20, -10.05, false));
        list.add(new KnownProblem("diag(-2,1), hard", diagonal(-2, 1), new double[] {0, 1}, 1, 2, -7.0 / 6, false));
        list.add(new KnownProblem(
                "ones, a set of solutions", new double[][] {{1, 1}, {1, 1}}, new double[] {1, 1}, 1, 0, -0.5, false));
        list.add(new KnownProblem(
                "diag(15,5)", diagonal(15, 5), new double[] {20, -10}, 1, 10.8154595794, -16.3164891428, true));
        list.add(new KnownProblem("4x4", h4, new double[] {1, 1, 1, 1}, 1, 8.42375203946, -4.39828798946, true));
        list.add(new KnownProblem(
                "4x4, hard", h4, new double[] {6.4852641521327437, 1, 1, 1}, 1, 8.21515198744, -5.27718624169, false));
        list.add(new KnownProblem(
                "tridiagonal (1,-2,1)", tridiagonal(-2), ones(100), 1, 10.0240788123, -10.0112410903, true));
        list.add(new KnownProblem(
                "tridiagonal (1,-2,1), hard by symmetry",
                tridiagonal(-2),
                ones(100),
                1000,
                3.99903256458,
                -1999528.91035,
                false));
        list.add(new KnownProblem(
                "tridiagonal (1,2,1)", tridiagonal(2), ones(100), 1, 6.0240788123, -8.01124109025, true));
        list.add(tall());
        list.add(wide("wide, boundary", 1, 0.0986966475, -24.9986260895, true));
        list.add(wide("wide, hard", 10, 0, -25, false));
        double[] linspace = new double[1000];
        for (int i = 0; i < linspace.length; i++) {
            linspace[i] = -1 + 101.0 * i / (linspace.length - 1);
        }
        list.add(new KnownProblem(
                "diag(linspace(-1,100))", diagonal(linspace), ones(1000), 1, 10.1267297392, -17.4095818524, true));
        list.add(new KnownProblem("-I", diagonal(-1, -1, -1, -1, -1), new double[5], 1, 1, -0.5, false));
        return list;
    }

    private static KnownProblem tall() {
        double[] squares = new double[50];
        double[] g = new double[50];
        for (int i = 0; i < 50; i++) {
            squares[i] = 1 + (i + 1.0) * (i + 1.0);
            g[i] = -(1 + (i + 1.0));
        }
        return new KnownProblem("[I; D]", diagonal(squares), g, 1, 1.38449057755, -28.5979264777, true);
    }

    private static KnownProblem wide(String name, double radius, double lambda, double minimum, boolean unique) {
        double[][] h = new double[100][100];
        double[] g = new double[100];
        for (int i = 0; i < 50; i++) {
            double k = i + 1.0;
            h[i][i] = 1;
            h[i][50 + i] = k;
            h[50 + i][i] = k;
            h[50 + i][50 + i] = k * k;
            g[i] = -1;
            g[50 + i] = -k;
        }
        return new KnownProblem("[I D] " + name, h, g, radius, lambda, minimum, unique);
    }

    private static double[][] diagonal(double... values) {
        double[][] h = new double[values.length][values.length];
        for (int i = 0; i < values.length; i++) {
            h[i][i] = values[i];
        }
        return h;
    }

    private static double[][] tridiagonal(double middle) {
        double[][] h = new double[100][100];
        for (int i = 0; i < 100; i++) {
            h[i][i] = middle;
            if (i > 0) {
                h[i][i - 1] = 1;
                h[i - 1][i] = 1;
            }
        }
        return h;
    }

    private static double[] ones(int n) {
        double[] v = new double[n];
        Arrays.fill(v, 1);
        return v;
    }
}
