package stackelberg.objective.program;

import java.util.Arrays;
import stackelberg.estimate.Loss;
import stackelberg.game.LinearRule;
import stackelberg.linalg.Vectors;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;

/** Any convex loss: for each weight of the hedge the minimum of a {@link Goal} over the ball, by Newton. The rule of any point of the ball keeps the bound wherever the point does. */
final class ConvexFrontier implements Frontier<ConvexFrontier.Place> {
    /** What columns may still see of a dual point, relative to the sizes of both: rounding of sums. */
    private static final double BALANCED = 1e-13;

    /** What they see is charged to the bound at this many times their coefficients. */
    private static final double CHARGED = 10;

    /** With less of 1 - tau a point is next to the limit point. */
    private static final double FAR = 1e-8;

    private static final SolverOptions OPTIONS = new SolverOptions(SolverOptions.DEFAULT.tolerance(), 200);

    private static final double UNITS = 8 * 0x1p-52;

    private final Scores scores;
    private final Ball ball;
    private final Goal goal;
    private final Loss loss;
    private final double[] s;
    private final double[] y;
    private final double[] z;
    private final double least;
    private final double ungameable;
    private final Place pure;
    private Place last;

    /**
     * From the best rule after the move.
     *
     * @param pure the same times 1 - tau
     * @param r its point
     * @param least what H is counted from
     * @param ungameable p0
     */
    ConvexFrontier(Scores scores, Ball ball, LinearRule pure, double[] r, double least, double ungameable) {
        this.scores = scores;
        this.ball = ball;
        this.loss = scores.loss();
        this.s = scores.weights();
        this.y = scores.y();
        this.z = scores.z();
        this.least = least;
        this.ungameable = ungameable;
        this.goal = new Goal(scores, ball, 0, 0);
        this.pure = place(0, r, scores.fixedPart(pure, ball.u(r), 0));
        this.last = this.pure;
    }

    /**
     * A point of the ball.
     *
     * @param kept 1 - tau
     * @param above H of its rule less what H is counted from
     * @param moved M at the point itself, which is its rule's only on the sphere
     */
    record Place(double eta, BallNewton.Place point, double kept, double above, double moved)
            implements Frontier.Place {
        @Override
        public double weight() {
            return eta * kept;
        }

        private double tau() {
            return Ball.tau(point.r());
        }
    }

    Place pure() {
        return pure;
    }

    /** The place of a point, with q of its rule times 1 - tau. */
    Place place(double eta, double[] r, double[] q) {
        return place(eta, newton(0, 0).at(r, q));
    }

    private Place place(double eta, BallNewton.Place point) {
        double tau = Ball.tau(point.r());
        double kept = 1 - tau;
        double honest = kept > 0 ? scores.value(Goal.still(point.scores(), tau)) : Double.POSITIVE_INFINITY;
        return new Place(eta, point, kept, honest - least, goal.moved(point.scores(), tau));
    }

    /** The rule of a place. */
    LinearRule rule(Place place) {
        return scores.rule(ball.u(place.point.r()), 0, place.kept, place.point.q());
    }

    @Override
    public Place between(Place from, Place to, double part) {
        var mixed = new BallNewton.Place(
                mixed(from.point.r(), to.point.r(), part),
                mixed(from.point.q(), to.point.q(), part),
                mixed(from.point.scores(), to.point.scores(), part),
                Double.NaN);
        return place(from.eta, mixed);
    }

    private static double[] mixed(double[] from, double[] to, double part) {
        double[] mixed = from.clone();
        Vectors.scale(1 - part, mixed);
        Vectors.axpy(part, to, mixed);
        return mixed;
    }

    private BallNewton newton(double eta, double bound) {
        return new BallNewton(new Goal(scores, ball, eta, bound), OPTIONS, ProgressListener.NONE, ungameable);
    }

    @Override
    public Place at(double eta, double bound) {
        BallNewton newton = newton(eta, bound);
        BallNewton.Place from = eta > 0 && last.kept < FAR
                // next to the limit point the scores if nobody moves are not finite: begin at w = 0
                ? newton.nothing(new double[scores.fixed().size()])
                : newton.at(last.point.r(), last.point.q());
        last = place(eta, newton.inBall(from).place());
        return last;
    }

