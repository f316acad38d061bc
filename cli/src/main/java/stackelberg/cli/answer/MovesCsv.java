package stackelberg.cli.answer;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import stackelberg.data.Column;
import stackelberg.data.Table;
import stackelberg.estimate.Loss;
import stackelberg.game.World;
import stackelberg.model.response.Responses;
import stackelberg.model.response.YesOrNo;

/**
 * The moves of all people as CSV, one row each. With logistic loss, predictions and wishes are probabilities, and scores stand beside them.
 *
 * @param cutoff the probability from which on a yes is predicted, with logistic loss
 * @param raw whether texts are written as they are, even if a spreadsheet would compute them as formulas
 */
public record MovesCsv(World world, Responses responses, Table rows, double cutoff, boolean raw) {
    public void print(PrintWriter out) {
        try {
            write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void write(OutputStream out) throws IOException {
        write(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    }

    /** The types of the columns that are not DOUBLE. */
    public Map<String, String> types() {
        Map<String, String> types = CsvText.types(header(), world.id(rows).isPresent());
        events().forEach(event -> types.put(event, "BIGINT"));
        return types;
    }

    /** The names of the columns that say whether the event is predicted, before and after the move. */
    private List<String> events() {
        String event = LossAnswer.event(world.spec());
        return List.of(event, event + " after");
    }

    private List<String> header() {
        Loss loss = world.spec().loss();
        boolean answers = loss.isLogistic();
        List<String> cells = new ArrayList<>(List.of("row", "prediction"));
        cells.addAll(answers ? List.of("score") : List.of());
        cells.add("wish");
        cells.addAll(PopulationWords.column(world).isPresent() ? List.of("pull_through") : List.of());
        cells.addAll(answers ? List.of("after_response", "after_score", "cost") : List.of("after_response", "cost"));
        cells.addAll(answers ? events() : List.of());
        cells.addAll(world.spec().truthfulShare() > 0 ? List.of("after_if_moving", "cost_if_moving") : List.of());
        cells.addAll(responses.hasLimits() ? List.of("stopped", "stuck") : List.of());
        cells.addAll(world.spec().hasEffects() ? List.of("improvement") : List.of());
        for (int j : responses.movable()) {
            cells.add("move " + responses.name(j));
        }
        world.id(rows).ifPresent(column -> cells.add(0, CsvText.idName(column, cells)));
        return cells;
    }

    /** Writes row by row, because the text of all moves may not fit into memory. */
    private void write(Writer out) throws IOException {
        boolean own = PopulationWords.column(world).isPresent();
        boolean truthful = world.spec().truthfulShare() > 0;
        boolean real = world.spec().hasEffects();
        int[] movable = responses.movable();
        CsvWriter csv = CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(out);
        Loss loss = world.spec().loss();
        boolean answers = loss.isLogistic();
        Optional<Column> id = world.id(rows);
        List<String> cells = header();
        csv.writeRecord(cells.stream().map(name -> CsvText.text(name, raw)).toList());
        for (int i = 0; i < responses.size(); i++) {
            cells.clear();
            if (id.isPresent()) {
                cells.add(CsvText.text(id.get().text(i).orElse(""), raw));
            }
            cells.add(String.valueOf(rows.rowNumber(i)));
            cells.add(String.valueOf(loss.prediction(responses.prediction(i))));
            if (answers) {
                cells.add(String.valueOf(responses.prediction(i)));
            }
            cells.add(String.valueOf(LossWords.wish(loss, responses.wish(i))));
            if (own) {
                cells.add(String.valueOf(responses.pullThrough(i)));
            }
            cells.add(String.valueOf(loss.prediction(responses.expectedAfter(i))));
            if (answers) {
                cells.add(String.valueOf(responses.expectedAfter(i)));
            }
            cells.add(String.valueOf(responses.expectedCost(i)));
            if (answers) {
                cells.add(YesOrNo.isYes(responses.prediction(i), cutoff) ? "1" : "0");
                cells.add(YesOrNo.isYes(responses.after(i), cutoff) ? "1" : "0");
            }
            if (truthful) {
                cells.add(String.valueOf(responses.after(i)));
                cells.add(String.valueOf(responses.cost(i)));
            }
            if (responses.hasLimits()) {
                cells.add(String.valueOf(responses.stops(i)));
                cells.add(responses.isStuck(i) ? "1" : "0");
            }
            if (real) {
                cells.add(String.valueOf(responses.improvement(i)));
            }
            for (int j : movable) {
                cells.add(String.valueOf(responses.move(i, j)));
            }
            csv.writeRecord(cells);
        }
        csv.flush();
    }
}
