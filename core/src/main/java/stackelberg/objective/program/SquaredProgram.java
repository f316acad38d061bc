package stackelberg.objective.program;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import stackelberg.game.LinearRule;
import stackelberg.game.Response;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.objective.program.SquaredDual.Weight;
import stackelberg.objective.program.SquaredFrontier.Place;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.solver.krylov.KrylovSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereGeometry;
import stackelberg.sphere.SphereProblem;
import stackelberg.sphere.SphereProblem.Stationarity;

/**
 * Hedged and balanced rules by squared loss, with effects, ridge, noise of the wishes, immutables, costs and weights, on rows at hand, sums or rows elsewhere.
 *
 * <p>Every weight of the hedge is one sphere problem in the coordinates of one space: all of X'PX decomposed where its smaller side is small, else a Krylov space that grows until the answer is
 * proven. The best rule if nobody moves and the best one after the move lie in the same space.
 */
final class SquaredProgram implements Program {
    /**
     * How X'PX is known, by the smaller side of X.
     *
     * @param small decomposed at once up to this order
     * @param decomposable decomposed up to this order where a Krylov space has not been enough
     */
    record Sizes(int small, int decomposable) {
        /** As in {@code auto}. */
        static final Sizes DEFAULT = new Sizes(512, 8_000);
    }

    /** Steps up to a part of the order: three times those of {@code auto}, because the best rule if nobody moves takes as many again. */
    private static final int ORDER_PER_PASS = 13;

    private static final int FEWEST_STEPS = 20;

    /** Bytes of a Krylov basis. */
    private static final long BASIS = 1L << 30;

    /** Best losses below this part of p0 are next to nothing: excesses are then differences. */
    private static final double NOTHING = 1e-9;

    /** The part of the tolerance that the space may leave, and what the best rule if nobody moves may lack, relative. */
    private static final double MISSING = 0.05;

    private static final double HONEST_MISSING = 1e-10;

    /** Steps before the first look; further ones come at every so many parts of the steps so far. */
    private static final int EARLY = 3;

    private static final int LOOKS = 8;

    /** What rounding may put above the bound, relative, and how often it is asked for below it. */
    private static final double KEPT = 1e-11;

    private static final int AGAIN = 3;

    private static final double UNITS = 4 * 0x1p-52;

    /** The weight of the hedge that is tried first: a tenth is nearly always enough. */
    static final double GUESS = 0.1;

    /** The shares whose rules are shown beside the one that was asked for. */
    private static final double[] SHARES = {0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9};

    private final Reduction reduction;
    private final SphereFamily family;
    private final double gamma;
    private final double weight;
    private final SolverOptions options;
    private final @Nullable DirectSolver direct;
    private final Workers workers;
    private final Sizes sizes;
    private final double explained;
    private Supplier<List<Trade>> trades = List::of;
    private final ProgressListener listener;
    private int problems;
    private int passes;
    private boolean stopped;

    /**
     * The program of a reduced game at one gamma.
     *
     * @param weight the sum of the weights of all rows
     */
    SquaredProgram(
            Reduction reduction,
            double gamma,
            double weight,
            SolverOptions options,
            @Nullable DirectSolver direct,
            Sizes sizes,
            ProgressListener listener) {
        this.sizes = sizes;
        this.listener = listener;
        this.reduction = reduction;
        this.family = reduction.family();
        this.gamma = gamma;
        this.weight = weight;
        this.options = options;
        this.direct = direct;
        this.workers = family.workers();
        this.explained = reduction.explainedGap();
    }

    @Override
    public Hedged hedged(double hedge) {
        return solve((balance, best) -> balance.within(best * (1 + hedge) * (1 + hedge), GUESS));
    }

    @Override
    public Hedged within(double bound) {
        return solve((balance, best) -> balance.within(bound, GUESS));
    }

    @Override
    public Hedged balanced() {
        return solve((balance, best) -> balance.balanced());
    }

