package stackelberg.solver.published.admm;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import stackelberg.certificate.Certificate;
import stackelberg.linalg.Vectors;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.ProgressListener.Progress;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.solver.krylov.KrylovSolver;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;
import stackelberg.sphere.SphereProblem.Stationarity;

/**
 * The default mode of ADMM: the ball, a proven shift that makes f convex on it, safeguarded acceleration, a rho that follows the multiplier, and the certificate
 * as the only reason to stop.
 *
 * <p>With these the iteration converges to a global minimiser from every start and for every rho, once rho no longer changes (docs/theory.md, "ADMM"). If
 * convergence is slow and rho may be changed, Newton's method on the secular equation takes over.
 *
 * <p>All decisions are based on the unit vector u = r/||r||, at which f, lambda and e = (H + lambda I)u + g follow from the linear system that was just
 * solved, without a product with H. If the iteration converges inside the ball, the answer is the completed point of the sphere ({@link Shift#completed}).
 */
final class SelfTuningPolicy implements Policy {
    /** rho is changed if sigma differs from the value for the multiplier by more than this factor. */
    private static final double OUT_OF_PLACE = 4;
    /** The relative change of lambda + mu in one iteration up to which the multiplier counts as converged enough to choose rho by. */
    private static final double SETTLED = 0.03;
    /** The number of iterations with one rho before it may be changed. */
    private static final int TRIAL = 8;
    /** The number of times that rho follows the multiplier; the theorem needs finitely many changes. */
    private static final int MAX_CHANGES = 4;
    /** The number of iterations without a better residual after which the iteration counts as slow. */
    private static final int PATIENCE = 40;
    /** The number of iterations with one factorisation after which the iteration counts as slow even if it improves. */
    private static final int LONG = 150;
    /** The number of times that Newton's method may take over. */
    private static final int NEWTONS = 3;
    /** The least sigma relative to ||H||: below it H + sigma I is singular to working precision. */
    private static final double LEAST = 1e-12;
    /**
     * The sigma relative to ||H|| if the multiplier gives no scale (nu = 0, a minimiser inside the ball). Small, because inside the ball the error along an
     * eigenvector with eigenvalue h shrinks by sigma/(h + sigma) per iteration.
     */
    private static final double INSIDE = 1e-6;
    /** The number of Newton steps on a point whose certificate failed only because of its residual. */
    private static final int POLISHES = 3;
    /** The largest order at which a decomposition costs no more than the factorisations of a slow run. */
    private static final int DECOMPOSABLE = 2_000;

    private final SphereProblem problem;
    private final Factors factors;
    private final AdmmSolver.Penalty penalty;
    private final double tolerance;
    private final double size;
    private final double floor;
    private final double[] g;
    private final Anderson anderson;
    private final double[] before;
    private final double[] first;

    private Shift shift;
    private int sinceFactor;
    /** By how much f must fall for a point to be accepted for its f (docs/theory.md, "ADMM", part c); fixed at the first point, as the theorem requires. */
    private double amount = Double.NaN;
    /** How often rho has followed the multiplier. */
    private int followed;

    private int sinceBest;
    private int newtons;
    private double previousLambda = Double.NaN;
    private double bestResidual = Double.POSITIVE_INFINITY;
    private double checkedResidual = Double.POSITIVE_INFINITY;
    private double bestObjective = Double.POSITIVE_INFINITY;
    /** The point with the lowest f so far. */
    private double[] best;
    /** The quantities at u = r/||r|| of the current iteration; null before the first. */
    private @Nullable Point point;

    SelfTuningPolicy(
            SphereProblem problem, Factors factors, KrylovGuess guess, AdmmSolver.Options options, double tolerance) {
        this.problem = problem;
        this.factors = factors;
        this.penalty = options.penalty();
        this.tolerance = tolerance;
        this.size = guess.largest();
        this.floor = 16 * 0x1p-52 * problem.roundingScale();
        this.g = problem.g();
        this.anderson = new Anderson(options.memory());
        this.before = new double[g.length];
        this.first = guess.point();
        this.best = first;
        this.shift = Shift.free(problem);
    }

    /**
     * Returns the sigma = rho/2 for a multiplier. With sigma = nu = lambda + mu > 0 all tangential errors halve in each iteration; a somewhat larger sigma, 1.5
     * nu, also reduces the radial error.
     */
    private double sigmaFor(double lambda) {
        double nu = lambda + shift.mu();
        double sigma = nu > 0 ? Math.max(LEAST * size, 1.5 * nu) : INSIDE * size;
        // H = 0 and g = 0: all points are optimal, and any sigma works
        return sigma > 0 ? sigma : 1;
    }

