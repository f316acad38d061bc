package stackelberg.sphere;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.certificate.Certificate;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.game.RandomGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.SphereProblem.Evaluation;

/** The formed sums say the same as the rows: everything a family knows, and the rule of every point. */
class GramFamilyTest {
    private static final Workers WORKERS = Workers.of(1);
    private static final double[] GAMMAS = {0.01, 1, 50};

    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void theFamilyFromSumsEqualsTheFamilyFromRows(int immutables) {
        Random random = new Random(11 + immutables);
        PredictionGame game = RandomGame.general(random, 60, 7, immutables, 1);
        SphereFamily rows = Reduction.of(game, WORKERS).family();
        SphereFamily sums = reduction(game).family();

        double scale = rows.squaredNorm();
        assertThat(sums.xy()).containsExactly(rows.xy(), within(1e-13 * Math.sqrt(scale * rows.yy())));
        assertThat(sums.xz()).containsExactly(rows.xz(), within(1e-13 * Math.sqrt(scale * rows.zz())));
        assertThat(sums.yy()).isCloseTo(rows.yy(), within(1e-12 * rows.yy()));
        assertThat(sums.yz()).isCloseTo(rows.yz(), within(1e-12 * rows.zz()));
        assertThat(sums.zz()).isCloseTo(rows.zz(), within(1e-12 * rows.zz()));
        assertThat(sums.p()).isCloseTo(rows.p(), within(1e-12 * rows.p()));
        assertThat(sums.limitPointLoss()).isCloseTo(rows.limitPointLoss(), within(1e-12 * rows.zz()));
        // of X itself, without what the immutable columns explain
        assertThat(sums.squaredNorm())
                .isGreaterThanOrEqualTo(trace(rows.gram()))
                .isCloseTo(scale, within(1e-12 * scale));
        assertThat(sums.removedNorm()).isCloseTo(rows.removedNorm(), within(1e-11 * (1 + rows.removedNorm())));
        assertThat(sums.rankBound()).isEqualTo(rows.rankBound());
        for (int j = 0; j < 7; j++) {
            assertThat(sums.gram().row(j)).containsExactly(rows.gram().row(j), within(1e-13 * scale));
        }
    }

    @Test
    void anyPointHasTheSameObjectiveAndGradient() {
        Random random = new Random(5);
        PredictionGame game = RandomGame.general(random, 60, 7, 2, 1);
        SphereFamily rows = Reduction.of(game, WORKERS).family();
        SphereFamily sums = reduction(game).family();
        double[][] points = {RandomGame.unit(random, 8), RandomGame.unit(random, 8), RandomGame.unit(random, 8)};

        Evaluation[] expected = rows.evaluate(GAMMAS, points);
        Evaluation[] found = sums.evaluate(GAMMAS, points);

        for (int c = 0; c < points.length; c++) {
            double scale = rows.at(GAMMAS[c]).roundingScale();
            assertThat(found[c].objective()).isCloseTo(expected[c].objective(), within(1e-13 * scale));
            assertThat(found[c].halfGradient()).containsExactly(expected[c].halfGradient(), within(1e-13 * scale));
        }
    }

    /** A point found from the sums is certified by the sums, and the rows agree. */
    @Test
    void aCertificateOfTheSumsHoldsForTheRows() {
        PredictionGame game = RandomGame.general(new Random(17), 80, 9, 2, 1);
        SphereFamily rows = Reduction.of(game, WORKERS).family();
        SphereFamily sums = reduction(game).family();
        DirectSolver solver = new DirectSolver(WORKERS);
        for (double gamma : GAMMAS) {
            double[] r = solver.solve(sums.at(gamma), SolverOptions.DEFAULT, ProgressListener.NONE)
                    .r();
            Certificate bySums = Certificate.of(sums.at(gamma), r);
            Certificate byRows = Certificate.of(rows.at(gamma), r);

            assertThat(bySums.certified(1e-9)).as(bySums.toString()).isTrue();
            assertThat(byRows.certified(1e-9)).as(byRows.toString()).isTrue();
            assertThat(bySums.objective()).isCloseTo(byRows.objective(), within(1e-12 * byRows.scale()));
        }
    }

