package stackelberg.model.tuning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import stackelberg.certificate.Certificate;
import stackelberg.data.DataException;
import stackelberg.data.Message;
import stackelberg.data.Table;
import stackelberg.estimate.Moments;
import stackelberg.game.GameSpec;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.game.Settings;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.model.tuning.FoldedSample.Fold;
import stackelberg.objective.Objective;
import stackelberg.objective.Pipeline;
import stackelberg.objective.PreparedGame;
import stackelberg.objective.Solution;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SphereResult;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereGeometry;

/**
 * A loop over folds: takes the game of a fold's training rows, finds the rule of every candidate, and predicts the
 * held-out rows.
 *
 * <p>With squared loss the candidates are problems on one sphere family: from sums of products if there are few columns
 * ({@link FoldSums}), otherwise from rows by any sphere solver. Any other objective searches for each rule.
 */
final class CrossValidation {
    /** The decline of the residual, as a power of e, at which a solver's progress counts as complete: 1e-10. */
    private static final double DECLINE = 23;

    /** The work of reading the columns and of predicting the held-out rows, relative to that of solving from rows. */
    private static final double READ = 0.2;

    private static final double PREDICT = 0.1;

    /** The largest number of held-out predictions stored. */
    private static final long MOST_KEPT = 1L << 27;

    private final FoldedSample data;
    private final Candidates candidates;
    private final Pipeline pipeline;
    private final Workers workers;
    private final Workers alone = Workers.of(1);
    private final Objective objective;
    /** Null if the folds are solved from their rows. */
    private final @Nullable FoldSums sums;

    /** The number of passes over the data that solving the folds from their rows took. */
    private final AtomicInteger passes = new AtomicInteger();

    private final TuningProgress.Work work;
    private final TuningProgress progress;

    private CrossValidation(
            FoldedSample data,
            Candidates candidates,
            Pipeline pipeline,
            Workers workers,
            boolean bySums,
            Tuning.Listener listener) {
        this.data = data;
        this.candidates = candidates;
        this.pipeline = pipeline;
        this.workers = workers;
        this.objective = Objective.of(data.spec());
        int count = data.folds().count();
        this.sums = bySums && isSphere() && data.isShared() && FoldSums.suit(data.columns(), data.folds())
                ? new FoldSums(data)
                : null;
        this.work = sums != null
                ? sums.work(candidates.count())
                : new TuningProgress.Work(READ * count, 0, 1, PREDICT * count);
        this.progress = new TuningProgress(listener, work, count);
    }

    /**
     * Cross-validates every gamma of the plan.
     *
     * @param bySums whether sums of products may be used where they are faster
     */
    static Tuning of(
            GameSpec spec,
            Table table,
            Tuning.Plan plan,
            Pipeline pipeline,
            Workers workers,
            Tuning.Listener listener,
            boolean bySums) {
        requireTunable(spec);
        for (double ridge : plan.ridges()) {
            // refuses combinations that are not supported before anything is read
            spec.toBuilder().ridge(ridge).build();
        }
        if (!listener.onProgress("reading the columns", 0)) {
            throw new CancellationException("The tuning was stopped by its listener before it began.");
        }
        FoldedSample data = FoldedSample.of(spec, table, plan, workers);
        try {
            Candidates candidates = candidates(plan, data);
            return new CrossValidation(data, candidates, pipeline, workers, bySums, listener).run();
        } catch (IllegalArgumentException e) {
            // the settings have been checked, so what fails now is due to values in the data
            throw DataException.because(e);
        }
    }

    /** Throws, naming the setting, if the game is not supported by cross-validation. */
    static GameSpec requireTunable(GameSpec spec) {
        if (spec.rowGamma() != null) {
            throw Message.Refused.of(
                    "tuning-with-row-gamma",
                    "Cross-validation chooses one gamma, but each row has its own in column '{}' ({}).\n"
                            + "Maybe leave it out here, or fit the model as it is.",
                    spec.rowGamma(),
                    Settings.ROW_GAMMA.any());
        }
        if (spec.between() != null) {
            throw Message.Refused.of(
                    "tuning-with-gamma-between",
                    "Cross-validation chooses one gamma, but a range of gammas is declared ({}).\n"
                            + "Maybe leave it out here, or fit the model as it is.",
                    Settings.GAMMA_BETWEEN.any());
        }
        if (!spec.limits().none()) {
            throw Message.Refused.of(
                    "tuning-with-limit",
                    "Cross-validation does not support limits ({}, {}).\n"
                            + "Maybe leave them out here, and fit with them at the gamma that is chosen.",
                    Settings.LIMIT.any(),
                    Settings.ONE_SIDED.any());
        }
        return spec;
    }

