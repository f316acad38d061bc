package stackelberg.objective.omega;

import java.util.Optional;
import stackelberg.certificate.Certificate;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereGeometry;

/**
 * The best rule for a mixed population with its proof: PROVEN means that no rule with any omega is better by more than
 * the tolerance.
 */
public final class MixedSolution {
    /** A better rule refutes this one if it is better by this much, relative. */
    private static final double REFUTING = 1e-9;

    private final MixedReduction reduction;
    private final OmegaSearch.Result result;
    private final double scale;
    /** Whether the bounds over omega can be trusted. */
    private final boolean resolved;

    private MixedSolution(MixedReduction reduction, OmegaSearch.Result result, double scale) {
        this.reduction = reduction;
        this.result = result;
        this.scale = scale;
        this.resolved = reduction.resolved();
    }

    /**
     * Finds the best rule by a search over omega.
     *
     * @param scale p0, the loss of the best rule with w = 0, which replaces a loss near 0 in relative gaps
     * @param solver the solver of the sphere problem at each omega
     */
    public static MixedSolution of(
            PredictionGame game,
            double scale,
            SphereSolver solver,
            SolverOptions options,
            ProgressListener listener,
            Workers workers) {
        MixedReduction reduction = MixedReduction.of(game, workers);
        return new MixedSolution(reduction, OmegaSearch.of(reduction, scale, solver, options, listener), scale);
    }

    /** Returns the certificate of a model's point r from the data alone: a new search bounds the loss of every rule. */
    public static Certificate check(
            PredictionGame game, double scale, double[] r, double gamma, double tolerance, Workers workers) {
        MixedSolution solution = of(
                game,
                scale,
                new DirectSolver(workers),
                SolverOptions.DEFAULT.withTolerance(tolerance),
                ProgressListener.NONE,
                workers);
        double[] w = SphereGeometry.coefficients(r, gamma);
        LinearRule rule = solution.reduction.recover(w);
        double objective = aboveRounding(game.leaderLoss(rule, workers) + game.penalty(rule), game);
        double gain = objective - solution.result.objective();
        boolean refuted = gain > REFUTING * Math.max(objective, 1e-9 * scale);
        Certificate slice = solution.reduction.slice(w).orElse(solution.result.slice());
        return refuted && solution.result.finiteness() != Certificate.Finiteness.NONE
                ? solution.certificate(
                        slice,
                        objective,
                        Certificate.Proof.REFUTED,
                        Optional.of(SphereGeometry.pointOf(solution.result.w(), gamma)))
                : solution.certificate(slice, objective, solution.proof(objective, tolerance), Optional.empty());
    }

    /** Returns the loss, or 0 if it is no larger than the squared rounding error of y. */
    private static double aboveRounding(double loss, PredictionGame game) {
        return loss <= 64 * 0x1p-104 * game.squaredLoss(new double[game.y().length]) ? 0 : loss;
    }

    /**
     * Returns the rule of a point r of the ordinary sphere at gamma, with the immutable part that is best for the mixed
     * population.
     */
    public static LinearRule ruleOf(PredictionGame game, double[] r, double gamma, Workers workers) {
        return MixedReduction.of(game, workers).recover(SphereGeometry.coefficients(r, gamma));
    }

    /**
     * Returns the pseudo-rows with the same losses as a game in which all rows move at one gamma: a rule of the
     * pseudo-rows with coefficients a, and the rule with coefficients {@link DirectSolver.Decomposition#coefficients}
     * of a and the best immutable part, have the same loss at every gamma and truthful share.
     *
     * @param ordinary the reduction of the game
     * @param spectrum the decomposition of its data
     */
    public static PredictionGame few(
            PredictionGame game, Reduction ordinary, DirectSolver.Decomposition spectrum, Workers workers) {
        return Condensed.of(game, MixedReduction.of(game, workers), ordinary, spectrum, workers)
                .game();
    }

    public LinearRule rule() {
        return reduction.recover(result.w());
    }

    /**
     * Returns the rule as the point of the ordinary sphere at gamma that a model stores, with the effort of the search.
     */
    public SphereResult sphereResult(double gamma) {
        int solved = result.evaluations();
        return new SphereResult(
                SphereGeometry.pointOf(result.w(), gamma),
                result.status(),
                new SphereResult.Effort(solved, 3 * solved, solved, 0),
                "one sphere problem per iteration, each at one omega = w'C^{-1}w");
    }

    /** Returns the certificate of the rule. */
    public Certificate certificate(double tolerance) {
        double objective = result.objective();
        return certificate(result.slice(), objective, proof(objective, tolerance), Optional.empty());
    }

    private Certificate.Proof proof(double objective, double tolerance) {
        double gap = gap(objective);
        return resolved && gap <= tolerance * Math.max(objective, 1e-9 * scale)
                ? Certificate.Proof.PROVEN
                : Certificate.Proof.ESTIMATED;
    }

    /** Returns the gap bound; if the bounds over omega cannot be trusted, it only uses that no loss is below 0. */
    private double gap(double objective) {
        return resolved ? Math.max(0, objective - result.lowerBound()) : objective;
    }

    private Certificate certificate(
            Certificate slice, double objective, Certificate.Proof proof, Optional<double[]> better) {
        return new Certificate(
                objective,
                new Certificate.Bound(slice.multiplier(), slice.residual(), slice.curvature(), gap(objective)),
                proof,
                slice.unique(),
                result.finiteness(),
                scale,
                better);
    }
}