    /** V'V squares the condition of V: nearly dependent immutable columns cost the sums twice the digits, and the allowances say so. */
    @Test
    void nearlyDependentImmutableColumnsAreAllowedFor() {
        Random random = new Random(29);
        for (int trial = 0; trial < 60; trial++) {
            double apart = Math.pow(10, -(trial % 6));
            double along = trial % 4 < 2 ? 1 : 1e3;
            PredictionGame plain = RandomGame.plain(random, 30, 3, 1);
            double[] u = RandomGame.normal(random, 30);
            double[] v = RandomGame.normal(random, 30);
            double[] near = v.clone();
            Vectors.axpy(apart, u, near);
            double[][] x = RandomGame.rows(plain);
            double[] y = plain.y();
            double[] z = plain.z();
            Vectors.axpy(along, u, y);
            Vectors.axpy(along, u, z);
            for (int i = 0; i < 30; i++) {
                x[i][0] += along * u[i];
            }
            PredictionGame game = PredictionGame.of(DenseMatrix.of(x), y, z, 1).withImmutable(v, near);
            SphereProblem rows = Reduction.of(game, WORKERS).family().at(1);
            SphereProblem sums = reduction(game).family().at(1);
            double[] r = RandomGame.unit(random, 4);
            Evaluation byRows = rows.evaluate(r);
            Evaluation bySums = sums.evaluate(r);

            String what = "trial " + trial + ", apart " + apart + ", along " + along;
            double[] error = bySums.halfGradient();
            Vectors.axpy(-1, byRows.halfGradient(), error);
            assertThat(Vectors.norm(error)).as(what).isLessThan(sums.gradientRounding(r) + rows.gradientRounding(r));
            double least = byRows.objective() - rows.objectiveRounding(r, byRows.objective());
            assertThat(bySums.objective()).as(what).isGreaterThanOrEqualTo(least);
        }
    }

    /** y = z = X w: the optimum is 0 and every sum cancels; what is left must not be called less than it is. */
    @Test
    void aZeroObjectiveIsReportedWithTheRoundingOfItsTerms() {
        PredictionGame game = RandomGame.plain(new Random(3), 40, 4, 1);
        double[] y = game.predict(new LinearRule(new double[] {1, -2, 3, 0.5}, new double[0], 0), WORKERS);
        PredictionGame exact = PredictionGame.of(game.x(), y, y, 1);
        SphereFamily sums = reduction(exact).family();
        double[] limitPoint = {0, 0, 0, 0, 1};

        double objective = sums.evaluate(new double[] {1}, new double[][] {limitPoint})[0].objective();

        assertThat(objective).isPositive().isLessThan(1e-14 * sums.yy());
    }

    @Test
    void theRuleOfAPointIsTheSameFromSumsAndRows() {
        Random random = new Random(23);
        PredictionGame game = RandomGame.general(random, 60, 5, 3, 2);
        // the second immutable column again, and one that is the sum of two: neither tells anything new
        double[][] columns = game.immutable();
        double[] sum = columns[0].clone();
        Vectors.axpy(1, columns[2], sum);
        PredictionGame dependent = game.withImmutable(columns[0], columns[1], columns[1], columns[2], sum);
        Reduction rows = Reduction.of(dependent, WORKERS);
        double[] r = RandomGame.unit(random, 6);

        LinearRule expected = rows.recoverScaled(r, 2);
        LinearRule found = reduction(dependent).recoverScaled(r, 2);

        assertThat(found.intercept()).isCloseTo(expected.intercept(), within(1e-11));
        assertThat(found.q()).containsExactly(expected.q(), within(1e-11));
        assertThat(found.w()).containsExactly(expected.w(), within(1e-11));
        assertThat(found.q()[2]).isZero();
        assertThat(found.q()[4]).isZero();
        double[] w = RandomGame.normal(random, 5);
        assertThat(reduction(dependent).naiveRule(w).q())
                .containsExactly(rows.naiveRule(w).q(), within(1e-11));
    }

    @Test
    void theScaledRuleIsTheRuleDividedByOnePlusAlpha() {
        Random random = new Random(29);
        PredictionGame game = RandomGame.general(random, 60, 5, 2, 2);
        Reduction reduction = Reduction.of(game, WORKERS);
        double[] r = RandomGame.unit(random, 6);
        LinearRule rule = reduction.recover(r, 2);
        LinearRule scaled = reduction.recoverScaled(r, 2);
        double factor = 1 + rule.omega(game.costs()) / 2;

        for (int j = 0; j < 5; j++) {
            assertThat(scaled.w()[j] * factor).isCloseTo(rule.w()[j], within(1e-12 * factor));
        }
        assertThat(scaled.intercept() * factor).isCloseTo(rule.intercept(), within(1e-12 * factor));
    }

    @Test
    void sumsThatLostDigitsAreReportedAsInaccurate() {
        PredictionGame game = RandomGame.plain(new Random(31), 50, 3, 1).withIntercept();
        double[][] rows = RandomGame.rows(game);
        for (double[] row : rows) {
            row[1] += 1e6;
        }
        PredictionGame far =
                PredictionGame.of(DenseMatrix.of(rows), game.y(), game.z(), 1).withIntercept();

        assertThat(reduction(game).accurate()).isTrue();
        assertThat(reduction(far).accurate()).isFalse();
    }

    private static double trace(DenseMatrix a) {
        double sum = 0;
        for (int i = 0; i < a.rows(); i++) {
            sum += a.get(i, i);
        }
        return sum;
    }

    private static Reduction reduction(PredictionGame game) {
        return new RowsOfGame(game).bySums();
    }
}
