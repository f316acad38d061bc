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
import stackelberg.sphere.Stationarity;

/**
 * What the default mode adds to the three steps: Anderson acceleration, a rho that follows the multiplier, the certificate as the only reason
 * to stop, an escape where it refutes, and a way out of wandering.
 *
 * <p>Every decision is made at the unit vector u = r/||r||, where f, lambda and e = (H + lambda I)u + g follow from the linear system just
 * solved without a product with H.
 */
final class SelfTuningPolicy implements Policy {
    /** rho is changed when sigma is this far from where the multiplier wants it. */
    private static final double OUT_OF_PLACE = 4;

    /** The multiplier counts as settled when it moved by less than this in one iteration. */
    private static final double SETTLED = 0.03;

    /** Iterations a rho is given before it is judged. */
    private static final int TRIAL = 8;

    /** rho follows the multiplier so often at most; later changes only serve to end wandering. */
    private static final int FOLLOWED = 4;

    /** Iterations without a better residual after which the iteration counts as wandering. */
    private static final int PATIENCE = 40;

    /** The same for an iteration that improves, but so slowly that a factorisation is worth more. */
    private static final int LONG = 150;

    /** Escapes after which it counts as wandering, too. */
    private static final int ESCAPES = 5;

    /** How often wandering is ended before giving up. */
    private static final int WANDERINGS = 3;

    /** The least sigma, relative to ||H||: below, H + sigma I is singular to working precision. */
    private static final double LEAST = 1e-12;

    /** Newton steps after a certificate that failed by the residual alone. */
    private static final int POLISHES = 3;

    /** Up to this order a decomposition costs no more than the factorisations that wandering takes. */
    private static final int DECOMPOSABLE = 2_000;

    private final SphereProblem problem;
    private final Factors factors;
    private final double tolerance;
    private final double size;
    private final double smallestRitz;
    private final double floor;
    private final double[] g;
    private final Anderson anderson;
    private final double[] before;

    private int sinceFactor;
    private int sinceBest;
    private int wanderings;
    private int escapes;
    private double lastGap = Double.NaN;
    private double previousLambda = Double.NaN;
    private double bestResidual = Double.POSITIVE_INFINITY;
    private double checkedResidual = Double.POSITIVE_INFINITY;
    private double bestObjective = Double.POSITIVE_INFINITY;
    private double[] best;

    SelfTuningPolicy(
            SphereProblem problem, Factors factors, KrylovGuess guess, AdmmSolver.Options options, double tolerance) {
        this.problem = problem;
        this.factors = factors;
        this.tolerance = tolerance;
        this.size = guess.largest();
        this.smallestRitz = guess.smallest();
        this.floor = 16 * 0x1p-52 * problem.roundingScale();
        this.g = problem.g();
        this.anderson = new Anderson(options.memory());
        this.before = new double[g.length];
        this.best = guess.point();
    }

    /**
     * The sigma = rho/2 for a multiplier: at sigma = lambda > 0 all tangent errors halve, a somewhat larger one serves the radial error;
     * lambda < 0 needs sigma >= 2|lambda|, and sqrt(|lambda| h) is best for an eigenvalue h of H.
     */
    private double sigmaFor(double lambda) {
        double least = problem.isGram() ? LEAST * size : Math.max(LEAST * size, -2 * smallestRitz);
        double sigma = Math.max(least, lambda > 0 ? 1.5 * lambda : Math.max(-2 * lambda, Math.sqrt(-lambda * size)));
        // H = 0 and g = 0: every point is optimal and every sigma will do
        return sigma > 0 ? sigma : 1;
    }

    /** Factors for the multiplier of the first point and goes there. */
    void begin(AdmmState state, double[] unit, double lambda) {
        factors.use(state, sigmaFor(lambda), problem.hessianNorm());
        startFrom(state, unit, lambda);
    }

    @Override
    public void extrapolate(AdmmState state) {
        anderson.accelerate(before, state.x());
        System.arraycopy(state.x(), 0, before, 0, before.length);
    }

    /** Continues from a unit vector with the multiplier it has. */
    void startFrom(AdmmState state, double[] unit, double lambda) {
        state.restart(unit, lambda);
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
        Point point = Point.of(state, g, problem.p());
        Stationarity at = point.here;
        sinceFactor++;
        sinceBest++;
        if (at.objective() < bestObjective) {
            bestObjective = at.objective();
            best = point.unit;
        }
        if (at.residual() < 0.7 * bestResidual) {
            bestResidual = at.residual();
            sinceBest = 0;
        }
        if (looksDone(at)) {
            checkedResidual = at.residual();
            int escaped = escapes;
            Optional<Outcome> outcome = certify(state, point.unit, state::applyInverse);
            if (outcome.isPresent()) {
                return outcome;
            }
            boolean atRounding = at.residual() <= floor && escapes == escaped;
            if (atRounding || escapes > ESCAPES * (wanderings + 1)) {
                return leaveWandering(state);
            }
        } else if (sinceBest > PATIENCE || sinceFactor > LONG || escapes > ESCAPES * (wanderings + 1)) {
            return leaveWandering(state);
        } else {
            follow(state, now.multiplier());
        }
        previousLambda = now.multiplier();
        return Optional.empty();
    }

    /** Whether the certificate is worth asking: its gap should be small enough, and the residual well below where it was asked last. */
    private boolean looksDone(Stationarity at) {
        if (!(at.residual() < checkedResidual / 10)) {
            return false;
        }
        double allowed = tolerance * Stationarity.scale(at.objective(), problem.ungameableLoss());
        double curvature =
                problem.isGram() && at.multiplier() > 0 ? at.multiplier() : Math.abs(at.multiplier() + smallestRitz);
        double gap = Math.min(4 * at.residual(), at.residual() * at.residual() / curvature);
        return gap <= allowed / 4 || at.residual() <= floor;
    }

