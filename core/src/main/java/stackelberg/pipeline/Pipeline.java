package stackelberg.pipeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import stackelberg.certificate.Certificate;
import stackelberg.data.DataException;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.mixed.HedgedSolution;
import stackelberg.solver.mixed.MixedSolution;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereGeometry;
import stackelberg.sphere.SphereProblem;

/**
 * reduce, solve, certify, recover: the one way from a game to rules, for one gamma or many, on rows at hand, sums or rows elsewhere.
 *
 * @param solver who minimises on the sphere
 * @param options the tolerance and the iterations it is given
 * @param listener watches it and may stop it
 */
public record Pipeline(SphereSolver solver, SolverOptions options, ProgressListener listener) {
    /**
     * What came out of one run.
     *
     * @param solutions one for each gamma
     * @param solveSeconds what the solver took for all of them
     * @param certifySeconds what their certificates took
     */
    public record Run(List<Solution> solutions, double solveSeconds, double certifySeconds) {
        public Run {
            solutions = List.copyOf(solutions);
        }
    }

    public Pipeline(SphereSolver solver, SolverOptions options) {
        this(solver, options, ProgressListener.NONE);
    }

    /** The game on the sphere, at gammas it can be played at; what was declared is checked before, so what it refuses are values of the data. */
    public static Reduction reduce(PredictionGame game, Workers workers, double... gammas) {
        return requirePlayable(refusing(() -> Reduction.of(game, workers)), gammas);
    }

    /** The same reduction, at gammas that it must be playable at. */
    public static Reduction requirePlayable(Reduction reduction, double... gammas) {
        return refusing(() -> {
            for (double gamma : gammas) {
                reduction.family().at(gamma);
            }
            return reduction;
        });
    }

    /** One certified solution for each gamma: from one basis or decomposition where the solver can, and all certificates from one pass. */
    public Run run(Reduction reduction, double... gammas) {
        return run(reduction, reduction.family().at(gammas));
    }

    /** The same for problems of this reduction's data at any gammas and ridges. */
    public Run run(Reduction reduction, List<SphereProblem> problems) {
        long start = System.nanoTime();
        List<SphereResult> results = solve(problems);
        long solved = System.nanoTime();
        double[][] points = results.stream().map(SphereResult::r).toArray(double[][]::new);
        Certificate[] certificates = Certificate.ofAll(problems, points);
        long certified = System.nanoTime();
        List<Solution> solutions = new ArrayList<>();
        for (int k = 0; k < points.length; k++) {
            long before = System.nanoTime();
            Solution solution = solution(reduction, problems.get(k), results.get(k), certificates[k]);
            double seconds = (System.nanoTime() - before) * 1e-9;
            solutions.add(solution.recoveredIn(seconds));
        }
        return new Run(solutions, (solved - start) * 1e-9, (certified - solved) * 1e-9);
    }

    /** The solution of a point; where that is next to believing everybody and a rule is as good, of the rule. */
    private Solution solution(
            Reduction reduction, SphereProblem problem, SphereResult result, Certificate certificate) {
        if (certificate.proof() != Certificate.Proof.REFUTED
                && certificate.better().isPresent()) {
            double[] tie = certificate.better().get();
            Certificate other = Certificate.of(problem, tie);
            if (other.certified(options.tolerance()) || !certificate.certified(options.tolerance())) {
                String note = "believing everybody is as good as this rule";
                String all = result.note().isEmpty() ? note : result.note() + "; " + note;
                return recovered(
                        reduction, problem, new SphereResult(tie, result.status(), result.effort(), all), other);
            }
        }
        return recovered(reduction, problem, result, certificate);
    }

    private static Solution recovered(
            Reduction reduction, SphereProblem problem, SphereResult result, Certificate certificate) {
        double penalty = problem.tilt() * SphereGeometry.above(result.r()) / 2;
        LinearRule rule = reduction.recover(result.r(), problem.gamma());
        return new Solution(problem.gamma(), rule, result, aboutRule(certificate, rule), penalty, 0);
    }

    /** Where the point is believing everybody, which is no rule, and not known to be the only answer, nothing is proven of a rule. */
    private static Certificate aboutRule(Certificate certificate, LinearRule rule) {
        boolean none = Arrays.stream(rule.w()).anyMatch(value -> !Double.isFinite(value));
        return none && certificate.finite() && certificate.proof() == Certificate.Proof.PROVEN
                ? new Certificate(
                        certificate.objective(),
                        certificate.bound(),
                        Certificate.Proof.ESTIMATED,
                        certificate.unique(),
                        certificate.finiteness(),
                        certificate.scale(),
                        certificate.better())
                : certificate;
    }

    /**
     * The solution for people who differ, kept as a point of the ordinary sphere at their typical gamma: a search over omega = w'C^{-1}w, with
     * one sphere problem each.
     *
     * @param ordinary the same game if all responded alike, whose p0 relative gaps fall back on
     */
    public Run search(PredictionGame mixed, Reduction ordinary, Workers workers) {
        double gamma = mixed.population().typicalGamma();
        long start = System.nanoTime();
        MixedSolution found = refusing(
                () -> MixedSolution.of(mixed, ordinary.family().ungameableLoss(), solver, options, listener, workers));
        long solved = System.nanoTime();
        LinearRule rule = found.rule();
        double recovered = (System.nanoTime() - solved) * 1e-9;
        Certificate certificate = found.certificate(options.tolerance());
        Solution solution =
                new Solution(gamma, rule, found.sphereResult(gamma), certificate, mixed.penalty(rule), recovered);
        return new Run(List.of(solution), (solved - start) * 1e-9, 0);
    }

