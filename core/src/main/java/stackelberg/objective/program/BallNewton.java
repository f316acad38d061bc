package stackelberg.objective.program;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.Vectors;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;

/**
 * Newton's method over the ball, each step of which is one problem of squared loss; if the ball's minimum lies inside
 * and wishes differ, also over the sphere from many starting points.
 *
 * <p>Over the ball a step goes along the segment to the model's minimiser as far as the loss decreases sufficiently.
 * This converges from anywhere, because the loss is convex. On the sphere the model is regularised by sigma/2 ||x -
 * r||^2, which is linear there, until the loss decreases.
 */
final class BallNewton {
    private static final double DECREASE = 1e-4;
    private static final int MOST_HALVINGS = 60;

    /**
     * A step is long enough if the slope at its end is at most this fraction of the descent at its start; otherwise the
     * best length is found to a few digits.
     */
    private static final double STEEP = 0.3;

    private static final int BISECTIONS = 30;

    /** The relative gap before the last step; the points are then accurate to half as many digits. */
    private static final double SMALL = 1e-10;

    /** The weight of the parabolas in the model up to which a step counts as a Newton step. */
    private static final double HARDLY = 1e-5;

    /** The largest number of steps that do not halve the smallest gap so far. */
    private static final int MOST_IDLE = 50;

    /** A multiplier below this, relative to the loss, counts as zero. */
    private static final double ACTIVE = 1e-11;

    /** The number of Newton steps of a descent on the sphere, and the number of its starting points. */
    private static final int MOST_ON_SPHERE = 100;

    private static final int RANDOM = 6;

    private final Goal goal;
    private final Scores scores;
    private final Ball ball;
    private final SolverOptions options;
    private final ProgressListener listener;
    private final double ungameable;
    private int iterations;
    private int factorisations;
    private boolean stopped;

    /**
     * @param ungameable p0
     */
    BallNewton(Goal goal, SolverOptions options, ProgressListener listener, double ungameable) {
        this.goal = goal;
        this.scores = goal.scores();
        this.ball = goal.ball();
        this.options = options;
        this.listener = listener;
        this.ungameable = ungameable;
    }

    /**
     * A point of the ball with the scores S there, or P with a hedge.
     *
     * @param value the value of the goal
     */
    record Place(double[] r, double[] q, double[] scores, double value) {}

    /**
     * Where Newton's method over the ball ended.
     *
     * @param multiplier lambda; 0 inside the ball
     */
    record End(Place place, double multiplier, SphereResult.Status status) {}

    /** Returns whether the multiplier is larger than rounding. */
    boolean isActive(End end) {
        return end.multiplier > ACTIVE * scale(end.place.value);
    }

    int iterations() {
        return iterations;
    }

    int factorisations() {
        return factorisations;
    }

    /** Returns the pole where tau is 0, with the immutable part of the fit without features. */
    Place nothing(double[] q) {
        double[] r = new double[scores.features() + 1];
        r[r.length - 1] = -1;
        double[] at = new double[scores.people()];
        scores.fixed().add(q, at);
        return new Place(r, q.clone(), at, goal.value(at, 0));
    }

    Place at(double[] r, double[] q) {
        double[] at = goal.at(ball.u(r), Ball.tau(r));
        scores.fixed().add(q, at);
        return new Place(r, q, at, goal.value(at, Ball.tau(r)));
    }

    Place withBestFixedPart(double[] r) {
        Fit fit = Fit.ofFixed(scores, goal.at(ball.u(r), Ball.tau(r)));
        return new Place(r, fit.theta(), fit.scores(), fit.value() + ball.penalty(r));
    }

    private double scale(double value) {
        return Math.max(Math.abs(value), 1e-9 * ungameable);
    }

    private double scale(Place place) {
        return scale(goal.hedged() ? goal.moved(place.scores, Ball.tau(place.r)) : place.value);
    }

    /** Returns whether the gap to 0 is within the tolerance; no loss is below 0. */
    private boolean isNothing(Place place) {
        return !goal.hedged() && place.value <= 0.1 * options.tolerance() * scale(0);
    }

