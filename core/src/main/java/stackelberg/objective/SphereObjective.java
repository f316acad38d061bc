package stackelberg.objective;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import stackelberg.data.Message;
import stackelberg.game.GameSpec;
import stackelberg.linalg.Workers;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;

/**
 * Squared loss at one gamma for all rows, and nothing else: one sphere problem, which every solver can minimise. One
 * run of a solver covers a whole path of gammas.
 */
record SphereObjective(GameSpec spec) implements Objective {
    /**
     * The largest size of the smaller side of X at which suggesting a ridge costs almost nothing compared with the fit.
     */
    private static final int SUGGESTING_SIDE = 1500;

    /**
     * The ridges that are compared for a suggestion: round numbers, because the criterion is flat around its minimum.
     */
    private static final double[] RIDGES = {
        0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100
    };

    @Override
    public Solution.Run solve(PreparedGame game, Options options) {
        return path(game, options, spec.gamma());
    }

    @Override
    public Solution.Run path(PreparedGame game, Options options, double... gammas) {
        Reduction reduced = game.reduction(gammas);
        Workers.throwIfInterrupted();
        Solution.Run run = options.pipeline(game).run(reduced, gammas);
        return spec.hasEffects() ? run.map(solution -> ofRule(solution, game)) : run;
    }

    @Override
    public Solution recheck(PreparedGame game, Options options, Claim claim) {
        Solution found = Pipeline.recheck(game.reduction(claim.gamma()), claim.r(), claim.gamma(), options.tolerance());
        return spec.hasEffects() ? ofRule(found, game) : found;
    }

    /** Replaces the loss of the point by that of the rule itself; they may differ only with effects. */
    private static Solution ofRule(Solution solution, PreparedGame game) {
        return solution.certificate().finite() && solution.rule().isFinite()
                ? solution.losing(game.game().withGamma(solution.gamma()).leaderLoss(solution.rule(), game.workers()))
                : solution;
    }

    @Override
    public SphereProblem sphereProblem(PreparedGame game) {
        return game.reduction(spec.gamma()).family().at(spec.gamma());
    }

    @Override
    public Message notOneSphere() {
        throw new IllegalStateException("The game is one problem on the sphere.");
    }

    @Override
    public OptionalDouble suggestedRidge(PreparedGame game, double gamma, int degrees) {
        return suggestedRidge(spec, game, gamma, degrees);
    }

    static OptionalDouble suggestedRidge(GameSpec spec, PreparedGame game, double gamma, int degrees) {
        int features = game.game().x().cols();
        boolean wide = features > degrees && degrees > 1;
        if (!wide || spec.ridge() > 0 || Math.min(game.game().x().rows(), features) > SUGGESTING_SIDE) {
            return OptionalDouble.empty();
        }
        SphereFamily family = game.reduction().family();
        double weight = game.game().totalWeight();
        List<SphereProblem> problems = Arrays.stream(RIDGES)
                .mapToObj(ridge -> family.withRidge(ridge * weight).at(gamma))
                .toList();
        OptionalInt best = game.direct().leastExpected(problems, degrees);
        return best.isEmpty() || RIDGES[best.getAsInt()] == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(RIDGES[best.getAsInt()]);
    }
}
