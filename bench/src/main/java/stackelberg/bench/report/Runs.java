package stackelberg.bench.report;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import stackelberg.bench.Row;
import stackelberg.bench.Row.Protocol;

/** The rows of one protocol, grouped into samples (the trials of one solver on one game), which tables and figures show. */
final class Runs {
    static final List<Protocol> PROTOCOLS = List.of(Protocol.PAPER, Protocol.FAIR);

    static final Comparator<Row.Game> BY_SIZE = Comparator.comparing(Row.Game::family)
            .thenComparing(Row.Game::name)
            .thenComparing(Row.Game::density)
            .thenComparing(Comparator.comparing(Row.Game::gamma).reversed())
            .thenComparing(Row.Game::n)
            .thenComparing(Row.Game::m);

    private final Protocol protocol;
    private final Map<Row.Game, Map<String, Sample>> samples = new TreeMap<>(BY_SIZE);

    Runs(List<Row> rows, Protocol protocol, Predicate<Row> wanted) {
        this.protocol = protocol;
        rows.stream()
                .filter(wanted)
                .collect(Collectors.groupingBy(Row::game, Collectors.groupingBy(Row::solver)))
                .forEach((game, solvers) -> solvers.forEach((solver, own) -> Sample.of(own, protocol)
                        .ifPresent(sample -> samples.computeIfAbsent(game, unused -> new TreeMap<>())
                                .put(solver, sample))));
    }

    /** Adds a section for each protocol. */
    static void sections(
            Document document, String title, List<Row> rows, Predicate<Row> wanted, Consumer<Runs> content) {
        for (Protocol protocol : PROTOCOLS) {
            Runs runs = new Runs(rows, protocol, wanted);
            runs.section(document, title + ", protocol " + Show.name(protocol), content);
        }
    }

    /** Adds a heading with what the content adds, or with a sentence if there are no rows. */
    void section(Document document, String title, Consumer<Runs> content) {
        document.heading(3, title);
        if (samples.isEmpty()) {
            document.paragraph("There are no rows for this table.");
        } else {
            content.accept(this);
        }
    }

    Protocol protocol() {
        return protocol;
    }

    Collection<Row.Game> games() {
        return samples.keySet();
    }

    SortedSet<String> solvers() {
        SortedSet<String> all = new TreeSet<>(Solvers.ORDER);
        samples.values().forEach(solvers -> all.addAll(solvers.keySet()));
        return all;
    }

    /** The sample of a solver on a game, without rows if it was not run. */
    Sample of(Row.Game game, String solver) {
        Sample none = new Sample(game, protocol, solver, "", List.of(), List.of());
        return samples.getOrDefault(game, Map.of()).getOrDefault(solver, none);
    }

    List<Sample> of(Row.Game game, Collection<String> solvers) {
        return solvers.stream().map(solver -> of(game, solver)).toList();
    }

    /** The reasons why runs are missing. */
    List<String> reasons() {
        return Sample.reasons(samples.values().stream()
                .flatMap(solvers -> solvers.values().stream())
                .toList());
    }
}
