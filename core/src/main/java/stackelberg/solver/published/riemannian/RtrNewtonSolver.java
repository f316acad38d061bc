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
 * <p><b>Problem.</b> Any sphere problem; the published method finds a stationary point, which need not be the global minimiser.
 *
 * <p><b>Method.</b> Exact Riemannian gradient and Hessian ({@link SphereCost}), steps by {@link TruncatedCg}, retraction by normalising. By default it starts
 * at -g/||g|| and stops by the gap. If the multiplier is not positive, the certificate judges the point: a refuted point is replaced by the better one that the
 * certificate holds, and one that is neither proven nor refuted (a shallow saddle) is perturbed. {@link Options#PLAIN} is the method of the reference
 * experiments, without these additions.
 *
 * <p><b>Cost per iteration.</b> One evaluation per outer iteration and one product with H per inner one; a handful of vectors of memory.
 *
 * <p><b>When it fails.</b> Plain: if the multiplier is negative it may end at a local minimiser, which the certificate refutes; its stopping rule is relative to
 * the first gradient, so that the remaining gap depends on the start. Ill-conditioned problems need many inner iterations.
 *
 * <p><b>Reference.</b> Absil, Baker and Gallivan, Trust-region methods on Riemannian manifolds, Found. Comput. Math. 7 (2007) 303-330.
 */
public final class RtrNewtonSolver implements SphereSolver {
    /** The largest trust-region radius, the largest distance of two points of the sphere; the first radius is an eighth of it. */
    private static final double LARGEST_RADIUS = Math.PI;

    /** The smallest ratio of actual to predicted reduction at which a step is accepted. */
    private static final double ACCEPT = 0.1;
    /** The number of steps without predicted or actual progress after which a descent ends; with a nearly singular Hessian there may be thousands. */
    private static final int IDLE_STEPS = 40;

    /** The number of perturbations of a point that the certificate neither proves nor refutes. */
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
        double[] start = own.plain() ? ones(problem.dimension()) : againstG(problem);
        Run run = new Run(problem, options, listener, start);
        SphereResult.Status status = run.descend();
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
            run.moveTo(certificate.better().orElse(shaken(stationary, inVain)));
            status = run.descend();
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

    /** Returns ones/sqrt(d), the published start. */
    private static double[] ones(int d) {
        double[] r = new double[d];
        Arrays.fill(r, 1 / Math.sqrt(d));
        return r;
    }

    /** Returns -g/||g||, the minimiser of the linear part of f. */
    private static double[] againstG(SphereProblem problem) {
        double[] r = problem.g();
        double norm = Vectors.norm(r);
        if (norm == 0) {
            return ones(r.length);
        }
        Vectors.scale(-1 / norm, r);
        return r;
    }

    /** Returns a point about 0.1 away, in a fixed direction unrelated to any structure of the data. */
    private static double[] shaken(SphereCost from, int trial) {
        double[] eta = new double[from.point().length];
        for (int i = 0; i < eta.length; i++) {
            double multiple = (i + 1) * Math.sqrt(2 + trial);
            eta[i] = multiple - Math.floor(multiple) - 0.5;
        }
        Vectors.scale(0.1 / Vectors.norm(eta), eta);
        return from.retract(eta);
    }

    /** One run: descents from the start and from the points that the certificate gives. */
    private final class Run {
        private final SphereProblem problem;
        private final SolverOptions options;
        private final ProgressListener listener;
        private SphereCost here;
        private int iterations;
        private int passes;

        Run(SphereProblem problem, SolverOptions options, ProgressListener listener, double[] start) {
            this.problem = problem;
            this.options = options;
            this.listener = listener;
            this.passes = 1;
            this.here = SphereCost.at(problem, start);
        }

        /** Makes r the current point; costs one pass. */
        void moveTo(double[] r) {
            here = evaluate(r);
        }

        /** Descends from the current point to a stationary one; returns why it ended. */
        SphereResult.Status descend() {
            double first = here.gradientNorm();
            // the published rule of TruncatedCg compares ||grad|| with 1, which depends on the units of f
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
                // when the predicted reduction is below rounding, only a smaller gradient counts as progress
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

        /** Returns whether the current point meets the stopping rule: by the gradient if plain, by the gap otherwise. */
        private boolean isStationary(double first) {
            double norm = here.gradientNorm();
            if (own.plain()) {
                return norm <= Math.max(own.relativeGradient() * first, own.absoluteGradient());
            }
            double kappa = problem.isGram() ? Math.max(0, here.multiplier()) : 0;
            return norm <= 0x1p-52 * problem.roundingScale() || isReached(kappa);
        }

        /** Returns whether H >= 0 and lambda > 0 prove the point, so that no certificate is needed. */
        boolean isMultiplierEnough() {
            return problem.isGram() && here.multiplier() > 0 && isReached(here.multiplier());
        }

        /** Returns whether the gap is within half of the tolerance if H + lambda I >= kappa I; half, because the certificate's residual may be a little larger. */
        private boolean isReached(double kappa) {
            double gap = Stationarity.gap(here.gradientNorm(), kappa);
            double least = problem.isGram() ? Math.min(gap, Math.abs(here.objective())) : gap;
            return least <= options.tolerance() / 2 * Stationarity.scale(here.objective(), problem.zeroRuleLoss());
        }

        /** Evaluates f at r and counts the pass. */
        private SphereCost evaluate(double[] r) {
            passes++;
            return SphereCost.at(problem, r);
        }
    }

    /**
     * The options of the Riemannian trust-region method: how it starts and stops.
     *
     * @param plain true for the method of the reference experiments: start at ones/sqrt(d), stop at a gradient below relativeGradient times the first one or
     *     below absoluteGradient, no certificate. False: start at -g/||g||, stop by the gap, continue from the certificate's better points
     * @param relativeGradient the share of the first gradient norm at which the plain method stops, 0 to 1
     * @param absoluteGradient the gradient norm at which the plain method stops in any case, 0 or more
     */
    public record Options(boolean plain, double relativeGradient, double absoluteGradient) {
        /** The default: not plain. */
        public static final Options DEFAULT = new Options(false, 1e-5, 1e-12);

        /** The method and the tolerances of the reference experiments. */
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
