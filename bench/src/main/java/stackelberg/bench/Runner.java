package stackelberg.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Workers;
import stackelberg.objective.Pipeline;
import stackelberg.solver.ProgressListener.Progress;
import stackelberg.solver.SphereResult;

/**
 * Runs experiments: makes all runs whose results are not in the folder yet, one after the other, and appends each result as soon as it is known.
 */
public final class Runner {
    /** Runs expected to take less than this many seconds are preceded by warm-up runs, so that the JIT compiler does not distort their time. */
    private static final double WARMED_UP = 0.1;

    private static final int WARM_UPS = 15;

    /** Before runs expected to take longer than this many seconds, the garbage collector runs: it also frees the matrices outside the heap. */
    private static final double COLLECTED = 0.02;

    /** A run that was stopped before this share of the time limit had been stopped under a smaller limit, and is repeated. */
    private static final double STOPPED_EARLY = 0.8;

    /** Every variant gets at least this many seconds. */
    private static final double PATIENCE = 0.5;

    private final Results results;
    private final RunLimits limits;
    private final Consumer<Now> listener;
    private final Workers workers;
    private final Row.Machine machine;
    private final long memory = Machines.memory();
    private final Map<String, Row> known = new HashMap<>();
    private final Map<String, Double> corrections = new HashMap<>();
    private final Set<String> warm = new HashSet<>();
    private final Choice choice = new Choice();
    private final long start = System.nanoTime();
    private boolean warming;

    public Runner(Results results, RunLimits limits, Consumer<Now> listener, Workers workers) {
        this.results = results;
        this.limits = limits;
        this.listener = listener;
        this.workers = workers;
        this.machine = Machines.here(workers);
        for (Row row : results.rows()) {
            // a skipped run is tried again: it may fit into the limits this time
            if (!row.skipped()) {
                known.put(row.key(), row);
                correct(row);
            }
        }
    }

    /** Makes the missing runs of these experiments, in their order. Runs that do not fit into the budget are left for another time. */
    public Tally run(List<Experiment> experiments, Profile profile, @Nullable RealData data) {
        warming = profile != Profile.SMOKE;
        Games games = new Games(profile, data, workers);
        List<Unit> units = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        // memory is measured first: later, memory that earlier runs have freed would still be resident
        List<Experiment> sorted = experiments.stream()
                .sorted(Comparator.comparing(experiment -> !experiment.name().equals(Experiments.MEMORY)))
                .toList();
        for (Experiment experiment : sorted) {
            for (Unit unit : experiment.plan().apply(games)) {
                if (limits.allows(unit)
                        && seen.add(unit.experiment() + "|" + unit.game() + "|" + unit.trial() + "|"
                                + unit.contenders().size())) {
                    units.add(unit);
                }
            }
        }
        double ahead = units.stream().mapToDouble(this::guess).sum();
        Tally tally = new Tally(0, 0, 0);
        for (Unit unit : units) {
            double expected = guess(unit);
            tally = tally.plus(play(unit, ahead));
            ahead = Math.max(0, ahead - expected);
        }
        return tally;
    }

    private Tally play(Unit unit, double ahead) {
        @Nullable PredictionGame game = null;
        List<Row> rows = new ArrayList<>();
        int made = 0;
        int skipped = 0;
        int left = 0;
        for (Contender contender : unit.contenders()) {
            if (!limits.allows(contender)) {
                continue;
            }
            Row.Task task = unit.task(contender);
            List<Row> ofContender = new ArrayList<>();
            for (String options : choice.variants(unit, contender)) {
                Row.Player player = new Row.Player(contender.solver(), options);
                String key = Row.key(task, player);
                if (isKnown(key, contender)) {
                    ofContender.add(known.get(key));
                    continue;
                }
                double expected = guess(unit, contender);
                String obstacle = Cost.obstacle(contender.solver(), unit.game(), memory);
                if (obstacle.isEmpty() && expected > limits.secondsPerRun()) {
                    obstacle = String.format(Locale.ROOT, "would take about %.0f minutes", expected / 60);
                }
                if (!obstacle.isEmpty()) {
                    skipped++;
                    add(task, player, skipped(obstacle), new Row.Memory(Double.NaN, Double.NaN));
                    continue;
                }
                if (elapsed() + expected > limits.budgetSeconds()) {
                    left++;
                    continue;
                }
                listener.accept(new Now(task, player, elapsed(), ahead));
                if (game == null) {
                    game = unit.maker().get();
                    // an untimed pass over the data, so that the first contender finds it in the caches like all others
                    Pipeline.reduce(game, workers);
                }
                Method method = Objects.requireNonNull(contender.variants().get(options));
                warmUp(game, contender, options, expected, method);
                if (expected > COLLECTED) {
                    System.gc();
                }
                double before = Machines.startPeak();
                Method.Played played = attempt(game, method, limit(contender, ofContender));
                double peak = Double.isNaN(before) ? before : Machines.peak();
                keepTrace(task, options, played.trace(), rows);
                Row row = add(task, player, played, new Row.Memory(before, peak));
                if (row.skipped()) {
                    skipped++;
                } else {
                    made++;
                    known.put(key, row);
                    correct(row);
                    ofContender.add(row);
                }
            }
            choice.learn(unit, contender, ofContender);
            rows.addAll(ofContender);
        }
        return new Tally(made, skipped, left);
    }

