package stackelberg.pipeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import stackelberg.certificate.Certificate;
import stackelberg.data.DataException;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.convex.ConvexSearch;
import stackelberg.solver.limited.LimitedSearch;
import stackelberg.solver.mixed.HedgedSolution;
import stackelberg.solver.mixed.MixedSolution;
import stackelberg.solver.mixed.RangeSolution;
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

    /** Losses at two gammas that are closer, relative, are equal. */
    private static final double SAME_LOSS = 1e-9;

    private static final String LEAST = "moved to the smallest pull-through";

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
        return reduce(game, null, workers, gammas);
    }

    /** @param ranges receives the smallest and largest values of the columns in the same read; may be null */
    public static Reduction reduce(
            PredictionGame game, ColumnStatistics.Ranges ranges, Workers workers, double... gammas) {
        return requirePlayable(refusing(() -> Reduction.of(game, ranges, workers)), gammas);
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
        return new Run(solutions, (solved - start) * 1e-9, (certified - solved) * 1e-9);
    }

    /** A point, what is proven of it, and why others are as good, if there are any. */
    private record Judged(SphereResult result, Certificate certificate, Optional<Tie> tie) {}

    /**
     * The points with the smallest pull-through, where others are as good as those that were found; those that are new are certified in one pass. A plain solver's points stay as they are.
     */
    private List<Judged> leastPull(
            List<SphereProblem> problems, List<SphereResult> results, Certificate[] certificates) {
        List<Judged> judged = new ArrayList<>();
        Map<Integer, LeastPull.Point> others = new TreeMap<>();
        LeastPull least =
                problems.isEmpty() ? null : new LeastPull(problems.get(0).family(), options.tolerance());
        for (int k = 0; k < certificates.length; k++) {
            if (solver.isPlain()) {
                Optional<Tie> tie = tieAt(
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
        Certificate[] proofs = Certificate.ofAll(
                moved.stream().map(problems::get).toList(),
                others.values().stream().map(LeastPull.Point::r).toArray(double[][]::new));
        for (int c = 0; c < proofs.length; c++) {
            int k = moved.get(c);
            Certificate found = certificates[k];
            boolean settled = found.certified(options.tolerance());
            // where rounding proves neither, the losses are all that can be compared
            double most = found.objective() + TIED * Stationarity.scale(found.objective(), found.scale());
            if (proofs[c].certified(Math.min(TIED, options.tolerance())) || !settled && proofs[c].objective() <= most) {
                SphereResult from = results.get(k);
                LeastPull.Point point = others.get(k);
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
                .or(() -> certificate.better().map(r -> new LeastPull.Point(r, Tie.OTHER)));
    }

    /** Why other points are as good as r, where r is the one of them with the smallest pull-through. */
    private static Optional<Tie> tieAt(LeastPull least, SphereProblem problem, Certificate certificate, double[] r) {
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
                ? judged.certificate().attained()
                : aboutRule(judged.certificate(), rule, isTold(judged.certificate(), problem.geometry(), r));
        return new Solution(
                problem.gamma(), rule, judged.result(), certificate, penalty, 0, new Among(judged.tie(), null));
    }

    /** Whether a rule can be told from its point: next to tau = 1 what is left of a prediction is rounding, unless some rule is known to be optimal. */
    private static boolean isTold(Certificate certificate, SphereGeometry geometry, double[] r) {
        boolean believes = geometry.hasEffects() && Math.abs(geometry.kept(r)) < BELIEVES;
        return geometry.tells(r) && !(believes && certificate.finiteness() == Certificate.Finiteness.UNKNOWN);
    }

    /**
     * Where the point is believing everybody, which is no rule, and not known to be the only answer, nothing is proven of a rule.
     *
     * @param tells whether the rule can be told from the point at all
     */
    private static Certificate aboutRule(Certificate certificate, LinearRule rule, boolean tells) {
        boolean none = !tells
                || Arrays.stream(rule.w()).anyMatch(value -> !Double.isFinite(value))
                || !Double.isFinite(rule.intercept());
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
        double penalty = problem.game().penalty(found.rule());
        return new Solution(
                gamma, found.rule(), result, found.certificate(), penalty, 0, new Among(Optional.empty(), hedged));
    }

    /**
     * The solution whose worst loss, or regret, over all gammas between two is least, at its worst gamma.
     *
     * @param low the solution at the smallest gamma
     * @param high the one at the largest
     */
    public Run between(RangeSolution.Problem problem, Solution low, Solution high) {
        long start = System.nanoTime();
        RangeSolution found = refusing(() -> RangeSolution.of(problem, options, listener));
        Solution solution = between(found, problem, low, high, null);
        return new Run(List.of(solution), (System.nanoTime() - start) * 1e-9, 0);
    }

    /** The same for a point r at a gamma and a weight that are known. */
    public static Solution betweenAgain(
            RangeSolution.Problem problem,
            Solution low,
            Solution high,
            double[] r,
            double gamma,
            double weight,
            double tolerance) {
        double[] w = SphereGeometry.coefficients(r, gamma);
        RangeSolution found = refusing(() -> RangeSolution.again(problem, w, weight, tolerance));
        return between(found, problem, low, high, known(r));
    }

    /** @param known the point that it is of; null where it was just found */
    private static Solution between(
            RangeSolution found, RangeSolution.Problem problem, Solution low, Solution high, SphereResult known) {
        Between.End atLow = end(found, low, problem.game());
        Between.End atHigh = end(found, high, problem.game());
        // of two gammas that are equally bad the one at which people move more
        Between.End worst = atHigh.objective() > (1 + SAME_LOSS) * atLow.objective() ? atHigh : atLow;
        SphereResult result = known == null ? found.sphereResult(worst.gamma()) : known;
        return new Solution(
                worst.gamma(),
                found.rule(),
                result,
                found.certificate(),
                worst.penalty(),
                0,
                new Among(
                        Optional.empty(),
                        null,
                        null,
                        null,
                        new Between(atLow, atHigh, found.weight(), found.regret())));
    }

    private static Between.End end(RangeSolution found, Solution best, PredictionGame game) {
        double penalty = game.withGamma(best.gamma()).penalty(found.rule());
        double objective = best.gamma() == found.lowGamma() ? found.low() : found.high();
        return new Between.End(
                best.gamma(),
                Math.max(0, objective - penalty),
                penalty,
                best.loss(),
                best.penalty(),
                best.certificate().proof() == Certificate.Proof.PROVEN);
    }

    /**
     * The rule that descents find where people can go only so far.
     *
     * @param free the solution without limits, whose point stays what is proven
     * @param seed of rules that the search draws
     */
    public Solution limited(LimitedSearch.Problem problem, Solution free, long seed, Workers workers) {
        LimitedSearch.Found found = refusing(() -> LimitedSearch.of(problem, seed, listener, workers));
        SphereResult before = free.result();
        var effort = new SphereResult.Effort(
                before.effort().iterations() + found.effort().iterations(),
                before.effort().passes() + found.effort().passes(),
                before.effort().factorisations(),
                before.effort().factorSeconds());
        String note = (before.note().isEmpty() ? "" : before.note() + "; ") + "then descents from " + found.starts()
                + " rules under the limits";
        var result = new SphereResult(before.r(), found.status(), effort, note);
        return limited(problem.game(), found.rule(), result, free, found.starts(), workers);
    }

    /** The same for a rule that is known. */
    public static Solution limitedAgain(
            PredictionGame game, LinearRule rule, Solution free, int starts, Workers workers) {
        return refusing(() -> limited(game, rule, free.result(), free, starts, workers));
    }

    /** Of a rule under limits nothing is known but that no loss is below 0. */
    private static Solution limited(
            PredictionGame game, LinearRule rule, SphereResult result, Solution free, int starts, Workers workers) {
        double penalty = game.penalty(rule);
        double objective = game.leaderLoss(rule, workers) + penalty;
        var certificate = new Certificate(
                objective,
                new Certificate.Bound(Double.NaN, Double.NaN, Double.NaN, objective),
                Certificate.Proof.ESTIMATED,
                false,
                Certificate.Finiteness.FINITE,
                free.certificate().scale(),
                Optional.empty());
        boolean ruled = isFinite(free.rule());
        var limited = new Limited(
                free.certificate(),
                free.loss(),
                ruled ? game.leaderLoss(free.rule(), workers) : Double.NaN,
                ruled ? game.stopped(free.rule(), workers) : 0,
                game.stopped(rule, workers),
                game.earnedShare(rule, workers),
                starts);
        return new Solution(
                free.gamma(),
                rule,
                result,
                certificate,
                penalty,
                free.recoverSeconds(),
                new Among(Optional.empty(), null, limited));
    }

    /** One solution for each gamma of a game whose loss is not squared. */
    public static Run convex(
            PredictionGame game, double[] gammas, SolverOptions options, ProgressListener listener, Workers workers) {
        return refusing(() -> {
            long start = System.nanoTime();
            List<Solution> solutions = new ArrayList<>();
            List<ConvexSearch.Found> all = ConvexSearch.path(game, gammas, options, listener, workers);
            for (int k = 0; k < gammas.length; k++) {
                ConvexSearch.Found found = all.get(k);
                solutions.add(convex(
                        game.withGamma(gammas[k]), found.rule(), found.result(), found.certificate(), found.common()));
            }
            return new Run(solutions, (System.nanoTime() - start) * 1e-9, 0);
        });
    }

    /** The same for a rule that is known. */
    public static Solution convexAgain(PredictionGame game, LinearRule rule, double[] r, Workers workers) {
        return refusing(() -> convex(
                game, rule, known(r), ConvexSearch.check(game, rule, workers), ConvexSearch.isCommon(game, workers)));
    }

    private static Solution convex(
            PredictionGame game, LinearRule rule, SphereResult result, Certificate certificate, boolean common) {
        double penalty = isFinite(rule) ? game.penalty(rule) : 0;
        // a stationary point of the sphere that pushes outwards is the ball's minimum
        Convex convex = new Convex(common, certificate.multiplier() > 0);
        return new Solution(
                game.gamma(),
                rule,
                result,
                certificate,
                penalty,
                0,
                new Among(Optional.empty(), null, null, convex, null));
    }

    /** Whether it is a rule, and not believing everybody. */
    public static boolean isFinite(LinearRule rule) {
        return Arrays.stream(rule.w()).allMatch(Double::isFinite)
                && Arrays.stream(rule.q()).allMatch(Double::isFinite)
                && Double.isFinite(rule.intercept());
    }

    /**
     * The solution of a point r that is known, certified and recovered from the data alone.
     *
     * @param tolerance to which it was found
     */
    public static Solution again(Reduction reduction, double[] r, double gamma, double tolerance) {
        return refusing(() -> {
            SphereProblem problem = reduction.family().at(gamma);
            Certificate certificate = Certificate.of(problem, r);
            Optional<Tie> tie = tieAt(new LeastPull(problem.family(), tolerance), problem, certificate, r);
            return recovered(reduction, problem, new Judged(known(r), certificate, tie));
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
                    <= loss + TIED * Stationarity.scale(loss, asked.get(c).ungameableLoss())) {
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
        if (family.ungameableLoss() == 0 && !solver.isPlain()) {
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

    /**
     * Why other rules are as good as one, which is the one of them with the smallest pull-through.
     *
     * @param kind what the wishes are
     * @param factor the rule's coefficients over those of least squares; not a number where they are no multiple
     */
    public record Tie(Kind kind, double factor) {
        static final Tie OTHER = new Tie(Kind.OTHER, Double.NaN);

        /** Numbers from data that are closer are the same. */
        private static final double SAME = 1e-6;

        /** What the wishes are, but for what the columns explain that nobody can change. */
        public enum Kind {
            /** What least squares predicts. */
            TODAY,
            /** A multiple of it. */
            MULTIPLE,
            /** The same for everybody. */
            ONE_WISH,
            /** Another combination of the features. */
            LINEAR,
            /** Not what makes the rules equal. */
            OTHER
        }

        /**
         * @param k the wishes over what least squares predicts; not a number where they are no multiple of it
         * @param t the pull-through
         */
        static Tie of(double k, double t) {
            Kind kind = Double.isNaN(k)
                    ? Kind.LINEAR
                    : Math.abs(k) <= SAME ? Kind.ONE_WISH : Math.abs(k - 1) <= SAME ? Kind.TODAY : Kind.MULTIPLE;
            return new Tie(kind, kind == Kind.TODAY ? 1 : (1 - k * t) / (1 - t));
        }
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
     * @param among how the rule stands among others
     */
    public record Solution(
            double gamma,
            LinearRule rule,
            SphereResult result,
            Certificate certificate,
            double penalty,
            double recoverSeconds,
            Among among) {
        /** Where nothing is known of other rules, and nothing bounds the loss if nobody moves. */
        public Solution(
                double gamma,
                LinearRule rule,
                SphereResult result,
                Certificate certificate,
                double penalty,
                double recoverSeconds) {
            this(gamma, rule, result, certificate, penalty, recoverSeconds, new Among(Optional.empty(), null));
        }

        /** What is lost after everybody has moved: the objective without the ridge. */
        public double loss() {
            return Math.max(0, certificate.objective() - penalty);
        }

        /** Why others are as good, where they are known. */
        public Optional<Tie> tie() {
            return among.tie;
        }

        /** What bounds the loss if nobody moves; null where nothing does. */
        public Hedged hedged() {
            return among.hedged;
        }

        /** What became of the rule that is best without limits; null where none are declared. */
        public Limited limited() {
            return among.limited;
        }

        /** What is known of a game whose loss is not squared; null where it is. */
        public Convex convex() {
            return among.convex;
        }

        /** What the rule loses at both ends of an interval of gammas; null where gamma is known. */
        public Between between() {
            return among.between;
        }

        /**
         * The same where the rule in its own digits loses something else than its point, as it may next to tau = 1 where moves are real: the loss is the rule's, and the gap to the best as much
         * larger.
         */
        public Solution losing(double ruleLoss) {
            double worse = ruleLoss - loss();
            if (!(Math.abs(worse) > SAME_LOSS * Stationarity.scale(certificate.objective(), certificate.scale()))) {
                return this;
            }
            Certificate own = certificate.worseBy(worse);
            return new Solution(gamma, rule, result, own, penalty, recoverSeconds, among);
        }

        private Solution recoveredIn(double seconds) {
            return new Solution(gamma, rule, result, certificate, penalty, seconds, among);
        }
    }

    /**
     * How a rule stands among others.
     *
     * @param tie why others are as good, where they are known
     * @param hedged what bounds the loss if nobody moves; null where nothing does
     * @param limited what became of the rule that is best without limits; null where none are declared
     * @param convex what is known of a game whose loss is not squared; null where it is
     * @param between what it loses at both ends of an interval of gammas; null where gamma is known
     */
    public record Among(Optional<Tie> tie, Hedged hedged, Limited limited, Convex convex, Between between) {
        /** By squared loss, at a gamma that is known. */
        public Among(Optional<Tie> tie, Hedged hedged, Limited limited) {
            this(tie, hedged, limited, null, null);
        }

        /** Without limits. */
        public Among(Optional<Tie> tie, Hedged hedged) {
            this(tie, hedged, null);
        }
    }

    /**
     * What is known of a game whose loss is not squared.
     *
     * @param common whether everybody wishes for the same, but for what nobody can change
     * @param active whether the best point of the ball is on its surface, where the rules are, or as good as one there
     */
    public record Convex(boolean common, boolean active) {}

    /**
     * What a rule loses at both ends of an interval of gammas, and what the best rules of these would.
     *
     * @param low the smallest gamma
     * @param high the largest
     * @param weight theta: among rules as large this one is best for theta times the loss at the smallest gamma and 1 - theta times that at the largest
     * @param regret the largest regret over the interval; null where losses are compared
     */
    public record Between(End low, End high, double weight, RangeSolution.Regret regret) {
        /**
         * One end.
         *
         * @param loss what the rule loses after the move
         * @param penalty what a ridge adds
         * @param best what the best rule of this gamma loses
         * @param bestPenalty what a ridge adds to that
         * @param proven whether it is proven to be the best
         */
        public record End(double gamma, double loss, double penalty, double best, double bestPenalty, boolean proven) {
            /** What is minimised. */
            public double objective() {
                return loss + penalty;
            }

            /** What not knowing gamma costs here. */
            public double regret() {
                return Math.max(0, loss + penalty - best - bestPenalty);
            }
        }
    }

    /**
     * What became of the rule that is best without limits.
     *
     * @param unlimited what is proven of it, in the game without limits
     * @param promised what it would lose after the move there
     * @param real what it loses under the limits; not a number where there is no such rule
     * @param heldBefore people whom a limit holds back under it
     * @param held people whom a limit holds back under the rule that was found instead
     * @param earned the part of the gap that the truth closes under it, on average over the people; 0 where moves do nothing to it
     * @param starts rules that descents began at
     */
    public record Limited(
            Certificate unlimited, double promised, double real, int heldBefore, int held, double earned, int starts) {}

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