    /**
     * Returns the candidates. Shares are converted to gammas by today's rule of all rows; each fold then scales them by
     * its own today's rule.
     */
    private static Candidates candidates(Tuning.Plan plan, FoldedSample data) {
        GameSpec spec = data.spec();
        double[] gammas = plan.gammas();
        if (plan.shares()) {
            Arrays.setAll(gammas, j -> data.omega() * (1 - gammas[j]) / gammas[j]);
        }
        Candidates all = Candidates.of(gammas, plan.ridges().length == 0 ? new double[] {spec.ridge()} : plan.ridges());
        long kept = (long) data.y().length * all.count();
        if (!spec.loss().isSquared() && kept > MOST_KEPT) {
            throw DataException.of(
                    "too-many-predictions",
                    "Cross-validation by the loss {} stores a prediction of every rule for every row: {} of them, but the most is {}.\n"
                            + "Maybe try fewer gammas or ridges, or fewer rows.",
                    spec.loss(),
                    kept,
                    MOST_KEPT);
        }
        return all;
    }

    /** Returns whether the game of a fold is one problem on the sphere. */
    private boolean isSphere() {
        GameSpec spec = data.spec();
        return spec.loss().isSquared() && !spec.mixed() && !spec.isHedged();
    }

    private Tuning run() {
        if (sums != null) {
            return bySums(sums);
        }
        String folds = " each of " + data.folds().count() + " folds";
        if (isSphere()) {
            String name = pipeline.solver().name();
            return loop(
                    workers::run,
                    this::fromRows,
                    () -> name + " on the rows of" + folds + ", " + passes + " passes over the data");
        }
        boolean hedged = data.spec().isHedged();
        String method = !data.spec().loss().isSquared()
                ? (hedged ? "a search among hedged rules for each gamma" : "a path of all gammas") + " by the loss "
                        + data.spec().loss() + " for" + folds
                : "one decomposition for" + folds + ", and a search among "
                        + (hedged ? "hedged rules" : "mixed populations") + " for each gamma";
        return loop(workers::run, this::searched, () -> method);
    }

    /** Runs a task for each fold, several at the same time. */
    private interface Runner {
        void run(int folds, IntConsumer task);
    }

    /** Finds the rules of one fold. */
    private interface Solver {
        FoldRules of(Fold fold);
    }

    /**
     * Solves every fold and predicts its held-out rows: from rows at once, so that its rules need not be kept, from sums
     * after all folds, in one pass over the data.
     */
    private Tuning loop(Runner runner, Solver solver, Supplier<String> method) {
        int count = data.folds().count();
        FoldRules[] rules = new FoldRules[count];
        HeldOut[][] each = new HeldOut[count][];
        int[] unsettled = new int[count];
        double[] stretch = new double[count];
        runner.run(count, f -> {
            Fold fold = data.fold(f);
            FoldRules found = solver.of(fold);
            stretch[f] = fold.stretch();
            unsettled[f] = found.unsettled();
            if (sums != null) {
                rules[f] = found;
            } else {
                each[f] = heldOut(List.of(found), alone, 1.0 / count)[0];
            }
        });
        HeldOut[][] heldOut = sums == null ? each : heldOut(Arrays.asList(rules), workers, 1);
        progress.finish();
        return finished(heldOut, stretch, Arrays.stream(unsettled).sum(), method.get());
    }

    private HeldOut[][] heldOut(List<FoldRules> rules, Workers own, double share) {
        return FoldRules.heldOut(
                data, rules, own, part -> progress.advance("predicting the held-out", work.predict() * share * part));
    }

    /** Makes the result, with warnings about rules that are not known to be optimal, or not finite. */
    private Tuning finished(HeldOut[][] heldOut, double[] stretch, int unsettled, String method) {
        List<Message> warnings = new ArrayList<>(data.messages());
        int all = heldOut.length * candidates.count();
        long unbounded = Arrays.stream(heldOut)
                .flatMap(Arrays::stream)
                .filter(each -> each.place().isUnbounded())
                .count();
        if (unsettled > 0) {
            warnings.add(Message.of(
                    "rules-not-optimal",
                    "{} of the {} rules are not known to be optimal to the tolerance.",
                    unsettled,
                    all));
        }
        if (unbounded > 0) {
            warnings.add(Message.of(
                    "rules-unbounded",
                    "With {} of the {} rules people get the score they want, so that there may be no finite equilibrium. Maybe say"
                            + " how uncertain the wishes are with {}.",
                    unbounded,
                    all,
                    Message.Choice.any("wishNoise")));
        }
        return new Tuning(candidates, heldOut, stretch, data, method, unsettled == 0 && unbounded == 0, warnings);
    }