    /** Factorises for a multiplier, or for the fixed rho, and gives the factorisation to the state. */
    private void factor(AdmmState state, double lambda) {
        if (penalty instanceof AdmmSolver.Penalty.Fixed fixed) {
            factorExactly(state, fixed.rho());
        } else {
            factors.use(state, sigmaFor(lambda), shift.mu(), problem.hessianNorm());
        }
    }

    /**
     * Factorises for exactly this rho. If rounding makes the rho useless for every possible multiplier, computes the multiplier and throws a refusal that names
     * the range of suitable rho.
     */
    private void factorExactly(AdmmState state, double rho) {
        double sigma = rho / 2;
        Optional<ShiftedSolve> solve = factors.at(sigma - shift.mu());
        double low =
                solve.map(system -> SecularNewton.lowerBound(system, g, sigma)).orElse(0.0);
        factors.read(1);
        Reach widest =
                Reach.of(low, Vectors.norm(g), allowed(problem.evaluate(best).objective()), floor);
        if (solve.isPresent() && !widest.isFarFrom(rho)) {
            state.use(sigma, shift.mu(), solve.get());
            return;
        }
        new SecularNewton(problem, factors, shift, tolerance).solve(best).ifPresent(root -> preferIfLower(root.unit()));
        Reach reach = reach();
        if (factors.at(reach.least() / 2 - shift.mu()).isEmpty()) {
            // H - mu I is singular to working precision
            reach = reach.from(4 * problem.hessianRounding());
        }
        throw new SphereSolver.Refusal("rho is " + rho + "; on this problem it should lie "
                + reach.from(solve.isPresent() ? 0 : 2 * rho)
                + ". So far outside that range, rounding errors exceed the tolerance "
                + tolerance
                + ".\nMaybe use an adaptive rho.");
    }

    /** Returns the range of rho for the multiplier of the best point so far. */
    private Reach reach() {
        Stationarity at = Stationarity.of(problem, best);
        factors.read(1);
        double nu = Math.max(0, at.multiplier() + shift.mu());
        return Reach.of(nu, nu, allowed(at.objective()), floor);
    }

    /** Returns the absolute gap that is within the tolerance at a point with this f. */
    private double allowed(double objective) {
        return tolerance * Stationarity.scale(objective, problem.zeroRuleLoss());
    }

    /** Factorises for the multiplier of the first point and starts there. */
    void begin(AdmmState state, double[] unit, double lambda) {
        seekShiftFor(lambda);
        factor(state, lambda);
        startFrom(state, unit, lambda);
    }

    /** Computes the shift unless it is not needed: with a Gram matrix and a positive multiplier, f is convex enough without it. */
    private void seekShiftFor(double lambda) {
        if (shift.lowest() == null && !(problem.isGram() && lambda > 0)) {
            seekShift();
        }
    }

    private void seekShift() {
        factors.read(1);
        shift = Shift.of(problem, factors, allowed(problem.evaluate(best).objective()) / 16);
    }

    @Override
    public void extrapolate(AdmmState state) {
        Point current = Point.of(state, g, problem.p(), best);
        point = current;
        double objective = current.here.objective();
        if (Double.isNaN(amount)) {
            amount = allowed(objective) / 10;
        }
        anderson.accelerate(before, state.x(), objective < bestObjective - amount);
        System.arraycopy(state.x(), 0, before, 0, before.length);
    }

    /** Restarts from a unit vector and its multiplier. */
    void startFrom(AdmmState state, double[] unit, double lambda) {
        state.restart(unit, lambda);
        forget(state);
    }

    /** Restarts from any x = s - v. */
    void startFrom(AdmmState state, double[] x) {
        state.restart(x);
        forget(state);
    }

    /** Resets all that belongs to the iterates before a restart. */
    private void forget(AdmmState state) {
        System.arraycopy(state.x(), 0, before, 0, before.length);
        anderson.reset();
        sinceFactor = 0;
        sinceBest = 0;
        bestResidual = Double.POSITIVE_INFINITY;
        checkedResidual = Double.POSITIVE_INFINITY;
        previousLambda = Double.NaN;
    }

