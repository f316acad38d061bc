package stackelberg.model.response;

import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.game.Response;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * A crowd whose followers all move by the same multiple of their gaps, represented by sums over the rows: a round costs
 * a small least-squares problem, whatever the number of rows.
 */
final class CrowdSums implements Crowd {
    private final double[] costs;
    private final double[] effects;
    private final double gamma;
    private final double truthfulShare;
    private final boolean intercept;
    private final double ridge;
    private final PeopleSums start;
    private final Retraining.Plan plan;
    private final Workers workers;
    /** Which manipulable columns the rules may use. */
    private final boolean[] usable;

    /** The sums over the rows that move. */
    private PeopleSums movers;

    CrowdSums(PredictionGame game, PeopleSums start, Retraining.Plan plan, Workers workers) {
        this.costs = game.costs();
        this.effects = game.effects().orElse(null);
        this.gamma = game.population().gamma(0);
        this.truthfulShare = game.population().truthfulShare();
        this.intercept = game.hasIntercept();
        this.ridge = game.ridge();
        this.start = start;
        this.plan = plan;
        this.workers = workers;
        this.usable = Crowd.usableColumns(game, start);
        this.movers = start;
    }

    private CrowdSums(CrowdSums other) {
        this.costs = other.costs;
        this.effects = other.effects;
        this.gamma = other.gamma;
        this.truthfulShare = other.truthfulShare;
        this.intercept = other.intercept;
        this.ridge = other.ridge;
        this.start = other.start;
        this.plan = other.plan;
        this.workers = other.workers;
        this.usable = other.usable;
        this.movers = start;
    }

    @Override
    public Crowd initial() {
        return new CrowdSums(this);
    }

    @Override
    public boolean needsPass() {
        return false;
    }

    @Override
    public void answer(LinearRule rule) {
        double[] w = rule.w();
        double step =
                (1 - plan.inertia()) / Response.of(rule.omega(costs), gamma).resistance();
        double[] u = new double[start.order()];
        for (int j = 0; j < w.length; j++) {
            u[j] = step * w[j] / costs[j];
            u[start.truth()] += effects == null ? 0 : effects[j] * u[j];
        }
        double[] gap = start.form(rule);
        Vectors.scale(-1, gap);
        gap[start.wish()] = 1;
        PeopleSums from = plan.memory() == Retraining.Memory.ORIGINAL ? start : movers;
        movers = from.moved(u, gap, rule.intercept());
    }

    @Override
    public double loss(LinearRule rule) {
        double loss = movers.loss(rule);
        return truthfulShare == 0 ? loss : (1 - truthfulShare) * loss + truthfulShare * start.loss(rule);
    }

    @Override
    public LinearRule refit() {
        return movers.mixedWith(start, truthfulShare).leastSquares(intercept, ridge, costs, usable, workers);
    }
}
