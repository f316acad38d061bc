package stackelberg.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Workers;
import stackelberg.pipeline.Pipeline;
import stackelberg.solver.ProgressListener.Progress;
import stackelberg.solver.SphereResult;

/**
 * Makes the runs that are not there yet, one after the other, and writes each down as soon as it is known.
 */
public final class Runner {
    /** Runs below this many seconds are repeated before the first one counts, because virtual machines start slowly. */
    private static final double WARMED_UP = 0.1;

    private static final int WARM_UPS = 15;

    /** Runs above this many seconds begin with an empty heap: matrices outside of it are freed by the collector only. */
    private static final double COLLECTED = 0.02;

    /** A run stopped before this part of the limit was stopped by a smaller one. */
    private static final double STOPPED_EARLY = 0.8;

    /** A variant is given this many seconds in any case. */
    private static final double PATIENCE = 0.5;

    private final Results results;
    private final RunLimits limits;
    private final BenchListener listener;
    private final Workers workers;
    private final Row.Machine machine;
    private final long memory = Machines.memory();
    private final Map<String, Row> known = new HashMap<>();
    private final Map<String, Double> corrections = new HashMap<>();
    private final Set<String> warm = new HashSet<>();
    private final Choice choice = new Choice();
    private final long start = System.nanoTime();
    private boolean warming;

    public Runner(Results results, RunLimits limits, BenchListener listener, Workers workers) {
        this.results = results;
        this.limits = limits;
        this.listener = listener;
        this.workers = workers;
        this.machine = Machines.here(workers);
        for (Row row : results.rows()) {
            // what was skipped may fit this time
            if (!row.skipped()) {
                known.put(row.key(), row);
                correct(row);
            }
        }
    }

    /** Runs what is missing of these experiments, in their order; what does not fit into the budget is left for another time. */
    public Tally run(List<Experiment> experiments, Profile profile, RealData data) {
        warming = profile != Profile.SMOKE;
        Games games = new Games(data, workers);
        List<Unit> units = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Experiment experiment : memoryFirst(experiments)) {
            for (Unit unit : experiment.plan().units(profile, games)) {
                if (limits.allows(unit)
                        && seen.add(unit.task().experiment() + "|" + unit.game() + "|"
                                + unit.task().trial() + "|"
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

    /** A process keeps what others have freed, so memory is measured while it is young. */
    private static List<Experiment> memoryFirst(List<Experiment> experiments) {
        return experiments.stream()
                .sorted(Comparator.comparing(experiment -> !experiment.name().equals(Experiments.MEMORY)))
                .toList();
    }

    private Tally play(Unit unit, double ahead) {
        PredictionGame game = null;
        List<Row> rows = new ArrayList<>();
        int made = 0;
        int skipped = 0;
        int left = 0;
        for (Contender contender : unit.contenders()) {
            if (!limits.allows(contender)) {
                continue;
            }
            List<Row> ofContender = new ArrayList<>();
            for (String options : choice.variants(unit, contender)) {
                Row.Player player = new Row.Player(contender.solver(), contender.protocol(), options);
                String key = Row.key(unit.task(), player);
                if (isKnown(key, contender)) {
                    ofContender.add(known.get(key));
                    continue;
                }
                double expected = guess(unit, contender);
                String obstacle = Cost.obstacle(contender.solver(), unit.game(), memory);
                if (obstacle.isEmpty() && expected > limits.secondsPerRun()) {
                    obstacle = String.format(java.util.Locale.ROOT, "would take about %.0f minutes", expected / 60);
                }
                if (obstacle.isEmpty() && elapsed() + expected > limits.budgetSeconds()) {
                    left++;
                    continue;
                }
                Method.Played played;
                double before = Double.NaN;
                if (obstacle.isEmpty()) {
                    listener.onRun(new BenchListener.Now(
                            unit.task().experiment(),
                            unit.game(),
                            unit.task().trial(),
                            contender.solver(),
                            options,
                            elapsed(),
                            ahead));
                    if (game == null) {
                        game = unit.maker().get();
                        // read once by nobody's clock: whoever comes first finds it in the caches as the others do
                        Pipeline.reduce(game, workers);
                    }
                    Method method = contender.variants().get(options);
                    warmUp(game, contender, options, expected, method);
                    if (expected > COLLECTED) {
                        System.gc();
                    }
                    before = Machines.startPeak();
                    played = attempt(game, method, limit(contender, ofContender));
                } else {
                    played = skipped(obstacle);
                }
                double peak = Double.isNaN(before) ? before : Machines.peak();
                Row row = new Row(unit.task(), player, played.outcome(), new Row.Memory(before, peak), machine);
                keepTrace(row, played.trace(), rows);
                results.add(row);
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

    /** Variants are there to be compared: one that takes twice as long as another need not be waited for. */
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
            // a solver that cannot hold its factors says so; the others still get their turn
            return skipped("failed: " + e.toString().lines().findFirst().orElse(""));
        }
    }

    private static Method.Played skipped(String why) {
        return new Method.Played(Row.Outcome.skipped(why), List.of());
    }

    private void warmUp(PredictionGame game, Contender contender, String options, double expected, Method method) {
        if (warming && expected < WARMED_UP && warm.add(contender.solver() + contender.protocol() + options)) {
            long until = System.nanoTime() + 1_000_000_000L;
            for (int k = 0; k < WARM_UPS && System.nanoTime() < until; k++) {
                attempt(game, method, 1);
            }
        }
    }

    /** Before the row: a run that has a row is not made again. The optimum is that of the contenders before it. */
    private void keepTrace(Row row, List<Progress> trace, List<Row> before) {
        double optimum = before.stream()
                .filter(Row::certified)
                .mapToDouble(Row::objective)
                .min()
                .orElse(Double.NaN);
        if (!trace.isEmpty()) {
            results.add(trace.stream()
                    .map(now ->
                            new TracePoint(row.experiment(), row.options(), now.iteration(), now.objective(), optimum))
                    .toList());
        }
    }

    /** A run that was stopped by a limit is made again under a larger one; variants are stopped because a better one is there. */
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

    /** What is still to be run of a unit, in seconds. */
    private double guess(Unit unit) {
        double seconds = 0;
        for (Contender contender : unit.contenders()) {
            double each = limits.allows(contender) ? guess(unit, contender) : Double.POSITIVE_INFINITY;
            for (String options : choice.variants(unit, contender)) {
                String key = Row.key(unit.task(), new Row.Player(contender.solver(), contender.protocol(), options));
                if (!isKnown(key, contender) && each <= limits.secondsPerRun()) {
                    seconds += each;
                }
            }
        }
        return seconds;
    }

    private double guess(Unit unit, Contender contender) {
        String who = contender.solver()
                + contender.protocol()
                + unit.game().family()
                + unit.game().density();
        return Cost.of(contender.solver(), unit.game()) * corrections.getOrDefault(who, 1.0);
    }

    private void correct(Row row) {
        if (!row.certified()) {
            return;
        }
        String who =
                row.solver() + row.protocol() + row.game().family() + row.game().density();
        corrections.put(who, row.seconds().total() / Cost.of(row.solver(), row.game()));
    }

    private double elapsed() {
        return (System.nanoTime() - start) * 1e-9;
    }

    /** How many runs were made, cannot be made here, and did not fit into the budget. */
    public record Tally(int made, int skipped, int left) {
        Tally plus(Tally other) {
            return new Tally(made + other.made, skipped + other.skipped, left + other.left);
        }
    }
}