    @Override
    public Optional<Outcome> review(AdmmState state, Progress now) {
        Point current = Objects.requireNonNull(point);
        Stationarity at = current.here;
        boolean inside = state.isInside() && Vectors.norm(state.r()) < 1;
        double residual = inside ? insideResidual(state) : at.residual();
        sinceFactor++;
        sinceBest++;
        if (at.objective() < bestObjective) {
            bestObjective = at.objective();
            best = current.unit;
        }
        if (residual < 0.7 * bestResidual) {
            bestResidual = residual;
            sinceBest = 0;
        }
        if (looksDone(at, residual, inside)) {
            checkedResidual = residual;
            if (inside && shift.lowest() == null) {
                // convergence inside the ball shows that the multiplier is not positive, so that the shift is needed
                seekShift();
                begin(state, current.unit, at.multiplier());
                return Optional.empty();
            }
            double[] end = inside ? shift.completed(state.r()) : current.unit;
            Optional<Outcome> outcome = certify(end, state::applyInverse);
            if (outcome.isPresent()) {
                return outcome;
            }
            if (residual <= floor) {
                return isAdaptive() ? newton(state) : Optional.of(interrupted(state, SphereResult.Status.STALLED));
            }
        } else if (isAdaptive() && newtons < NEWTONS && (sinceBest > PATIENCE || sinceFactor > LONG)) {
            return newton(state);
        } else {
            follow(state, now.multiplier());
        }
        previousLambda = now.multiplier();
        return Optional.empty();
    }

    private boolean isAdaptive() {
        return penalty instanceof AdmmSolver.Penalty.Adaptive;
    }

    /** Returns ||(H - mu I)r + g||, half the norm of the gradient of the function that is minimised over the ball. */
    private double insideResidual(AdmmState state) {
        double[] gradient = state.halfGradient().clone();
        Vectors.axpy(-shift.mu(), state.r(), gradient);
        return Vectors.norm(gradient);
    }

    /** Returns whether a certificate is worth its cost: its gap should be small enough, and the residual has fallen tenfold since the last one. */
    private boolean looksDone(Stationarity at, double residual, boolean inside) {
        if (!(residual < checkedResidual / 10)) {
            return false;
        }
        double allowed = allowed(at.objective());
        double curvature = inside ? 0 : Math.abs(at.multiplier() + shift.mu());
        return Stationarity.gap(residual, curvature) <= allowed / 4 || residual <= floor;
    }

    /** Returns the outcome if the certificate proves the point, possibly after a few Newton steps on it; empty otherwise. */
    private Optional<Outcome> certify(double[] unit, ShiftedSolve solve) {
        double[] point = unit;
        double residual = Double.POSITIVE_INFINITY;
        for (int polish = 0; ; polish++) {
            Certificate proof = Certificate.of(problem, point);
            if (isEnough(proof)) {
                return Optional.of(certified(point));
            }
            if (polish == POLISHES || proof.residual() > residual / 2) {
                return Optional.empty();
            }
            residual = proof.residual();
            point = polished(point, solve);
        }
    }

    /** Returns the point after one Newton step for (H + lambda I)r = -g, ||r|| = 1, with the factorised matrix in place of H + lambda I and the residual from the data. */
    private double[] polished(double[] unit, ShiftedSolve solve) {
        double[] me = Stationarity.of(problem, unit).e();
        factors.read(1);
        double[] mr = unit.clone();
        solve.solve(me);
        solve.solve(mr);
        double along = Vectors.dot(unit, me) / Vectors.dot(unit, mr);
        double[] next = unit.clone();
        Vectors.axpy(-1, me, next);
        Vectors.axpy(along, mr, next);
        Vectors.scale(1 / Vectors.norm(next), next);
        return next;
    }

    private static boolean isOutOfPlace(AdmmState state, double wanted) {
        double ratio = state.sigma() / wanted;
        return ratio > OUT_OF_PLACE || ratio < 1 / OUT_OF_PLACE;
    }

    /** Changes rho to fit the multiplier if that has settled, at most {@link #MAX_CHANGES} times. */
    private void follow(AdmmState state, double lambda) {
        double nu = lambda + shift.mu();
        boolean settled = nu > 0 && Math.abs(lambda - previousLambda) <= SETTLED * nu;
        if (!settled || !isAdaptive() || sinceFactor < TRIAL || followed >= MAX_CHANGES) {
            return;
        }
        if (isOutOfPlace(state, sigmaFor(lambda))) {
            followed++;
            factor(state, lambda);
            startFrom(state, state.s().clone(), lambda);
        }
    }

    /**
     * Runs Newton's method on the secular equation from the best point, and returns the outcome if its result is certified.
     *
     * <p>If it is not, H + lambda I is singular to working precision. On small data a decomposition and a Krylov space are then tried; if their points are not
     * certified either, the run ends as stalled. On large data ADMM restarts from the best point.
     */
    private Optional<Outcome> newton(AdmmState state) {
        newtons++;
        // a few factorisations to prove the smallest eigenvalue save many in the search for the root
        seekShiftFor(multiplierOf(best));
        Optional<SecularNewton.Root> root = new SecularNewton(problem, factors, shift, tolerance).solve(best);
        ShiftedSolve solve = root.map(SecularNewton.Root::solve).orElse(state::applyInverse);
        for (double[] end : ends(root)) {
            Optional<Outcome> outcome = certify(end, solve);
            if (outcome.isPresent()) {
                return outcome;
            }
            preferIfLower(end);
        }
        if (newtons > NEWTONS || canDecompose()) {
            return Optional.of(interrupted(state, SphereResult.Status.STALLED));
        }
        begin(state, best.clone(), multiplierOf(best));
        return Optional.empty();
    }

