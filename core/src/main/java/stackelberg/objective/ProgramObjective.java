package stackelberg.objective;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import stackelberg.certificate.Certificate;
import stackelberg.data.DataException;
import stackelberg.data.Message;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.game.Settings;
import stackelberg.linalg.Workers;
import stackelberg.objective.program.ConvexSearch;
import stackelberg.objective.program.Program;
import stackelberg.solver.SphereResult;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereProblem.Stationarity;

/**
 * The objective at one gamma with another convex loss than the squared one, or with a bound on the loss before any
 * move.
 */
record ProgramObjective(GameSpec spec) implements Objective {
    /** The name of this search in place of a sphere solver's. */
    private static final String NAME = "program";

    /** The relative amount by which a rule read from a file may exceed the bound of a hedge because of rounding. */
    private static final double KEPT = 1e-9;

    /** The relative amount by which a lower bound may exceed the loss that it bounds because of rounding. */
    private static final double ROUNDING = 1e-11;

    /** A best loss below this fraction of p0 is rounding: the rule fits the rows exactly. */
    private static final double NOTHING = 1e-9;

    @Override
    public Solution.Run solve(PreparedGame game, Options options) {
        return path(game, options, spec.gamma());
    }

    @Override
    public Solution.Run path(PreparedGame game, Options options, double... gammas) {
        return spec.isHedged() ? hedged(game, options, gammas) : convex(game, options, gammas);
    }

    @Override
    public Solution recheck(PreparedGame game, Options options, Claim claim) {
        return spec.isHedged() ? hedgeAgain(game, options, claim) : convexAgain(game, claim);
    }

    /** Finds the hedged or balanced rule at each gamma. */
    private Solution.Run hedged(PreparedGame game, Options options, double... gammas) {
        requireOwnSolver(options);
        if (options.solver() != null && options.solver().isPlain()) {
            throw Message.Refused.of(
                    "solver-without-hedge",
                    "The solver {} as published minimises without a hedge.\nMaybe leave out {}, or {}.",
                    options.solver().name(),
                    Message.Choice.any("solver"),
                    Settings.HEDGE.any());
        }
        long start = System.nanoTime();
        List<Solution> solutions = new ArrayList<>();
        for (double gamma : gammas) {
            Workers.throwIfInterrupted();
            Posed posed = posed(game, options, gamma);
            Program program = posed.program();
            Program.Hedged found = found(game, program, posed.scale());
            Solution.Hedged hedged =
                    hedged(game, gamma, program, found, found.point().share(), found.losses());
            PredictionGame played = game.game().withGamma(gamma);
            Solution own = solution(
                    gamma,
                    found.rule(),
                    result(found, spec.loss().isSquared()),
                    found.losses(),
                    penalty(played, found.rule()),
                    posed.scale(),
                    options.tolerance(),
                    hedged);
            solutions.add(
                    hedged.share() > 0
                            ? own
                            : unhedged(game, options, gamma, hedged).orElse(own));
        }
        return Solution.Run.since(start, NAME, solutions);
    }

    /**
     * Returns the rules of a game with squared loss and a hedge, from its reduction alone (sums, or rows on other
     * machines). The hedge is measured from the best rule before any move.
     *
     * @param hedge a hedge other than none
     * @param weight the sum of the weights of all rows
     */
    static Solution.Run hedged(Pipeline pipeline, Reduction reduction, Hedge hedge, double weight, double... gammas) {
        long start = System.nanoTime();
        double scale = reduction.family().zeroRuleLoss();
        DirectSolver direct = pipeline.solver() instanceof DirectSolver known
                ? known
                : DirectSolver.remembering(reduction.family().workers());
        List<Solution> solutions = new ArrayList<>();
        for (double gamma : gammas) {
            Program program =
                    Program.squared(reduction, gamma, weight, pipeline.options(), direct, pipeline.listener());
            Program.Hedged found = found(hedge, program, scale);
            Solution.Hedged hedged = hedged(hedge, program, found, found.point().share(), found.losses());
            if (hedged.share() == 0) {
                Solution pure = pipeline.run(reduction, gamma).first();
                var point = new Program.Point(pure.result().r(), 0);
                if (pure.rule().isFinite()
                        && isWithin(program.check(point, hedged.bound()).honest(), hedged)) {
                    solutions.add(pure.with(hedged));
                    continue;
                }
            }
            double penalty = found.rule().isFinite()
                    ? reduction.family().at(gamma).penalty(found.point().r())
                    : 0;
            solutions.add(solution(
                    gamma,
                    found.rule(),
                    result(found, true),
                    found.losses(),
                    penalty,
                    scale,
                    pipeline.options().tolerance(),
                    hedged));
        }
        return Solution.Run.since(start, NAME, solutions);
    }

