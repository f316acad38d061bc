package stackelberg.bench.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import stackelberg.bench.Row;
import stackelberg.bench.Row.Protocol;

/** The rows of one protocol, grouped into samples (the trials of one solver on one game), which tables and figures show. */
final class Runs {
    static final Comparator<Row.Game> BY_SIZE = Comparator.comparing(Row.Game::family)
            .thenComparing(Row.Game::name)
            .thenComparing(Row.Game::density)
            .thenComparing(Comparator.comparing(Row.Game::gamma).reversed())
            .thenComparing(Row.Game::n)
            .thenComparing(Row.Game::m);

    private final Map<Row.Game, Map<String, Sample>> samples = new TreeMap<>(BY_SIZE);

    Runs(List<Row> rows, Protocol protocol, Predicate<Row> wanted) {
        rows.stream()
                .filter(wanted)
                .collect(Collectors.groupingBy(Row::game, Collectors.groupingBy(Row::solver)))
                .forEach((game, solvers) -> solvers.forEach((solver, own) -> Sample.of(own, protocol)
                        .ifPresent(sample -> samples.computeIfAbsent(game, unused -> new TreeMap<>())
                                .put(solver, sample))));
    }

    boolean isEmpty() {
        return samples.isEmpty();
    }

    Collection<Row.Game> games() {
        return samples.keySet();
    }

    SortedSet<String> solvers() {
        SortedSet<String> all = new TreeSet<>(Solvers.ORDER);
        samples.values().forEach(solvers -> all.addAll(solvers.keySet()));
        return all;
    }

    Optional<Sample> of(Row.Game game, String solver) {
        return Optional.ofNullable(samples.getOrDefault(game, Map.of()).get(solver));
    }

    /** The sample of a solver on a game; empty if it was not run. */
    Optional<Sample> ran(Row.Game game, String solver) {
        return of(game, solver).filter(Sample::ran);
    }

    /** All samples, ordered by game. */
    List<Sample> all() {
        List<Sample> all = new ArrayList<>();
        samples.values().forEach(solvers -> all.addAll(solvers.values()));
        return all;
    }
}
