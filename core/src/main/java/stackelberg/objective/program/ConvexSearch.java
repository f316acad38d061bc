package stackelberg.objective.program;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import stackelberg.certificate.Certificate;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.game.Response;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.sphere.SphereGeometry;
import stackelberg.sphere.SphereProblem.Stationarity;

/**
 * Minimises sum_i s_i l(S_i, y_i) + mu gamma tau with S = X u + V qHat + tau z on the sphere ||u||^2 + gamma (tau -
 * 1/2)^2 = gamma/4, for any convex loss l. The best rule is w = u/(1 - tau), q = qHat/(1 - tau).
 *
 * <p>Over the ball the problem is convex, and its minimum solves the game if it lies on the sphere. If V explains the
 * wishes, as an intercept does if all wishes are equal, tau is free: every point of the ball has the same scores as
 * some point of the sphere, and the game is always norm-bounded regression. Otherwise the minimum may lie inside the
 * ball. Descents then look for the best point of the sphere, and the ball bounds how far it can be from the optimum.
 */
public final class ConvexSearch {
    /** The relative gap that counts as zero, and by which a better point must be better to refute. */
    private static final double NEGLIGIBLE = 1e-9;

    /** A point whose last entry is within this distance of 1 is hardly a useful rule. */
    private static final double NEXT = 0.02;

    /** The number of rows on which the starting point is computed, if there are many times as many. */
    private static final int SOME = 4_000;

    private static final int MANY = 5;

    private static final double ON_SPHERE = 1e-9;

    /** How often a search that made no further progress is restarted where it stopped. */
    private static final int AGAIN = 3;

    private final PredictionGame game;
    private final Scores scores;
    private final Fit alone;
    private final SolverOptions options;
    private final ProgressListener listener;
    private final Workers workers;
    /** Null until it is looked for. */
    private @Nullable Optional<CombinedWish> linear;

    private ConvexSearch(PredictionGame game, SolverOptions options, ProgressListener listener, Workers workers) {
        refuse(game);
        this.game = game;
        this.options = options;
        this.listener = listener;
        this.workers = workers;
        this.scores = new Scores(game, workers);
        this.alone = Fit.ofFixed(scores, new double[scores.people()]);
        Fit.problem(scores, alone).ifPresent(why -> {
            throw new IllegalArgumentException(why);
        });
    }

    /** Where the minimum over the ball lies, which decides what is proven of the answer. */
    public enum Kind {
        /** On the sphere: it solves the game. */
        ACTIVE,
        /**
         * Inside, but a direction that changes no score leads to the sphere (tau, if all wishes are equal): that point
         * solves the game. Two such rules have the same loss; this is the one with the smaller pull-through.
         */
        SMALLER_ROOT,
        /**
         * Inside, and wishes differ: the rule is the best that descents on the sphere found, and the certificate bounds
         * how far it can be from the optimum.
         */
        INSIDE
    }

    /**
     * The result of the search.
     *
     * @param rule the best rule found; not finite if the limit point is best
     * @param scaled the rule times 1 - tau, which is always finite
     * @param result its point on the sphere, and the effort
     * @param certificate the bound of its distance from the optimum, from the data and the rule alone
     * @param kind where the minimum over the ball lies
     * @param common whether the immutable columns explain the wishes: all wishes are equal and there is an intercept
     */
    public record Found(
            LinearRule rule,
            LinearRule scaled,
            SphereResult result,
            Certificate certificate,
            Kind kind,
            boolean common) {
        /** Returns whether the minimum over the ball lies on the sphere. */
        public boolean isActive() {
            return kind == Kind.ACTIVE;
        }
    }

    /**
     * Returns the best rule of a game.
     *
     * @param game a game with one gamma for all, without limits, effects and noise of wishes
     * @param start a rule to start from; null for none
     * @throws IllegalArgumentException if the game is not supported, or if the immutable columns separate yes from no,
     *     so that there is no best rule
     */
    public static Found of(
            PredictionGame game,
            @Nullable LinearRule start,
            SolverOptions options,
            ProgressListener listener,
            Workers workers) {
        return new ConvexSearch(game, options, listener, workers).found(game.gamma(), start);
    }

