package stackelberg.solver.krylov;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

class BasisTest {
    private static final int LENGTH = 90;

    /** The first panel, a whole one and the start of a third. */
    private static final int COUNT = 8 + 32 + 5;

    private final Random random = new Random(7_102);
    private final Basis basis = filled(1 << 25);

    private Basis filled(int maxPanelDoubles) {
        Basis filled = new Basis(LENGTH, maxPanelDoubles, Workers.of(2));
        for (int i = 0; i < COUNT; i++) {
            DenseMatrix w = vectors(1);
            filled.project(w);
            filled.project(w);
            double[] v = w.row(0);
            Vectors.scale(1 / Vectors.norm(v), v);
            filled.append(v);
        }
        return filled;
    }

    private DenseMatrix vectors(int count) {
        double[][] rows = new double[count][LENGTH];
        for (double[] row : rows) {
            for (int j = 0; j < LENGTH; j++) {
                row[j] = random.nextGaussian();
            }
        }
        return DenseMatrix.of(rows);
    }

    @Test
    void theVectorsAreOrthonormalAcrossPanels() {
        assertThat(basis.size()).isEqualTo(COUNT);
        for (int i = 0; i < COUNT; i++) {
            for (int j = 0; j < COUNT; j++) {
                assertThat(Vectors.dot(basis.vector(i), basis.vector(j))).isCloseTo(i == j ? 1 : 0, within(1e-14));
            }
        }
    }

    @Test
    void projectingReturnsTheCoordinatesAndLeavesTheOrthogonalPart() {
        DenseMatrix w = vectors(3);
        DenseMatrix rest = DenseMatrix.of(new double[][] {w.row(0), w.row(1), w.row(2)});

        double[][] coordinates = basis.project(rest);

        DenseMatrix within = basis.combine(coordinates, 3);
        for (int c = 0; c < 3; c++) {
            for (int i = 0; i < COUNT; i++) {
                assertThat(coordinates[i][c]).isCloseTo(Vectors.dot(basis.vector(i), w.row(c)), within(1e-13));
                assertThat(Vectors.dot(basis.vector(i), rest.row(c))).isCloseTo(0, within(1e-13));
            }
            double[] sum = within.row(c);
            Vectors.axpy(1, rest.row(c), sum);
            assertThat(sum).containsExactly(w.row(c), within(1e-13));
        }
    }

    /** One vector a panel, three, eight: what very long vectors get. */
    @Test
    void smallerPanelsGiveTheSameVectors() {
        for (int vectors : new int[] {1, 3, 8}) {
            Basis small = new Basis(LENGTH, vectors * LENGTH + 5, Workers.of(2));
            for (int i = 0; i < COUNT; i++) {
                small.append(basis.vector(i));
            }
            DenseMatrix w = vectors(2);
            double[][] expected = basis.coordinates(w);
            double[][] coordinates = small.coordinates(w);
            double[] combined = small.combine(coordinates, 2).row(1);

            for (int i = 0; i < COUNT; i++) {
                assertThat(small.vector(i)).isEqualTo(basis.vector(i));
                assertThat(coordinates[i]).containsExactly(expected[i], within(1e-13));
            }
            assertThat(combined).containsExactly(basis.combine(expected, 2).row(1), within(1e-13));
            assertThat(small.panels()).isEqualTo((COUNT + vectors - 1) / vectors);
        }
    }

    @Test
    void combiningTheFirstVectorsLeavesTheOthersOut() {
        for (int count : new int[] {1, 8, 9, 40, 41}) {
            double[][] h = new double[count][1];
            h[count - 1][0] = 2;
            double[] expected = basis.vector(count - 1);
            Vectors.scale(2, expected);

            assertThat(basis.combine(h, 1).row(0)).containsExactly(expected, within(1e-15));
        }
    }
}
