package stackelberg.objective.program;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import stackelberg.game.LinearRule;
import stackelberg.game.Response;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.objective.program.SquaredDual.Query;
import stackelberg.objective.program.SquaredFrontier.Cut;
import stackelberg.objective.program.SquaredFrontier.Place;
import stackelberg.objective.program.TauSplit.Leaf;
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
 * Hedged and balanced rules for squared loss, with effects, ridge, noise of the wishes, immutable columns, costs and
 * weights; on rows in memory, rows on other machines, or sums.
 *
 * <p>Each weight of the hedge is one sphere problem in the coordinates of one space: the full decomposition of X'PX if
 * its smaller side is small, otherwise a Krylov space that grows until the answer is proven. The best rules before and
 * after the move lie in the same space.
 */
final class SquaredProgram implements Program {
    /**
     * How X'PX is treated, by the smaller side of X.
     *
     * @param small up to this order it is decomposed at once
     * @param decomposable up to this order it is decomposed if a Krylov space did not suffice
     */
    record Sizes(int small, int decomposable) {
        /** The sizes that {@code auto} uses. */
        static final Sizes DEFAULT = new Sizes(512, 8_000);
    }

    /**
     * Krylov steps are limited to the order divided by this, three times as many as in {@code auto}, because the best
     * rule before any move takes as many again.
     */
    private static final int ORDER_PER_PASS = 13;

    private static final int FEWEST_STEPS = 20;

    /** The memory of a Krylov basis in bytes. */
    private static final long BASIS = 1L << 30;

    /** A best loss below this fraction of p0 counts as almost 0; excesses are then differences. */
    private static final double NOTHING = 1e-9;

    /**
     * The fraction of the tolerance that the space may leave, and the relative error allowed for the best rule before
     * any move.
     */
    private static final double MISSING = 0.05;

    private static final double HONEST_MISSING = 1e-10;

    /**
     * The relative error of the proven lower bound for the best rule before any move, and by which factor a Krylov
     * space that cannot be replaced by a decomposition may grow for it.
     */
    private static final double HONEST_OPEN = 1e-7;

    private static final int LONGER = 2;

    /**
     * The number of steps before the answer is first checked; later checks come after the number of steps has grown by
     * a fixed fraction.
     */
    private static final int EARLY = 3;

    private static final int LOOKS = 8;

    /**
     * How far rounding may put a loss above the bound, relative, and how often a rule below the bound is then asked
     * for.
     */
    private static final double KEPT = 1e-11;

    private static final int AGAIN = 3;

    private static final double UNITS = 4 * 0x1p-52;

    /** The number of points evaluated in one pass. */
    private static final int TOGETHER = 32;

    /** The weight of the hedge that is tried first; most answers have a weight near a tenth. */
    static final double GUESS = 0.1;