    /**
     * Returns the best rule at every gamma, in the order given; each search starts from the solution at the next larger
     * gamma.
     */
    public static List<Found> path(
            PredictionGame game, double[] gammas, SolverOptions options, ProgressListener listener, Workers workers) {
        Found[] found = new Found[gammas.length];
        int[] order = IntStream.range(0, gammas.length)
                .boxed()
                .sorted((a, b) -> Double.compare(gammas[b], gammas[a]))
                .mapToInt(k -> k)
                .toArray();
        ConvexSearch search = new ConvexSearch(game, options, listener, workers);
        LinearRule start = null;
        for (double gamma : gammas) {
            game.withGamma(gamma);
        }
        for (int k : order) {
            found[k] = search.found(gammas[k], start);
            start = found[k].rule;
        }
        return Arrays.asList(found);
    }

    /**
     * Bounds how far a rule can be from the optimum, from the data and the rule alone: by Fenchel's dual value at its
     * own scores and, if that does not suffice, at those of the minimum over the ball.
     */
    public static Certificate check(PredictionGame game, LinearRule rule, Workers workers) {
        ConvexSearch search = new ConvexSearch(game, SolverOptions.DEFAULT, ProgressListener.NONE, workers);
        Ball ball = new Ball(game.gamma(), game.ridge());
        Judged judged = search.judged(ball, rule);
        Certificate certificate = search.certificate(ball, judged, Optional.empty(), Optional.empty());
        if (certificate.relativeGap() <= SolverOptions.DEFAULT.tolerance()) {
            return certificate;
        }
        BallNewton newton = search.search(ball);
        BallNewton.End end = newton.inBall(search.start(ball, rule));
        BallNewton.Place best = end.place();
        double[] r = search.completed(newton, ball, end);
        DualValue dual = DualValue.at(search.scores, ball, best.scores());
        return search.certificate(
                ball,
                judged,
                Optional.of(dual),
                isOnSphere(r)
                        ? Optional.of(new BallNewton.Place(r, best.q(), best.scores(), best.value()))
                        : Optional.empty());
    }

    /** Returns whether the immutable columns explain the wishes, as an intercept does if all wishes are equal. */
    public static boolean isCommon(PredictionGame game, Workers workers) {
        return new Scores(game, workers).isCommon();
    }

    private static void refuse(PredictionGame game) {
        String why = game.bounds().isPresent()
                ? "limits on moves"
                : game.effects().isPresent()
                        ? "moves that really change the target"
                        : Arrays.stream(game.wishNoise()).anyMatch(sd -> sd > 0)
                                ? "noise of the wishes"
                                : game.population().truthfulShare() > 0
                                        ? "a truthful share"
                                        : !game.population().uniform() || Double.isInfinite(game.gamma())
                                                ? "a gamma for each row"
                                                : null;
        if (game.x().cols() == 0) {
            throw new IllegalArgumentException(
                    "Nobody can change anything in this game: it has no feature that people can move.");
        }
        if (why != null) {
            throw new IllegalArgumentException("A game with " + why + " has no problem on one sphere for the "
                    + game.loss().inWords() + " loss.\nMaybe leave " + (why.startsWith("a ") ? "it" : "them")
                    + " out, or use the squared loss.");
        }
    }

    private BallNewton search(Ball ball) {
        return new BallNewton(new Goal(scores, ball), options, listener, alone.value());
    }

