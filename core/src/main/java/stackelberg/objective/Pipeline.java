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
 * reduce, solve, certify, recover: the one way from a game to rules, for one gamma or many, on rows at hand, sums or rows elsewhere.
 *
 * @param solver who minimises on the sphere
 * @param options the tolerance and the iterations it is given
 * @param listener watches it and may stop it
 */
public record Pipeline(SphereSolver solver, SolverOptions options, ProgressListener listener) {
    /** Rules whose losses are closer than this, relative, are equally good, whatever tolerance was asked for. */
    private static final double TIED = 1e-9;

    /** What is left of a prediction where nearly everybody is believed. */
    private static final double BELIEVES = 1e-6;

    /** A point whose last entry is as near to that of the least pull is that point. */
    private static final double SAME_PULL = 1e-6;

    private static final String LEAST = "moved to the smallest pull-through";

    public Pipeline(SphereSolver solver, SolverOptions options) {
        this(solver, options, ProgressListener.NONE);
    }

    /** The game on the sphere, at gammas it can be played at; what was declared is checked before, so what it refuses are values of the data. */
    public static Reduction reduce(PredictionGame game, Workers workers, double... gammas) {
        return reduce(game, null, workers, gammas);
    }

    /** @param ranges receives the smallest and largest values of the columns in the same read; may be null */
    public static Reduction reduce(
            PredictionGame game, ColumnStatistics.@Nullable Ranges ranges, Workers workers, double... gammas) {
        return requirePlayable(PreparedGame.refusing(() -> Reduction.of(game, ranges, workers)), gammas);
    }

    /** The same reduction, at gammas that it must be playable at. */
    public static Reduction requirePlayable(Reduction reduction, double... gammas) {
        return PreparedGame.refusing(() -> {
            for (double gamma : gammas) {
                reduction.family().at(gamma);
            }
            return reduction;
        });
    }

    /** One certified solution for each gamma: from one basis or decomposition where the solver can, and all certificates from one pass. */
    public Solution.Run run(Reduction reduction, double... gammas) {
        return run(reduction, reduction.family().at(gammas));
    }

    /** The same for problems of this reduction's data at any gammas and ridges. */
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
     * The same for a game with a hedge, of which only the reduction is known.
     *
     * @param weight the sum of the weights of all rows
     */
    public Solution.Run run(Reduction reduction, Hedge hedge, double weight, double... gammas) {
        return hedge.isNone()
                ? run(reduction, gammas)
                : ProgramObjective.hedged(this, reduction, hedge, weight, gammas);
    }

    /** A point, what is proven of it, and why others are as good, if there are any. */
    private record Judged(SphereResult result, Certificate certificate, Optional<Solution.Tie> tie) {}

    /**
     * The points with the smallest pull-through, where others are as good as those that were found; those that are new are certified in one pass. A plain solver's points stay as they are.
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
            // where rounding proves neither, the losses are all that can be compared
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

    /** Always where moves do nothing to the target, because such a point has the smallest pull-through; else omega tells. */
    private static boolean isLessPulled(SphereProblem problem, double[] r, double[] found) {
        SphereGeometry geometry = problem.geometry();
        // what was found may be no rule at all, or the point itself
        return !geometry.hasEffects() || !(geometry.omega(r) > (1 + SAME_PULL) * geometry.omega(found));
    }

    /** A point that may be as good as one with this certificate, and less pulled. */
    private static Optional<LeastPull.Point> other(LeastPull least, SphereProblem problem, Certificate certificate) {
        if (!certificate.finite() || certificate.proof() == Certificate.Proof.REFUTED) {
            return Optional.empty();
        }
        return least.insteadOf(problem, certificate.bound(), certificate.objective())
                .or(() -> certificate.better().map(r -> new LeastPull.Point(r, Solution.Tie.OTHER)));
    }