    private static SphereResult result(Program.Hedged found, boolean squared) {
        Program.Effort effort = found.effort();
        return new SphereResult(
                found.point().r(),
                effort.stopped() ? SphereResult.Status.STOPPED_BY_LISTENER : SphereResult.Status.CONVERGED,
                new SphereResult.Effort(effort.problems(), effort.passes(), 0, 0),
                squared
                        ? "one sphere problem per iteration, each with another weight of the hedge"
                        : "one minimisation by Newton's method per iteration, each with another weight of the hedge");
    }

    /** Returns the rule without a hedge, with its own certificate, if it keeps the bound. */
    private Optional<Solution> unhedged(PreparedGame game, Options options, double gamma, Solution.Hedged hedged) {
        Solution pure = spec.loss().isSquared()
                ? new SphereObjective(spec).path(game, options, gamma).first()
                : convex(game, options, gamma).first();
        return pure.rule().isFinite() && isWithin(game.game().honestLoss(pure.rule(), game.workers()), hedged)
                ? Optional.of(pure.with(hedged))
                : Optional.empty();
    }

    /** Returns whether a loss before any move keeps the bound of a hedge, up to rounding. */
    private static boolean isWithin(double honest, Solution.Hedged hedged) {
        return honest <= hedged.bound() * (1 + KEPT);
    }

    /** Returns the balanced rule, or the best one within the hedge, measured from the declared reference. */
    private Program.Hedged found(PreparedGame game, Program program, double scale) {
        if (spec.hedge().isBalanced() || spec.hedgeOf() == GameSpec.HedgeOf.BEST) {
            return found(spec.hedge(), program, scale);
        }
        double worse = spec.hedge().worse();
        double factor = spec.loss().isSquared() ? (1 + worse) * (1 + worse) : 1 + worse;
        double bound = factor * game.source().todaysHonestLoss();
        return PreparedGame.refusing(() -> program.within(bound));
    }

    /**
     * Returns the balanced rule, or the best one within a hedge that is measured from the best rule before any move.
     */
    private static Program.Hedged found(Hedge hedge, Program program, double scale) {
        if (hedge.isBalanced()) {
            return PreparedGame.refusing(program::balanced);
        }
        Program.Hedged found = PreparedGame.refusing(() -> program.hedged(hedge.worse()));
        if (found.point().share() > 0 && found.reference().honest() <= NOTHING * scale) {
            throw new DataException(Message.of(
                    "hedge-of-nothing",
                    "The best rule if nobody moves fits these rows exactly, so a hedge ({}) in percent of its error leaves"
                            + " no room.\nMaybe add {}, or leave out {}.",
                    Settings.HEDGE.any(),
                    Settings.RIDGE.any(),
                    Settings.HEDGE.any()));
        }
        return found;
    }

    /**
     * @param losses the losses of the rule itself, with their bound
     */
    private Solution.Hedged hedged(
            PreparedGame game,
            double gamma,
            Program program,
            Program.Hedged found,
            double share,
            Program.Losses losses) {
        Solution.Hedged hedged = hedged(spec.hedge(), program, found, share, losses);
        if (spec.hedgeOf() == GameSpec.HedgeOf.TODAY
                && spec.ridge() > 0
                && !hedged.frontier().isEmpty()) {
            // in older files the frontier ends at least squares, even with a ridge
            List<Solution.Hedged.Point> frontier = new ArrayList<>(hedged.frontier());
            frontier.set(frontier.size() - 1, leastSquares(game, gamma));
            return new Solution.Hedged(share, losses.bound(), frontier, hedged.balance());
        }
        return hedged;
    }