    private Found found(double gamma, @Nullable LinearRule known) {
        Ball ball = new Ball(gamma, game.ridge());
        int passesBefore = scores.passes();
        BallNewton search = search(ball);
        BallNewton.Place start = known == null || !isFinite(known) ? start(ball) : start(ball, known);
        BallNewton.End end = search.inBall(start);
        for (int again = 0; again < AGAIN && end.status() == SphereResult.Status.STALLED; again++) {
            // along directions that change no score, Newton's method may end at a point inside the ball that differs
            // from the bound only by rounding
            end = search.inBall(lessPulled(search, ball, end).place());
        }
        BallNewton.End inside = end;
        if (ball.ridge() == 0) {
            end = lessPulled(search, ball, end);
        }
        double[] r = completed(search, ball, end);
        Kind kind = !isOnSphere(r) ? Kind.INSIDE : search.isActive(end) ? Kind.ACTIVE : Kind.SMALLER_ROOT;
        if (kind == Kind.INSIDE && end.status() != SphereResult.Status.STOPPED_BY_LISTENER) {
            end = search.onSphere(end.place());
            r = end.place().r().clone();
        }
        if (Vectors.norm(r) == 0) {
            r[r.length - 1] = -1;
        }
        Vectors.scale(1 / Vectors.norm(r), r);
        int spent = scores.passes() - passesBefore;
        LinearRule rule = ruleOf(ball, r, end.place().q());
        Judged judged = isFinite(rule) ? judged(ball, rule) : new Judged(end.place(), r, new double[scores.people()]);
        DualValue dual =
                kind == Kind.INSIDE ? DualValue.at(scores, ball, inside.place().scores()) : null;
        Certificate certificate = certificate(ball, judged, Optional.ofNullable(dual), Optional.empty());
        SphereResult result = new SphereResult(
                judged.r,
                end.status(),
                new SphereResult.Effort(search.iterations(), spent, search.factorisations(), 0),
                note(kind));
        LinearRule scaled = scores.rule(
                ball.u(r),
                SphereGeometry.onePlusAlphaTilde(r) / 2,
                1,
                end.place().q());
        return new Found(rule, scaled, result, certificate, kind, scores.isCommon());
    }

    private static boolean isOnSphere(double[] r) {
        return Math.abs(Vectors.norm(r) - 1) <= ON_SPHERE;
    }

    /** Returns a copy of the point; if tau is free inside the ball, the point of the sphere with the smaller tau. */
    private double[] completed(BallNewton search, Ball ball, BallNewton.End end) {
        double[] r = end.place().r().clone();
        if (scores.isCommon() && ball.ridge() == 0 && !search.isActive(end)) {
            int last = r.length - 1;
            r[last] = 0;
            r[last] = -Math.sqrt(Math.max(0, 1 - Vectors.dot(r, r)));
        }
        return r;
    }

    /**
     * Returns the point with the same scores and the smaller tau, if the wishes are a linear combination of the
     * features.
     */
    private BallNewton.End lessPulled(BallNewton search, Ball ball, BallNewton.End end) {
        if (linear == null) {
            linear = CombinedWish.of(game, scores, workers);
        }
        if (linear.isEmpty()) {
            return end;
        }
        BallNewton.Place other =
                search.withBestFixedPart(linear.get().smaller(ball, end.place().r()));
        double value = end.place().value();
        return other.value() <= value + NEGLIGIBLE * Stationarity.scale(value, alone.value())
                ? new BallNewton.End(other, end.multiplier(), end.status())
                : end;
    }

    private static String note(Kind kind) {
        return switch (kind) {
            case ACTIVE -> "";
            case SMALLER_ROOT ->
                "Two rules lose the same, because the columns can take back what people are believed; this is the one with the smaller pull-through.";
            case INSIDE ->
                "The bound of the ball is not active and wishes differ: this is the best rule that descents on the sphere found, and the ball proves how far it can be from the optimum.";
        };
    }

    private LinearRule ruleOf(Ball ball, double[] r, double[] q) {
        double kept = SphereGeometry.oneMinusAlphaTilde(r) / 2;
        return scores.rule(ball.u(r), SphereGeometry.onePlusAlphaTilde(r) / 2, kept, q);
    }

    private static boolean isFinite(LinearRule rule) {
        return Arrays.stream(rule.w()).allMatch(Double::isFinite)
                && Arrays.stream(rule.q()).allMatch(Double::isFinite)
                && Double.isFinite(rule.intercept());
    }

