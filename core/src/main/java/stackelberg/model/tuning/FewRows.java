package stackelberg.model.tuning;

import java.util.List;
import stackelberg.game.LinearRule;
import stackelberg.game.Population;
import stackelberg.game.PredictionGame;
import stackelberg.game.Response;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.objective.Pipeline;
import stackelberg.objective.PreparedGame;
import stackelberg.objective.Solution;
import stackelberg.objective.omega.MixedSolution;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereGeometry;

/**
 * The pseudo-rows with the same losses as the training rows of a fold, so that a search among its rules takes the same
 * time for any number of rows: for squared loss without effects, from one decomposition.
 *
 * @param game the game of the pseudo-rows
 * @param reduction the reduction of all training rows
 * @param spectrum the decomposition of their data
 */
record FewRows(PredictionGame game, Reduction reduction, DirectSolver.Decomposition spectrum) {
    private static final Workers ALONE = Workers.of(1);

    static FewRows of(PredictionGame all) {
        Reduction reduction = Pipeline.reduce(all, ALONE);
        DirectSolver.Decomposition spectrum = new DirectSolver(ALONE).decomposition(reduction.family());
        return new FewRows(MixedSolution.few(all, reduction, spectrum, ALONE), reduction, spectrum);
    }

    /**
     * The followers of a number of rows.
     *
     * @param truthfulShare the probability with which a row is truthful
     */
    record Followers(int rows, double truthfulShare) implements PreparedGame.Source {
        @Override
        public Population population(double gamma) {
            return Population.ofOneGamma(rows, gamma, truthfulShare);
        }

        @Override
        public List<LinearRule> starts() {
            return List.of();
        }
    }

    /** Returns the coefficients of all features that a rule of the pseudo-rows stands for. */
    double[] coefficients(Solution solution) {
        return spectrum.coefficients(solution.rule().w(), ALONE);
    }

    /**
     * Returns the rule with coefficients w, divided by its 1 + alpha. Its immutable part is the best one for a truthful
     * share S: p = y - c (z - y) with c = (1 - S) a t/(S + (1 - S) a^2) and a = 1 - t. It lies between the best ones
     * before any move, c = 0, and after the move of everyone, c = t/a.
     *
     * @param share S; with a hedge, the weight of the loss before any move
     */
    LinearRule scaled(double[] w, double gamma, double share) {
        double[] r = SphereGeometry.pointOf(w, gamma);
        double scale = SphereGeometry.oneMinusAlphaTilde(r) / 2;
        double a = Response.remainder(Vectors.dot(w, w), gamma);
        double moving = (1 - share) * a * a / (share + (1 - share) * a * a);
        LinearRule still = reduction.naiveRule(w);
        LinearRule moved = reduction.recoverScaled(r, gamma);
        double[] q = moved.q();
        Vectors.scale(moving, q);
        Vectors.axpy((1 - moving) * scale, still.q(), q);
        return new LinearRule(moved.w(), q, moving * moved.intercept() + (1 - moving) * scale * still.intercept());
    }
}
