package stackelberg.solver.published.admm;

import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
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
 * What the default mode adds to the three steps: the ball, a proven shift that makes f convex on it, safeguarded acceleration, a rho that follows the multiplier some times, and the
 * certificate as the only reason to stop.
 *
 * <p>With them the iteration converges to a global minimiser from every start, whatever rho is once it no longer changes (docs/theory.md has the theorem). Where that takes long and
 * rho is free, Newton's method on the secular equation comes first.
 *
 * <p>Every decision is made at the unit vector u = r/||r||, where f, lambda and e = (H + lambda I)u + g follow from the linear system just
 * solved without a product with H; where the iteration ends inside the ball, at the point of the sphere that is as good.
 */
final class SelfTuningPolicy implements Policy {
    /** rho is changed when sigma is this far from where the multiplier wants it. */
    private static final double OUT_OF_PLACE = 4;

    /** The multiplier counts as settled when it moved by less than this in one iteration. */
    private static final double SETTLED = 0.03;

    /** Iterations a rho is given before it is judged. */
    private static final int TRIAL = 8;

    /** rho follows the multiplier so often at most; later changes only serve to end slowness. */
    private static final int FOLLOWED = 4;

    /** Iterations without a better residual after which the iteration counts as slow. */
    private static final int PATIENCE = 40;

    /** The same for an iteration that improves, but so slowly that a factorisation is worth more. */
    private static final int LONG = 150;

    /** How often Newton's method may take over. */
    private static final int NEWTONS = 3;

    /** The least sigma, relative to ||H||: below, H + sigma I is singular to working precision. */
    private static final double LEAST = 1e-12;

    /** The sigma, relative to ||H||, where the multiplier says nothing: small, because inside the ball an error in an eigendirection h shrinks by sigma/(h + sigma). */
    private static final double INSIDE = 1e-6;

    /** Newton steps after a certificate that failed by the residual alone. */
    private static final int POLISHES = 3;

    /** Up to this order a decomposition costs no more than the factorisations that slowness takes. */
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
    /** By how much f must be lower for a step of the third kind: fixed at the first point, as the theorem asks. */
    private double amount = Double.NaN;

    private int followed;
    private int sinceBest;
    private int newtons;
    private double previousLambda = Double.NaN;
    private double bestResidual = Double.POSITIVE_INFINITY;
    private double checkedResidual = Double.POSITIVE_INFINITY;
    private double bestObjective = Double.POSITIVE_INFINITY;
    private double[] best;
    private Point point;

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
     * The sigma = rho/2 for a multiplier: at sigma = nu > 0, nu = lambda + mu, all tangent errors halve, a somewhat larger one serves the radial error.
     */
    private double sigmaFor(double lambda) {
        double nu = lambda + shift.mu();
        double sigma = nu > 0 ? Math.max(LEAST * size, 1.5 * nu) : INSIDE * size;
        // H = 0 and g = 0: every point is optimal and every sigma will do
        return sigma > 0 ? sigma : 1;
    }

    private void factor(AdmmState state, double lambda) {
        if (penalty instanceof AdmmSolver.Penalty.Fixed fixed) {
            factorExactly(state, fixed.rho());
        } else {
            factors.use(state, sigmaFor(lambda), shift.mu(), problem.hessianNorm());
        }
    }