    /**
     * Returns a starting point: the best rule on a subset of the rows if there are many, otherwise the pole where tau
     * is 0.
     */
    private BallNewton.Place start(Ball ball) {
        int people = scores.people();
        BallNewton search = search(ball);
        if (people >= MANY * SOME && scores.isFormed()) {
            int[] some = some();
            PredictionGame few = game.subset(some).withGamma(ball.gamma());
            Scores sample = new Scores(few, workers);
            Fit fit = Fit.ofFixed(sample, new double[some.length]);
            if (!fit.separates()) {
                Ball small = new Ball(ball.gamma(), few.ridge());
                SolverOptions coarse = options.withTolerance(1e-4);
                BallNewton quick = new BallNewton(new Goal(sample, small), coarse, ProgressListener.NONE, fit.value());
                BallNewton.Place place =
                        quick.inBall(quick.nothing(fit.theta())).place();
                scores.count(sample.passes() * (double) some.length / people);
                double tau = Ball.tau(place.r());
                double[] u = small.u(place.r());
                return search.at(place.r(), scores.fixedPart(sample.rule(u, tau, 1, place.q()), u, tau));
            }
        }
        return search.nothing(alone.theta());
    }

    /** Returns an evenly spread subset of the rows with positive weight. */
    private int[] some() {
        double[] weights = scores.weights();
        int[] counting =
                IntStream.range(0, weights.length).filter(i -> weights[i] > 0).toArray();
        int count = Math.min(SOME, counting.length);
        return IntStream.range(0, count)
                .map(k -> counting[(int) ((long) k * counting.length / count)])
                .toArray();
    }

    /** Returns the starting point of a rule; an intercept that the game does not have is left out. */
    private BallNewton.Place start(Ball ball, LinearRule rule) {
        return judged(ball, new LinearRule(rule.w(), rule.q(), game.hasIntercept() ? rule.intercept() : 0)).place;
    }

    /**
     * A rule with its scores, its point, and for each row the size of the terms of its score other than the features.
     */
    private record Judged(BallNewton.Place place, double[] r, double[] sizes) {}

