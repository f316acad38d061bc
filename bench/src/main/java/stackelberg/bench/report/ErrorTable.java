package stackelberg.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import stackelberg.bench.Row;

/** Relative errors (f_SOCP - f_X) / |f_SOCP| over all sizes and trials of a case, beside the published ones: the paper's tables 1, 6, 7 and 10. */
final class ErrorTable {
    private static final List<String> SOLVERS = List.of("ltrsr", "admm", "cd-admm", "krylov");

    /** A line of the paper's tables: one case, over all its sizes and trials. */
    private record Case(String name, double density, double gamma, double multiple) {
        static final Comparator<Case> ORDER = Comparator.comparing(Case::name)
                .thenComparing(Case::density)
                .thenComparing(Comparator.comparing(Case::gamma).reversed())
                .thenComparing(Comparator.comparing(Case::multiple).reversed());

        static Case of(Row.Game game) {
            boolean real = !game.name().isEmpty();
            return new Case(game.name(), game.density(), game.gamma(), real ? Double.NaN : game.multiple());
        }

        /** The case of a published line, which has the name of a real game or the density of synthetic ones in one column. */
        static Case of(Published line) {
            boolean real = line.text("family").equals("real");
            return new Case(
                    real ? line.text("case").replace('_', ' ') : "",
                    real ? 1 : line.number("case"),
                    line.number("gamma"),
                    line.number("multiple"));
        }

        String text() {
            if (!name.isEmpty()) {
                return name;
            }
            String where = "m = " + Show.multiple(multiple) + ", gamma " + Show.plain(gamma);
            return density < 1 ? "density " + Show.plain(density) + ", " + where : where;
        }
    }

    /**
     * One trial: the relative difference of the objectives, (SOCP - solver)/|SOCP|, and the certified relative gaps of both. Trials with a non-finite
     * difference are left out.
     */
    private record Trial(double error, double gap, double gapOfSocp) {}

    private record Line(Case of, String solver, List<Trial> trials, Optional<Published> paper) {
        String exponent(ToDoubleFunction<Trial> value, ToDoubleFunction<DoubleSummaryStatistics> which) {
            var values = trials.stream().mapToDouble(value).summaryStatistics();
            return Show.exponent(trials.isEmpty() ? Double.NaN : which.applyAsDouble(values));
        }

        String count(Predicate<Trial> counted) {
            return trials.isEmpty()
                    ? Show.NOTHING
                    : Show.count(trials.stream().filter(counted).count());
        }

        double published(String which) {
            return paper.map(line -> line.error(solver, which)).orElse(Double.NaN);
        }
    }

    private ErrorTable() {}

    /** Adds the table of the games of one family, dense, sparse or real, at one gamma for each protocol. */
    static void add(Document document, List<Row> rows, String title, String family, double gamma) {
        List<String> experiments = family.equals("real") ? TimeFigures.REAL : List.of(family);
        Runs.sections(
                document,
                title,
                rows,
                row -> experiments.contains(row.experiment()) && row.game().gamma() == gamma,
                runs -> document.table(
                        table(runs, line -> line.text("family").equals(family) && line.number("gamma") == gamma)));
    }

    private static Table<Line> table(Runs runs, Predicate<Published> lines) {
        ToDoubleFunction<Trial> size = trial -> Math.abs(trial.error);
        Function<String, Function<Line, String>> published = which -> line -> Show.exponent(line.published(which));
        Table<Line> table = new Table<Line>()
                .text("case", line -> line.of.text())
                .text("solver", line -> Solvers.label(line.solver))
                .number("average", line -> line.exponent(size, DoubleSummaryStatistics::getAverage))
                .number("smallest", line -> line.exponent(size, DoubleSummaryStatistics::getMin))
                .number("largest", line -> line.exponent(size, DoubleSummaryStatistics::getMax))
                .number("published average", published.apply("avg"))
                .number("smallest", published.apply("min"))
                .number("largest", published.apply("max"))
                .number("pairs", line -> line.count(trial -> true))
                .number("f below SOCP's", line -> line.count(trial -> trial.error > 0))
                .number("f above SOCP's", line -> line.count(trial -> trial.error < 0))
                .number("largest certified gap", line -> line.exponent(Trial::gap, DoubleSummaryStatistics::getMax))
                .number("SOCP's own", line -> line.exponent(Trial::gapOfSocp, DoubleSummaryStatistics::getMax));
        Map<Case, List<Row.Game>> cases = new TreeMap<>(Case.ORDER);
        Map<Case, Published> paper = new TreeMap<>(Case.ORDER);
        runs.games().forEach(game -> cases.computeIfAbsent(Case.of(game), unused -> new ArrayList<>())
                .add(game));
        Published.ERRORS.stream().filter(lines).forEach(line -> {
            paper.put(Case.of(line), line);
            cases.putIfAbsent(Case.of(line), List.of());
        });
        cases.forEach((one, games) -> {
            for (String solver : SOLVERS) {
                List<Trial> trials = games.stream()
                        .flatMap(game -> trials(runs.of(game, "socp"), runs.of(game, solver)).stream())
                        .toList();
                Line line = new Line(one, solver, trials, Optional.ofNullable(paper.get(one)));
                if (!trials.isEmpty() || Double.isFinite(line.published("avg"))) {
                    table.add(line);
                }
            }
        });
        return table;
    }

    private static List<Trial> trials(Sample socp, Sample other) {
        List<Trial> trials = new ArrayList<>();
        for (Row row : other.rows()) {
            socp.rows().stream()
                    .filter(base -> base.trial() == row.trial()
                            && base.task().seed() == row.task().seed())
                    .findFirst()
                    .map(base -> new Trial(
                            (base.objective() - row.objective()) / Math.abs(base.objective()),
                            row.relativeGap(),
                            base.relativeGap()))
                    .filter(trial -> Double.isFinite(trial.error))
                    .ifPresent(trials::add);
        }
        return trials;
    }
}
