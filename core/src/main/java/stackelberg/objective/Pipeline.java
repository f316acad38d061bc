package stackelberg.objective;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import stackelberg.certificate.Certificate;
import stackelberg.game.Hedge;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereGeometry;
import stackelberg.sphere.SphereProblem;
import stackelberg.sphere.SphereProblem.Evaluation;
import stackelberg.sphere.SphereProblem.Stationarity;

/**
 * The pipeline reduce, solve, certify, recover from a game to its rules: for one gamma or many, with rows in memory,
 * rows on other machines, or sums over rows.
 *
 * @param solver the solver on the sphere
 * @param options its tolerance and iteration limit
 * @param listener receives its progress and may stop it
 */
public record Pipeline(SphereSolver solver, SolverOptions options, ProgressListener listener) {
    /** Rules whose losses differ by less than this, relative, count as equally good, whatever the tolerance. */
    private static final double TIED = 1e-9;

    /** A rule whose 1 - tau is below this is close to the limit point. */
    private static final double NEAR_LIMIT = 1e-6;

    /** A point whose last entry is within this distance of that of the least pull counts as that point. */
    private static final double SAME_PULL = 1e-6;

    private static final String LEAST = "moved to the smallest pull-through";

    public Pipeline(SphereSolver solver, SolverOptions options) {
        this(solver, options, ProgressListener.NONE);
    }

    /**
     * Reduces the game to the sphere and checks that it can be played at these gammas. The declaration has been checked
     * before, so an exception is due to values in the data.
     */
    public static Reduction reduce(PredictionGame game, Workers workers, double... gammas) {
        return reduce(game, null, workers, gammas);
    }

    /**
     * @param ranges receives the smallest and largest values of the columns in the same pass; may be null
     */
    public static Reduction reduce(
            PredictionGame game, ColumnStatistics.@Nullable Ranges ranges, Workers workers, double... gammas) {
        return requirePlayable(PreparedGame.refusing(() -> Reduction.of(game, ranges, workers)), gammas);
    }

    /** Returns the reduction after checking that the game can be played at these gammas. */
    public static Reduction requirePlayable(Reduction reduction, double... gammas) {
        return PreparedGame.refusing(() -> {
            for (double gamma : gammas) {
                reduction.family().at(gamma);
            }
            return reduction;
        });
    }

    /**
     * Returns one certified solution per gamma, from one basis or decomposition if the solver can share it; all
     * certificates come from one pass.
     */
    public Solution.Run run(Reduction reduction, double... gammas) {
        return run(reduction, reduction.family().at(gammas));
    }

    /** Returns certified solutions of problems on this reduction's data, with any gammas and ridges. */
    public Solution.Run run(Reduction reduction, List<SphereProblem> problems) {
        long start = System.nanoTime();
        List<SphereResult> results = solved(problems);
        long solved = System.nanoTime();
        double[][] points = results.stream().map(SphereResult::r).toArray(double[][]::new);
        List<Judged> judged = leastPull(problems, results, Certificate.ofAll(problems, points));
        long certified = System.nanoTime();
        List<Solution> solutions = new ArrayList<>();
        for (int k = 0; k < points.length; k++) {
            long before = System.nanoTime();
            Solution solution = recovered(reduction, problems.get(k), judged.get(k));
            double seconds = (System.nanoTime() - before) * 1e-9;
            solutions.add(solution.recoveredIn(seconds));
        }
        return new Solution.Run(solutions, solver.name(), (solved - start) * 1e-9, (certified - solved) * 1e-9);
    }

    /**
     * Returns certified solutions of a game with a hedge, from the reduction alone.
     *
     * @param weight the sum of the weights of all rows
     */
    public Solution.Run run(Reduction reduction, Hedge hedge, double weight, double... gammas) {
        return hedge.isNone()
                ? run(reduction, gammas)
                : ProgramObjective.hedged(this, reduction, hedge, weight, gammas);
    }

    /** A point with its certificate and, if other points are as good, the reason. */
    private record Judged(SphereResult result, Certificate certificate, Optional<Solution.Tie> tie) {}