    /** The end if the certificate agrees; otherwise on from a better point, or simply on. */
    private Optional<Outcome> certify(AdmmState state, double[] unit, ShiftedSolve solve) {
        double[] point = unit;
        double residual = Double.POSITIVE_INFINITY;
        for (int polish = 0; ; polish++) {
            Certificate proof = Certificate.of(problem, point);
            if (proof.proof() == Certificate.Proof.PROVEN && proof.relativeGap() <= tolerance) {
                return Optional.of(
                        new Outcome(point, SphereResult.Status.CONVERGED, note() + "stopped by the certificate"));
            }
            if (proof.proof() == Certificate.Proof.REFUTED) {
                escape(state, proof.better().get());
                return Optional.empty();
            }
            lastGap = proof.relativeGap();
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

    /** The certificate found a lower point, so the stationary point was not the global one: go on from there. */
    private void escape(AdmmState state, double[] better) {
        escapes++;
        double lambda = Stationarity.of(problem, better).multiplier();
        double wanted = sigmaFor(lambda);
        if (isOutOfPlace(state, wanted)) {
            factors.use(state, wanted, problem.hessianNorm());
        }
        bestObjective = Double.POSITIVE_INFINITY;
        startFrom(state, better, lambda);
    }

    private static boolean isOutOfPlace(AdmmState state, double wanted) {
        double ratio = state.sigma() / wanted;
        return ratio > OUT_OF_PLACE || ratio < 1 / OUT_OF_PLACE;
    }

    /** rho follows the multiplier once that has settled. */
    private void follow(AdmmState state, double lambda) {
        boolean settled = Math.abs(lambda - previousLambda) <= SETTLED * Math.abs(lambda);
        if (!settled || sinceFactor < TRIAL || factors.count() >= FOLLOWED) {
            return;
        }
        double wanted = sigmaFor(lambda);
        if (isOutOfPlace(state, wanted)) {
            factors.use(state, wanted, problem.hessianNorm());
            startFrom(state, state.s().clone(), lambda);
        }
    }

    /**
     * A new rho in every step, from the lowest point so far, leads to the global minimum; what it finds still has to be certified. Where that fails, H is
     * singular to working precision, and only its eigenvectors, or a Krylov space of the data themselves, can tell what to do about that: then nothing
     * better is to be had.
     */
    private Optional<Outcome> leaveWandering(AdmmState state) {
        wanderings++;
        Optional<SecularNewton.Root> root = new SecularNewton(problem, factors).solve(best);
        ShiftedSolve solve = root.map(SecularNewton.Root::solve).orElse(state::applyInverse);
        for (double[] end : ends(root)) {
            int escaped = escapes;
            Optional<Outcome> outcome = certify(state, end, solve);
            if (outcome.isPresent() || escapes > escaped && wanderings < WANDERINGS) {
                return outcome;
            }
            if (problem.evaluate(end).objective() <= problem.evaluate(best).objective()) {
                best = end;
            }
        }
        if (wanderings >= WANDERINGS || canDecompose()) {
            return Optional.of(interrupted(state, SphereResult.Status.STALLED));
        }
        double lambda = Stationarity.of(problem, best).multiplier();
        begin(state, best.clone(), lambda);
        return Optional.empty();
    }

    /** The ends of the way out, the cheapest first; each is asked for only if the one before is not certified. */
    private Iterable<double[]> ends(Optional<SecularNewton.Root> root) {
        Stream<Supplier<double[]>> newton = root.stream().map(found -> found::unit);
        Stream<SphereSolver> exact = canDecompose()
                ? Stream.of(new DirectSolver(problem.workers()), new KrylovSolver(problem.workers()))
                : Stream.empty();
        Stream<Supplier<double[]>> decomposed =
                exact.map(solver -> () -> solver.solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE)
                        .r());
        return Stream.concat(newton, decomposed).map(Supplier::get)::iterator;
    }

    private boolean canDecompose() {
        SphereFamily family = problem.family();
        return family.dual().map(dual -> dual.y().length).orElse(family.features()) <= DECOMPOSABLE;
    }

    private String note() {
        String text = "";
        if (escapes > 0) {
            text += "left " + escapes + " stationary point(s) that the certificate refuted; ";
        }
        if (wanderings > 0) {
            text += "wandered " + wanderings + " time(s); ";
        }
        return text;
    }

    @Override
    public Outcome interrupted(AdmmState state, SphereResult.Status status) {
        String gap = Double.isNaN(lastGap)
                ? "no point was close enough to ask the certificate"
                : "the relative gap bound was " + lastGap + " where the certificate was asked last";
        return new Outcome(best.clone(), status, note() + "not certified: " + gap);
    }

    /** What is known at u = r/||r||. */
    private record Point(double[] unit, Stationarity here) {
        static Point of(AdmmState state, double[] g, double p) {
            double inverse = 1 / Vectors.norm(state.r());
            int d = g.length;
            double[] unit = new double[d];
            double[] e = new double[d];
            for (int j = 0; j < d; j++) {
                unit[j] = state.r()[j] * inverse;
                e[j] = state.halfGradient()[j] * inverse + g[j] * (1 - inverse);
            }
            double lambda = -Vectors.dot(unit, e);
            double objective = -lambda + Vectors.dot(g, unit) + p;
            return new Point(unit, Stationarity.of(unit, objective, lambda, e));
        }
    }
}
