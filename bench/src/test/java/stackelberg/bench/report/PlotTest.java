package stackelberg.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

class PlotTest {
    private static final Axis.Style SIZE = new Axis.Style("m", false, Show::tick);
    private static final Axis.Style TIME = new Axis.Style("time", true, Show::duration);

    private static Curve curve(String label, double... values) {
        return new Curve(
                label,
                Solvers.pen("socp"),
                IntStream.range(0, values.length)
                        .mapToObj(k -> new Curve.Point(k, values[k], false))
                        .toList());
    }

    static org.w3c.dom.Document parse(String svg) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void everyCurveIsOnePolyline() {
        var svg = parse(new Plot("Times", SIZE, TIME)
                .add(curve("one", 1, 2, 3))
                .add(curve("two", 0.001, 0.01))
                .svg());
        assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(2);
        assertThat(svg.getElementsByTagName("polyline")
                        .item(0)
                        .getAttributes()
                        .getNamedItem("points")
                        .getNodeValue()
                        .split(" "))
                .hasSize(3);
    }

    @Test
    void valuesThatALogarithmicAxisCannotShowAreLeftOut() {
        Plot plot = new Plot("Times", SIZE, TIME).add(curve("none", 0, -1, Double.NaN, Double.POSITIVE_INFINITY));
        assertThat(plot.isEmpty()).isTrue();
        var svg = parse(plot.add(curve("some", 0, 5, 7)).svg());
        assertThat(svg.getElementsByTagName("polyline")
                        .item(0)
                        .getAttributes()
                        .getNamedItem("points")
                        .getNodeValue()
                        .split(" "))
                .hasSize(2);
    }

    @Test
    void thousandsOfPointsStayASmallFile() {
        double[] values = IntStream.range(0, 100_000)
                .mapToDouble(k -> 1 + Math.exp(-k / 5000.0))
                .toArray();
        assertThat(new Plot("Times", SIZE, TIME).add(curve("long", values)).svg())
                .hasSizeLessThan(20_000);
    }

    @Test
    void oneValueIsEnoughForAnAxis() {
        for (Axis.Style style : List.of(SIZE, TIME)) {
            for (double value : new double[] {1e-7, 0.3, 1, 20_000}) {
                Axis axis = Axis.of(style, value, value);
                assertThat(axis.share(value)).isBetween(0.0, 1.0);
                assertThat(axis.ticks()).hasSizeGreaterThanOrEqualTo(2);
            }
        }
    }

    @Test
    void dataLieBetweenTheEndsOfTheAxis() {
        double[][] ranges = {{1e-5, 3}, {0.2, 0.9}, {150, 1500}, {1e-16, 8}, {5000, 50_000}};
        for (double[] range : ranges) {
            for (Axis.Style style : List.of(SIZE, TIME)) {
                Axis axis = Axis.of(style, range[0], range[1]);
                assertThat(axis.share(range[0])).isBetween(-1e-9, 1.0);
                assertThat(axis.share(range[1])).isBetween(0.0, 1 + 1e-9);
                assertThat(axis.ticks()).hasSizeBetween(2, 9);
                assertThat(axis.ticks())
                        .allSatisfy(tick -> assertThat(axis.share(tick.at())).isBetween(-1e-9, 1 + 1e-9));
                assertThat(axis.ticks().stream().map(Axis.Tick::text)).doesNotHaveDuplicates();
            }
        }
    }

    @Test
    void aLogarithmicAxisHasEqualDecades() {
        Axis axis = Axis.of(TIME, 1e-3, 10);
        assertThat(axis.share(1e-3)).isCloseTo(0, within(1e-12));
        assertThat(axis.share(0.1)).isCloseTo(0.5, within(1e-12));
        assertThat(axis.ticks().stream().map(Axis.Tick::text))
                .containsExactly("1 ms", "10 ms", "100 ms", "1 s", "10 s");
    }
}
