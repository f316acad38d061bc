package stackelberg.objective;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import stackelberg.certificate.Certificate;
import stackelberg.data.Message;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.game.Settings;
import stackelberg.objective.limited.LimitedSearch;
import stackelberg.solver.SphereResult;

/**
 * Any squared loss at given gammas where moves have limits: descents from the rule that is best without limits and from
 * others. Nothing is proven of what they find.
 *
 * @param unlimited the objective without limits, whose point and proof are kept beside the rule
 */
record LimitedObjective(Objective unlimited) implements Objective {
    @Override
    public Solution.Run solve(PreparedGame game, Options options) {
        return limited(game, options, unlimited.solve(game, options));
    }

    @Override
    public Solution.Run path(PreparedGame game, Options options, double... gammas) {
        return limited(game, options, unlimited.path(game, options, gammas));
    }

    private static Solution.Run limited(PreparedGame game, Options options, Solution.Run free) {
        // the rules of other gammas are good rules to begin at
        List<LinearRule> starts = new ArrayList<>(game.source().starts());
        return free.map(best -> {
            Solution found = searched(game, options, best, starts);
            starts.add(found.rule());
            return found;
        });
    }

    private static Solution searched(PreparedGame game, Options options, Solution free, List<LinearRule> starts) {
        PredictionGame played = game.played(free.gamma());
        LinearRule best = free.certificate().finite() && free.rule().isFinite() ? free.rule() : null;
        var problem = new LimitedSearch.Problem(played, game.reduction(), best, starts);
        LimitedSearch.Found found = PreparedGame.refusing(
                () -> LimitedSearch.of(problem, options.seed(), options.listener(), game.workers()));
        SphereResult before = free.result();
        var effort = new SphereResult.Effort(
                before.effort().iterations() + found.effort().iterations(),
                before.effort().passes() + found.effort().passes(),
                before.effort().factorisations(),
                before.effort().factorSeconds());
        String note = (before.note().isEmpty() ? "" : before.note() + "; ") + "then descents from " + found.starts()
                + " rules under the limits";
        var result = new SphereResult(before.r(), found.status(), effort, note);
        return solution(game, found.rule(), result, free, found.starts());
    }

    @Override
    public Solution recheck(PreparedGame game, Options options, Claim claim) {
        Solution free = unlimited.recheck(game, options, claim);
        LinearRule stored = claim.rule().get();
        return PreparedGame.refusing(() -> solution(game, stored, free.result(), free, claim.starts()));
    }

    /** Returns the solution for a rule under limits, for which the only known bound is that no loss is below 0. */
    private static Solution solution(
            PreparedGame game, LinearRule rule, SphereResult result, Solution free, int starts) {
        PredictionGame played = game.played(free.gamma());
        double penalty = played.penalty(rule);
        double objective = played.leaderLoss(rule, game.workers()) + penalty;
        var certificate = new Certificate(
                objective,
                new Certificate.Bound(Double.NaN, Double.NaN, Double.NaN, objective),
                Certificate.Proof.ESTIMATED,
                false,
                Certificate.Finiteness.FINITE,
                free.certificate().scale(),
                Optional.empty());
        boolean ruled = free.rule().isFinite();
        var limited = new Solution.Limited(
                free.certificate(),
                free.loss(),
                ruled ? played.leaderLoss(free.rule(), game.workers()) : Double.NaN,
                ruled ? played.stopped(free.rule(), game.workers()) : 0,
                played.stopped(rule, game.workers()),
                played.earnedShare(rule, game.workers()),
                starts);
        return new Solution(free.gamma(), rule, result, certificate, penalty)
                .recoveredIn(free.recoverSeconds())
                .with(limited);
    }

    @Override
    public Message notOneSphere() {
        return unlimited instanceof SphereObjective
                ? Message.of(
                        "not-one-sphere-problem",
                        "A game with limits is no problem on a sphere.\nMaybe leave out {} and {}.",
                        Settings.LIMIT.any(),
                        Settings.ONE_SIDED.any())
                : unlimited.notOneSphere();
    }
}