    @Override
    public Losses check(Point point, double bound) {
        double kept = family.at(gamma).geometry().oneMinusTau(point.r());
        double eta = point.share() / (1 - point.share()) / (kept * kept);
        return dual(side() <= sizes.small ? whole() : null, point.r(), eta, bound, null)
                .losses(bound);
    }

    private interface Goal {
        Balance.Found<Place> in(Balance<Place> balance, double bestHonest);
    }

    private int side() {
        return family.dual().map(dual -> dual.y().length).orElse(family.features());
    }

    private Hedged solve(Goal goal) {
        long start = System.nanoTime();
        problems = 0;
        passes = 0;
        stopped = false;
        Hedged found = side() <= sizes.small ? finished(whole(), goal) : grown(goal);
        double seconds = (System.nanoTime() - start) * 1e-9;
        Effort effort = new Effort(problems, passes, seconds, stopped);
        return new Hedged(found.rule(), found.point(), found.losses(), found.reference(), effort);
    }

    private SquaredFrontier whole() {
        DirectSolver solver = direct == null ? new DirectSolver(workers) : direct;
        passes++;
        Space space = Space.of(solver.decomposition(family), family.effects(), workers);
        return new SquaredFrontier(space, family, gamma, explained);
    }

    /** A Krylov space, one pass at a time, until the answer is proven or the steps have cost as much as decomposing X'PX. */
    private Hedged grown(Goal goal) {
        SphereFamily plain = family.plain();
        double @Nullable [] effects = family.effects();
        double[] sizes = plain.startSizes();
        KrylovSolver.Space space = effects == null
                ? new KrylovSolver.Space(plain, new double[][] {plain.xy(), plain.xz()}, sizes, workers)
                : new KrylovSolver.Space(
                        plain,
                        new double[][] {plain.xy(), plain.xz(), effects},
                        new double[] {sizes[0], sizes[1], Vectors.norm(effects)},
                        workers);
        int side = side();
        boolean decomposable = side <= this.sizes.decomposable;
        int most = decomposable ? Math.max(FEWEST_STEPS, side / ORDER_PER_PASS) : options.maxIterations();
        long room = BASIS / 8 / Math.max(1, family.features());
        int nextLook = EARLY;
        while (true) {
            boolean last = space.exhausted() || space.steps() >= most || space.size() + EARLY > room;
            if (last && decomposable && !space.exhausted()) {
                passes += space.steps();
                return finished(whole(), goal);
            }
            if (last || space.steps() >= nextLook) {
                SquaredFrontier frontier =
                        new SquaredFrontier(Space.of(space.coordinates(), effects != null), family, gamma, explained);
                if (isReady(frontier, goal, space) || last || stopped) {
                    Hedged found = finished(frontier, goal);
                    if (last || stopped || found.relativeGap(family.zeroRuleLoss()) <= options.tolerance()) {
                        passes += space.steps();
                        return found;
                    }
                }
                nextLook = space.steps() + Math.max(1, space.steps() / LOOKS);
            }
            space.step();
        }
    }

    /** Whether the space seems to hold the answer and both references, by its own coordinates. */
    private boolean isReady(SquaredFrontier frontier, Goal goal, KrylovSolver.Space space) {
        HedgeSearch<Place> search = new HedgeSearch<>(frontier, listener);
        Place pure = search.at(0, 0);
        stopped |= search.isStopped();
        Place honest = frontier.honest();
        double best = frontier.least() + honest.above();
        Excess excess = excess(best, pure.moved());
        double scale = Stationarity.scale(best, family.zeroRuleLoss());
        if (pure.multiplier() <= 0) {
            space.addProbe();
        }
        if (!isHeld(pure) || frontier.missing(frontier.ridge(family.ridge())) > HONEST_MISSING * scale) {
            return false;
        }
        Place found = goal.in(new Balance<>(search, pure, honest, excess, frontier.least()), best)
                .place();
        problems += search.problems();
        stopped |= search.isStopped();
        if (found.multiplier() <= 0) {
            space.addProbe();
        }
        return isHeld(found);
    }

