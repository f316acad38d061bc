package stackelberg.objective;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import stackelberg.certificate.Certificate;
import stackelberg.data.Message;
import stackelberg.game.GameSpec;
import stackelberg.game.PredictionGame;
import stackelberg.game.Settings;
import stackelberg.objective.omega.RangeSolution;
import stackelberg.solver.SphereResult;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereGeometry;

/**
 * Squared loss if gamma is only known to lie in an interval: the rule whose largest loss, or regret, over the interval
 * is smallest.
 */
record RangeObjective(GameSpec spec) implements Objective {
    /** The largest size of the smaller side of X that is decomposed. */
    private static final int MOST_SIDE = 5000;

    /** Losses at two gammas that differ by less than this, relative, count as equal. */
    private static final double SAME_LOSS = 1e-9;

    /** The best rules at both ends of the interval: starting points of the search and references of the regret. */
    private record Ends(Solution.Run run, RangeSolution.Problem problem) {
        Solution low() {
            return run.solutions().get(0);
        }

        Solution high() {
            return run.solutions().get(1);
        }
    }

    private Ends ends(PreparedGame game, Options options) {
        GameSpec.Between range = Objects.requireNonNull(spec.between(), "the game declares no interval of gamma");
        Reduction reduced = game.reduction(range.low(), range.high());
        game.requireDecomposable(MOST_SIDE, "A range of gammas", Settings.GAMMA_BETWEEN);
        Solution.Run run = options.pipeline(game).run(reduced, range.low(), range.high());
        RangeSolution.Problem problem = new RangeSolution.Problem(
                game.game(),
                reduced,
                end(run.solutions().get(0)),
                end(run.solutions().get(1)),
                range.regret(),
                game.direct());
        return new Ends(run, problem);
    }

    private static RangeSolution.End end(Solution solution) {
        return new RangeSolution.End(solution.gamma(), solution.rule(), solution.certificate());
    }

    @Override
    public Solution.Run solve(PreparedGame game, Options options) {
        Ends ends = ends(game, options);
        return new Solution.Run(
                        List.of(ends.low()), ends.run.solver(), ends.run.solveSeconds(), ends.run.certifySeconds())
                .map(low -> solution(
                        PreparedGame.refusing(
                                () -> RangeSolution.of(ends.problem, options.limits(), options.listener())),
                        ends,
                        null));
    }

    @Override
    public Solution.Run path(PreparedGame game, Options options, double... gammas) {
        throw Message.Refused.of(
                "path-with-gamma-between",
                "A range of gammas is declared ({}), for which there is one rule, not one for each gamma.\n"
                        + "Maybe fit that one, or give one gamma with {}.",
                Settings.GAMMA_BETWEEN.any(),
                Settings.GAMMA.any());
    }

    /** Rechecks a rule by a new search, which bounds the worst loss of every rule. */
    @Override
    public Solution recheck(PreparedGame game, Options options, Claim claim) {
        Ends ends = ends(game, options);
        double[] w = SphereGeometry.coefficients(claim.r(), claim.gamma());
        RangeSolution found =
                PreparedGame.refusing(() -> RangeSolution.again(ends.problem, w, claim.weight(), claim.tolerance()));
        return solution(found, ends, Solution.known(claim.r()));
    }

    /**
     * @param known the stored point of a known rule; null for a rule that was just found
     */
    private static Solution solution(RangeSolution found, Ends ends, @Nullable SphereResult known) {
        Solution.Between.End atLow = end(found, ends.low(), ends.problem.game());
        Solution.Between.End atHigh = end(found, ends.high(), ends.problem.game());
        // of two equally bad gammas, the one at which moves are larger
        Solution.Between.End worst = atHigh.objective() > (1 + SAME_LOSS) * atLow.objective() ? atHigh : atLow;
        SphereResult result = known == null ? found.sphereResult(worst.gamma()) : known;
        return new Solution(worst.gamma(), found.chosen().rule(), result, found.certificate(), worst.penalty())
                .with(new Solution.Between(atLow, atHigh, found.chosen().weight(), found.regret()));
    }

    private static Solution.Between.End end(RangeSolution found, Solution best, PredictionGame game) {
        double penalty = game.withGamma(best.gamma()).penalty(found.chosen().rule());
        double objective = best.gamma() == found.chosen().lowGamma()
                ? found.chosen().low()
                : found.chosen().high();
        return new Solution.Between.End(
                best.gamma(),
                Math.max(0, objective - penalty),
                penalty,
                best.loss(),
                best.penalty(),
                best.certificate().proof() == Certificate.Proof.PROVEN);
    }

    @Override
    public Message notOneSphere() {
        return Message.of(
                "not-one-sphere-problem",
                "A game with a range of gammas is not one problem on a sphere: one rule has to be good at two.\n"
                        + "Maybe give one gamma with {}.",
                Settings.GAMMA.any());
    }
}
