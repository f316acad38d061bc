package stackelberg.bench.report;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import stackelberg.bench.Row;

/**
 * A line of the published numbers: the times of the paper's tables 2, 3, 5, 8 and 9 and the relative errors of its tables 1, 6, 7 and 10, copied from its source.
 *
 * <p>Table 3 repeats lines of table 8. Ratios are computed from the times instead of being copied, because the column Ratio2 of tables 2 and 5 holds ADMM/LTRSR
 * and not, as its caption says, ADMM/CD-ADMM.
 */
record Published(Map<String, String> fields) {
    static final List<Published> TIMES = read("published-times.csv");
    static final List<Published> ERRORS = read("published-relative-errors.csv");
    private static final Map<Row.Game, Published> BY_GAME =
            TIMES.stream().collect(Collectors.toMap(Published::game, line -> line));

    /** The line of times of this game. */
    static Optional<Published> times(Row.Game game) {
        return Optional.ofNullable(BY_GAME.get(game));
    }

    /** The field of this name; empty if there is none. */
    String text(String name) {
        return fields.getOrDefault(name, "");
    }

    /** The number in the field of this name; NaN if there is none. */
    double number(String name) {
        return text(name).isEmpty() ? Double.NaN : Double.parseDouble(text(name));
    }

    /** The game of a line of times. */
    Row.Game game() {
        int m = Integer.parseInt(text("m"));
        int n = Integer.parseInt(text("n"));
        return new Row.Game(text("family"), "", m, n, number("density"), number("gamma"));
    }

    /** The seconds of a solver, or of {@code socp-eig}, SOCP's eigenvalues; NaN for a solver that the paper does not have. */
    double seconds(String solver) {
        return number(solver.replace('-', '_') + "_s");
    }

    /**
     * A relative error of a solver. The paper prints one column for ADMM and CD-ADMM together.
     *
     * @param which {@code avg}, {@code min} or {@code max}
     */
    double error(String solver, String which) {
        return number((solver.equals("cd-admm") ? "admm" : solver) + "_" + which);
    }

    private static List<Published> read(String name) {
        try (var in = Row.class.getResourceAsStream(name);
                var lines = CsvReader.builder().ofNamedCsvRecord(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return lines.stream()
                    .map(NamedCsvRecord::getFieldsAsMap)
                    .map(Published::new)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