    /**
     * Replaces points by those with the smallest pull-through, if several are equally good; new points are certified in
     * one pass. The points of a published solver are not changed.
     */
    private List<Judged> leastPull(
            List<SphereProblem> problems, List<SphereResult> results, Certificate[] certificates) {
        List<Judged> judged = new ArrayList<>();
        Map<Integer, LeastPull.Point> others = new TreeMap<>();
        if (problems.isEmpty()) {
            return judged;
        }
        LeastPull least = new LeastPull(problems.get(0).family(), options.tolerance());
        for (int k = 0; k < certificates.length; k++) {
            if (solver.isPlain()) {
                Optional<Solution.Tie> tie = tieAt(
                        least, problems.get(k), certificates[k], results.get(k).r());
                judged.add(new Judged(results.get(k), certificates[k], tie));
                continue;
            }
            judged.add(new Judged(results.get(k), certificates[k], Optional.empty()));
            int index = k;
            other(least, problems.get(k), certificates[k])
                    .filter(point -> isLessPulled(
                            problems.get(index), point.r(), results.get(index).r()))
                    .ifPresent(point -> others.put(index, point));
        }
        List<Integer> moved = List.copyOf(others.keySet());
        List<LeastPull.Point> instead = List.copyOf(others.values());
        Certificate[] proofs = Certificate.ofAll(
                moved.stream().map(problems::get).toList(),
                instead.stream().map(LeastPull.Point::r).toArray(double[][]::new));
        for (int c = 0; c < proofs.length; c++) {
            int k = moved.get(c);
            Certificate found = certificates[k];
            boolean settled = found.certified(options.tolerance());
            // if rounding prevents a proof of either, only the losses can be compared
            double most = found.objective() + TIED * Stationarity.scale(found.objective(), found.scale());
            if (proofs[c].certified(Math.min(TIED, options.tolerance())) || !settled && proofs[c].objective() <= most) {
                SphereResult from = results.get(k);
                LeastPull.Point point = instead.get(c);
                String note = from.note().isEmpty() ? LEAST : from.note() + "; " + LEAST;
                judged.set(
                        k,
                        new Judged(
                                new SphereResult(point.r(), from.status(), from.effort(), note),
                                proofs[c],
                                Optional.of(point.tie())));
            }
        }
        return judged;
    }

    /**
     * Returns whether r has a smaller pull-through than the point found: always true without effects, since such a
     * point is the one of least pull; with effects omega decides.
     */
    private static boolean isLessPulled(SphereProblem problem, double[] r, double[] found) {
        SphereGeometry geometry = problem.geometry();
        // the point found may belong to no finite rule, or be the same
        return !geometry.hasEffects() || !(geometry.omega(r) > (1 + SAME_PULL) * geometry.omega(found));
    }

    /** Returns a point that may be as good as one with this certificate and has a smaller pull-through. */
    private static Optional<LeastPull.Point> other(LeastPull least, SphereProblem problem, Certificate certificate) {
        if (!certificate.finite() || certificate.proof() == Certificate.Proof.REFUTED) {
            return Optional.empty();
        }
        return least.insteadOf(problem, certificate.bound(), certificate.objective())
                .or(() -> certificate.better().map(r -> new LeastPull.Point(r, Solution.Tie.OTHER)));
    }

    /** Returns why other points are as good as r, if r is the one of them with the smallest pull-through. */
    private static Optional<Solution.Tie> tieAt(
            LeastPull least, SphereProblem problem, Certificate certificate, double[] r) {
        return other(least, problem, certificate)
                .filter(point -> Math.abs(point.r()[r.length - 1] - r[r.length - 1]) <= SAME_PULL)
                .map(LeastPull.Point::tie);
    }

    private static Solution recovered(Reduction reduction, SphereProblem problem, Judged judged) {
        double[] found = judged.result().r();
        // on a sphere far larger than the rule, the last bit of r matters; f is evaluated at the unit vector
        double[] r = problem.geometry().hasEffects() ? Certificate.unit(found) : found;
        double penalty = problem.penalty(r);
        LinearRule rule = reduction.recover(r, problem.gamma());
        Certificate certificate = reduction.isAttained(r, problem.gamma())
                ? judged.certificate().withFiniteRule()
                : aboutRule(judged.certificate(), rule, recoversReliably(judged.certificate(), problem.geometry(), r));
        List<Solution.Detail> details = List.copyOf(judged.tie().stream().toList());
        return new Solution(problem.gamma(), rule, judged.result(), certificate, penalty, 0, details);
    }

    /**
     * Returns whether the rule can be recovered reliably from its point: near tau = 1 the remaining prediction is
     * rounding, unless a finite rule is known to be optimal.
     */
    private static boolean recoversReliably(Certificate certificate, SphereGeometry geometry, double[] r) {
        boolean nearLimit = geometry.hasEffects() && Math.abs(geometry.oneMinusTau(r)) < NEAR_LIMIT;
        return geometry.recoversReliably(r)
                && !(nearLimit && certificate.finiteness() == Certificate.Finiteness.UNKNOWN);
    }

