package stackelberg.solver.secular;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import stackelberg.linalg.Vectors;

class ArrowSphereTest {
    /** (H + lambda I) r = -g to rounding, however weakly the smallest entry of the diagonal hangs on the border. */
    @Test
    void aWeakCouplingOfTheSmallestEntryCostsNoDigits() {
        double[] d = {1.0 / 6, 0.5, 0.7};
        double s = 1.25;
        double[] g = {0.083, 0.5, -0.2};
        double gBorder = -0.25;
        for (int k = 0; k <= 340; k++) {
            double[] c = {Math.pow(10, -k / 20.0), 0.35, 0.1};
            ArrowSphere.Solution solution = ArrowSphere.solve(d, c, s, g, gBorder, false);
            double[] r = solution.r();
            double[] e = new double[4];
            e[3] = (s + solution.lambda()) * r[3] + gBorder;
            for (int i = 0; i < 3; i++) {
                e[i] = (d[i] + solution.lambda()) * r[i] + c[i] * r[3] + g[i];
                e[3] += c[i] * r[i];
            }
            assertThat(Vectors.norm(r)).as("coupling %s", c[0]).isBetween(1 - 1e-14, 1 + 1e-14);
            assertThat(Vectors.norm(e)).as("coupling %s", c[0]).isLessThan(1e-14);
        }
    }
}