    /** Returns the multiplier of a unit vector; costs one pass. */
    private double multiplierOf(double[] unit) {
        factors.read(1);
        return Stationarity.of(problem, unit).multiplier();
    }

    /** Makes a unit vector the best point if its f is not larger, by two evaluations on the data. */
    private void preferIfLower(double[] unit) {
        factors.read(2);
        if (problem.evaluate(unit).objective() <= problem.evaluate(best).objective()) {
            best = unit;
        }
    }

    /** Returns the candidate points, the cheapest first; each is computed only when the ones before it were not certified. */
    private Iterable<double[]> ends(Optional<SecularNewton.Root> root) {
        Stream<Supplier<double[]>> newton = root.stream().map(found -> found::unit);
        Stream<SphereSolver> exact = canDecompose()
                ? Stream.of(new DirectSolver(problem.workers()), new KrylovSolver(problem.workers()))
                : Stream.empty();
        Stream<Supplier<double[]>> decomposed = exact.map(solver -> () -> {
            SphereResult result = solver.solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE);
            factors.read(result.effort().passes());
            return result.r();
        });
        return Stream.concat(newton, decomposed).map(Supplier::get)::iterator;
    }

    /** Returns whether the smaller side of the data is small enough for a decomposition. */
    private boolean canDecompose() {
        SphereFamily family = problem.family();
        return family.dual().map(dual -> dual.y().length).orElse(family.features()) <= DECOMPOSABLE;
    }

    private String note() {
        String text = shift.mu() == 0 ? "" : "H shifted by " + -shift.mu() + "; ";
        return newtons == 0 ? text : text + "slow " + newtons + " time(s), ended by Newton's method; ";
    }

    /** {@inheritDoc} The point with the lowest f, as converged if its certificate proves it after all. */
    @Override
    public Outcome interrupted(AdmmState state, SphereResult.Status status) {
        preferIfLower(first);
        if (shift.lowest() != null && state.isInside() && Vectors.norm(state.r()) < 1) {
            preferIfLower(shift.completed(state.r()));
        }
        Certificate proof = Certificate.of(problem, best);
        if (isEnough(proof)) {
            return certified(best);
        }
        String known = proof.proof() == Certificate.Proof.REFUTED
                ? "there are better points, and the relative gap bound is "
                : "the relative gap bound is ";
        return new Outcome(
                best.clone(), status, note() + "not certified: " + known + proof.relativeGap() + outOfReach());
    }

    private boolean isEnough(Certificate proof) {
        return proof.proof() == Certificate.Proof.PROVEN && proof.relativeGap() <= tolerance;
    }

    private Outcome certified(double[] unit) {
        return new Outcome(unit.clone(), SphereResult.Status.CONVERGED, note() + "stopped by the certificate");
    }

    /** Returns a remark on a fixed rho that is outside the suitable range for the multiplier; empty otherwise. */
    private String outOfReach() {
        if (!(penalty instanceof AdmmSolver.Penalty.Fixed fixed)) {
            return "";
        }
        Reach reach = reach();
        return reach.contains(fixed.rho()) ? "" : "; rho is " + fixed.rho() + ", and rounding wants it " + reach;
    }

    /** The unit vector u = r/||r|| with f, lambda and e there. */
    private record Point(double[] unit, Stationarity here) {
        /**
         * Returns the point of the current iterate, without a product with H.
         *
         * @param known the unit vector to use if r is 0
         */
        static Point of(AdmmState state, double[] g, double p, double[] known) {
            double norm = Vectors.norm(state.r());
            int d = g.length;
            double[] unit = norm == 0 ? known.clone() : new double[d];
            double[] e = new double[d];
            for (int j = 0; j < d && norm > 0; j++) {
                unit[j] = state.r()[j] / norm;
                e[j] = state.halfGradient()[j] / norm + g[j] * (1 - 1 / norm);
            }
            double lambda = -Vectors.dot(unit, e);
            double objective = norm == 0 ? Double.POSITIVE_INFINITY : -lambda + Vectors.dot(g, unit) + p;
            return new Point(unit, Stationarity.of(unit, objective, lambda, e));
        }
    }
}