    /**
     * Downgrades a proof to an estimate if the point is a limit point, which is not a rule, and is not known to be the
     * only optimum.
     *
     * @param tells whether the rule can be recovered from the point
     */
    private static Certificate aboutRule(Certificate certificate, LinearRule rule, boolean tells) {
        boolean none = !tells || !rule.isFinite();
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
     * Returns the solution of a known point r, certified and recovered from the data alone.
     *
     * @param tolerance the relative gap to which it was found
     */
    public static Solution recheck(Reduction reduction, double[] r, double gamma, double tolerance) {
        return PreparedGame.refusing(() -> {
            SphereProblem problem = reduction.family().at(gamma);
            Certificate certificate = Certificate.of(problem, r);
            Optional<Solution.Tie> tie = tieAt(new LeastPull(problem.family(), tolerance), problem, certificate, r);
            return recovered(reduction, problem, new Judged(Solution.known(r), certificate, tie));
        });
    }

    /**
     * Returns points without certificates, on the solver's own convergence test: for callers for whom certificates
     * would cost too much and who certify the chosen rule later.
     */
    public List<SphereResult> solve(List<SphereProblem> problems) {
        List<SphereResult> results = solved(problems);
        return problems.isEmpty() || solver.isPlain() ? results : leastPull(problems, results);
    }

    /**
     * Replaces points by those with the smallest pull-through. Without effects, a linear wish can be cancelled only
     * without a ridge and from some gamma on; so if the problem with the largest gamma among those with the smallest
     * ridge has no such point, which takes one pass with one vector to find out, no other has. With effects all
     * problems are examined.
     */
    private List<SphereResult> leastPull(List<SphereProblem> problems, List<SphereResult> results) {
        LeastPull least = new LeastPull(problems.get(0).family(), options.tolerance());
        List<Integer> all = IntStream.range(0, problems.size()).boxed().toList();
        Integer telling = Collections.max(
                all,
                Comparator.<Integer>comparingDouble(
                                k -> -problems.get(k).family().ridge())
                        .thenComparingDouble(k -> problems.get(k).gamma()));
        boolean real = problems.get(0).geometry().hasEffects();
        if (!real && others(least, problems, results, List.of(telling)).isEmpty()) {
            return results;
        }
        List<SphereResult> taken = new ArrayList<>(results);
        others(least, problems, results, all).forEach((k, r) -> {
            SphereResult from = results.get(k);
            taken.set(k, new SphereResult(r, from.status(), from.effort(), from.note()));
        });
        return taken;
    }

    /** Returns, by index, points that are as good as those found and have a smaller pull-through, for linear wishes. */
    private static Map<Integer, double[]> others(
            LeastPull least, List<SphereProblem> problems, List<SphereResult> results, List<Integer> which) {
        List<SphereProblem> asked = which.stream().map(problems::get).toList();
        SphereFamily family = asked.get(0).family();
        double[][] points = which.stream().map(k -> results.get(k).r()).toArray(double[][]::new);
        Evaluation[] at = family.evaluate(asked, points);
        Map<Integer, double[]> others = new TreeMap<>();
        for (int c = 0; c < points.length; c++) {
            SphereProblem problem = asked.get(c);
            Stationarity here = Stationarity.of(points[c], at[c]);
            double residual = here.residual() + problem.gradientRounding(points[c]) + at[c].neglected();
            // the curvature is not needed here
            var bound = new Certificate.Bound(here.multiplier(), residual, Double.POSITIVE_INFINITY, Double.NaN);
            int place = c;
            least.insteadOf(problem, bound, at[c].objective())
                    .filter(point -> isLessPulled(problem, point.r(), points[place]))
                    .ifPresent(point -> others.put(place, point.r()));
        }
        if (others.isEmpty()) {
            return others;
        }
        List<Integer> places = List.copyOf(others.keySet());
        Evaluation[] there = family.evaluate(
                places.stream().map(asked::get).toList(), others.values().toArray(double[][]::new));
        Map<Integer, double[]> asGood = new TreeMap<>();
        for (int k = 0; k < there.length; k++) {
            int c = places.get(k);
            double loss = at[c].objective();
            if (there[k].objective()
                    <= loss + TIED * Stationarity.scale(loss, asked.get(c).zeroRuleLoss())) {
                asGood.put(which.get(c), others.get(c));
            }
        }
        return asGood;
    }

    /** Solves the problems; if the rule w = 0 has no loss, it is the solution and no solver runs. */
    private List<SphereResult> solved(List<SphereProblem> problems) {
        if (problems.isEmpty()) {
            return List.of();
        }
        SphereFamily family = problems.get(0).family();
        if (family.zeroRuleLoss() == 0 && !solver.isPlain()) {
            // Py = 0: w = 0 has no loss, and no loss is below 0
            double[] none = new double[family.features()];
            var nothing = new SphereResult.Effort(0, 0, 0, 0);
            return problems.stream()
                    .map(problem -> new SphereResult(
                            problem.geometry().point(none),
                            SphereResult.Status.CONVERGED,
                            nothing,
                            "the immutable columns explain the target"))
                    .toList();
        }
        return solver.solveAll(problems, options, listener);
    }
}