    private boolean isHeld(Place place) {
        double gap = SquaredDual.convexGap(place.multiplier(), 2 * place.residual());
        return gap <= MISSING * options.tolerance() * Stationarity.scale(place.moved(), family.zeroRuleLoss());
    }

    private Excess excess(double bestHonest, double bestMoved) {
        boolean nothing = Math.min(bestHonest, bestMoved) <= NOTHING * family.zeroRuleLoss();
        return new Excess(nothing ? Excess.Kind.ROOT : Excess.Kind.PROPORTION, weight);
    }

    /** The answer in a space, and what the data say of it. */
    private Hedged finished(SquaredFrontier frontier, Goal goal) {
        HedgeSearch<Place> search = new HedgeSearch<>(frontier, listener);
        Place pure = search.at(0, 0);
        Place honest = frontier.honest();
        // in one pass: what the one loses after the move, and the other if nobody moves
        double[] honestRule = frontier.lift(frontier.ridge(family.ridge()));
        SquaredDual references = dual(frontier, point(frontier, pure), 0, 0, honestRule);
        double best = references.honest();
        // the losses of others differ from it by what the coordinates tell to their last digits
        double least = Math.max(0, best - honest.above());
        Excess excess = excess(best, references.moved());
        Balance<Place> balance = new Balance<>(search, pure, honest, excess, least);
        Balance.Found<Place> found = balance.proven(goal.in(balance, best));
        double bound = found.bound();
        SquaredDual dual = dual(frontier, found, found.place(), bound);
        for (int again = 0;
                again < AGAIN
                        && !search.isStopped()
                        && dual.honest() > bound * (1 + KEPT)
                        && found.place().eta() > 0;
                again++) {
            // what the space or rounding put above the bound is asked for below it
            double aim = bound - 2 * (dual.honest() - bound);
            found = balance.within(aim, found.place().eta());
            dual = dual(frontier, found, found.place(), bound);
        }
        // branch and bound works in coordinates: its bound is worth no more than they agree with the data
        double unlike = Math.abs(found.place().moved() - dual.moved())
                + Math.min(found.place().weight(), HedgeSearch.MOST)
                        * Math.abs(least + found.place().above() - dual.honest());
        // with effects and nearly dependent columns that was seen not to be enough: nothing is claimed then
        double split = family.effects() == null
                ? found.lower() - 2 * (unlike + (1 + found.place().eta()) * rounding(frontier))
                : Double.NEGATIVE_INFINITY;
        double lower = Math.max(Math.max(dual.lower(), references.lower()), split);
        Place worse = found.ends().worse();
        double scale = Stationarity.scale(dual.moved(), family.zeroRuleLoss());
        if (worse != null && worse.eta() > 0 && dual.moved() - lower > options.tolerance() * scale) {
            lower = Math.max(lower, dual(frontier, found, worse, bound).lower());
        }
        var shown = new Balance.Shown<>(pure, found.place(), honest);
        stopped |= search.isStopped();
        search.found();
        trades = stopped ? List::of : () -> trades(frontier, balance, shown);
        problems += search.problems();
        double eta = found.place().weight();
        return new Hedged(
                rule(reduction, gamma, dual.r(), dual.w(), found.place().eta()),
                new Point(dual.r(), Double.isInfinite(eta) ? 1 : eta / (1 + eta)),
                new Losses(bound, dual.honest(), dual.moved(), lower),
                new Reference(
                        reduction.naiveRule(honestRule),
                        best,
                        references.honestLower(frontier.smallest(), family.ridge()),
                        references.moved(),
                        references.lower(),
                        excess),
                new Effort(0, 0, 0, false));
    }

    @Override
    public List<Trade> trades() {
        return trades.get();
    }

