package stackelberg.solver.convex;

import java.util.List;
import stackelberg.certificate.Certificate;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;

/** To come. */
public final class ConvexSearch {
    private ConvexSearch() {}

    public record Found(
            LinearRule rule, SphereResult result, Certificate certificate, boolean common, boolean active) {}

    public static List<Found> path(
            PredictionGame game, double[] gammas, SolverOptions options, ProgressListener listener, Workers workers) {
        throw new UnsupportedOperationException();
    }

    public static Certificate check(PredictionGame game, LinearRule rule, Workers workers) {
        throw new UnsupportedOperationException();
    }

    public static boolean isCommon(PredictionGame game, Workers workers) {
        throw new UnsupportedOperationException();
    }
}
