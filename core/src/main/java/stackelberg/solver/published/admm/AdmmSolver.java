package stackelberg.solver.published.admm;

import java.util.Arrays;
import java.util.Optional;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.sphere.SphereProblem;

/**
 * The paper's Algorithms 1 (ADMM with an explicit inverse) and 2 (CD-ADMM, with a Cholesky factorisation), by default in a convex and self-tuning form.
 *
 * <p><b>Problem.</b> Any sphere problem. As published, any sigma = rho/2 > 0 is possible if H is a Gram matrix; an indefinite H needs sigma > -lambda_min(H).
 *
 * <p><b>Method.</b> Three steps per iteration on (r, s, v) alternate between the quadratic f and the sphere (paper eq. ADMM_solution). By default the sphere is
 * replaced by the ball and H by H - mu I, with a proven mu &lt;= lambda_min(H) ({@link Shift}). That problem is convex and has the same minimum, and the iteration
 * converges to a global minimiser for every rho and every start (docs/theory.md, "ADMM"). {@link SelfTuningPolicy} adds safeguarded acceleration, a rho that
 * follows the multiplier, and the certificate; {@link PaperPolicy} is the published stopping rule.
 *
 * <p><b>Cost per iteration.</b> Two triangular solves. Before that, one factorisation per rho: d^3/3 for a dense H, and m d^2 to form it; of order m if there
 * are fewer rows than features; with a fill-reducing order if X is sparse. If the multiplier is not positive, also the shift: a decomposition up to order 400, a
 * few factorisations beyond.
 *
 * <p><b>When it fails.</b> When the factors do not fit into memory, or the iteration limit comes first, as it may with a fixed rho far from the multiplier. A rho so
 * far off that rounding exceeds the tolerance is refused. As published: a rho far from the multiplier takes thousands of iterations, and with a negative
 * multiplier the iteration may stop at a point that is not the global minimum, or never.
 *
 * <p><b>Reference.</b> The paper, Algorithms 1 and 2; Lions and Mercier, Splitting algorithms for the sum of two nonlinear operators (1979); Walker and Ni, Anderson acceleration for
 * fixed-point iterations (2011).
 */
public final class AdmmSolver implements SphereSolver {
    private final String name;
    private final boolean explicitInverse;
    private final Options options;
    private final Workers workers;

    private AdmmSolver(String name, boolean explicitInverse, Options options, Workers workers) {
        this.name = name;
        this.explicitInverse = explicitInverse;
        this.options = options;
        this.workers = workers;
    }

    /** Returns the solver of Algorithm 1, "admm". */
    public static AdmmSolver explicitInverse(Options options, Workers workers) {
        return new AdmmSolver("admm", true, options, workers);
    }