    /** The ends of the frontier, the rule that was found, and the rules of some round shares. */
    private List<Trade> trades(SquaredFrontier frontier, Balance<Place> balance, Balance.Shown<Place> ends) {
        List<Trade> all = new ArrayList<>();
        if (ends.pure().above() < Double.MAX_VALUE) {
            all.add(trade(frontier, ends.pure(), 0));
        }
        double weight = ends.found().weight();
        if (weight > 0 && weight < Double.MAX_VALUE) {
            all.add(trade(frontier, ends.found(), weight / (1 + weight)));
        }
        for (double share : SHARES) {
            balance.ofWeight(share / (1 - share)).ifPresent(place -> all.add(trade(frontier, place, share)));
        }
        all.add(trade(frontier, ends.honest(), 1));
        all.sort(Comparator.comparingDouble(Trade::share));
        return all;
    }

    private Trade trade(SquaredFrontier frontier, Place place, double share) {
        double[] w = place.u().clone();
        Vectors.scale(1 / place.kept(), w);
        double t = Response.pullThrough(Vectors.dot(w, w), gamma);
        return new Trade(share, frontier.least() + place.above(), place.moved() - frontier.penalty(place), t);
    }

    private SquaredDual dual(SquaredFrontier frontier, Balance.Found<Place> found, Place place, double bound) {
        return dual(frontier, point(frontier, place), place.eta(), bound, null);
    }

    /**
     * One pass.
     *
     * @param frontier whose space is asked for the curvature; null for none
     * @param rule of which the loss if nobody moves is asked, where it is not that of the point
     */
    private SquaredDual dual(
            @Nullable SquaredFrontier frontier, double[] r, double eta, double bound, double @Nullable [] rule) {
        passes++;
        double pure = 0;
        OptionalDouble hedged = OptionalDouble.empty();
        boolean alone = family.effects() == null;
        if (frontier != null && frontier.isWhole()) {
            double rounding = rounding(frontier);
            pure = Math.max(0, frontier.at(0, 0).smallest() - rounding);
            double share = family.at(gamma).geometry().stretch() / 2;
            double smallest = frontier.at(eta, bound).smallest();
            double of = (1 + eta) * rounding + UNITS * share * share * eta * (bound + family.yy() + explained);
            hedged = OptionalDouble.of(smallest - of);
            alone = frontier.isOtherHalfEmpty(bound);
        }
        var spectrum = new SquaredDual.Spectrum(pure, hedged, alone);
        return SquaredDual.of(family, gamma, explained, r, new Weight(eta, bound, rule), spectrum);
    }

    /** How far an eigenvalue of the sphere problem may lie from that of the coordinates, which leave out what does not stand out of rounding. */
    private double rounding(SquaredFrontier frontier) {
        SphereProblem problem = family.at(gamma);
        return problem.hessianRounding() + 0x1p-52 * problem.dimension() * problem.hessianNorm();
    }

    private double[] point(SquaredFrontier frontier, Place place) {
        return SphereGeometry.of(gamma, family.effects()).point(frontier.lift(place.u()), place.tau());
    }

    /** The rule of a point with its share. */
    static LinearRule rule(Reduction reduction, double gamma, Point point) {
        SphereGeometry geometry = reduction.family().at(gamma).geometry();
        double kept = geometry.oneMinusTau(point.r());
        double eta = point.share() < 1 ? point.share() / (1 - point.share()) / (kept * kept) : HedgeSearch.MOST;
        return rule(reduction, gamma, point.r(), geometry.coefficients(point.r()), eta);
    }

    /** w, and the immutable part that is best for both losses: that of the moved one, and eta times that of the honest one, over 1 + eta. */
    private static LinearRule rule(Reduction reduction, double gamma, double[] r, double[] w, double eta) {
        LinearRule moved = reduction.recover(r, gamma);
        if (eta == 0) {
            return moved;
        }
        LinearRule honest = reduction.naiveRule(w);
        double part = eta / (1 + eta);
        double[] q = moved.q();
        Vectors.scale(1 - part, q);
        Vectors.axpy(part, honest.q(), q);
        return new LinearRule(moved.w(), q, (1 - part) * moved.intercept() + part * honest.intercept());
    }
}
