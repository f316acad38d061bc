package stackelberg.solver.published.riemannian;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.certificate.Certificate;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.PlantedGame;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereProblem;

/** Derivatives against finite differences, and what the plain method of the reference experiments does and does not promise. */
class RtrNewtonSolverTest {
    private static final Workers ONE = Workers.of(1);

    @Test
    void gradientIsTheSlopeOfHalfTheObjectiveAlongTheRetraction() {
        Random random = new Random(1);
        SphereProblem problem = indefinite(random, 7);
        SphereCost cost = at(problem, unit(random, 7));
        for (int trial = 0; trial < 20; trial++) {
            double[] eta = tangent(random, cost.point());
            double step = 1e-5;
            double slope = (half(problem, cost, eta, step) - half(problem, cost, eta, -step)) / (2 * step);
            assertThat(slope).isCloseTo(Vectors.dot(cost.gradient(), eta), within(1e-8));
        }
    }

    @Test
    void hessianIsTheSecondDerivativeOfHalfTheObjectiveAlongTheRetraction() {
        Random random = new Random(2);
        SphereProblem problem = indefinite(random, 7);
        SphereCost cost = at(problem, unit(random, 7));
        for (int trial = 0; trial < 20; trial++) {
            double[] eta = tangent(random, cost.point());
            double step = 1e-3;
            double middle = problem.evaluate(cost.point()).objective() / 2;
            double bend =
                    (half(problem, cost, eta, step) + half(problem, cost, eta, -step) - 2 * middle) / (step * step);
            double[] product = cost.hessianTimes(eta);
            assertThat(bend).isCloseTo(Vectors.dot(eta, product), within(2e-5));
            assertThat(Vectors.dot(product, cost.point())).isCloseTo(0, within(1e-12));
        }
    }

    @Test
    void hessianIsSymmetricOnTheTangentSpace() {
        Random random = new Random(3);
        SphereCost cost = at(indefinite(random, 9), unit(random, 9));
        double[] a = tangent(random, cost.point());
        double[] b = tangent(random, cost.point());
        assertThat(Vectors.dot(a, cost.hessianTimes(b))).isCloseTo(Vectors.dot(b, cost.hessianTimes(a)), within(1e-12));
    }

    @Test
    void reductionIsTheDifferenceOfObjectives() {
        Random random = new Random(4);
        SphereProblem problem = indefinite(random, 6);
        SphereCost from = at(problem, unit(random, 6));
        SphereCost to = at(problem, unit(random, 6));
        assertThat(from.reductionTo(to)).isCloseTo((from.objective() - to.objective()) / 2, within(1e-12));
    }

    @Test
    void plainStopsAtItsRelativeGradient() {
        PlantedGame planted = PlantedGame.of(new Random(5), 40, 20, 100, 0.5, PlantedGame.Case.POSITIVE, 0.5);
        SphereProblem problem = Reduction.of(planted.game(), ONE).family().at(0.5);
        double[] start = new double[21];
        java.util.Arrays.fill(start, 1 / Math.sqrt(21));
        double first = at(problem, start).gradientNorm();
        SphereResult result = plain(problem);

        assertThat(at(problem, result.r()).gradientNorm()).isLessThanOrEqualTo(1e-5 * first);
    }

    @Test
    void pointsWhereThePlainMethodFailsAreRefutedAndTheDefaultSucceeds() {
        Random random = new Random(6);
        int missed = 0;
        for (int trial = 0; trial < 100; trial++) {
            PlantedGame planted =
                    PlantedGame.of(random, 8, 1 + random.nextInt(3), 3, 2, PlantedGame.Case.NEGATIVE, 0.3);
            SphereProblem problem = Reduction.of(planted.game(), ONE).family().at(2);
            Certificate plain = Certificate.of(problem, plain(problem).r());
            if (plain.objective() > planted.objective() * (1 + 1e-6)) {
                missed++;
                assertThat(plain.proof()).as("trial " + trial + " " + plain).isEqualTo(Certificate.Proof.REFUTED);
            }
            double[] r = new RtrNewtonSolver(RtrNewtonSolver.Options.DEFAULT)
                    .solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE)
                    .r();
            assertThat(problem.evaluate(r).objective())
                    .as("trial " + trial)
                    .isCloseTo(planted.objective(), within(1e-9 * planted.objective()));
        }
        assertThat(missed).isBetween(1, 99);
    }

    @Test
    void optionsAreChecked() {
        assertThatThrownBy(() -> RtrNewtonSolver.Options.PLAIN.withRelativeGradient(2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2.0");
        assertThatThrownBy(() -> RtrNewtonSolver.Options.PLAIN.withAbsoluteGradient(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1.0");
    }

    private static SphereResult plain(SphereProblem problem) {
        return new RtrNewtonSolver(RtrNewtonSolver.Options.PLAIN)
                .solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE);
    }

    private static SphereCost at(SphereProblem problem, double[] r) {
        return SphereCost.at(problem, r);
    }

    private static double half(SphereProblem problem, SphereCost cost, double[] eta, double step) {
        double[] scaled = eta.clone();
        Vectors.scale(step, scaled);
        return problem.evaluate(cost.retract(scaled)).objective() / 2;
    }

    private static SphereProblem indefinite(Random random, int d) {
        double[][] h = new double[d][d];
        for (int i = 0; i < d; i++) {
            for (int j = 0; j <= i; j++) {
                h[i][j] = random.nextGaussian();
                h[j][i] = h[i][j];
            }
        }
        return SphereProblem.of(DenseMatrix.of(h), unit(random, d), 1);
    }

    private static double[] unit(Random random, int d) {
        double[] v = random.doubles(d).map(u -> u - 0.5).toArray();
        Vectors.scale(1 / Vectors.norm(v), v);
        return v;
    }

    private static double[] tangent(Random random, double[] r) {
        double[] eta = unit(random, r.length);
        Vectors.axpy(-Vectors.dot(eta, r), r, eta);
        return eta;
    }
}