    /**
     * A lower bound of what the best rule if nobody moves loses, the minimiser of F = sum s l(D theta) + mu ||w||^2, from a theta next to it: for every nu with V'nu = 0
     *
     * <pre>F >= -sum s l*(nu/s) - ||X'nu||^2/(4 mu)</pre>
     *
     * or, where mu = 0, for every nu with D'nu = 0. With a ridge F bounds how far its minimiser's ||w|| is from this one's.
     */
    double honestLower(Fit fit) {
        double mu = ball.ridge();
        double[] theta = fit.theta();
        double[] at = fit.scores();
        double[] nu = scores.pushes(at);
        double left = balance(mu > 0 ? scores.fixed() : scores.columns(), nu, nu, scores.curvatures(at, 0));
        double value = -left * CHARGED * (1 + Vectors.norm(theta));
        double sizes = 0;
        for (int i = 0; i < nu.length; i++) {
            double conjugate = s[i] == 0 ? 0 : s[i] * conjugate(nu[i] / s[i], y[i]);
            value -= conjugate;
            sizes += Math.abs(conjugate) + Math.abs(nu[i]) * (Math.abs(y[i]) + Math.abs(at[i]));
        }
        value -= UNITS * sizes;
        if (mu > 0) {
            double push = Vectors.norm(scores.slopes(nu));
            value -= push * push / (4 * mu);
            double norm = Vectors.norm(Arrays.copyOf(theta, scores.features()));
            double off = Math.sqrt(Math.max(0, fit.value() - value) / mu);
            value -= mu * (norm + off) * (norm + off);
        }
        return Double.isFinite(value) ? Math.max(0, value) : 0;
    }

    /** l*(a), at the end of its domain where only rounding has put a beyond it. */
    private double conjugate(double a, double truth) {
        double inside = Math.max(loss.lowest(truth), Math.min(loss.highest(truth), a));
        return Math.abs(a - inside) <= UNITS * Math.max(1, Math.abs(a))
                ? loss.conjugate(inside, truth)
                : Double.POSITIVE_INFINITY;
    }

    /**
     * Moves nu, and what it is a part of, to where some columns see nothing of the latter, in proportion to the curvature.
     *
     * @return the norm of what they still see; infinite where that is more than rounding, as in a column all of whose rows have no curvature
     */
    private double balance(Columns columns, double[] nu, double[] both, double[] bend) {
        if (columns.size() == 0) {
            return 0;
        }
        Elimination curved = Elimination.of(columns.gram(bend));
        for (int round = 0; round < 3; round++) {
            double[] change = columns.times(curved.solve(columns.transposeTimes(both)));
            for (int i = 0; i < nu.length; i++) {
                nu[i] -= bend[i] * change[i];
                if (both != nu) {
                    both[i] -= bend[i] * change[i];
                }
            }
        }
        double left = Vectors.norm(columns.transposeTimes(both));
        double[] ones = new double[bend.length];
        Arrays.fill(ones, 1);
        double[][] plain = columns.gram(ones);
        double squares = 0;
        for (int j = 0; j < plain.length; j++) {
            squares += plain[j][j];
        }
        return left <= BALANCED * Vectors.norm(both) * Math.sqrt(squares) ? left : Double.POSITIVE_INFINITY;
    }

    /**
     * A lower bound of M for every rule with H at most a bound, from the losses' conjugates l*: for every nu, pi with V'(nu + eta s pi) = 0 and D = eta (B + sum s l*(pi))
     *
     * <pre>M >= -sum s l*(nu/s) - D + c/2 - sqrt(gamma)/2 sqrt(||X'(nu + eta s pi)||^2 + c^2/gamma),    c = z'nu + mu gamma + D</pre>
     *
     * with the slopes of the losses at the point for nu and s pi, nu moved to V'(nu + eta s pi) = 0 in proportion to the curvature. 0 where that leaves the domain of the conjugate.
     */
    double lower(Place place, double bound) {
        double[] at = goal.after(place.point.scores(), place.tau());
        double eta = place.kept > 0 ? place.eta : 0;
        double[] nu = scores.pushes(at);
        double[] both = nu.clone();
        double weight = eta * bound;
        double sizes = weight;
        double[] still = Goal.still(place.point.scores(), place.tau());
        for (int i = 0; i < nu.length && eta > 0; i++) {
            if (s[i] != 0) {
                double pi = loss.slope(still[i], y[i]);
                double conjugate = eta * s[i] * loss.conjugate(pi, y[i]);
                weight += conjugate;
                sizes += Math.abs(conjugate) + eta * s[i] * Math.abs(pi) * (Math.abs(still[i]) + Math.abs(y[i]));
                both[i] += eta * s[i] * pi;
            }
        }
        double left = balance(scores.fixed(), nu, both, scores.curvatures(at, 0));
        double value = -weight - left * CHARGED * (1 + Vectors.norm(place.point.q()));
        double c = ball.tilt() + weight;
        for (int i = 0; i < nu.length; i++) {
            if (s[i] != 0) {
                double conjugate = s[i] * conjugate(nu[i] / s[i], y[i]);
                value -= conjugate;
                c += nu[i] * z[i];
                sizes += Math.abs(conjugate) + Math.abs(nu[i]) * (Math.abs(y[i]) + Math.abs(z[i]) + Math.abs(at[i]));
            }
        }
        double top = ball.half() * Vectors.norm(scores.slopes(both));
        double lower = value + c / 2 - Math.hypot(top, c / 2) - UNITS * sizes;
        return Double.isFinite(lower) ? Math.max(0, lower) : 0;
    }
}