    private static Solution.Hedged hedged(
            Hedge hedge, Program program, Program.Hedged found, double share, Program.Losses losses) {
        return new Solution.Hedged(
                share,
                losses.bound(),
                program.trades().stream().map(Solution.Hedged.Point::of).toList(),
                hedge.isBalanced() ? Solution.Hedged.Balance.of(found.reference(), losses) : null);
    }

    private static Solution.Hedged.Point leastSquares(PreparedGame game, double gamma) {
        PredictionGame played = game.game().withGamma(gamma);
        LinearRule rule = game.bestHonest(0);
        return new Solution.Hedged.Point(
                1,
                played.honestLoss(rule, game.workers()),
                played.leaderLoss(rule, game.workers()),
                played.pullThrough(rule),
                Double.NaN);
    }

    /**
     * A program with p0, which replaces a loss near 0 in relative gaps.
     *
     * @param scale p0
     */
    private record Posed(Program program, double scale) {}

    private Posed posed(PreparedGame game, Options options, double gamma) {
        if (spec.loss().isSquared()) {
            Program program = squared(game, options, gamma);
            return new Posed(program, game.reduction().family().zeroRuleLoss());
        }
        PredictionGame played = game.game().withGamma(gamma);
        return PreparedGame.refusing(() -> {
            ConvexSearch.Found pure =
                    ConvexSearch.of(played, null, options.limits(), options.listener(), game.workers());
            return new Posed(
                    Program.convex(played, pure, options.limits(), game.workers(), options.listener()),
                    pure.certificate().scale());
        });
    }

    private static Program squared(PreparedGame game, Options options, double gamma) {
        return Program.squared(
                game.reduction(gamma),
                gamma,
                game.game().totalWeight(),
                options.limits(),
                game.direct(),
                options.listener());
    }

    /** Rechecks a hedged rule of a model file from the data. */
    private Solution hedgeAgain(PreparedGame game, Options options, Claim claim) {
        Posed posed = posed(game, options, claim.gamma());
        Program program = posed.program();
        Program.Hedged found = found(game, program, posed.scale());
        if (claim.weight() == 0 && isBestOfAll(found, posed.scale())) {
            Solution pure = spec.loss().isSquared()
                    ? new SphereObjective(spec).recheck(game, options, claim)
                    : convexAgain(game, claim);
            var losses = new Program.Losses(
                    found.losses().bound(),
                    game.game().honestLoss(pure.rule(), game.workers()),
                    pure.certificate().objective(),
                    0);
            return pure.with(hedged(game, claim.gamma(), program, found, 0, losses));
        }
        var point = new Program.Point(claim.r(), claim.weight());
        PredictionGame played = game.game().withGamma(claim.gamma());
        LinearRule rule = spec.loss().isSquared()
                ? Program.rule(game.reduction(), claim.gamma(), point)
                : claim.rule().get();
        Program.Losses losses = spec.loss().isSquared()
                ? program.check(point, found.losses().bound())
                : new Program.Losses(
                        found.losses().bound(),
                        played.honestLoss(rule, game.workers()),
                        played.leaderLoss(rule, game.workers()) + played.penalty(rule),
                        0);
        var known = new Program.Losses(
                losses.bound(),
                losses.honest(),
                losses.moved(),
                Math.max(losses.lower(), found.losses().lower()));
        Solution.Hedged hedged = hedged(game, claim.gamma(), program, found, claim.weight(), known);
        return solution(
                claim.gamma(),
                rule,
                Solution.known(claim.r()),
                known,
                penalty(played, rule),
                posed.scale(),
                options.tolerance(),
                hedged);
    }

    /** Returns whether a rule is the best one of all, not one of the local minima that are also rules of weight 0. */
    private static boolean isBestOfAll(Program.Hedged found, double scale) {
        double moved = found.losses().moved();
        return moved - found.reference().moved() <= KEPT * Stationarity.scale(moved, scale);
    }

    private static double penalty(PredictionGame played, LinearRule rule) {
        return rule.isFinite() ? played.penalty(rule) : 0;
    }

