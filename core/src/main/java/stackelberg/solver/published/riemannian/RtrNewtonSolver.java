package stackelberg.solver.published.riemannian;

import java.util.Arrays;
import java.util.Optional;
import stackelberg.certificate.Certificate;
import stackelberg.linalg.Vectors;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.sphere.SphereProblem;
import stackelberg.sphere.SphereProblem.Stationarity;

/**
 * Riemannian trust-region Newton method on the unit sphere, with truncated conjugate gradients (RTRNewton).
 *
 * <p><b>Problem.</b> Any sphere problem; by itself it finds a stationary point, which need not be the global minimiser.
 *
 * <p><b>Method.</b> Exact Riemannian gradient and Hessian ({@link SphereCost}), steps by {@link TruncatedCg}, retraction by normalising. By
 * default it starts against g, stops by the gap, and where a positive multiplier does not settle the matter asks the certificate: a refuted
 * point is left for the better one that the certificate holds, and one that is neither proven nor refuted (a shallow saddle) is shaken. {@link Options#PLAIN} is the method of the reference experiments.
 *
 * <p><b>Cost.</b> One evaluation per outer iteration and one product with H per inner one; a handful of vectors of memory.
 *
 * <p><b>When it fails.</b> Plain: wherever the multiplier is negative it may end at a local minimiser, which the certificate refutes, and its
 * stopping rule is relative to the first gradient, so that the gap it leaves depends on the start. Ill-conditioned problems need many inner
 * iterations.
 *
 * <p><b>Reference.</b> Absil, Baker and Gallivan, Trust-region methods on Riemannian manifolds, Found. Comput. Math. 7 (2007) 303-330.
 */
public final class RtrNewtonSolver implements SphereSolver {
    /** The farthest that two points of the sphere can be from each other; the first radius is an eighth of it. */
    private static final double LARGEST_RADIUS = Math.PI;

    private static final double ACCEPT = 0.1;

    /** So many steps in a row that neither promise nor bring anything are enough: nearly singular Hessians would go on for thousands. */
    private static final int IDLE_STEPS = 40;

    /** How often to shake a point that the certificate neither proves nor refutes. */
    private static final int TRIALS = 2;

    private final Options own;

    public RtrNewtonSolver(Options own) {
        this.own = own;
    }

    @Override
    public String name() {
        return "rtr-newton";
    }

    @Override
    public boolean isPlain() {
        return own.plain();
    }

    @Override
    public Optional<SphereSolver> asPublished() {
        return Optional.of(new RtrNewtonSolver(Options.PLAIN));
    }

    @Override
    public SphereResult solve(SphereProblem problem, SolverOptions options, ProgressListener listener) {
        Run run = new Run(problem, options, listener);
        SphereResult.Status status = run.descend(own.plain() ? ones(problem.dimension()) : againstG(problem));
        int escapes = 0;
        int inVain = 0;
        while (!own.plain()
                && status == SphereResult.Status.CONVERGED
                && inVain < TRIALS
                && !run.isMultiplierEnough()) {
            SphereCost stationary = run.here;
            Certificate certificate = Certificate.of(problem, stationary.point());
            if (certificate.relativeGap() <= options.tolerance()) {
                break;
            }
            status = run.descend(certificate.better().orElse(shaken(stationary, inVain)));
            if (run.here.objective() < stationary.objective()) {
                escapes++;
            } else {
                run.here = stationary;
                inVain++;
            }
        }
        String note = escapes == 0 ? "" : "left " + escapes + " stationary points that the certificate did not accept";
        return new SphereResult(
                run.here.point(), status, new SphereResult.Effort(run.iterations, run.passes, 0, 0), note);
    }

    private static double[] ones(int d) {
        double[] r = new double[d];
        Arrays.fill(r, 1 / Math.sqrt(d));
        return r;
    }

    private static double[] againstG(SphereProblem problem) {
        double[] r = problem.g();
        double norm = Vectors.norm(r);
        if (norm == 0) {
            return ones(r.length);
        }
        Vectors.scale(-1 / norm, r);
        return r;
    }

    /** A point about 0.1 away, in a direction that no structure of the data favours. */
    private static double[] shaken(SphereCost from, int trial) {
        double[] eta = new double[from.point().length];
        for (int i = 0; i < eta.length; i++) {
            double multiple = (i + 1) * Math.sqrt(2 + trial);
            eta[i] = multiple - Math.floor(multiple) - 0.5;
        }
        Vectors.scale(0.1 / Vectors.norm(eta), eta);
        return from.retract(eta);
    }

    /** One solve: the outer iteration, from as many starts as the certificate asks for. */
    private final class Run {
        private final SphereProblem problem;
        private final SolverOptions options;
        private final ProgressListener listener;
        private SphereCost here;
        private int iterations;
        private int passes;

        Run(SphereProblem problem, SolverOptions options, ProgressListener listener) {
            this.problem = problem;
            this.options = options;
            this.listener = listener;
        }