    /** Solves every fold from sums; a fold whose sums have lost too many digits is solved from its rows. */
    private Tuning bySums(FoldSums of) {
        List<Moments> moments = of.read(workers, part -> progress.advance("adding up the folds", work.add() * part));
        AtomicInteger lost = new AtomicInteger();
        Runner some = (count, task) -> {
            for (int first = 0; first < count; first += of.together()) {
                int from = first;
                workers.run(Math.min(of.together(), count - first), k -> task.accept(from + k));
            }
        };
        Solver solver = fold -> {
            Optional<Reduction> reduced = of.reduction(fold, moments);
            if (reduced.isEmpty()) {
                lost.incrementAndGet();
                return fromRows(fold);
            }
            FoldRules rules = certified(fold, reduced.get(), of.level());
            progress.advance("solving the folds", work.solve());
            return rules;
        };
        return loop(
                some,
                solver,
                () -> "sums of products of " + data.columns().cols()
                        + " columns, formed once per fold and added"
                        + (lost.get() == 0 ? "" : "; " + lost + " folds from their rows"));
    }

    /** Solves one fold from its sums. */
    private FoldRules certified(Fold fold, Reduction reduction, double level) {
        Candidates own = candidates.stretched(fold.stretch());
        List<Solution> solutions = new Pipeline(new DirectSolver(alone), pipeline.options())
                .run(reduction, own.problems(reduction.family(), data.trainingWeight(fold.number())))
                .solutions();
        int proven = (int) solutions.stream().filter(this::isProven).count();
        FoldRules rules = onSphere(
                fold, reduction, solutions.stream().map(Solution::result).toList(), level, own.count() - proven);
        // made now, because the reduction takes more memory
        return new FoldRules(
                fold,
                own.gammas(),
                rules.places(),
                IntStream.range(0, own.count()).mapToObj(rules.scaled()).toList()::get,
                rules.unsettled());
    }

    /**
     * Returns the rules of points on the sphere. Many points of many columns take memory enough, so a rule is made when
     * it predicts.
     *
     * @param level what was subtracted from y and z
     */
    private FoldRules onSphere(
            Fold fold, Reduction reduction, List<SphereResult> results, double level, int unsettled) {
        Candidates own = candidates.stretched(fold.stretch());
        List<HeldOut.Place> places = new ArrayList<>();
        for (SphereResult result : results) {
            double gamma = own.gammas()[places.size()];
            SphereGeometry geometry =
                    SphereGeometry.of(gamma, reduction.family().effects());
            places.add(HeldOut.Place.of(result.r(), geometry));
        }
        IntFunction<LinearRule> scaled = j -> {
            LinearRule rule = reduction.recoverScaled(results.get(j).r(), own.gammas()[j]);
            double shifted = rule.intercept() + level * places.get(j).remainder();
            return level == 0 ? rule : new LinearRule(rule.w(), rule.q(), shifted);
        };
        return new FoldRules(fold, own.gammas(), places, scaled, unsettled);
    }

    /** Returns whether a point is known to be optimal to the tolerance, even if it belongs to no finite rule. */
    private boolean isProven(Solution solution) {
        Certificate certificate = solution.certificate();
        return certificate.proof() == Certificate.Proof.PROVEN
                && certificate.relativeGap() <= pipeline.options().tolerance();
    }

    /**
     * Solves one fold from its rows. A solver's own convergence test is trusted here ({@code krylov} evaluates the data
     * first, unless its recurrence is ten times better than required): certifying each rule would cost more than
     * finding it, and the rule that is chosen will be fitted and certified anyway.
     */
    private FoldRules fromRows(Fold fold) {
        PredictionGame game = data.game(fold);
        Reduction reduction = Pipeline.reduce(game, alone);
        Watch watch = new Watch("solving the folds");
        List<SphereResult> results = new Pipeline(pipeline.solver(), pipeline.options(), watch)
                .solve(candidates.stretched(fold.stretch()).problems(reduction.family(), game.totalWeight()));
        watch.reach(1);
        passes.addAndGet(results.get(0).effort().passes());
        int converged = (int) results.stream()
                .filter(result -> result.status() == SphereResult.Status.CONVERGED)
                .count();
        return onSphere(fold, reduction, results, 0, results.size() - converged);
    }