    /** Why other points are as good as r, where r is the one of them with the smallest pull-through. */
    private static Optional<Solution.Tie> tieAt(
            LeastPull least, SphereProblem problem, Certificate certificate, double[] r) {
        return other(least, problem, certificate)
                .filter(point -> Math.abs(point.r()[r.length - 1] - r[r.length - 1]) <= SAME_PULL)
                .map(LeastPull.Point::tie);
    }

    private static Solution recovered(Reduction reduction, SphereProblem problem, Judged judged) {
        double[] found = judged.result().r();
        // on a sphere that is far larger than the rule the last bit of r matters, and f is that of the unit vector
        double[] r = problem.geometry().hasEffects() ? Certificate.unit(found) : found;
        double penalty = problem.penalty(r);
        LinearRule rule = reduction.recover(r, problem.gamma());
        Certificate certificate = reduction.isAttained(r, problem.gamma())
                ? judged.certificate().withFiniteRule()
                : aboutRule(judged.certificate(), rule, isTold(judged.certificate(), problem.geometry(), r));
        List<Solution.Detail> details = List.copyOf(judged.tie().stream().toList());
        return new Solution(problem.gamma(), rule, judged.result(), certificate, penalty, 0, details);
    }

    /** Whether a rule can be told from its point: next to tau = 1 what is left of a prediction is rounding, unless some rule is known to be optimal. */
    private static boolean isTold(Certificate certificate, SphereGeometry geometry, double[] r) {
        boolean believes = geometry.hasEffects() && Math.abs(geometry.oneMinusTau(r)) < BELIEVES;
        return geometry.recoversReliably(r)
                && !(believes && certificate.finiteness() == Certificate.Finiteness.UNKNOWN);
    }

    /**
     * Where the point is believing everybody, which is no rule, and not known to be the only answer, nothing is proven of a rule.
     *
     * @param tells whether the rule can be told from the point at all
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
     * The solution of a point r that is known, certified and recovered from the data alone.
     *
     * @param tolerance to which it was found
     */
    public static Solution again(Reduction reduction, double[] r, double gamma, double tolerance) {
        return PreparedGame.refusing(() -> {
            SphereProblem problem = reduction.family().at(gamma);
            Certificate certificate = Certificate.of(problem, r);
            Optional<Solution.Tie> tie = tieAt(new LeastPull(problem.family(), tolerance), problem, certificate, r);
            return recovered(reduction, problem, new Judged(Solution.known(r), certificate, tie));
        });
    }

    /** The points alone, on the solver's word: where a certificate would cost more than finding them and what is chosen is certified later. */
    public List<SphereResult> solve(List<SphereProblem> problems) {
        List<SphereResult> results = solved(problems);
        return problems.isEmpty() || solver.isPlain() ? results : leastPull(problems, results);
    }

    /**
     * The points with the smallest pull-through on the word of the data. A linear wish can be undone from some gamma on and without a ridge only, so that the problem
     * with the largest gamma of those with the smallest ridge tells in one pass with one vector that no other needs to be looked at; where moves really change the target, all are looked at.
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

    /** By index, the points that are as good as those found and less pulled, for linear wishes. */
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
            // of the curvature nothing needs to be known for these
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

    private List<SphereResult> solved(List<SphereProblem> problems) {
        if (problems.isEmpty()) {
            return List.of();
        }
        SphereFamily family = problems.get(0).family();
        if (family.zeroRuleLoss() == 0 && !solver.isPlain()) {
            // Py = 0: w = 0 loses nothing, and no loss is below 0
            double[] none = new double[family.features()];
            var nothing = new SphereResult.Effort(0, 0, 0, 0);
            return problems.stream()
                    .map(problem -> new SphereResult(
                            problem.geometry().point(none),
                            SphereResult.Status.CONVERGED,
                            nothing,
                            "the columns that nobody can change explain the target"))
                    .toList();
        }
        return solver.solveAll(problems, options, listener);
    }
}
