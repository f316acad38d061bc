package stackelberg.game;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.ToDoubleFunction;

/** A local search that knows nothing of the problem: the simplex method of Nelder and Mead, restarted where it stops. */
public final class NelderMead {
    private static final int RESTARTS = 4;

    private NelderMead() {}

    /** A local minimiser of f near the start. */
    public static double[] minimise(ToDoubleFunction<double[]> f, double[] start, double step) {
        double[] best = start.clone();
        for (int restart = 0; restart < RESTARTS; restart++) {
            best = once(f, best, step);
        }
        return best;
    }

    private static double[] once(ToDoubleFunction<double[]> f, double[] start, double step) {
        int n = start.length;
        Vertex[] simplex = new Vertex[n + 1];
        simplex[n] = Vertex.at(f, start.clone());
        for (int j = 0; j < n; j++) {
            double[] x = start.clone();
            x[j] += step;
            simplex[j] = Vertex.at(f, x);
        }
        for (int iteration = 0; iteration < 100 * (n + 1); iteration++) {
            Arrays.sort(simplex, Comparator.comparingDouble(Vertex::value));
            Vertex worst = simplex[n];
            double[] centre = new double[n];
            for (int k = 0; k < n; k++) {
                for (int j = 0; j < n; j++) {
                    centre[j] += simplex[k].x()[j] / n;
                }
            }
            Vertex reflected = Vertex.at(f, along(centre, worst.x(), -1));
            if (reflected.value() < simplex[0].value()) {
                Vertex expanded = Vertex.at(f, along(centre, worst.x(), -2));
                simplex[n] = expanded.value() < reflected.value() ? expanded : reflected;
            } else if (n > 0 && reflected.value() < simplex[Math.max(0, n - 1)].value()) {
                simplex[n] = reflected;
            } else {
                Vertex contracted = Vertex.at(f, along(centre, worst.x(), 0.5));
                if (contracted.value() < worst.value()) {
                    simplex[n] = contracted;
                } else {
                    for (int k = 1; k <= n; k++) {
                        simplex[k] = Vertex.at(f, along(simplex[0].x(), simplex[k].x(), 0.5));
                    }
                }
            }
        }
        Arrays.sort(simplex, Comparator.comparingDouble(Vertex::value));
        return simplex[0].x();
    }

    /** from + factor (to - from). */
    private static double[] along(double[] from, double[] to, double factor) {
        double[] x = from.clone();
        for (int j = 0; j < x.length; j++) {
            x[j] += factor * (to[j] - from[j]);
        }
        return x;
    }

    private record Vertex(double[] x, double value) {
        static Vertex at(ToDoubleFunction<double[]> f, double[] x) {
            return new Vertex(x, f.applyAsDouble(x));
        }
    }
}
