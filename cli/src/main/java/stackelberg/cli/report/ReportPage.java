package stackelberg.cli.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import stackelberg.cli.answer.Answer;
import stackelberg.data.io.AtomicFile;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/** A report as one HTML file with page, style, charts, data and script, so that it needs no network. */
public final class ReportPage {
    private static final String ECHARTS = "/META-INF/resources/webjars/echarts/5.5.0/echarts.min.js";
    private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)(?: (\\w+))?(?: ([^}]+))?}}");

    /** The start of a table of an answer: on the page it scrolls separately and can be reached by keyboard. */
    private static final String SCROLL =
            "<div class=\"scroll tall\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table>";

    /** An option of the command line, which must not be broken across lines. */
    private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]*");

    /** The script, in the order in which one part builds on another; the page makes one function of them. */
    private static final List<String> SCRIPT = List.of(
            "elements",
            "heading",
            "response",
            "game",
            "words",
            "tables",
            "sliders",
            "charts",
            "rules",
            "people",
            "answers",
            "frontier",
            "tuning",
            "page");

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .addModule(new SimpleModule()
                    .addSerializer(double.class, new Finite())
                    .addSerializer(Double.class, new Finite())
                    .addSerializer(double[].class, new FiniteArray()))
            .build();

    private ReportPage() {}

    /** Writes the page completely or not at all. */
    public static void write(Path file, ReportData data) {
        AtomicFile.write(file, render(data).getBytes(StandardCharsets.UTF_8));
    }

    static String render(ReportData data) {
        return render(
                "page.html",
                SCRIPT,
                data.heading().title(),
                data,
                data.heading().words().answers());
    }

    /**
     * Fills the template with the parts of a script and their data.
     *
     * @param answers by the name of their place: <code>{{answer name label of its tables}}</code>; <code>{{hidden name}}</code> hides it if there is none
     */
    static String render(String template, List<String> script, String title, Object data, Map<String, Answer> answers) {
        Map<String, String> parts = Map.of(
                "title", escapeHtml(title),
                "style", resource("report.css"),
                "echarts", resource(ECHARTS),
                "licences", escapeHtml(resource("licences.txt") + resource("LICENSE")),
                "data", json(data),
                "script", script(script));
        // the template is scanned once, so that texts from the data are never taken for placeholders
        return PLACE.matcher(resource(template))
                .replaceAll((MatchResult place) -> Matcher.quoteReplacement(
                        place.group(2) == null
                                ? parts.get(place.group(1))
                                : place(place.group(1), answers.get(place.group(2)), place.group(3))));
    }

    /** @param label the label of its tables, for screen readers */
    private static String place(String kind, @Nullable Answer answer, @Nullable String label) {
        if (kind.equals("hidden")) {
            return answer == null ? "hidden" : "";
        }
        return answer == null
                ? ""
                : OPTION.matcher(answer.html())
                        .replaceAll("<span class=\"word\">$0</span>")
                        .replace("<table>", String.format(SCROLL, label))
                        .replace("</table>", "</table></div>");
    }

    /** The data as JSON in which nothing can end a script element. */
    static String json(Object data) {
        String json = MAPPER.writeValueAsString(data);
        StringBuilder safe = new StringBuilder(json.length());
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (c == '<' || c == '>' || c == '&' || c == '\u2028' || c == '\u2029') {
                safe.append(String.format("\\u%04x", (int) c));
            } else {
                safe.append(c);
            }
        }
        return safe.toString();
    }

    private static String script(List<String> parts) {
        return parts.stream().map(name -> resource("script/" + name + ".js")).collect(Collectors.joining("\n"));
    }

    private static String escapeHtml(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    private static String resource(String name) {
        try (InputStream in = ReportPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("'" + name + "' is not on the class path.");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes numbers that are not finite as null, because JSON has no infinity. */
    private static final class Finite extends ValueSerializer<Double> {
        @Override
        public void serialize(Double value, JsonGenerator json, SerializationContext context) {
            write(value, json);
        }

        static void write(double value, JsonGenerator json) {
            if (Double.isFinite(value)) {
                json.writeNumber(value);
            } else {
                json.writeNull();
            }
        }
    }

    private static final class FiniteArray extends ValueSerializer<double[]> {
        @Override
        public void serialize(double[] values, JsonGenerator json, SerializationContext context) {
            json.writeStartArray();
            for (double value : values) {
                Finite.write(value, json);
            }
            json.writeEndArray();
        }
    }
}