    private Judged judged(Ball ball, LinearRule rule) {
        double omega = rule.omega(game.costs());
        double tau = Response.pullThrough(omega, ball.gamma());
        double kept = Response.remainder(omega, ball.gamma());
        double[] p = game.predict(rule, workers);
        scores.count(1);
        double[] z = game.z();
        for (int i = 0; i < p.length; i++) {
            p[i] = kept * p[i] + tau * z[i];
        }
        double[] u = scores.scaledCoefficients(rule);
        double[] r = SphereGeometry.pointOf(u, ball.gamma());
        Vectors.scale(kept, u);
        double[] q = rule.q();
        Vectors.scale(kept, q);
        LinearRule scaled = new LinearRule(u, q, kept * rule.intercept());
        double[] sizes = new double[p.length];
        double[][] immutable = game.immutable();
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = Math.abs(scaled.intercept()) + tau * Math.abs(z[i]);
            for (int k = 0; k < q.length; k++) {
                sizes[i] += Math.abs(q[k] * immutable[k][i]);
            }
        }
        double value = scores.value(p) + ball.tilt() * tau;
        return new Judged(new BallNewton.Place(r, scores.fixedPart(scaled, u, tau), p, value), r, sizes);
    }

    /**
     * @param other a second lower bound
     * @param better a point of the sphere that may have a smaller loss
     */
    private Certificate certificate(
            Ball ball, Judged judged, Optional<DualValue> other, Optional<BallNewton.Place> better) {
        double[] r = judged.r;
        DualValue own = DualValue.at(scores, ball, judged.place.scores());
        double objective = judged.place.value();
        double[] half = own.slopes().clone();
        Vectors.scale(0.5, half);
        double multiplier = -Vectors.dot(half, r);
        Vectors.axpy(multiplier, r, half);
        double residual = Vectors.norm(half);
        double least = Math.max(own.value(), other.map(DualValue::value).orElse(0.0));
        double gap = Math.max(0, objective + rounding(ball, judged, own.rowSquares()) - least);
        double negligible = NEGLIGIBLE * Stationarity.scale(objective, alone.value());
        Optional<double[]> refuting =
                better.filter(place -> objective - place.value() > negligible).map(BallNewton.Place::r);
        // the loss is convex: H >= 0
        Certificate.Bound bound = new Certificate.Bound(multiplier, residual, multiplier, gap);
        return new Certificate(
                objective,
                bound,
                refuting.isPresent() ? Certificate.Proof.REFUTED : Certificate.Proof.PROVEN,
                multiplier > 4 * residual,
                finiteness(ball, r, objective, bound),
                alone.value(),
                refuting);
    }

    /** Returns the rounding error of the loss of a rule: every score is accurate to the last digits of its terms. */
    private double rounding(Ball ball, Judged judged, double[] rowSquares) {
        double[] at = judged.place.scores();
        double[] nu = scores.pushes(at);
        double norm = Vectors.norm(ball.u(judged.r));
        double sum = 0;
        for (int i = 0; i < nu.length; i++) {
            double moved = norm * Math.sqrt(rowSquares[i]);
            sum += Math.abs(nu[i]) * (Math.abs(at[i]) + 2 * moved + Math.abs(scores.zHat()[i]) + judged.sizes[i]);
        }
        return 4 * 0x1p-52 * (sum + judged.place.value());
    }

    /** Returns whether a finite rule is optimal, or only ever larger rules approach the loss of the limit point. */
    private Certificate.Finiteness finiteness(Ball ball, double[] r, double objective, Certificate.Bound bound) {
        // F(x) >= F(r) + lambda ||x - r||^2 - 2||e|| ||x - r||, by convexity
        double away = Math.sqrt(2 * Math.max(0, 1 - r[r.length - 1]));
        double rise = away * (bound.multiplier() * away - 2 * bound.residual());
        if (rise > NEGLIGIBLE * Stationarity.scale(objective + rise, alone.value())) {
            return Certificate.Finiteness.FINITE;
        }
        double gap = bound.gap();
        Fit limit = Fit.ofFixed(scores, scores.zHat());
        double loss = limit.value() + ball.tilt();
        double negligible = NEGLIGIBLE * Stationarity.scale(Math.min(objective, loss), alone.value());
        if (loss - objective > negligible) {
            return Certificate.Finiteness.FINITE;
        }
        double least = Math.max(0, objective - gap);
        if (!(loss - least <= 2 * negligible)) {
            return Certificate.Finiteness.UNKNOWN;
        }
        if (r[r.length - 1] <= 1 - NEXT && gap <= negligible) {
            return Certificate.Finiteness.FINITE;
        }
        // F(x) - F(e) >= lambda ||x - e||^2 + 2 c'(x - e) by convexity, for e = (0, ..., 0, 1)
        double[] half = DualValue.at(scores, ball, limit.scores()).slopes().clone();
        Vectors.scale(0.5, half);
        double multiplier = -half[half.length - 1];
        half[half.length - 1] = 0;
        double linear = 2 * Vectors.norm(half) * Math.sqrt(2 * NEXT);
        boolean none = multiplier * 2 * NEXT - linear > negligible || isWorseThan(ball, loss + negligible);
        return loss - least <= negligible && none ? Certificate.Finiteness.NONE : Certificate.Finiteness.UNKNOWN;
    }

    /**
     * Returns whether no rule with 1 - tau >= NEXT/2 has a smaller loss. The least loss at each tau is convex in tau,
     * so a single tau decides. It is the loss of one more game, in which all wishes are 0, tau zHat is subtracted from
     * the truth, and u has the bound at that tau; this is possible only for losses that depend on S - y.
     */
    private boolean isWorseThan(Ball ball, double loss) {
        if (scores.loss().isLogistic() || !scores.isFormed()) {
            return false;
        }
        double tau = 1 - NEXT / 2;
        double[] rest = scores.y().clone();
        Vectors.axpy(-tau, scores.zHat(), rest);
        PredictionGame there = PredictionGame.of(
                        game.x(), rest, new double[rest.length], 4 * ball.gamma() * tau * (1 - tau))
                .withCosts(game.costs())
                .withWeights(game.weights())
                .withImmutable(game.immutable())
                .withLoss(game.loss());
        ConvexSearch other = new ConvexSearch(
                game.hasIntercept() ? there.withIntercept() : there, options, ProgressListener.NONE, workers);
        Ball small = new Ball(other.game.gamma(), 0);
        BallNewton.Place least = other.search(small).inBall(other.start(small)).place();
        return DualValue.at(other.scores, small, least.scores()).value() + ball.tilt() * tau > loss;
    }
}
