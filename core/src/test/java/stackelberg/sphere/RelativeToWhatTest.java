package stackelberg.sphere;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.RealData;
import stackelberg.certificate.Certificate;
import stackelberg.data.io.DataFile;
import stackelberg.game.Hedge;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergRegression;
import stackelberg.objective.Pipeline;
import stackelberg.objective.Solution;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.auto.Solvers;

/** A gap is relative to max(f(r), 1e-9 p0), p0 = ||Py||^2: a number that wishes can neither blow up nor make vanish. */
class RelativeToWhatTest {
    private static final Workers ONE = Workers.of(1);

    /** Three kinds of reduction of one game; the second and third need an intercept. */
    private static List<Reduction> kinds(PredictionGame game) {
        RowsOfGame rows = new RowsOfGame(game);
        return List.of(Reduction.of(game, ONE), rows.remotely(), rows.bySums());
    }

    private static Solution solve(Reduction reduction, String solver, double gamma) {
        return new Pipeline(Solvers.named(solver, ONE), SolverOptions.DEFAULT)
                .run(reduction, gamma)
                .solutions()
                .get(0);
    }

    @Test
    void everyReductionReturnsTheLossOfTheZeroRule() {
        Random random = new Random(16_001);
        double[] y = random.doubles(20).toArray();
        double[] z = random.doubles(20).map(v -> 1e6 * v).toArray();
        double mean = Arrays.stream(y).average().orElseThrow();
        double p0 = Arrays.stream(y).map(v -> (v - mean) * (v - mean)).sum();
        for (Reduction reduction : kinds(game(random, y, z).withIntercept())) {
            assertThat(reduction.family().at(2).zeroRuleLoss()).isCloseTo(p0, within(1e-12 * p0));
        }
    }

    private static PredictionGame game(Random random, double[] y, double[] z) {
        double[][] x = new double[y.length][2];
        for (double[] row : x) {
            row[0] = random.nextGaussian();
            row[1] = random.nextGaussian();
        }
        return PredictionGame.of(DenseMatrix.of(x), y, z, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "direct", "krylov", "cd-admm", "ltrsr", "rtr-newton", "socp", "sdp"})
    void wishesFarLargerThanTheTargetAreNotCertifiedTooEasily(String solver) {
        double[][] x = {{1}, {2}, {-1}, {0.5}};
        double[] y = {0.9, 0.2, 0.4, 0.7};
        double[] z = {1e15, 2e15, 1.5e15, 0.7e15};
        PredictionGame game = PredictionGame.of(DenseMatrix.of(x), y, z, 1);
        Certificate proof = solve(Reduction.of(game, ONE), solver, 1).certificate();
        assertThat(proof.certified(1e-9)).as("%s", proof).isFalse();
        assertThat(proof.relativeGap()).isGreaterThan(1e-9);
    }

    @Test
    void sumsThatLostTheLossInRoundingAreNotCertified() {
        Random random = new Random(16_002);
        double[] y = random.doubles(20).toArray();
        double[] z = random.doubles(20).map(v -> 1e9 * v).toArray();
        for (Reduction reduction : kinds(game(random, y, z).withIntercept())) {
            Certificate proof = solve(reduction, "direct", 1).certificate();
            // no rule loses more than the constant, so a larger objective is one that is not known
            assertThat(proof.objective() > 2 * proof.scale() && proof.certified(1e-9))
                    .as("%s", proof)
                    .isFalse();
            assertThat(proof.certified(1e-9) && proof.gapBound() > 1e-9 * proof.scale())
                    .as("%s", proof)
                    .isFalse();
        }
    }

    @Test
    void twiceTheTargetAsAWishIsCertified() {
        double[][] x = {{1, 1}, {2, 2}, {4, 4}, {7, 7}};
        double[] y = {3, 5, 4.1, 1};
        double[] z = {6, 10, 8.2, 2};
        PredictionGame game = PredictionGame.of(DenseMatrix.of(x), y, z, 1).withIntercept();
        Certificate proof = solve(Reduction.of(game, ONE), "auto", 1).certificate();
        assertThat(proof.certified(1e-9)).as("%s", proof).isTrue();
        assertThat(proof.objective()).isLessThan(1e-25);
    }

    /** g = 0: r is an eigenvector, both signs of it are optimal, and only a bound of second order is small enough. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "krylov", "cd-admm", "ltrsr", "rtr-newton", "socp", "sdp"})
    void twiceTheTargetOnWineIsCertifiedAtASmallGamma(String solver) {
        var model = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("quality")
                .wish("2*y")
                .gamma(0.01)
                .solver(Solvers.named(solver, ONE))
                .build()
                .fit(DataFile.read(RealData.file("wine.csv"), Workers.of(2)));
        assertThat(model.certified()).as("%s", model.optimality()).isTrue();
        assertThat(model.optimality().objective()).isCloseTo(0.2379382596, within(1e-9));
    }

    /** ||e||^2/(mu - r'Hr) against the spectrum itself, at points that are more or less off. */
    @Test
    void boundOfAnEigenvectorIsNeverBelowTheTruth() {
        Random random = new Random(16_003);
        int tight = 0;
        for (int round = 0; round < 300; round++) {
            double[] d = {1, 1 + Math.pow(10, -3 * random.nextDouble()), 2 + random.nextDouble(), 5};
            DenseMatrix h = DenseMatrix.zeros(4, 4);
            for (int i = 0; i < 4; i++) {
                h.set(i, i, d[i]);
            }
            double off = Math.pow(10, -8 * random.nextDouble());
            double[] r = {1, off * random.nextGaussian(), off * random.nextGaussian(), off * random.nextGaussian()};
            Vectors.scale(1 / Vectors.norm(r), r);
            // f(r) - f* without the cancellation
            double truth = 0;
            for (int i = 1; i < 4; i++) {
                truth += (d[i] - d[0]) * r[i] * r[i];
            }
            Certificate proof = Certificate.of(SphereProblem.ofGram(h, new double[4], 0), r);
            assertThat(proof.gapBound()).as("off %s: %s", off, proof).isGreaterThanOrEqualTo(truth);
            // to first order it would be 4||e||
            tight += proof.gapBound() < proof.residual() / 100 ? 1 : 0;
        }
        assertThat(tight).isGreaterThan(100);
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e-3, 1, 1e3})
    void targetExplainedByImmutableColumnsGivesTheZeroRule(double gamma) {
        Random random = new Random(16_004);
        double[] y = new double[20];
        Arrays.fill(y, 0.3);
        double[] z = random.doubles(20).map(v -> 5 * v).toArray();
        for (Reduction reduction : kinds(game(random, y, z).withIntercept())) {
            Solution solution = solve(reduction, "auto", gamma);
            String what = reduction.getClass() + " " + solution.certificate();
            assertThat(solution.certificate().certified(1e-9)).as(what).isTrue();
            assertThat(solution.certificate().objective()).as(what).isZero();
            assertThat(solution.rule().w()).as(what).containsOnly(0);
            assertThat(solution.rule().intercept()).as(what).isCloseTo(0.3, within(1e-12));
        }
    }
}