    private boolean goesOn(double value, double gap, double multiplier) {
        var progress = new ProgressListener.Progress(++iterations, value, gap, Double.NaN, multiplier);
        stopped = listener.onIteration(progress) == ProgressListener.Decision.STOP;
        return !stopped;
    }

    /** Returns the minimum over the ball. */
    End inBall(Place start) {
        Place here = start;
        double multiplier = 0;
        double share = scores.loss().isLogistic() || scores.loss().isSquared() ? 0 : 1;
        double last = Double.POSITIVE_INFINITY;
        int idle = 0;
        double before = Double.POSITIVE_INFINITY;
        while (iterations < options.maxIterations()) {
            Quadratic model = goal.model(here.r, here.scores, share);
            factorisations++;
            double gap = model.gap();
            double scale = scale(here);
            boolean enough = gap <= Math.min(0.1 * options.tolerance(), 1e-11) * scale;
            // after a Newton step the error is of the order of the square of the error before it
            if (enough && last <= SMALL * scale && share <= HARDLY || isNothing(here)) {
                return new End(here, multiplier, SphereResult.Status.CONVERGED);
            }
            idle = !(gap <= 0.5 * before) ? idle + 1 : 0;
            before = Math.min(before, gap);
            last = gap;
            if (idle > MOST_IDLE) {
                return new End(here, multiplier, status(gap, scale));
            }
            Quadratic.Step step = model.inBall();
            multiplier = step.multiplier();
            Line line = new Line(here, model, step.r());
            double slope = model.slope(line.change, line.fixedChange);
            boolean negligible = !(slope < -1e-13 * scale);
            double length = negligible ? 1 : line.length(slope);
            double reached = line.value(length);
            for (int k = 0;
                    k < MOST_HALVINGS && !negligible && !(reached <= here.value + DECREASE * length * slope);
                    k++) {
                length /= 2;
                reached = line.value(length);
            }
            if (!(reached <= here.value + 1e-13 * scale)) {
                if (share < 1 && !scores.loss().isSquared()) {
                    share = 1;
                    continue;
                }
                return new End(here, multiplier, status(gap, scale));
            }
            here = line.at(length, reached);
            share = length < 1 ? Math.min(1, Math.max(1e-3, 10 * share)) : share > 1e-7 ? share / 10 : 0;
            if (scores.loss().isLogistic() && length == 1) {
                share = 0;
            }
            if (!goesOn(here.value, gap, multiplier / 2)) {
                return new End(here, multiplier, SphereResult.Status.STOPPED_BY_LISTENER);
            }
        }
        return new End(here, multiplier, SphereResult.Status.ITERATION_LIMIT);
    }

    /** The points along a step. */
    private final class Line {
        private final Place from;
        private final double[] to;
        private final double[] change;
        private final double tauChange;
        private final double[] fixedChange;
        /** The change of the scores. */
        private final double[] moved;

        /** Makes the step to a point r, with q optimal to first order. */
        Line(Place from, Quadratic model, double[] to) {
            this.from = from;
            this.to = to;
            this.change = Vectors.minus(to, from.r);
            // a change of r has no constant part: tau = (1 + r)/2
            this.tauChange = change[change.length - 1] / 2;
            this.moved = goal.at(ball.u(change), tauChange);
            this.fixedChange = model.fixedStep(moved, tauChange);
            scores.fixed().add(fixedChange, moved);
        }

        Place at(double length, double value) {
            double[] r = length == 1 ? to : along(from.r, length, change);
            return new Place(r, along(from.q, length, fixedChange), scores(length), value);
        }

        private static double[] along(double[] start, double length, double[] step) {
            double[] at = start.clone();
            Vectors.axpy(length, step, at);
            return at;
        }

        private double[] scores(double length) {
            return along(from.scores, length, moved);
        }

        private double tau(double length) {
            return Ball.tau(from.r) + length * tauChange;
        }

        double value(double length) {
            return goal.value(scores(length), tau(length));
        }

        private double slope(double length) {
            return goal.slope(scores(length), tau(length), moved, tauChange);
        }

