package stackelberg.bench.report;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import stackelberg.bench.Row;

/**
 * The published numbers: the times of the paper's tables 2, 3, 5, 8 and 9 and the relative errors of its tables 1, 6, 7 and 10, copied from its source.
 *
 * <p>Table 3 repeats lines of table 8. Ratios are computed from the times instead of being copied, because the column Ratio2 of tables 2 and 5 holds ADMM/LTRSR
 * and not, as its caption says, ADMM/CD-ADMM.
 */
final class Published {
    private static final Published PAPER = new Published();

    private final List<Times> times = read("published-times.csv", Published::toTimes);
    private final List<Errors> errors = read("published-relative-errors.csv", Published::toErrors);

    private Published() {}

    static Published paper() {
        return PAPER;
    }

    /** A line of a table of times, in seconds. */
    record Times(Row.Game game, double multiple, double socp, double eig, double ltrsr, double admm, double cdAdmm) {
        /** The time of a solver by its name on the command line; NaN for a solver that the paper does not have. */
        double of(String solver) {
            return switch (solver) {
                case "socp" -> socp;
                case "ltrsr" -> ltrsr;
                case "admm" -> admm;
                case "cd-admm" -> cdAdmm;
                default -> Double.NaN;
            };
        }
    }

    /** The mean, smallest and largest relative error. */
    record Spread(double average, double smallest, double largest) {
        static final Spread NONE = new Spread(Double.NaN, Double.NaN, Double.NaN);
    }

    /**
     * A line of a table of relative errors.
     *
     * @param name of a real game such as {@code wine modest}; empty for synthetic ones
     * @param density of synthetic games; 1 for dense and real ones
     * @param multiple m / n of synthetic games; NaN for real ones
     */
    record Errors(
            String family, String name, double density, double gamma, double multiple, Spread ltrsr, Spread admm) {
        /** The errors of a solver; the paper prints one column for ADMM and CD-ADMM together. */
        Spread of(String solver) {
            return switch (solver) {
                case "ltrsr" -> ltrsr;
                case "admm", "cd-admm" -> admm;
                default -> Spread.NONE;
            };
        }
    }

    List<Times> times() {
        return times;
    }

    List<Errors> errors() {
        return errors;
    }

    /** The published line of this game. */
    Optional<Times> times(Row.Game game) {
        return times.stream().filter(line -> line.game().equals(game)).findFirst();
    }

    private static Times toTimes(NamedCsvRecord line) {
        Row.Game game = new Row.Game(
                line.getField("family"),
                "",
                Integer.parseInt(line.getField("m")),
                Integer.parseInt(line.getField("n")),
                number(line, "density"),
                number(line, "gamma"));
        return new Times(
                game,
                number(line, "multiple"),
                number(line, "socp_s"),
                number(line, "socp_eig_s"),
                number(line, "ltrsr_s"),
                number(line, "admm_s"),
                number(line, "cd_admm_s"));
    }

    private static Errors toErrors(NamedCsvRecord line) {
        boolean real = line.getField("family").equals("real");
        return new Errors(
                line.getField("family"),
                real ? line.getField("case").replace('_', ' ') : "",
                real ? 1 : number(line, "case"),
                number(line, "gamma"),
                number(line, "multiple"),
                spread(line, "ltrsr"),
                spread(line, "admm"));
    }

    private static Spread spread(NamedCsvRecord line, String solver) {
        return new Spread(number(line, solver + "_avg"), number(line, solver + "_min"), number(line, solver + "_max"));
    }

    private static double number(NamedCsvRecord line, String name) {
        String text = line.getField(name);
        return text.isEmpty() ? Double.NaN : Double.parseDouble(text);
    }

    private static <T> List<T> read(String name, Function<NamedCsvRecord, T> line) {
        try (var in = Row.class.getResourceAsStream(name);
                var lines = CsvReader.builder().ofNamedCsvRecord(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return lines.stream().map(line).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
