package stackelberg.objective.program;

import java.util.Arrays;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.objective.convex.ConvexSearch;
import stackelberg.objective.program.ConvexFrontier.Place;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.sphere.SphereGeometry;

/**
 * Hedged and balanced rules by any convex loss: the weight of the hedge by the same search in one variable, each weight
 * by Newton over the ball.
 */
final class ConvexProgram implements Program {
    /** Columns up to which the curvature is formed. */
    private static final int MOST_COLUMNS = 4_000;

    private final PredictionGame game;
    private final SolverOptions options;
    private final ConvexSearch.Found pure;
    private final Workers workers;
    private final ProgressListener listener;

    /** @param pure the best rule after the move, without a hedge */
    ConvexProgram(
            PredictionGame game,
            ConvexSearch.Found pure,
            SolverOptions options,
            Workers workers,
            ProgressListener listener) {
        int columns = game.x().cols() + game.immutable().length;
        if (columns > MOST_COLUMNS) {
            throw new IllegalArgumentException("A hedge by the " + game.loss().inWords() + " loss takes up to "
                    + MOST_COLUMNS + " columns; these are " + columns + ".\nMaybe use squared loss, or no hedge.");
        }
        this.game = game;
        this.pure = pure;
        this.listener = listener;
        this.options = options;
        this.workers = workers;
    }

    private interface Goal {
        Balance.Found<Place> in(Balance<Place> balance, double bestHonest);
    }

    @Override
    public Hedged hedged(double hedge) {
        return solve((balance, best) -> balance.within(best + hedge * best, SquaredProgram.GUESS));
    }

    @Override
    public Hedged within(double bound) {
        return solve((balance, best) -> balance.within(bound, SquaredProgram.GUESS));
    }

    @Override
    public Hedged balanced() {
        return solve((balance, best) -> balance.balanced());
    }

    @Override
    public Losses check(Point point, double bound) {
        // qHat is not part of the point: it is the best one for the weight of the hedge, which a new search from the
        // point finds
        return within(bound).losses();
    }

    private Hedged solve(Goal goal) {
        long start = System.nanoTime();
        WeightedRows rows = new WeightedRows(game, workers);
        double[] honest = ConvexFrontier.honest(game, rows);
        LinearRule honestRule = rows.rule(honest);
        double best = game.honestLoss(honestRule, workers);
        // without a ridge no rule loses less; with one some may, and the search only wants a number near the least
        ConvexFrontier frontier = new ConvexFrontier(
                game, rows, point(rows, pure.scaled(), pure.result().r()), best);
        Place pureAt = frontier.pure();
        double[] w = Arrays.copyOf(honest, rows.features());
        double[] r = SphereGeometry.pointOf(w, game.gamma());
        Place honestAt = frontier.place(HedgeSearch.MOST, point(rows, honest, r));
        HedgeSearch<Place> search = new HedgeSearch<>(frontier, listener);
        Excess excess = new Excess(Excess.Kind.MEAN, game.totalWeight());
        Balance<Place> balance = new Balance<>(search, pureAt, honestAt, excess, best);
        Balance.Found<Place> found = goal.in(balance, best);
        Place place = found.place();
        boolean unhedged = place.eta() == 0;
        LinearRule rule = unhedged ? pure.rule() : rows.rule(frontier.theta(place));
        double lower = pure.certificate().objective() - pure.certificate().gapBound();
        double movedLower = Math.max(0, lower);
        if (!unhedged) {
            lower = Math.max(lower, frontier.lower(place, found.bound()));
            if (found.ends().worse() != null) {
                lower = Math.max(lower, frontier.lower(found.ends().worse(), found.bound()));
            }
        }
        double moved = unhedged ? pure.certificate().objective() : game.leaderLoss(rule, workers) + game.penalty(rule);
        double weight = place.weight();
        double seconds = (System.nanoTime() - start) * 1e-9;
        return new Hedged(
                rule,
                new Point(unhedged ? pure.result().r() : pointOf(rule), weight / (1 + weight)),
                new Losses(found.bound(), game.honestLoss(rule, workers), moved, Math.max(0, lower)),
                new Reference(
                        honestRule,
                        best,
                        frontier.honestLower(honest),
                        pure.certificate().objective(),
                        movedLower,
                        excess),
                new Effort(search.problems(), rows.passes(), seconds, search.isStopped()));
    }

    private double[] pointOf(LinearRule rule) {
        double[] w = rule.w();
        double[] costs = game.costs();
        for (int j = 0; j < w.length; j++) {
            w[j] /= Math.sqrt(costs[j]);
        }
        return SphereGeometry.pointOf(w, game.gamma());
    }

    /** r, followed by qHat, of a rule times 1 - tau. */
    private static double[] point(WeightedRows rows, LinearRule scaled, double[] r) {
        return point(rows, rows.theta(scaled), r, 1);
    }

    /** Returns r, followed by qHat, of a rule theta = (w, q). */
    private static double[] point(WeightedRows rows, double[] theta, double[] r) {
        return point(rows, theta, r, (1 - r[r.length - 1]) / 2);
    }

    private static double[] point(WeightedRows rows, double[] theta, double[] r, double kept) {
        double[] q = Arrays.copyOfRange(theta, rows.features(), theta.length);
        Vectors.scale(kept, q);
        double[] point = Arrays.copyOf(r, r.length + q.length);
        System.arraycopy(q, 0, point, r.length, q.length);
        return point;
    }
}