    private Row add(Row.Task task, Row.Player player, Method.Played played, Row.Memory used) {
        Row row = new Row(task, player, played.outcome(), used, machine, played.note());
        results.add(row);
        return row;
    }

    /** The time limit of a variant in seconds: twice the time of the fastest certified variant, since only the best variant is shown. */
    private double limit(Contender contender, List<Row> others) {
        double fastest = others.stream()
                .filter(Row::certified)
                .mapToDouble(row -> row.seconds().total())
                .min()
                .orElse(Double.POSITIVE_INFINITY);
        return contender.variants().size() == 1
                ? limits.secondsPerRun()
                : Math.min(limits.secondsPerRun(), Math.max(PATIENCE, 2 * fastest));
    }

    private Method.Played attempt(PredictionGame game, Method method, double limit) {
        try {
            return method.run(game, workers, limit);
        } catch (RuntimeException | OutOfMemoryError e) {
            // recorded as the reason why this run is missing; the other solvers still run
            return skipped("failed: " + e.toString().lines().findFirst().orElse(""));
        }
    }

    private static Method.Played skipped(String why) {
        return new Method.Played(Row.Outcome.skipped(), List.of(), why);
    }

    /** Repeats a short run without recording it, up to 15 times or one second. */
    private void warmUp(PredictionGame game, Contender contender, String options, double expected, Method method) {
        if (warming && expected < WARMED_UP && warm.add(contender.solver() + contender.protocol() + options)) {
            long until = System.nanoTime() + 1_000_000_000L;
            for (int k = 0; k < WARM_UPS && System.nanoTime() < until; k++) {
                attempt(game, method, 1);
            }
        }
    }

    /**
     * Stores the trace of a run, before its row, because a run with a row is not repeated. The optimum is the smallest certified objective of the contenders
     * that ran before on the same game.
     */
    private void keepTrace(Row.Task task, String run, List<Progress> trace, List<Row> before) {
        double optimum = before.stream()
                .filter(Row::certified)
                .mapToDouble(Row::objective)
                .min()
                .orElse(Double.NaN);
        if (!trace.isEmpty()) {
            results.add(trace.stream()
                    .map(now -> new TracePoint(task.experiment(), run, now.iteration(), now.objective(), optimum))
                    .toList());
        }
    }

    /**
     * Whether the stored result of a run can be used. A result stopped under a shorter time limit cannot, except for a variant: it was stopped because another
     * variant was better.
     */
    private boolean isKnown(String key, Contender contender) {
        Row row = known.get(key);
        if (row == null) {
            return false;
        }
        boolean stopped =
                row.outcome().status().equals(SphereResult.Status.STOPPED_BY_LISTENER.name()) && !row.certified();
        return !stopped
                || contender.variants().size() > 1
                || row.seconds().total() > STOPPED_EARLY * limits.secondsPerRun();
    }

    /** The estimated time of the missing runs of a unit, in seconds. */
    private double guess(Unit unit) {
        double seconds = 0;
        for (Contender contender : unit.contenders()) {
            double each = limits.allows(contender) ? guess(unit, contender) : Double.POSITIVE_INFINITY;
            for (String options : choice.variants(unit, contender)) {
                String key = Row.key(unit.task(contender), new Row.Player(contender.solver(), options));
                if (!isKnown(key, contender) && each <= limits.secondsPerRun()) {
                    seconds += each;
                }
            }
        }
        return seconds;
    }

    /** The estimated time of one run, corrected by measured times of the same solver on games of the same kind. */
    private double guess(Unit unit, Contender contender) {
        String who = kind(contender.solver(), contender.protocol(), unit.game());
        return Cost.of(contender.solver(), unit.game()) * corrections.getOrDefault(who, 1.0);
    }

    private void correct(Row row) {
        if (row.certified()) {
            String who = kind(row.solver(), row.protocol(), row.game());
            corrections.put(who, row.seconds().total() / Cost.of(row.solver(), row.game()));
        }
    }

    private static String kind(String solver, Row.Protocol protocol, Row.Game game) {
        return solver + protocol + game.family() + game.density();
    }

    private double elapsed() {
        return (System.nanoTime() - start) * 1e-9;
    }

    /**
     * The run that starts now.
     *
     * @param elapsed seconds since the start of the benchmark
     * @param ahead estimated seconds until its end
     */
    public record Now(Row.Task task, Row.Player player, double elapsed, double ahead) {}

    /**
     * Numbers of runs.
     *
     * @param made runs that were made
     * @param skipped runs that are impossible here, or would take too long
     * @param left runs that did not fit into the budget
     */
    public record Tally(int made, int skipped, int left) {
        Tally plus(Tally other) {
            return new Tally(made + other.made, skipped + other.skipped, left + other.left);
        }
    }
}