    /** Makes the solution of a rule from the proven losses of the program. */
    private static Solution solution(
            double gamma,
            LinearRule rule,
            SphereResult result,
            Program.Losses losses,
            double penalty,
            double scale,
            double tolerance,
            Solution.Hedged hedged) {
        // a lower bound above the loss of a rule that keeps the hedge is contradictory, so it is discarded
        double lower = losses.lower() <= losses.moved() * (1 + ROUNDING) ? losses.lower() : 0;
        double gap = Math.max(0, losses.moved() - lower);
        boolean proven =
                isWithin(losses.honest(), hedged) && gap <= tolerance * Stationarity.scale(losses.moved(), scale);
        var certificate = new Certificate(
                losses.moved(),
                new Certificate.Bound(Double.NaN, Double.NaN, Double.NaN, gap),
                proven ? Certificate.Proof.PROVEN : Certificate.Proof.ESTIMATED,
                // nothing is proven about rules with another omega
                false,
                rule.isFinite() ? Certificate.Finiteness.FINITE : Certificate.Finiteness.UNKNOWN,
                scale,
                Optional.empty());
        return new Solution(gamma, rule, result, certificate, penalty).with(hedged);
    }

    @Override
    public Program.Hedged references(PreparedGame game, Options options, double gamma) {
        // a bound that every rule keeps
        return posed(game, options.withoutListener(), gamma).program().within(Double.MAX_VALUE);
    }

    /** Throws if a sphere solver was chosen, because these minimise squared loss only. */
    private void requireOwnSolver(Options options) {
        if (!spec.loss().isSquared() && options.solver() != null) {
            throw Message.Refused.of(
                    "solver-of-squared-loss",
                    "The solver {} minimises squared loss, not the loss {}.\n" + "Maybe leave out {}.",
                    options.solver().name(),
                    spec.loss(),
                    Message.Choice.any("solver"));
        }
    }

    /** Finds the best rule for another convex loss at each gamma. */
    private Solution.Run convex(PreparedGame game, Options options, double... gammas) {
        requireOwnSolver(options);
        long start = System.nanoTime();
        List<Solution> solutions = PreparedGame.refusing(() -> {
            List<Solution> all = new ArrayList<>();
            for (ConvexSearch.Found found :
                    ConvexSearch.path(game.game(), gammas, options.limits(), options.listener(), game.workers())) {
                Solution solution = convex(
                        game.game().withGamma(gammas[all.size()]),
                        found.rule(),
                        found.result(),
                        found.certificate(),
                        found.common());
                all.add(found.rule().isFinite() ? solution : solution.with(new Solution.LimitPoint(found.scaled())));
            }
            return all;
        });
        return Solution.Run.since(start, "newton", solutions);
    }

    private static Solution convexAgain(PreparedGame game, Claim claim) {
        PredictionGame played = game.game().withGamma(claim.gamma());
        LinearRule rule = claim.rule().get();
        return PreparedGame.refusing(() -> convex(
                played,
                rule,
                Solution.known(claim.r()),
                ConvexSearch.check(played, rule, game.workers()),
                ConvexSearch.isCommon(played, game.workers())));
    }

    private static Solution convex(
            PredictionGame game, LinearRule rule, SphereResult result, Certificate certificate, boolean common) {
        // a stationary point of the sphere whose gradient points outwards is the minimum over the ball
        return new Solution(game.gamma(), rule, result, certificate, penalty(game, rule))
                .with(new Solution.Convex(common, certificate.multiplier() > 0));
    }

    @Override
    public Message notOneSphere() {
        return spec.loss().isSquared()
                ? Message.of(
                        "not-one-sphere-problem",
                        "A game with a hedge is not one problem on a sphere: its rules are bounded by what they lose if nobody"
                                + " moves.\nMaybe use {}.",
                        Settings.HEDGE.word("NONE"))
                : Message.of(
                        "not-one-sphere-problem",
                        "With the loss {} the game is not a quadratic problem on a sphere.\nMaybe leave out {}.",
                        spec.loss(),
                        Settings.LOSS.any());
    }

    @Override
    public OptionalDouble suggestedRidge(PreparedGame game, double gamma, int degrees) {
        return spec.loss().isSquared()
                ? SphereObjective.suggestedRidge(spec, game, gamma, degrees)
                : OptionalDouble.empty();
    }
}