        /**
         * Returns the step length: 1, unless the goal rises at the end of the step as steeply as it fell at its start;
         * otherwise the minimiser along the step.
         *
         * @param slope the slope at the start
         */
        double length(double slope) {
            if (slope(1) <= -STEEP * slope) {
                return 1;
            }
            double low = 0;
            double high = 1;
            for (int k = 0; k < BISECTIONS; k++) {
                double middle = (low + high) / 2;
                if (slope(middle) > 0) {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            return low > 0 ? low : high;
        }
    }

    private SphereResult.Status status(double gap, double scale) {
        return gap <= options.tolerance() * scale ? SphereResult.Status.CONVERGED : SphereResult.Status.STALLED;
    }

    /**
     * Returns the best point of the sphere that descents find.
     *
     * @param inside the ball's minimum
     */
    End onSphere(Place inside) {
        Quadratic model = goal.model(inside.r, inside.scores, 0.01);
        List<double[]> starts = new ArrayList<>();
        starts.add(model.onSphere(0).r());
        int n = inside.r.length;
        List<double[]> directions = new ArrayList<>();
        double[] last = new double[n];
        last[n - 1] = 1;
        directions.add(last);
        directions.add(inside.r);
        Random random = new Random(n);
        for (int k = 0; k < RANDOM; k++) {
            double[] any = new double[n];
            Arrays.setAll(any, j -> random.nextGaussian());
            directions.add(any);
        }
        for (double[] direction : directions) {
            starts.add(onto(inside.r, direction, 1));
            starts.add(onto(inside.r, direction, -1));
        }
        List<Place> places = new ArrayList<>();
        for (double[] start : starts) {
            places.add(withBestFixedPart(start));
        }
        places.sort(Comparator.comparingDouble(Place::value));
        End best = descend(places.get(0));
        for (Place place : places.subList(1, places.size())) {
            // no point of the sphere is below the ball's minimum
            if (stopped || best.place.value - inside.value <= 1e-12 * scale(inside.value)) {
                break;
            }
            End end = descend(place);
            best = end.place.value < best.place.value ? end : best;
        }
        return best;
    }

    /**
     * Returns the point of the sphere that is reached from a point of the ball along a direction, forwards or
     * backwards.
     */
    private static double[] onto(double[] from, double[] direction, int sign) {
        double square = Vectors.dot(direction, direction);
        if (square == 0) {
            double[] pole = new double[from.length];
            pole[from.length - 1] = sign;
            return pole;
        }
        double along = Vectors.dot(from, direction) / square;
        double missing = Math.max(0, 1 - Vectors.dot(from, from)) / square;
        double[] to = from.clone();
        Vectors.axpy(-along + sign * Math.sqrt(along * along + missing), direction, to);
        Vectors.scale(1 / Vectors.norm(to), to);
        return to;
    }

    private End descend(Place start) {
        Place here = start;
        double sigma = 0;
        double multiplier = 0;
        int idle = 0;
        for (int k = 0; k < MOST_ON_SPHERE && iterations < options.maxIterations(); k++) {
            Quadratic model = goal.model(here.r, here.scores, scores.loss().isLogistic() ? 0 : 1e-3);
            factorisations++;
            @Nullable Place next = null;
            double least = Vectors.norm(model.slopes);
            for (int trial = 0; trial < MOST_HALVINGS; trial++) {
                Quadratic.Step step = model.onSphere(sigma);
                Line line = new Line(here, model, step.r());
                double reached = line.value(1);
                multiplier = step.multiplier() - sigma;
                if (reached <= here.value) {
                    next = line.at(1, reached);
                    break;
                }
                if (Vectors.norm(line.change) < 1e-12) {
                    break;
                }
                sigma = sigma == 0 ? 0.1 * least : 4 * sigma;
            }
            if (next == null) {
                return new End(here, multiplier, SphereResult.Status.LOCAL);
            }
            idle = here.value - next.value <= 1e-14 * scale(here.value) ? idle + 1 : 0;
            here = next;
            sigma = sigma < 1e-6 * least ? 0 : sigma / 4;
            if (idle > 2 || isNothing(here)) {
                return new End(here, multiplier, SphereResult.Status.LOCAL);
            }
            if (!goesOn(here.value, Double.NaN, multiplier / 2)) {
                return new End(here, multiplier, SphereResult.Status.STOPPED_BY_LISTENER);
            }
        }
        return new End(here, multiplier, SphereResult.Status.ITERATION_LIMIT);
    }
}
