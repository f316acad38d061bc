package stackelberg.bench;

import stackelberg.bench.Row.Game;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.auto.Solvers;

/**
 * Rough estimates of the time and memory of a run, by counting operations. {@link Runner} uses them to keep to its budget, and corrects them by the
 * measured times of the same solver.
 */
final class Cost {
    /** Floating-point operations per second of a modest machine with two cores. */
    private static final double RATE = 4e10;

    /** Bytes per second that a pass over the data reads on such a machine. */
    private static final double BANDWIDTH = 1e10;

    /** The largest order of a matrix in one buffer of 2 GB, which inverses and eigenvectors need; a Cholesky factor can be stored in several. */
    private static final int LARGEST_PIECE = 16_383;

    private Cost() {}

    /** The estimated time of a run in seconds. */
    static double of(String solver, Game game) {
        double m = game.m();
        double n = game.n() + 1;
        double side = Math.min(m, n);
        double gram = m * n * n * Math.min(1, game.density() * 20) / RATE;
        double wideGram = m * n * side * Math.min(1, game.density() * 20) / RATE;
        double pass = 12 * m * n * game.density() / BANDWIDTH;
        double seconds =
                switch (solver) {
                    case "sdp" -> gram + 14 * 10 * n * n * n / RATE;
                    case "direct" -> wideGram + 9 * side * side * side / RATE;
                    case "admm" -> gram + 2 * n * n * n / RATE;
                    case "cd-admm" -> wideGram + factor(game, side);
                    default -> needsFactor(solver) ? gram + 9 * n * n * n / RATE : 20 * pass;
                };
        return 1e-3 + seconds;
    }

    private static boolean needsFactor(String solver) {
        return Solvers.names(SphereSolver::needsFactor).contains(solver);
    }

    private static double factor(Game game, double side) {
        double filled = filled(game, side);
        return filled * filled * filled / 3 / RATE;
    }

    /** The estimated order of the dense block in a sparse Cholesky factor: small below one nonzero per column of the smaller side, the full order from about four. */
    private static double filled(Game game, double side) {
        return game.density() == 1 ? side : side * Math.min(1, game.density() * game.m() / 4);
    }

    /** Why a run is impossible on this machine; empty if it is possible. */
    static String obstacle(String solver, Game game, long memory) {
        double n = game.n() + 1;
        double order =
                switch (solver) {
                    case "direct" -> Math.min(n, game.m());
                    // below a density of 1e-3 the estimate of the fill-in is much too high
                    case "cd-admm" -> game.density() >= 1e-3 ? filled(game, Math.min(n, game.m())) : 0;
                    default -> needsFactor(solver) ? n : 0;
                };
        boolean inPlace = solver.equals("cd-admm");
        if (order > LARGEST_PIECE && !inPlace) {
            return "needs a dense matrix of order " + (long) order + "; " + LARGEST_PIECE + " is the largest here";
        }
        double matrices = solver.equals("sdp") ? 8 : inPlace ? 1 : 3;
        double bytes = 8 * matrices * order * order + 12.0 * game.m() * n * game.density();
        return bytes > 0.8 * memory
                ? String.format(java.util.Locale.ROOT, "needs about %.0f GB of memory", bytes * 1e-9)
                : "";
    }
}