    /** Returns the solver of Algorithm 2, "cd-admm". */
    public static AdmmSolver cholesky(Options options, Workers workers) {
        return new AdmmSolver("cd-admm", false, options, workers);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean needsFactor() {
        return true;
    }

    @Override
    public boolean isPlain() {
        return options.plain();
    }

    /** Returns the same algorithm with other options. */
    public AdmmSolver with(Options other) {
        return new AdmmSolver(name, explicitInverse, other, workers);
    }

    @Override
    public SphereResult solve(SphereProblem problem, SolverOptions limits, ProgressListener listener) {
        requireLength("s0", options.start(), problem);
        requireLength("v0", options.dualStart(), problem);
        long begin = System.nanoTime();
        ShiftedSystem system = Systems.of(problem, explicitInverse, workers);
        Factors factors = new Factors(system, (System.nanoTime() - begin) * 1e-9);
        // copies: the options may serve several runs
        double[] s0 = options.start().map(double[]::clone).orElseGet(() -> ones(problem.dimension()));
        double[] v0 = options.dualStart().map(double[]::clone).orElseGet(() -> new double[problem.dimension()]);
        if (options.plain() && options.penalty() instanceof Penalty.Fixed fixed) {
            AdmmState state = new AdmmState(problem.g(), problem.p(), s0, v0, false);
            factors.useExactly(state, fixed.rho() / 2, 0);
            return iterate(state, new PaperPolicy(options.eps()), factors, limits, listener);
        }
        boolean krylov = options.lanczosSteps() > 0 && Vectors.norm(problem.g()) > 0;
        KrylovGuess guess = krylov ? KrylovGuess.of(problem, options.lanczosSteps()) : KrylovGuess.at(problem, s0);
        factors.read(guess.passes());
        AdmmState state = new AdmmState(problem.g(), problem.p(), guess.point(), new double[problem.dimension()], true);
        SelfTuningPolicy policy = new SelfTuningPolicy(problem, factors, guess, options, limits.tolerance());
        policy.begin(state, options.start().orElse(guess.point()), guess.lambda());
        if (options.dualStart().isPresent()) {
            Vectors.axpy(-1, v0, s0);
            policy.startFrom(state, s0);
        }
        return iterate(state, policy, factors, limits, listener);
    }

    /** The loop of the paper; what surrounds the three steps is the policy's. */
    private static SphereResult iterate(
            AdmmState state, Policy policy, Factors factors, SolverOptions limits, ProgressListener listener) {
        while (true) {
            state.updateR(); // eq. ADMM_solution1
            policy.extrapolate(state);
            state.project(); // eq. ADMM_solution2
            state.updateDual(); // eq. ADMM_solution3
            ProgressListener.Progress now = state.measure();
            listener.onPoint(state.r());
            boolean stop = listener.onIteration(now) == ProgressListener.Decision.STOP;
            Optional<Policy.Outcome> end = policy.review(state, now);
            if (end.isEmpty() && stop) {
                end = Optional.of(policy.interrupted(state, SphereResult.Status.STOPPED_BY_LISTENER));
            }
            if (end.isEmpty() && now.iteration() >= limits.maxIterations()) {
                end = Optional.of(policy.interrupted(state, SphereResult.Status.ITERATION_LIMIT));
            }
            if (end.isPresent()) {
                var effort =
                        new SphereResult.Effort(now.iteration(), factors.passes(), factors.count(), factors.seconds());
                return new SphereResult(
                        end.get().r(), end.get().status(), effort, end.get().note());
            }
        }
    }

    private static void requireLength(String what, Optional<double[]> given, SphereProblem problem) {
        if (given.isPresent() && given.get().length != problem.dimension()) {
            throw new IllegalArgumentException("The start " + what + " has " + given.get().length
                    + " values, but the problem has dimension " + problem.dimension() + ".");
        }
    }

    /** Returns ones/sqrt(d), the published start. */
    private static double[] ones(int d) {
        double[] s = new double[d];
        Arrays.fill(s, 1 / Math.sqrt(d));
        return s;
    }

    /**
     * The options of ADMM beside {@link stackelberg.solver.SolverOptions}.
     *
     * @param penalty adaptive, or one fixed rho, which is refused on problems where rounding makes it useless
     * @param eps stop when max(||s - r||, rho ||s - s_previous||) is at most eps; used by the plain algorithm only
     * @param start s0, a unit vector; if empty, ones/sqrt(d) for the plain algorithm and the minimiser on a small Krylov space otherwise
     * @param dualStart v0, in units of the first rho; if empty, 0 for the plain algorithm and the value that fits the start's multiplier otherwise
     * @param memory the number of earlier steps that Anderson acceleration combines, 0 to 50; 0 turns it off; not used by the plain algorithm
     * @param lanczosSteps the number of products with H for a first guess of the multiplier; 0 starts from s0 alone; not used by the plain algorithm
     * @param plain true for the algorithm as published: the sphere instead of the ball, its start and stopping rule, and no guarantee; needs a fixed penalty
     */
    public record Options(
            Penalty penalty,
            double eps,
            Optional<double[]> start,
            Optional<double[]> dualStart,
            int memory,
            int lanczosSteps,
            boolean plain) {
        /** Adaptive, memory 5, eight Lanczos steps; eps 1e-8 for the plain algorithm. */
        public static final Options DEFAULT =
                new Options(Penalty.adaptive(), 1e-8, Optional.empty(), Optional.empty(), 5, 8, false);

        public Options {
            if (!(eps > 0) || eps >= 1) {
                throw new IllegalArgumentException("eps is " + eps + "; it must lie between 0 and 1.");
            }
            if (memory < 0 || memory > 50) {
                throw new IllegalArgumentException(
                        "The memory of the acceleration is " + memory + "; it must be 0 to 50.");
            }
            if (lanczosSteps < 0) {
                throw new IllegalArgumentException("The number of Lanczos steps is " + lanczosSteps + ", below 0.");
            }
            if (plain && !(penalty instanceof Penalty.Fixed)) {
                throw new IllegalArgumentException(
                        "The plain algorithm has no adaptive rho.\nMaybe use Options.plain(rho), with twice the multiplier as rho if it is known.");
            }
            start = start.map(double[]::clone);
            dualStart = dualStart.map(double[]::clone);
            start.ifPresent(s -> {
                if (!(Math.abs(Vectors.norm(s) - 1) <= 1e-9)) {
                    throw new IllegalArgumentException("The start s0 has norm " + Vectors.norm(s) + " instead of 1.");
                }
            });
        }

        /** Returns the options of the algorithm as published, with this rho. */
        public static Options plain(double rho) {
            Options own = DEFAULT;
            return new Options(
                    Penalty.fixed(rho), own.eps, own.start, own.dualStart, own.memory, own.lanczosSteps, true);
        }

        public Options withPenalty(Penalty newPenalty) {
            return new Options(newPenalty, eps, start, dualStart, memory, lanczosSteps, plain);
        }

        public Options withEps(double newEps) {
            return new Options(penalty, newEps, start, dualStart, memory, lanczosSteps, plain);
        }

        public Options withStart(double[] s0) {
            return new Options(penalty, eps, Optional.of(s0), dualStart, memory, lanczosSteps, plain);
        }

        public Options withDualStart(double[] v0) {
            return new Options(penalty, eps, start, Optional.of(v0), memory, lanczosSteps, plain);
        }

        public Options withMemory(int newMemory) {
            return new Options(penalty, eps, start, dualStart, newMemory, lanczosSteps, plain);
        }

        public Options withLanczosSteps(int newSteps) {
            return new Options(penalty, eps, start, dualStart, memory, newSteps, plain);
        }
    }

    /** How rho, the penalty of ||s - r||^2, is chosen. */
    public sealed interface Penalty {
        /** Returns the penalty that keeps one rho, positive and finite. */
        static Penalty fixed(double rho) {
            return new Fixed(rho);
        }

        /** Returns the penalty that follows the multiplier; rho changes a few times at most. */
        static Penalty adaptive() {
            return new Adaptive();
        }

        /** The paper's rho > 0. */
        record Fixed(double rho) implements Penalty {
            public Fixed {
                if (!(rho > 0) || Double.isInfinite(rho)) {
                    throw new IllegalArgumentException("rho is " + rho + "; it must be positive and finite.");
                }
            }
        }

        /** rho = 3 (lambda + mu), with the current estimate of lambda. */
        record Adaptive() implements Penalty {}
    }
}