        SphereResult.Status descend(double[] start) {
            here = evaluate(start);
            double first = here.gradientNorm();
            // the published rule compares ||grad|| itself with 1
            double unit = own.plain() ? 1 : Math.max(first, Vectors.norm(problem.g()));
            double radius = LARGEST_RADIUS / 8;
            int idle = 0;
            double smallest = first;
            while (true) {
                if (isStationary(first)) {
                    return SphereResult.Status.CONVERGED;
                }
                if (iterations >= options.maxIterations()) {
                    return SphereResult.Status.ITERATION_LIMIT;
                }
                TruncatedCg step = TruncatedCg.of(here, radius, unit);
                passes += step.products();
                SphereCost there = evaluate(here.retract(step.eta()));
                double rounding = 16 * 0x1p-52 * problem.roundingScale() * Vectors.norm(step.eta());
                double ratio = (here.reductionTo(there) + rounding) / (step.reduction() + rounding);
                if (ratio < 0.25 || Double.isNaN(ratio)) {
                    radius /= 4;
                } else if (ratio > 0.75 && step.atBoundary()) {
                    radius = Math.min(2 * radius, LARGEST_RADIUS);
                }
                boolean accepted = ratio > ACCEPT;
                boolean smaller = there.gradientNorm() < 0.9 * smallest;
                smallest = Math.min(smallest, there.gradientNorm());
                idle = smaller || step.reduction() > 1000 * 0x1p-52 * problem.roundingScale() ? 0 : idle + 1;
                // where the model promises no more than rounding, a smaller gradient is all that can be asked for
                boolean exhausted = idle > IDLE_STEPS
                        || step.reduction() <= rounding && there.gradientNorm() >= here.gradientNorm();
                if (accepted && !exhausted) {
                    here = there;
                }
                iterations++;
                var progress = new ProgressListener.Progress(
                        iterations, here.objective(), here.gradientNorm(), Double.NaN, here.multiplier());
                if (listener.onIteration(progress) == ProgressListener.Decision.STOP) {
                    return SphereResult.Status.STOPPED_BY_LISTENER;
                }
                if (exhausted) {
                    return SphereResult.Status.CONVERGED;
                }
                if (radius < 1e-16) {
                    return SphereResult.Status.STALLED;
                }
            }
        }

        private boolean isStationary(double first) {
            double norm = here.gradientNorm();
            if (own.plain()) {
                return norm <= Math.max(own.relativeGradient() * first, own.absoluteGradient());
            }
            double kappa = problem.isGram() ? Math.max(0, here.multiplier()) : 0;
            return norm <= 0x1p-52 * problem.roundingScale() || isReached(kappa);
        }

        /** Whether H >= 0 and lambda > 0 already prove what the certificate would be asked. */
        boolean isMultiplierEnough() {
            return problem.isGram() && here.multiplier() > 0 && isReached(here.multiplier());
        }

        /** Whether the gap is within half of the tolerance if H + lambda I >= kappa I: half, because the certificate computes its own residual. */
        private boolean isReached(double kappa) {
            double gap = Stationarity.gap(here.gradientNorm(), kappa);
            double least = problem.isGram() ? Math.min(gap, Math.abs(here.objective())) : gap;
            return least <= options.tolerance() / 2 * Stationarity.scale(here.objective(), problem.ungameableLoss());
        }

        private SphereCost evaluate(double[] r) {
            passes++;
            return SphereCost.at(problem, r);
        }
    }

    /**
     * How the Riemannian trust-region method starts and stops.
     *
     * @param plain as in the reference experiments: start at ones/sqrt(d), stop at a gradient below relativeGradient times the first one or below
     *     absoluteGradient, no certificate and no escape. Otherwise: start against g, stop by the gap, escape from what the certificate refutes
     * @param relativeGradient part of the first gradient norm at which the plain method stops
     * @param absoluteGradient gradient norm at which the plain method stops in any case
     */
    public record Options(boolean plain, double relativeGradient, double absoluteGradient) {
        public static final Options DEFAULT = new Options(false, 1e-5, 1e-12);

        /** The reference experiments. */
        public static final Options PLAIN = new Options(true, 1e-5, 1e-12);

        public Options {
            if (!(relativeGradient >= 0) || relativeGradient >= 1) {
                throw new IllegalArgumentException(
                        "The relative gradient is " + relativeGradient + "; it must lie between 0 and 1.");
            }
            if (!(absoluteGradient >= 0) || Double.isInfinite(absoluteGradient)) {
                throw new IllegalArgumentException(
                        "The absolute gradient is " + absoluteGradient + "; it must be finite and not negative.");
            }
        }

        public Options withRelativeGradient(double newRelativeGradient) {
            return new Options(plain, newRelativeGradient, absoluteGradient);
        }

        public Options withAbsoluteGradient(double newAbsoluteGradient) {
            return new Options(plain, relativeGradient, newAbsoluteGradient);
        }
    }
}