    /** The shares whose rules are reported besides the answer. */
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
    private @Nullable SquaredDual leastSquares;
    private Supplier<List<Trade>> trades = List::of;
    private final ProgressListener listener;
    /** The number of steps after which the Krylov space seemed to contain both reference rules. */
    private OptionalInt referencesAt = OptionalInt.empty();

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
        return solve((balance, best, across) -> across.apply(balance.within(best * (1 + hedge) * (1 + hedge), GUESS)));
    }

    @Override
    public Hedged within(double bound) {
        return solve((balance, best, across) -> across.apply(balance.within(bound, GUESS)));
    }

    @Override
    public Hedged balanced() {
        return solve((balance, best, across) -> balance.balanced(balance.balanced(), across));
    }

    @Override
    public Losses check(Point point, double bound) {
        double kept = family.at(gamma).geometry().oneMinusTau(point.r());
        double eta = point.share() / (1 - point.share()) / (kept * kept);
        Query query = side() > sizes.small
                ? new Query(point.r(), eta, bound, null, OptionalDouble.empty(), Cut.NONE)
                : query(whole(), point.r(), eta, bound, Cut.NONE);
        return dual(query).losses(bound);
    }

    /** The rule that is looked for in a space. */
    private interface Goal {
        /**
         * @param across finds the best rule if the frontier jumps across the bound
         */
        Balance.Found<Place> in(Balance<Place> balance, double bestHonest, UnaryOperator<Balance.Found<Place>> across);
    }

    private int side() {
        return family.dual().map(dual -> dual.y().length).orElse(family.features());
    }

    private Hedged solve(Goal goal) {
        long start = System.nanoTime();
        problems = 0;
        passes = 0;
        stopped = false;
        referencesAt = OptionalInt.empty();
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

    /**
     * Grows a Krylov space, one pass at a time, until the answer is proven or the steps have cost as much as
     * decomposing X'PX.
     */
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

    /**
     * Returns whether the space seems to contain the answer and both reference rules, judged by its own coordinates.
     */
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
        if (!isHeld(pure) || frontier.missing() > HONEST_MISSING * scale) {
            return false;
        }
        if (referencesAt.isEmpty()) {
            referencesAt = OptionalInt.of(space.steps());
        }
        boolean open =
                excess.kind() == Excess.Kind.PROPORTION && frontier.missing(frontier.smallest()) > HONEST_OPEN * scale;
        if (open && (side() <= sizes.decomposable || space.steps() < LONGER * referencesAt.getAsInt())) {
            return false;
        }
        Place found = goal.in(
                        new Balance<>(search, pure, honest, excess, frontier.least()), best, UnaryOperator.identity())
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

    /** Returns the answer in a space, evaluated on the data. */
    private Hedged finished(SquaredFrontier frontier, Goal goal) {
        HedgeSearch<Place> search = new HedgeSearch<>(frontier, listener);
        Place pure = search.at(0, 0);
        Place honest = frontier.honest();
        // one pass gives the loss of the first after the move and of the second before any move
        double[] honestRule = frontier.lift(frontier.ridge(family.ridge()));
        SquaredDual references = dual(honest(frontier, pure, honestRule));
        double best = references.honest();
        // the losses of the other rules differ from it by amounts that the coordinates give to full accuracy
        double least = Math.max(0, best - honest.above());
        Excess excess = excess(best, references.moved());
        double radius = family.at(gamma).geometry().stretch() * Math.sqrt(gamma) / 2;
        Balance<Place> balance = new Balance<>(search, pure, honest, excess, least);
        Map<Double, Collection<Leaf>> leaves = new HashMap<>();
        Balance.Found<Place> found = goal.in(balance, best, other -> {
            if (!frontier.isWhole() || search.isStopped() || !search.isJump(other.ends(), other.bound() - least)) {
                return other;
            }
            double room = other.bound() - least;
            TauSplit split = new TauSplit(frontier, other.bound(), room, other);
            if (leastSquares == null) {
                leastSquares = dual(honest(frontier, pure, frontier.lift(frontier.ridge(0))));
            }
            Place place = split.search(frontier.reach(
                    other.bound() - leastSquares.honestLeast(),
                    leastSquares.honestSlope(),
                    rounding() / (radius * radius)));
            leaves.put(other.bound(), split.leaves());
            return new Balance.Found<>(place, other.ends(), other.bound());
        });
        double bound = found.bound();
        SquaredDual dual = dual(query(frontier, found.place(), bound, Cut.NONE));
        for (int again = 0;
                again < AGAIN
                        && !search.isStopped()
                        && dual.honest() > bound * (1 + KEPT)
                        && found.place().eta() > 0;
                again++) {
            // if the space or rounding puts the loss above the bound, a rule as far below it is asked for
            double aim = bound - 2 * (dual.honest() - bound);
            found = balance.within(aim, found.place().eta());
            dual = dual(query(frontier, found.place(), bound, Cut.NONE));
        }
        double lower = Math.max(dual.lower(), references.lower());
        Place worse = found.ends().worse();
        double scale = Stationarity.scale(dual.moved(), family.zeroRuleLoss());
        if (worse != null && worse.eta() > 0 && dual.moved() - lower > options.tolerance() * scale) {
            lower = Math.max(
                    lower, dual(query(frontier, worse, bound, Cut.NONE)).lower());
        }
        if (dual.moved() - lower > options.tolerance() * scale) {
            lower = Math.max(lower, lower(frontier, leaves.getOrDefault(bound, List.of()), bound));
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

    /** Returns the ends of the frontier, the answer, and the rules for some round shares. */
    private List<Trade> trades(SquaredFrontier frontier, Balance<Place> balance, Balance.Shown<Place> ends) {
        List<Trade> all = new ArrayList<>();
        // with 1 - tau below rounding it is a limit of rules, not a rule
        if (ends.pure().above() < Double.MAX_VALUE && Math.abs(ends.pure().kept()) > UNITS) {
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
        return new Trade(
                share, frontier.least() + place.above(), place.moved() - frontier.penalty(place.u(), place.tau()), t);
    }

    /** Evaluates a query in one pass. */
    private SquaredDual dual(Query query) {
        passes++;
        return SquaredDual.of(family, gamma, explained, List.of(query)).get(0);
    }

    private Query query(SquaredFrontier frontier, Place place, double bound, Cut cut) {
        return query(frontier, frontier.point(place), place.eta(), bound, cut);
    }

    /** Returns a query about a point without a hedge and about another rule before any move. */
    private Query honest(SquaredFrontier frontier, Place place, double[] rule) {
        return new Query(frontier.point(place), 0, 0, rule, curvature(frontier, 0, 0, Cut.NONE), Cut.NONE);
    }

    /** Returns a query about a point with what a frontier knows of the curvature. */
    private Query query(SquaredFrontier frontier, double[] r, double eta, double bound, Cut cut) {
        return new Query(r, eta, bound, null, curvature(frontier, eta, bound, cut), cut);
    }

    /**
     * Returns a lower bound of the smallest eigenvalue of M + eta (1 - tau)^2 (H - B) plus a cut on the sphere; empty
     * in a Krylov space.
     */
    private OptionalDouble curvature(SquaredFrontier frontier, double eta, double bound, Cut cut) {
        if (!frontier.isWhole()) {
            return OptionalDouble.empty();
        }
        double share = family.at(gamma).geometry().stretch() / 2;
        double off = (1 + eta) * rounding()
                + UNITS * share * share * eta * (bound + family.yy() + explained)
                + UNITS * frontier.order() * cut.weight();
        return OptionalDouble.of(frontier.with(cut).at(eta, bound).smallest() - off - frontier.lost(eta));
    }

    /** Returns a lower bound of M for rules in any of these parts of the sphere; 0 if there are no parts. */
    private double lower(SquaredFrontier frontier, Collection<Leaf> leaves, double bound) {
        List<Query> queries = leaves.stream()
                .map(leaf -> query(frontier, leaf.at(), bound, leaf.cut()))
                .toList();
        double lower = Double.POSITIVE_INFINITY;
        for (int first = 0; first < queries.size(); first += TOGETHER) {
            List<Query> some = queries.subList(first, Math.min(queries.size(), first + TOGETHER));
            passes++;
            for (SquaredDual dual : SquaredDual.of(family, gamma, explained, some)) {
                lower = Math.min(lower, dual.lower());
            }
        }
        return leaves.isEmpty() ? 0 : lower;
    }

    /**
     * Returns how far an eigenvalue of the sphere problem may differ from that in the coordinates, which leave out
     * directions below rounding.
     */
    private double rounding() {
        SphereProblem problem = family.at(gamma);
        return problem.hessianRounding() + 0x1p-52 * problem.dimension() * problem.hessianNorm();
    }

    /** Returns the rule of a point with its share. */
    static LinearRule rule(Reduction reduction, double gamma, Point point) {
        SphereGeometry geometry = reduction.family().at(gamma).geometry();
        double kept = geometry.oneMinusTau(point.r());
        double eta = point.share() < 1 ? point.share() / (1 - point.share()) / (kept * kept) : HedgeSearch.MOST;
        return rule(reduction, gamma, point.r(), geometry.coefficients(point.r()), eta);
    }

    /**
     * Returns the rule with coefficients w and the immutable part that is best for both losses: (that of the moved rows
     * + eta times that of the honest ones)/(1 + eta).
     */
    private static LinearRule rule(Reduction reduction, double gamma, double[] r, double[] w, double eta) {
        LinearRule moved = reduction.recover(r, gamma);
        if (eta == 0) {
            return moved;
        }
        LinearRule honest = reduction.naiveRule(w);
        // the moved rows' immutable part may be so large that 1 - eta/(1 + eta) would be too inaccurate
        double part = 1 / (1 + eta);
        double[] q = honest.q();
        Vectors.scale(eta * part, q);
        Vectors.axpy(part, moved.q(), q);
        return new LinearRule(moved.w(), q, part * moved.intercept() + eta * part * honest.intercept());
    }
}
