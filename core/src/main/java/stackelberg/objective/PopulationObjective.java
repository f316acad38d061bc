package stackelberg.objective;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import stackelberg.certificate.Certificate;
import stackelberg.data.Message;
import stackelberg.game.GameSpec;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.game.Settings;
import stackelberg.objective.omega.MixedSolution;
import stackelberg.solver.SphereSolver;
import stackelberg.sphere.Reduction;

/**
 * Squared loss for followers with individual gammas or a truthful share: a search over omega = w'C^{-1}w with one
 * sphere problem at each omega.
 */
record PopulationObjective(GameSpec spec) implements Objective {
    @Override
    public Solution.Run solve(PreparedGame game, Options options) {
        return path(game, options, spec.gamma());
    }

    @Override
    public Solution.Run path(PreparedGame game, Options options, double... gammas) {
        if (spec.rowGamma() != null && gammas.length > 1) {
            throw new IllegalArgumentException("Each row has its own gamma in column '" + spec.rowGamma()
                    + "', so there is no path of gammas to follow.\nMaybe fit one model, without a list of gammas.");
        }
        Reduction ordinary = ordinary(game, gammas);
        long start = System.nanoTime();
        SphereSolver solver = options.slices(game);
        List<Solution> solutions = new ArrayList<>();
        for (double gamma : gammas) {
            solutions.add(search(game.withPopulation(gamma), ordinary, solver, options, game));
        }
        return Solution.Run.since(start, solver.name(), solutions);
    }

    /**
     * Returns the reduction of the game in which all rows have the same gamma, after checking it at the smallest and
     * the largest gamma of the rows that move; these stand for all.
     */
    private Reduction ordinary(PreparedGame game, double... gammas) {
        if (spec.rowGamma() == null) {
            return game.reduction(gammas);
        }
        DoubleSummaryStatistics moving = Arrays.stream(
                        game.source().population(spec.gamma()).gammas())
                .filter(Double::isFinite)
                .summaryStatistics();
        return moving.getCount() == 0 ? game.reduction() : game.reduction(moving.getMin(), moving.getMax());
    }

    /**
     * Searches for the best rule. The solution is stored as a point of the sphere at the population's typical gamma.
     */
    private static Solution search(
            PredictionGame mixed, Reduction ordinary, SphereSolver solver, Options options, PreparedGame game) {
        double gamma = mixed.population().typicalGamma();
        double scale = ordinary.family().zeroRuleLoss();
        MixedSolution found = PreparedGame.refusing(
                () -> MixedSolution.of(mixed, scale, solver, options.limits(), options.listener(), game.workers()));
        long before = System.nanoTime();
        LinearRule rule = found.rule();
        double seconds = (System.nanoTime() - before) * 1e-9;
        Certificate certificate = found.certificate(options.tolerance());
        return new Solution(gamma, rule, found.sphereResult(gamma), certificate, mixed.penalty(rule))
                .recoveredIn(seconds)
                .with(new Solution.Mixed());
    }

    /** Rechecks a rule by a new search, which bounds the loss of every rule. */
    @Override
    public Solution recheck(PreparedGame game, Options options, Claim claim) {
        double scale = ordinary(game, spec.gamma()).family().zeroRuleLoss();
        PredictionGame mixed = game.withPopulation(spec.gamma());
        double gamma = mixed.population().typicalGamma();
        return PreparedGame.refusing(() -> {
            LinearRule rule = MixedSolution.ruleOf(mixed, claim.r(), gamma, game.workers());
            Certificate certificate =
                    MixedSolution.check(mixed, scale, claim.r(), gamma, claim.tolerance(), game.workers());
            return new Solution(gamma, rule, Solution.known(claim.r()), certificate, mixed.penalty(rule))
                    .with(new Solution.Mixed());
        });
    }

    @Override
    public Message notOneSphere() {
        return Message.of(
                "not-one-sphere-problem",
                "A game with a mixed population is not one problem on a sphere, but one for every omega.\n"
                        + "Maybe leave out {} and {}.",
                Settings.TRUTHFUL_SHARE.any(),
                Settings.ROW_GAMMA.any());
    }
}
