package stackelberg.game;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.RealData;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Message;
import stackelberg.data.Missing;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.data.io.DataFile;
import stackelberg.game.Description.Column;
import stackelberg.game.Description.Look;
import stackelberg.game.Description.Use;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/** What is said of data before a fit is what a fit makes of them. */
class DescriptionTest {
    private static final Workers WORKERS = Workers.of(2);
    private static final GameSpec NOTHING = GameSpec.builder().build();

    private static Table csv(String text) {
        return DataFile.read(
                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                "test",
                DataFile.Options.DEFAULT,
                WORKERS);
    }

    private static Column column(Description of, String name) {
        return of.columns().stream()
                .filter(c -> c.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> names(Description of, Use... uses) {
        return of.columns().stream()
                .filter(c -> Set.of(uses).contains(c.use()))
                .map(Column::name)
                .toList();
    }

    /** Features, categories, notes and refusals are those of the game. */
    private static void assertAgreesWithTheGame(Table table, String because) {
        Description described = Description.of(table, NOTHING, WORKERS);
        if (described.target().isEmpty()) {
            return;
        }
        String target = described.target().orElseThrow().name();
        Set<String> unusable = new LinkedHashSet<>(names(described, Use.REFUSED));
        GameSpec spec = GameSpec.builder()
                .target(target)
                .wish("y+1")
                .gamma(1)
                .wishNoise(1)
                .missing(Missing.MEAN)
                .build();
        if (column(described, target).values().missing() > 0) {
            spec = spec.toBuilder().missing(Missing.DROP).build();
        }
        if (!unusable.isEmpty()) {
            GameSpec all = spec.toBuilder().missing(Missing.MEAN).build();
            String first = column(described, unusable.iterator().next()).why().text();
            boolean empty = described.columns().stream().anyMatch(c -> c.look() == Look.EMPTY);
            // what is empty is found later than what is refused for what it holds
            assertThatThrownBy(() -> Sample.of(all, table, WORKERS))
                    .as(because)
                    .isInstanceOf(DataException.class)
                    .satisfies(e -> assertThat(empty || e.getMessage().equals(first))
                            .as(because + "\n" + e.getMessage())
                            .isTrue());
        }
        GameSpec usable = spec.toBuilder().gamma(1).ignore(unusable).build();
        if (spec.missing() == Missing.DROP && described.complete() < 2) {
            return;
        }
        if (names(described, Use.FEATURE, Use.IMMUTABLE_FEATURE).isEmpty()
                && !names(described, Use.LEFT_OUT).isEmpty()) {
            assertThatThrownBy(() -> Sample.of(usable, table, WORKERS))
                    .as(because)
                    .isInstanceOf(DataException.class)
                    .hasMessageContaining("No column is left that could be a feature");
            return;
        }
        Sample sample = Sample.of(usable, table, WORKERS);
        Encoding encoding = sample.world().encoding();
        assertThat(encoding.features().stream().map(Encoding.Feature::column).collect(Collectors.toSet()))
                .as(because)
                .isEqualTo(Set.copyOf(names(described, Use.FEATURE, Use.IMMUTABLE_FEATURE)));
        assertThat(encoding.features().stream()
                        .filter(Encoding.Feature::categorical)
                        .map(Encoding.Feature::column)
                        .collect(Collectors.toSet()))
                .as(because)
                .isEqualTo(Set.copyOf(names(described, Use.IMMUTABLE_FEATURE)));
        List<Message> notes = described.columns().stream()
                .filter(c -> c.use() == Use.LEFT_OUT && c.look() != Look.CONSTANT)
                .map(Column::why)
                .toList();
        assertThat(sample.warnings()).as(because).containsAll(notes);
        assertThat(sample.warnings().stream().filter(w -> w.text().contains("is left out")))
                .as(because)
                .hasSameSizeAs(notes);
        if (sample.dropped() == 0) {
            assertThat(described.coefficients())
                    .as(because)
                    .isEqualTo(encoding.columns().size() + 1);
        }
        if (spec.missing() == Missing.DROP) {
            assertThat(sample.size()).as(because).isEqualTo(described.complete());
        }
        for (Encoding.Feature feature : encoding.features()) {
            boolean constant = encoding.constantColumns().contains(feature.column());
            if (sample.dropped() == 0) {
                assertThat(column(described, feature.column()).look() == Look.CONSTANT)
                        .as(because + " " + feature.column())
                        .isEqualTo(constant);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"wine.csv", "insurance.csv", "building.csv", "blog.csv.gz"})
    void fitUsesTheRolesThatDescribeReportsForRealFiles(String file) {
        Table table = DataFile.read(RealData.file(file), WORKERS);
        assertAgreesWithTheGame(table, file);
        Description described = Description.of(table, NOTHING, WORKERS);
        String last = table.names().get(table.names().size() - 1);
        assertThat(described.target().orElseThrow().name()).isEqualTo(last);
    }

    /** Columns as spreadsheets and databases write them, a few of them at a time, some with gaps. */
    @Test
    void fitUsesTheRolesThatDescribeReportsForNastyFiles() {
        int refused = 0;
        int leftOut = 0;
        for (int seed = 0; seed < 400; seed++) {
            Random random = new Random(seed);
            Table table;
            try {
                table = csv(nasty(random));
            } catch (DataException e) {
                continue;
            }
            assertAgreesWithTheGame(table, "seed " + seed);
            Description described = Description.of(table, NOTHING, WORKERS);
            refused += names(described, Use.REFUSED).size();
            leftOut += names(described, Use.LEFT_OUT).size();
        }
        assertThat(refused).isGreaterThan(50);
        assertThat(leftOut).isGreaterThan(100);
    }

    private static String nasty(Random random) {
        int rows = 2 + random.nextInt(random.nextBoolean() ? 30 : 120);
        int columns = 2 + random.nextInt(8);
        List<String> names = new ArrayList<>();
        int[] kinds = new int[columns];
        double[] gaps = new double[columns];
        for (int j = 0; j < columns; j++) {
            kinds[j] = random.nextInt(16);
            gaps[j] = random.nextInt(4) == 0 ? random.nextDouble() * random.nextDouble() : 0;
            names.add(kinds[j] == 0 ? "id" + (j == 0 ? "" : "." + j + " id") : "col " + j);
        }
        StringBuilder text = new StringBuilder(String.join(";", names)).append(";z\n");
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                boolean gap = random.nextDouble() < gaps[j];
                text.append(gap ? "" : cell(kinds[j], i, random)).append(';');
            }
            text.append(String.format(Locale.ROOT, "%.3f%n", random.nextGaussian()));
        }
        return text.toString();
    }

    private static String cell(int kind, int row, Random random) {
        return switch (kind) {
            case 0 -> String.valueOf(row + 1);
            case 1 -> "person-" + row;
            case 2 -> String.format(Locale.ROOT, "2024-%02d-%02d", 1 + random.nextInt(12), 1 + random.nextInt(28));
            case 3 -> random.nextBoolean() ? "red" : "blue";
            case 4 -> "town " + random.nextInt(40);
            case 5 -> String.format(Locale.ROOT, "(%d.%02d)", random.nextInt(9999), random.nextInt(100));
            case 6 -> String.format(Locale.ROOT, "€%d.%02d", random.nextInt(9999), random.nextInt(100));
            case 7 -> random.nextInt(100) + "%";
            case 8 -> "7";
            case 9 -> "same";
            case 10 -> "";
            case 11 -> String.valueOf(20240101 + 100 * random.nextInt(12) + random.nextInt(28));
            case 12 -> String.valueOf(1000 + row);
            case 13 -> random.nextInt(3) + ".0";
            case 14 -> random.nextInt(20) == 0 ? "-0.0" : "0";
            default -> String.format(Locale.ROOT, "%.2e", random.nextGaussian());
        };
    }

    @Test
    void describeReportsWhatColumnsLookLike() {
        StringBuilder text = new StringBuilder("id,born,day,pay,share,n,same,none,town,score\n");
        for (int i = 0; i < 40; i++) {
            text.append(String.format(
                    Locale.ROOT,
                    "%d,19%02d-01-02,202401%02d,$%d.50,%d%%,%d,3,,%s,%d%n",
                    i + 1,
                    50 + i,
                    1 + i % 28,
                    1000 + 37 * i % 11,
                    i % 13,
                    500 + i,
                    i % 2 == 0 ? "Bonn" : "Ulm",
                    i % 7));
        }
        Description described = Description.of(csv(text.toString()), NOTHING, WORKERS);

        assertThat(described.columns().stream().map(Column::look))
                .containsExactly(
                        Look.IDENTIFIER,
                        Look.DATE,
                        Look.DATE,
                        Look.MONEY,
                        Look.PERCENT,
                        Look.IDENTIFIER,
                        Look.CONSTANT,
                        Look.EMPTY,
                        null,
                        null);
        assertThat(names(described, Use.LEFT_OUT)).containsExactly("id", "born", "same");
        assertThat(names(described, Use.REFUSED)).containsExactly("none");
        assertThat(names(described, Use.IMMUTABLE_FEATURE)).containsExactly("town");
        assertThat(column(described, "town").values().levels()).containsExactly("Bonn", "Ulm");
        assertThat(described.candidates().stream().map(Description.Candidate::name))
                .containsExactly("score", "pay", "share");
        assertThat(described.target().orElseThrow().quantile(0.5)).isEqualTo(3);
    }

    @Test
    void numbersAreCountedUpToABound() {
        double[] few = new double[5000];
        double[] many = new double[5000];
        for (int i = 0; i < many.length; i++) {
            few[i] = (i * 7919L % 1000) / 3.0;
            many[i] = i * 7919L % 1001;
        }
        few[0] = -0.0;
        Description described = Description.of(
                Table.of(NumericColumn.of("few", few), NumericColumn.of("many", many)), NOTHING, WORKERS);

        assertThat(column(described, "few").values().different()).isEqualTo(1000);
        assertThat(column(described, "many").values().different()).isEqualTo(-1000);
    }

    @Test
    void aBlockWithInfiniteValuesIsRefusedWithTheSameMessageAsInAFit() {
        DenseMatrix x = DenseMatrix.of(new double[][] {{1, 2, 5}, {3, Double.NaN, 5}, {5, 1, 5}});
        Table table = Table.ofBlock(x, Table.positions(3), NumericColumn.of("y", 1, 2, 4));
        GameSpec spec = GameSpec.builder().target("y").wish("y+1").build();

        Description described = Description.of(table, spec, WORKERS);

        assertThat(names(described, Use.REFUSED)).containsExactly("2");
        assertThat(column(described, "3").look()).isEqualTo(Look.CONSTANT);
        assertThatThrownBy(() -> Sample.of(spec, table, WORKERS))
                .hasMessage(column(described, "2").why().text());
    }

    @Test
    void declaredColumnsHaveTheirRoles() {
        Table table = csv("a,b,w,g,who,y,hope\n1,2,1,x,p,3,4\n2,1,2,y,q,1,5\n3,3,1,x,r,2,2\n");
        GameSpec spec = GameSpec.builder()
                .target("y")
                .wish("hope")
                .weight("w")
                .group("g")
                .id("who")
                .ignore(Set.of("b"))
                .build();

        assertThat(Description.of(table, spec, WORKERS).columns().stream().map(Column::use))
                .containsExactly(Use.FEATURE, Use.IGNORED, Use.WEIGHT, Use.GROUP, Use.NAME, Use.TARGET, Use.WISH);
        assertThatThrownBy(
                        () -> Description.of(table, spec.toBuilder().target("g").build(), WORKERS))
                .isInstanceOf(DataException.class);
    }
}