    /**
     * The solution that is best after the move among rules that lose at most a bound if nobody moves.
     *
     * @param pure the solution without the bound
     */
    public Run hedge(HedgedSolution.Problem problem, Solution pure) {
        long start = System.nanoTime();
        HedgedSolution found = refusing(() -> HedgedSolution.of(problem, options, listener));
        SphereResult result = found.share() == 0 ? pure.result() : found.sphereResult(pure.gamma());
        Solution solution = hedged(found, problem, result, pure.gamma());
        return new Run(List.of(solution), (System.nanoTime() - start) * 1e-9, 0);
    }

    /** The same for a point r and a share that are known. */
    public static Solution hedgeAgain(HedgedSolution.Problem problem, double[] r, double share, double tolerance) {
        HedgedSolution found = refusing(() -> HedgedSolution.again(problem, r, share, tolerance));
        return hedged(found, problem, known(r), problem.game().gamma());
    }

    private static Solution hedged(
            HedgedSolution found, HedgedSolution.Problem problem, SphereResult result, double gamma) {
        var hedged = new Hedged(found.share(), problem.bound(), found.frontier());
        return new Solution(gamma, found.rule(), result, found.certificate(), 0, 0, hedged);
    }

    /** The solution of a point r that is known, certified and recovered from the data alone. */
    public static Solution again(Reduction reduction, double[] r, double gamma) {
        return refusing(() -> {
            SphereProblem problem = reduction.family().at(gamma);
            return recovered(reduction, problem, known(r), Certificate.of(problem, r));
        });
    }

    /** The same for people who differ and a point of the ordinary sphere at gamma: a new search bounds the loss of every rule. */
    public static Solution searchAgain(
            PredictionGame mixed, Reduction ordinary, double[] r, double gamma, double tolerance, Workers workers) {
        return refusing(() -> {
            LinearRule rule = MixedSolution.ruleOf(mixed, r, gamma, workers);
            double scale = ordinary.family().ungameableLoss();
            Certificate certificate = MixedSolution.check(mixed, scale, r, gamma, tolerance, workers);
            return new Solution(gamma, rule, known(r), certificate, mixed.penalty(rule), 0);
        });
    }

    private static SphereResult known(double[] r) {
        return new SphereResult(r, SphereResult.Status.CONVERGED, new SphereResult.Effort(0, 0, 0, 0), "");
    }

    /** What was declared is checked before, so what is refused are values of the data. */
    private static <T> T refusing(Supplier<T> work) {
        try {
            return work.get();
        } catch (IllegalArgumentException e) {
            throw new DataException(e.getMessage(), e);
        }
    }

    /** The points alone, on the solver's word: where a certificate would cost more than finding them and what is chosen is certified later. */
    public List<SphereResult> solve(List<SphereProblem> problems) {
        if (problems.isEmpty()) {
            return List.of();
        }
        SphereFamily family = problems.get(0).family();
        if (family.ungameableLoss() == 0) {
            // Py = 0: w = 0 loses nothing, and no loss is below 0
            double[] r = new double[family.features() + 1];
            r[family.features()] = -1;
            var nothing = new SphereResult.Effort(0, 0, 0, 0);
            var result = new SphereResult(
                    r, SphereResult.Status.CONVERGED, nothing, "the columns that nobody can change explain the target");
            return Collections.nCopies(problems.size(), result);
        }
        return solver.solveAll(problems, options, listener);
    }

    /**
     * The answer at one gamma.
     *
     * @param gamma how hard it is to move
     * @param rule in the units of the game; not finite where the certificate is not
     * @param result the point of the sphere, and why the solver stopped there
     * @param certificate what is proven of the point
     * @param penalty what the ridge has in the certificate's objective
     * @param recoverSeconds what the way back from the sphere took
     * @param hedged what bounds the loss if nobody moves; null where nothing does
     */
    public record Solution(
            double gamma,
            LinearRule rule,
            SphereResult result,
            Certificate certificate,
            double penalty,
            double recoverSeconds,
            Hedged hedged) {
        /** Where nothing bounds the loss if nobody moves. */
        public Solution(
                double gamma,
                LinearRule rule,
                SphereResult result,
                Certificate certificate,
                double penalty,
                double recoverSeconds) {
            this(gamma, rule, result, certificate, penalty, recoverSeconds, null);
        }

        /** What is lost after everybody has moved: the objective without the ridge. */
        public double loss() {
            return Math.max(0, certificate.objective() - penalty);
        }

        private Solution recoveredIn(double seconds) {
            return new Solution(gamma, rule, result, certificate, penalty, seconds, hedged);
        }
    }

    /**
     * How a rule was chosen among those that lose at most a bound if nobody moves.
     *
     * @param share theta: the rule is best for theta times the loss if nobody moves and 1 - theta times that after the move
     * @param bound the most that it may lose if nobody moves
     * @param frontier the rules that are best at other shares, from 0 to 1
     */
    public record Hedged(double share, double bound, List<HedgedSolution.Point> frontier) {
        public Hedged {
            frontier = List.copyOf(frontier);
        }
    }
}
