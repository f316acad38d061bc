package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stackelberg.cli.report.Browser;

/** Every kind of page on the narrowest phone, on a tablet and on a desk: no word stands on another, none is broken, nothing sticks out. */
@Tag("browser")
class ReportOnAPhoneTest {
    private static final int ROWS = 120;

    @TempDir
    static Path folder;

    private static final Map<String, Path> PAGES = new TreeMap<>();
    private static Browser browser;

    @BeforeAll
    static void write() {
        if (!Browser.isInstalled()) {
            return;
        }
        Path data = Samples.file(folder, "people.csv", csv());
        page("fit", data, "fit", "--wish", "hope", "--gamma", "2e6");
        page("mixed", data, "fit", "--wish", "hope", "--gamma", "2e6", "--truthful-share", "0.25");
        page("own", data, "fit", "--wish", "hope", "--row-gamma", "effort_needed_per_unit");
        page("compare", data, "compare", "--wish", "hope", "--gamma", "2e6");
        page("curve", data, "tune", "--wish", "hope", "--gammas", "log:1e3:1e9:15", "--world-gamma", "2e6");
        page("regret", data, "tune", "--wish", "hope", "--gammas", "log:1e3:1e9:15");
        page("none", data, "fit", "--wish", "y+30", "--hedge", "none");
        page("logistic", data, "compare", "--loss", "logistic", "--yes", ">13500", "--wish", "0.9", "--gamma", "50%");
        browser = Browser.open();
    }

    private static void page(String name, Path data, String command, Object... more) {
        Path file = folder.resolve(name + ".html");
        List<Object> words =
                new ArrayList<>(List.of(command, data, "--target", "yearly charges", "--quiet", "--report", file));
        words.addAll(List.of(more));
        if (!List.of(more).contains("--row-gamma")) {
            words.addAll(List.of(
                    "--ignore",
                    "effort_needed_per_unit" + (List.of("none", "logistic").contains(name) ? ",hope" : "")));
        }
        Run run = Run.stackelberg(words.toArray());
        assertThat(run.code()).as(run.err()).isIn(0, 4);
        PAGES.put(name, file);
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.close();
        }
    }

    /** Long names, large numbers, categories. */
    private static String csv() {
        StringBuilder text = new StringBuilder(
                "household income before taxes,bodyMassIndex,number_of_previous_claims,region,effort_needed_per_unit,yearly charges,hope\n");
        Random random = new Random(4);
        String[] regions = {"northwest", "southeast", "southwest"};
        for (int i = 0; i < ROWS; i++) {
            double income = 40_000 + 9_000 * random.nextGaussian();
            double index = 26 + 4 * random.nextGaussian();
            int claims = random.nextInt(6);
            double y = 0.1 * income + 200 * index + 900 * claims + 1_500 * (i % 3) + 2_000 * random.nextGaussian();
            text.append(String.format(
                    Locale.ROOT,
                    "%.2f,%.2f,%d,%s,%s,%.2f,%.2f%n",
                    income,
                    index,
                    claims,
                    regions[i % 3],
                    i % 2 == 0 ? "1e6" : "8e6",
                    y,
                    y - 3_000 * random.nextDouble()));
        }
        return text.toString();
    }

    /** Everything that is seen of the texts of the page, word by word, without what its box hides. */
    private static final String SEEN = """
            document.querySelector('#controls').style.position = 'static';
            const clip = (box, e) => {
              let {left, right, top, bottom} = box;
              for (; e; e = e.parentElement) {
                if (!e.matches('.scroll, .chart, .rail, .track')) continue;
                const outer = e.getBoundingClientRect();
                [left, right, top, bottom] = [Math.max(left, outer.left), Math.min(right, outer.right), Math.max(top, outer.top), Math.min(bottom, outer.bottom)];
              }
              return {left, right, top, bottom};
            };
            const seen = [];
            const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (texts.nextNode()) {
              const node = texts.currentNode;
              const e = node.parentElement;
              if (!node.data.trim() || e.matches('details:not([open])') || e.closest('script, noscript, style, .skip, .unseen') || !e.checkVisibility()) continue;
              for (const word of node.data.matchAll(/[^\\s]+/g)) {
                const range = document.createRange();
                range.setStart(node, word.index);
                range.setEnd(node, word.index + word[0].length);
                const boxes = [...range.getClientRects()].filter(box => box.width > 0.5);
                seen.push({word: word[0], node, e, boxes, parts: boxes.map(box => clip(box, e))});
              }
            }
            """;

    /** Words that a line breaks within, other than after a sign that a reader would break at. */
    private static final String BROKEN = SEEN + """
            return seen.filter(({word, node, e, boxes}) => {
              if (e.closest('svg') || new Set(boxes.map(box => Math.round(box.top))).size < 2) return false;
              const at = node.data.indexOf(word);
              let line = null;
              for (let k = 0; k < word.length; k++) {
                const range = document.createRange();
                range.setStart(node, at + k);
                range.setEnd(node, at + k + 1);
                const top = Math.round(range.getBoundingClientRect().top);
                if (line !== null && top > line + 4 && !/[-=_./:,;|–…]/.test(word[k - 1])) return true;
                line = top;
              }
              return false;
            }).map(({word, e}) => word + ' in ' + (e.closest('[id]')?.id ?? e.tagName));
            """;

    /** Pairs of words of which one covers part of the other. */
    private static final String OVERLAPS = SEEN + """
            const boxes = seen.flatMap(({word, e, parts}) => parts.filter(box => box.right - box.left > 1 && box.bottom - box.top > 1)
              .map(box => ({word, where: e.closest('[id]')?.id ?? e.tagName, head: e.closest('thead'), ...box})));
            const clash = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
              && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.35 * Math.min(a.bottom - a.top, b.bottom - b.top);
            const pairs = [];
            boxes.forEach((a, i) => boxes.slice(i + 1).forEach(b => { if (!a.head && !b.head && clash(a, b)) pairs.push(a.word + ' and ' + b.word + ' in ' + a.where); }));
            return boxes.length > 150 ? pairs : ['only ' + boxes.length + ' words seen'];
            """;

    private static final String STICKING_OUT = SEEN + """
            const cut = ({e, boxes}) => {
              const chart = e.closest('.chart')?.getBoundingClientRect();
              return chart && boxes.some(box => box.left < chart.left - 1 || box.right > chart.right + 1);
            };
            return seen.filter(word => cut(word) || word.parts.some(box => box.right > innerWidth + 0.5 || box.left < -0.5)).map(({word, e}) => word + ' in ' + (e.closest('[id]')?.id ?? e.tagName));
            """;

    @ParameterizedTest
    @CsvSource({
        "fit, 360",
        "mixed, 360",
        "own, 360",
        "compare, 360",
        "curve, 360",
        "regret, 360",
        "none, 360",
        "logistic, 360",
        "fit, 768",
        "mixed, 768",
        "regret, 768",
        "compare, 1280",
        "own, 1280",
        "logistic, 1280"
    })
    void noTextIsCutOffOrOverlapsAnother(String page, int width) {
        Assumptions.assumeTrue(browser != null, Browser.missing());
        browser.size(width, 800);
        browser.console();
        browser.show(PAGES.get(page));

        assertThat(browser.run("return document.documentElement.scrollWidth")).isEqualTo((long) width);
        assertThat((List<?>) browser.run(STICKING_OUT)).as("sticks out").isEmpty();
        assertThat((List<?>) browser.run(BROKEN)).as("broken").isEmpty();
        assertThat((List<?>) browser.run(OVERLAPS)).as("overlapping").isEmpty();
        assertThat(browser.console()).isEmpty();
    }
}