    /** Searches for the rules of one fold: a path of gammas for each ridge. */
    private FoldRules searched(Fold fold) {
        PredictionGame game = data.game(fold);
        boolean condensed = data.spec().loss().isSquared() && game.effects().isEmpty();
        FewRows few = condensed ? FewRows.of(game) : null;
        PredictionGame solved = few == null ? game : few.game();
        FewRows.Followers followers =
                new FewRows.Followers(solved.y().length, data.spec().truthfulShare());
        Candidates own = candidates.stretched(fold.stretch());
        List<HeldOut.Place> places = new ArrayList<>();
        List<LinearRule> scaled = new ArrayList<>();
        int unsettled = 0;
        Watch watch = new Watch("searching the folds");
        var options = new Objective.Options(null, pipeline.options(), watch, 0);
        for (int ridge = 0; ridge < own.count(); ridge = own.nextRidge(ridge)) {
            PredictionGame ridged = solved.withRidge(own.ridges()[ridge] * game.totalWeight());
            PreparedGame prepared = new PreparedGame(ridged, null, followers, null, alone);
            // only a path by Newton's method starts each search at the last solution
            boolean searched = data.spec().mixed() || data.spec().isHedged();
            int step = searched ? 1 : own.nextRidge(ridge) - ridge;
            for (int first = ridge; first < own.nextRidge(ridge); first += step) {
                double[] gammas = Arrays.copyOfRange(own.gammas(), first, first + step);
                for (Solution solution : path(fold, prepared, options, gammas)) {
                    double[] effects = condensed || !data.spec().hasEffects()
                            ? null
                            : prepared.reduction().family().effects();
                    Found found = few == null
                            ? found(solution, SphereGeometry.of(solution.gamma(), effects), prepared)
                            : found(solution, few);
                    places.add(found.place());
                    scaled.add(found.scaled());
                    unsettled += isProven(solution) ? 0 : 1;
                }
                watch.reach((double) (first + step) / own.count());
            }
        }
        return new FoldRules(fold, own.gammas(), places, scaled::get, unsettled);
    }

    private List<Solution> path(Fold fold, PreparedGame prepared, Objective.Options options, double... gammas) {
        try {
            return objective.path(prepared, options, gammas).solutions();
        } catch (DataException e) {
            Message why = e.asMessage();
            throw new DataException(Message.of(why.code(), "In fold {}: {}", fold.number() + 1, why), e);
        }
    }

    /**
     * A rule that a search has found.
     *
     * @param scaled the rule, divided by its 1 + alpha
     */
    private record Found(HeldOut.Place place, LinearRule scaled) {}

    private Found found(Solution solution, FewRows few) {
        double share = solution.detail(Solution.Hedged.class)
                .map(Solution.Hedged::share)
                .orElse(data.spec().truthfulShare());
        double[] w = few.coefficients(solution);
        double[] point = SphereGeometry.pointOf(w, solution.gamma());
        return new Found(
                HeldOut.Place.of(point, SphereGeometry.of(solution.gamma(), null)),
                few.scaled(w, solution.gamma(), share));
    }

    private static Found found(Solution solution, SphereGeometry geometry, PreparedGame prepared) {
        double[] point = solution.result().r();
        HeldOut.Place place = HeldOut.Place.of(point, geometry);
        LinearRule rule = solution.rule();
        if (rule.isFinite()) {
            return new Found(place, times(rule, place.remainder()));
        }
        LinearRule limit = solution.detail(Solution.LimitPoint.class)
                .map(Solution.LimitPoint::scaled)
                .orElseGet(() -> prepared.reduction().recoverScaled(point, solution.gamma()));
        return new Found(place, limit);
    }

    private static LinearRule times(LinearRule rule, double factor) {
        double[] w = rule.w();
        double[] q = rule.q();
        Vectors.scale(factor, w);
        Vectors.scale(factor, q);
        return new LinearRule(w, q, factor * rule.intercept());
    }

    /**
     * The progress of one fold. A solver's number of iterations is not known in advance, so the decline of its residual
     * is reported instead; searches report how many of their rules are found.
     */
    private final class Watch implements ProgressListener {
        private final String phase;
        private double first = Double.NaN;
        private double reported;

        Watch(String phase) {
            this.phase = phase;
        }

        @Override
        public Decision onIteration(Progress now) {
            if (isSphere()) {
                first = Double.isNaN(first) ? now.primalResidual() : first;
                double fraction = Math.log(first / now.primalResidual()) / DECLINE;
                reach(Double.isNaN(fraction) ? 0 : Math.min(0.95, fraction));
            } else {
                // asks whether to stop
                reach(0);
            }
            return Decision.CONTINUE;
        }

        /** Reports that at least this fraction of the fold is done. */
        void reach(double fraction) {
            double step = Math.max(0, fraction - reported);
            reported += step;
            progress.advance(phase, work.solve() * step);
        }
    }
}
