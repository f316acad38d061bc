package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.game.Hedge;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/** Columns that others determine are named with those others, and no column is named that is not. */
class CollinearityTest {
    private static final int ROWS = 60;
    private final Random random = new Random(3);

    @Test
    void aCombinationOfTwoColumnsIsReportedWithThoseTwo() {
        double[] a = column();
        double[] b = column();
        double[] c = column();
        double[] combined = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            combined[i] = 2 * a[i] - 0.01 * c[i] + 5;
        }

        assertThat(dependences(true, a, b, c, combined))
                .containsExactly(new Collinearity.Dependence("x3", List.of("x0", "x2")));
    }

    @Test
    void nearlyDependentColumnsAreNotReported() {
        double[] a = column();
        double[] near = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            near[i] = a[i] + 1e-3 * random.nextGaussian();
        }

        assertThat(dependences(true, a, near)).isEmpty();
    }

    @Test
    void aShiftedColumnIsDependentOnlyIfThereIsAConstant() {
        double[] a = column();
        double[] shifted = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            shifted[i] = a[i] + 3;
        }

        assertThat(dependences(true, a, shifted)).hasSize(1);
        assertThat(dependences(false, a, shifted)).isEmpty();
    }

    @Test
    void wideDataAreNotReportedAsCollinear() {
        double[][] wide = new double[ROWS + 20][];
        for (int j = 0; j < wide.length; j++) {
            wide[j] = column();
        }

        assertThat(dependences(true, wide)).isEmpty();
    }

    @Test
    void constantColumnsAreNotReportedAsCollinear() {
        double[] constant = new double[ROWS];
        java.util.Arrays.fill(constant, 7);

        assertThat(dependences(true, column(), constant, column())).isEmpty();
    }

    @Test
    void aFeatureThatImmutableColumnsDetermineIsNamed() {
        double[] fixed = column();
        double[] twice = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            twice[i] = 2 * fixed[i];
        }
        PredictionGame game = game(twice, column()).withImmutable(fixed);

        assertThat(Collinearity.of(game, List.of("twice", "other", "fixed"), true, () -> null, Workers.of(1)))
                .containsExactly(new Collinearity.Dependence("twice", List.of("fixed")));
    }

    @Test
    void theFitNamesALevelThatTheOtherLevelsDetermineInPaperModeToo() {
        double[] a = column();
        double[] y = column();
        String[] kind = new String[ROWS];
        for (int i = 0; i < ROWS; i++) {
            kind[i] = List.of("east", "north", "west").get(i % 3);
        }
        Table table =
                Table.of(NumericColumn.of("a", a), CategoricalColumn.of("region", kind), NumericColumn.of("y", y));

        StackelbergModel paper = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("y")
                .wish("max(y,0)")
                .paper()
                .build()
                .fit(table);
        StackelbergModel usual = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("y")
                .wish("max(y,0)")
                .build()
                .fit(table);

        assertThat(paper.warnings())
                .anyMatch(w -> w.text().contains("'region=west' is determined by 'region=east', 'region=north'"));
        assertThat(usual.warnings()).noneMatch(w -> w.text().contains("Collinear"));
    }

    private double[] column() {
        return random.doubles(ROWS, -1, 1).map(v -> 40 + 3 * v).toArray();
    }

    private List<Collinearity.Dependence> dependences(boolean constantToo, double[]... columns) {
        List<String> names = java.util.stream.IntStream.range(0, columns.length)
                .mapToObj(j -> "x" + j)
                .toList();
        return Collinearity.of(game(columns), names, constantToo, () -> null, Workers.of(1));
    }

    private PredictionGame game(double[]... columns) {
        DenseMatrix x = DenseMatrix.zeros(ROWS, columns.length);
        for (int j = 0; j < columns.length; j++) {
            x.setColumn(j, columns[j]);
        }
        return PredictionGame.of(x, new double[ROWS], new double[ROWS], 1);
    }
}