    /** This rho, unless rounding makes it useless, whatever the multiplier is; then the multiplier is computed, to say which rho are not. */
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
                + ": so far beyond, rounding hides more than the tolerance "
                + tolerance
                + ".\nMaybe use an adaptive rho.");
    }

    /** The rho that fit the multiplier of the lowest point so far. */
    private Reach reach() {
        Stationarity at = Stationarity.of(problem, best);
        factors.read(1);
        double nu = Math.max(0, at.multiplier() + shift.mu());
        return Reach.of(nu, nu, allowed(at.objective()), floor);
    }

    /** The gap that is tolerated where f is so much. */
    private double allowed(double objective) {
        return tolerance * Stationarity.scale(objective, problem.ungameableLoss());
    }

    /** Factors for the multiplier of the first point and goes there. A positive one on any subspace shows that none of H's eigenvalues matters. */
    void begin(AdmmState state, double[] unit, double lambda) {
        seekShiftFor(lambda);
        factor(state, lambda);
        startFrom(state, unit, lambda);
    }

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
        point = Point.of(state, g, problem.p(), best);
        double objective = point.here.objective();
        if (Double.isNaN(amount)) {
            amount = allowed(objective) / 10;
        }
        anderson.accelerate(before, state.x(), objective < bestObjective - amount);
        System.arraycopy(state.x(), 0, before, 0, before.length);
    }

    /** Continues from a unit vector with the multiplier it has. */
    void startFrom(AdmmState state, double[] unit, double lambda) {
        state.restart(unit, lambda);
        forget(state);
    }

    /** Continues from any x = s - v. */
    void startFrom(AdmmState state, double[] x) {
        state.restart(x);
        forget(state);
    }

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
        Stationarity at = point.here;
        boolean inside = state.isInside() && Vectors.norm(state.r()) < 1;
        double residual = inside ? insideResidual(state) : at.residual();
        sinceFactor++;
        sinceBest++;
        if (at.objective() < bestObjective) {
            bestObjective = at.objective();
            best = point.unit;
        }
        if (residual < 0.7 * bestResidual) {
            bestResidual = residual;
            sinceBest = 0;
        }
        if (looksDone(at, residual, inside)) {
            checkedResidual = residual;
            if (inside && shift.lowest() == null) {
                // only a limit inside shows that the shift is needed
                seekShift();
                begin(state, point.unit, at.multiplier());
                return Optional.empty();
            }
            double[] end = inside ? shift.completed(state.r()) : point.unit;
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

    /** ||(H - mu I)r + g||, half the gradient of what is minimised over the ball. */
    private double insideResidual(AdmmState state) {
        double[] gradient = state.halfGradient().clone();
        Vectors.axpy(-shift.mu(), state.r(), gradient);
        return Vectors.norm(gradient);
    }

    /** Whether the certificate is worth asking: its gap should be small enough, and the residual well below where it was asked last. */
    private boolean looksDone(Stationarity at, double residual, boolean inside) {
        if (!(residual < checkedResidual / 10)) {
            return false;
        }
        double allowed = allowed(at.objective());
        double curvature = inside ? 0 : Math.abs(at.multiplier() + shift.mu());
        return Stationarity.gap(residual, curvature) <= allowed / 4 || residual <= floor;
    }

    /** The end if the certificate agrees. */
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

    /** One Newton step on (H + lambda I)r = -g, ||r|| = 1 with the factored matrix in the place of H + lambda I and the residual from the data. */
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

    /** rho follows the multiplier once that has settled, a few times. */
    private void follow(AdmmState state, double lambda) {
        double nu = lambda + shift.mu();
        boolean settled = nu > 0 && Math.abs(lambda - previousLambda) <= SETTLED * nu;
        if (!settled || !isAdaptive() || sinceFactor < TRIAL || followed >= FOLLOWED) {
            return;
        }
        if (isOutOfPlace(state, sigmaFor(lambda))) {
            followed++;
            factor(state, lambda);
            startFrom(state, state.s().clone(), lambda);
        }
    }

    /**
     * A new rho in every step, from the lowest point so far, leads to the global minimum; what it finds still has to be certified. Where that fails, H is
     * singular to working precision, and only its eigenvectors, or a Krylov space of the data themselves, can tell what to do about that: then nothing
     * better is to be had.
     */
    private Optional<Outcome> newton(AdmmState state) {
        newtons++;
        // a few factorisations that prove where the pole is save many that would search for it
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

    private double multiplierOf(double[] unit) {
        factors.read(1);
        return Stationarity.of(problem, unit).multiplier();
    }

    private void preferIfLower(double[] unit) {
        factors.read(2);
        if (problem.evaluate(unit).objective() <= problem.evaluate(best).objective()) {
            best = unit;
        }
    }

    /** The ends of the way out, the cheapest first; each is asked for only if the one before is not certified. */
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

    private boolean canDecompose() {
        SphereFamily family = problem.family();
        return family.dual().map(dual -> dual.y().length).orElse(family.features()) <= DECOMPOSABLE;
    }

    private String note() {
        String text = shift.mu() == 0 ? "" : "H shifted by " + -shift.mu() + "; ";
        return newtons == 0 ? text : text + "slow " + newtons + " time(s), ended by Newton's method; ";
    }

    /** The lowest point there is, and what the certificate says of it. */
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

    /** Whether the one rho is to blame, which only the multiplier shows. */
    private String outOfReach() {
        if (!(penalty instanceof AdmmSolver.Penalty.Fixed fixed)) {
            return "";
        }
        Reach reach = reach();
        return reach.contains(fixed.rho()) ? "" : "; rho is " + fixed.rho() + ", and rounding wants it " + reach;
    }

    /** What is known at u = r/||r||. */
    private record Point(double[] unit, Stationarity here) {
        /** @param known in the place of an r that is 0 */
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
