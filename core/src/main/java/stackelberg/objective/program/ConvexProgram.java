package stackelberg.objective.program;

import java.util.Arrays;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.objective.program.ConvexFrontier.Place;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.sphere.SphereGeometry;

/**
 * Hedged and balanced rules for any convex loss: the weight of the hedge by the same search in one variable as for
 * squared loss, and for each weight Newton's method over the ball.
 */
final class ConvexProgram implements Program {
    /** The largest number of columns for which the curvature is formed. */
    static final int MOST_COLUMNS = 4_000;

    /** The relative amount by which rounding may put a loss above the bound. */
    private static final double KEPT = 1e-9;

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
        if (!Program.takes(game.loss(), columns)) {
            throw new IllegalArgumentException("A hedge by the " + game.loss().inWords() + " loss takes up to "
                    + MOST_COLUMNS + " columns; these are " + columns + ".\nMaybe use squared loss, or no hedge.");
        }
        this.game = game;
        this.pure = pure;
        this.listener = listener;
        this.options = options;
        this.workers = workers;
    }

    private interface Wanted {
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
        // qHat is not stored with the point: it is the best one for the weight of the hedge, and a new search finds it
        return within(bound).losses();
    }

    private Hedged solve(Wanted wanted) {
        long start = System.nanoTime();
        Scores scores = new Scores(game, workers);
        Ball ball = new Ball(game.gamma(), game.ridge());
        Fit fit = Fit.honest(scores, game.ridge());
        int n = scores.features();
        double[] w = Arrays.copyOf(fit.theta(), n);
        double[] q = Arrays.copyOfRange(fit.theta(), n, fit.theta().length);
        LinearRule honest = scores.rule(w, 0, 1, q);
        double best = game.honestLoss(honest, workers);
        double[] r = pure.result().r();
        // without a ridge no rule has a smaller loss; with one some may, and the search only needs a number near the
        // smallest
        ConvexFrontier frontier = new ConvexFrontier(
                scores, ball, pure.scaled(), r, best, pure.certificate().scale());
        Place pureAt = frontier.pure();
        double[] honestR = SphereGeometry.pointOf(w, game.gamma());
        Vectors.scale(1 - Ball.tau(honestR), q);
        Place honestAt = frontier.place(HedgeSearch.MOST, honestR, q);
        HedgeSearch<Place> search = new HedgeSearch<>(frontier, listener);
        Excess excess = new Excess(Excess.Kind.MEAN, game.totalWeight());
        Balance<Place> balance = new Balance<>(search, pureAt, honestAt, excess, best);
        Balance.Found<Place> found = wanted.in(balance, best);
        Place place = found.place();
        boolean unhedged = place.eta() == 0;
        LinearRule rule = unhedged ? pure.rule() : frontier.rule(place);
        if (!unhedged && !(game.honestLoss(rule, workers) <= found.bound() * (1 + KEPT))) {
            // close to the limit point 1 - tau has too few digits
            place = honestAt;
            rule = honest;
        }
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
        double[] point = unhedged ? r : SphereGeometry.pointOf(scores.scaledCoefficients(rule), game.gamma());
        double seconds = (System.nanoTime() - start) * 1e-9;
        return new Hedged(
                rule,
                new Point(point, weight / (1 + weight)),
                new Losses(found.bound(), game.honestLoss(rule, workers), moved, Math.max(0, lower)),
                new Reference(
                        honest,
                        best,
                        frontier.honestLower(fit),
                        pure.certificate().objective(),
                        movedLower,
                        excess),
                new Effort(search.problems(), scores.passes(), seconds, search.isStopped()));
    }
}
