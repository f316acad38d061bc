package stackelberg.solver.published.admm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.certificate.Certificate;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereProblem;

/** Beyond order 400 the shift is proven by factorisations, in every way there is to factor H, with every kind of rho. */
class LargeShiftTest {
    private static final Workers ONE = Workers.of(1);

    /** How often a fixed rho is what 3 (lambda + mu) would be; 0 for an adaptive one. */
    @ParameterizedTest
    @CsvSource({
        "sparse, 0", "sparse, 0.1", "sparse, 10",
        "sparse bordered, 0", "sparse bordered, 0.1", "sparse bordered, 10",
        "dense, 0", "dense, 0.1", "dense, 10"
    })
    void aNegativeMultiplierIsCertifiedWithAProvenShift(String shape, double share) {
        SphereProblem problem = tall(shape);
        assertThat(problem.dimension()).isBetween(500, 700);
        assertThat(Systems.of(problem, false, ONE))
                .isInstanceOf(shape.startsWith("sparse") ? BorderedSystem.class : DenseSystem.class);
        Certificate optimum = Certificate.of(problem, direct(problem));
        assertThat(optimum.multiplier()).isNegative();
        double smallest = SymmetricEigen.of(problem.hessian(), ONE).values()[0];

        Factors factors = new Factors(Systems.of(problem, false, ONE), 0);
        double allowed = 1e-10 * optimum.objective();
        Shift shift = Shift.of(problem, factors, allowed);
        // less than rounding is not looked for
        double apart = 2 * Math.max(allowed, 4 * problem.hessianRounding());
        assertThat(shift.mu()).isBetween(smallest - apart, smallest);
        assertThat(factors.count()).isLessThanOrEqualTo(15);
        assertThat(factors.passes()).isBetween(5, 1 + 4 * factors.count());

        AdmmSolver.Options options = share == 0
                ? AdmmSolver.Options.DEFAULT
                : AdmmSolver.Options.DEFAULT.withPenalty(
                        AdmmSolver.Penalty.fixed(share * 3 * (optimum.multiplier() + smallest)));
        certified(problem, options, optimum.objective());
    }

    /** Fewer rows than columns: H is singular, 0 is the shift, and a minimum inside is completed with a null vector. */
    @ParameterizedTest
    @ValueSource(strings = {"sparse", "dense"})
    void wideDataAreHardWithoutAShift(String shape) {
        Random random = new Random(52_002);
        int n = 600;
        int m = 250;
        Matrix x = shape.equals("sparse") ? sparse(random, m, n, 3) : dense(random, m, n);
        SphereProblem problem = problem(x, random, 1e4);
        assertThat(problem.structuralNullity()).isPositive();
        for (AdmmSolver.Options options : new AdmmSolver.Options[] {
            AdmmSolver.Options.DEFAULT,
            AdmmSolver.Options.DEFAULT.withLanczosSteps(0),
            AdmmSolver.Options.DEFAULT.withPenalty(AdmmSolver.Penalty.fixed(1e-4 * problem.hessianNorm()))
        }) {
            SphereResult result = certified(
                    problem, options, problem.evaluate(direct(problem)).objective());
            assertThat(Certificate.of(problem, result.r()).multiplier())
                    .isCloseTo(0, within(1e-9 * problem.hessianNorm()));
        }
    }

    /** g is orthogonal to the lowest eigenvector: the limit is inside, and few factorisations complete it. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.01, 1, 100})
    void theHardCaseOfALargeProblemIsCompleted(double rho) {
        int d = 500;
        DenseMatrix h = DenseMatrix.zeros(d, d);
        double[] g = new double[d];
        double minimum = 2 + 1;
        for (int j = 0; j < d; j++) {
            h.set(j, j, 1 + j / 10.0);
            g[j] = j == 0 ? 0 : Math.sin(j) / 50;
            minimum -= j == 0 ? 0 : g[j] * g[j] / (j / 10.0);
        }
        SphereProblem problem = SphereProblem.ofGram(h, g, 2);
        AdmmSolver.Options options = rho == 0
                ? AdmmSolver.Options.DEFAULT
                : AdmmSolver.Options.DEFAULT.withPenalty(AdmmSolver.Penalty.fixed(rho));
        SphereResult result = certified(problem, options, minimum);
        assertThat(Certificate.of(problem, result.r()).multiplier()).isCloseTo(-1, within(1e-6));
        assertThat(Math.abs(result.r()[0])).isGreaterThan(0.5);
    }

    private static SphereResult certified(SphereProblem problem, AdmmSolver.Options options, double minimum) {
        var result = AdmmSolver.cholesky(options, ONE).solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE);
        String what = result.effort() + " " + result.note();
        assertThat(result.status()).as(what).isEqualTo(SphereResult.Status.CONVERGED);
        Certificate proof = Certificate.of(problem, result.r());
        assertThat(proof.certified(1e-9)).as(what + proof).isTrue();
        assertThat(proof.objective()).isCloseTo(minimum, within(2e-9 * minimum + 1e-17 * problem.p()));
        assertThat(result.effort().factorisations()).as(what).isLessThanOrEqualTo(20);
        return result;
    }

    private static double[] direct(SphereProblem problem) {
        return new DirectSolver(ONE)
                .solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE)
                .r();
    }

    private static SphereProblem tall(String shape) {
        Random random = new Random(52_001);
        int n = 520;
        Matrix x = shape.startsWith("sparse") ? sparse(random, 900, n, 2) : dense(random, 900, n);
        if (shape.endsWith("bordered")) {
            // a shift of every column and a column of ones
            x = new AffineMatrix(x, gaussian(random, n), null, true);
        }
        return problem(x, random, 1e4);
    }

    /** A large gamma and labels near half of the wishes leave the least-squares point inside the ball. */
    private static SphereProblem problem(Matrix x, Random random, double gamma) {
        int m = x.rows();
        double[] z = gaussian(random, m);
        double[] y = Arrays.stream(z)
                .map(wish -> wish / 2 + 0.3 * random.nextGaussian())
                .toArray();
        return Reduction.of(PredictionGame.of(x, y, z, gamma), ONE).family().at(gamma);
    }

    /** A multiple of the identity on top, so that no column is empty. */
    private static CsrMatrix sparse(Random random, int m, int n, int perRow) {
        CsrMatrix.Builder builder = new CsrMatrix.Builder();
        for (int i = 0; i < m; i++) {
            if (i < n) {
                builder.put(i, 1 + random.nextDouble());
            } else {
                random.ints(perRow, 0, n).sorted().distinct().forEach(j -> builder.put(j, random.nextGaussian()));
            }
            builder.endRow();
        }
        return builder.build(n);
    }

    private static DenseMatrix dense(Random random, int m, int n) {
        return DenseMatrix.of(
                IntStream.range(0, m).mapToObj(i -> gaussian(random, n)).toArray(double[][]::new));
    }

    private static double[] gaussian(Random random, int length) {
        return IntStream.range(0, length)
                .mapToDouble(i -> random.nextGaussian())
                .toArray();
    }
}
