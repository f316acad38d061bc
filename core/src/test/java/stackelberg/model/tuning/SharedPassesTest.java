package stackelberg.model.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/** Users who read one matrix together get what each would have got alone, from fewer reads. */
@Timeout(30)
class SharedPassesTest {
    private static final int USERS = 4;
    private final DenseMatrix x = random(new Random(1), 200, 6);

    /** What a user does: as many rounds as its number says, then it leaves. */
    private interface Work {
        void run(int user, Matrix view);
    }

    private SharedPasses together(int threads, Work work) {
        SharedPasses shared = new SharedPasses(x, USERS, Workers.of(threads));
        shared.run(user -> work.run(user, shared.view(user)));
        return shared;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void everyUserGetsItsOwnProductsEvenIfOthersLeaveEarlier(int threads) {
        double[][] lastOf = new double[USERS][];
        double[] squares = new double[USERS];
        SharedPasses shared = together(threads, (user, view) -> {
            DenseMatrix v = start(user);
            for (int round = 0; round <= user; round++) {
                DenseMatrix out = DenseMatrix.zeros(6, v.cols());
                view.pass(v, masks(user, view.parts(v.cols()), v.cols(), squares), out, null);
                v = scaled(out);
            }
            lastOf[user] = v.column(0);
        });

        assertThat(shared.passes()).isEqualTo(USERS);
        for (int user = 0; user < USERS; user++) {
            double[] alone = new double[USERS];
            DenseMatrix v = start(user);
            for (int round = 0; round <= user; round++) {
                DenseMatrix out = DenseMatrix.zeros(6, v.cols());
                x.pass(v, masks(user, x.parts(v.cols()), v.cols(), alone), out, Workers.of(1));
                v = scaled(out);
            }
            assertThat(lastOf[user]).containsExactly(v.column(0), within(1e-12));
            assertThat(squares[user]).isCloseTo(alone[user], within(1e-10 * alone[user]));
        }
    }

    @Test
    void productsOfDifferentKindsDoNotMix() {
        DenseMatrix[] results = new DenseMatrix[USERS];
        double[][] rowSquares = new double[USERS][200];
        together(2, (user, view) -> {
            boolean forward = user % 2 == 0;
            results[user] = DenseMatrix.zeros(forward ? 200 : 6, 1);
            if (forward) {
                view.times(random(new Random(user), 6, 1), results[user], null);
            } else {
                view.transposeTimes(random(new Random(user), 200, 1), results[user], rowSquares[user], null);
            }
        });

        for (int user = 0; user < USERS; user++) {
            boolean forward = user % 2 == 0;
            DenseMatrix expected = DenseMatrix.zeros(forward ? 200 : 6, 1);
            double[] expectedSquares = new double[200];
            if (forward) {
                x.times(random(new Random(user), 6, 1), expected, Workers.of(1));
            } else {
                x.transposeTimes(random(new Random(user), 200, 1), expected, expectedSquares, Workers.of(1));
            }
            assertThat(results[user].column(0)).containsExactly(expected.column(0), within(1e-12));
            assertThat(rowSquares[user]).containsExactly(expectedSquares, within(1e-12));
        }
    }

    /** One vector needs one part, and its user has steps for few; side by side with many it would need more. */
    @Test
    void requestsThatCannotBeCombinedAreServedOneByOne() {
        double[][] results = new double[USERS][];
        SharedPasses shared = together(2, (user, view) -> {
            DenseMatrix v = random(new Random(user), 6, user == 0 ? 1 : 40);
            DenseMatrix out = DenseMatrix.zeros(6, v.cols());
            view.pass(v, masks(user, view.parts(v.cols()), v.cols(), new double[USERS]), out, null);
            results[user] = out.column(0);
        });

        assertThat(shared.passes()).isEqualTo(USERS);
        for (int user = 0; user < USERS; user++) {
            DenseMatrix v = random(new Random(user), 6, user == 0 ? 1 : 40);
            DenseMatrix out = DenseMatrix.zeros(6, v.cols());
            x.pass(v, masks(user, x.parts(v.cols()), v.cols(), new double[USERS]), out, Workers.of(1));
            assertThat(results[user]).containsExactly(out.column(0), within(1e-10));
        }
    }

    @Test
    void waitingUsersFailWhenAnotherUserFails() {
        RuntimeException[] seen = new RuntimeException[USERS];
        IllegalStateException lost = new IllegalStateException("lost");
        assertThatThrownBy(() -> together(2, (user, view) -> {
                    if (user == 2) {
                        throw lost;
                    }
                    try {
                        view.times(
                                start(user), DenseMatrix.zeros(200, start(user).cols()), null);
                        view.times(
                                start(user), DenseMatrix.zeros(200, start(user).cols()), null);
                    } catch (RuntimeException e) {
                        seen[user] = e;
                    }
                }))
                .isSameAs(lost);

        assertThat(seen[0]).hasCause(lost);
        assertThat(seen[3]).hasCause(lost);
    }

    @Test
    void aProductThatFailsFailsForAllWaitingUsers() {
        SharedPasses shared = new SharedPasses(x, 1, Workers.of(1));
        shared.enter();
        assertThatThrownBy(() -> shared.view(0).times(random(new Random(1), 5, 1), DenseMatrix.zeros(200, 1), null))
                .isInstanceOf(IllegalArgumentException.class);
        shared.leave();
    }

    /** Nobody may wait for ever when the virtual machine fails (no memory, no library) under the one who leaves last. */
    @Test
    void waitingUsersFailWhenTheVirtualMachineFails() throws InterruptedException {
        Error lost = new LinkageError("lost");
        DenseMatrix broken = random(new Random(3), 6, 1);
        SharedPasses shared = new SharedPasses(x, 2, Workers.of(1));
        Throwable[] seen = new Throwable[1];
        Matrix.RowStep fails = (first, rows, u) -> {
            throw lost;
        };
        Thread waiting = new Thread(() -> {
            shared.enter();
            try {
                Matrix view = shared.view(0);
                Matrix.RowStep[] steps = new Matrix.RowStep[view.parts(1)];
                Arrays.fill(steps, fails);
                view.pass(broken, steps, DenseMatrix.zeros(6, 1), null);
            } catch (Throwable e) {
                seen[0] = e;
            }
        });
        waiting.setDaemon(true);
        waiting.start();
        while (waiting.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        shared.enter();
        shared.leave();
        waiting.join();

        assertThat(seen[0]).hasRootCause(lost);
    }

    /** Every fold scales its view itself; a column that hardly varies in one fold has a factor far beyond the others'. */
    @Test
    void aScaledViewDoesWhatTheFormedMatrixDoes() {
        double[] shift = {0.5, -1, 0, 2, 0.1, 3};
        double[] scale = {1e6, 2, -3, 0.5, 1, 0.25};
        double[][] formed = new double[200][7];
        for (int i = 0; i < 200; i++) {
            for (int j = 0; j < 6; j++) {
                formed[i][j] = (x.get(i, j) - shift[j]) * scale[j];
            }
            formed[i][6] = 1;
        }
        DenseMatrix expected = DenseMatrix.of(formed);
        together(2, (user, view) -> {
            Matrix scaled = new AffineMatrix(view, shift, scale, true);
            DenseMatrix v = random(new Random(user), 7, 2);
            DenseMatrix u = random(new Random(user), 200, 2);
            assertSame(product(scaled, v), product(expected, v));
            double[] bounds = new double[200];
            double[] exact = new double[200];
            DenseMatrix back = DenseMatrix.zeros(7, 2);
            DenseMatrix expectedBack = DenseMatrix.zeros(7, 2);
            scaled.transposeTimes(u, back, bounds, Workers.of(1));
            expected.transposeTimes(u, expectedBack, exact, Workers.of(1));
            assertSame(back, expectedBack);
            for (int i = 0; i < 200; i++) {
                assertThat(bounds[i]).isGreaterThanOrEqualTo(exact[i] * (1 - 1e-12));
            }
            scaled.pass(v, masks(user, scaled.parts(2), 2, new double[USERS]), back, Workers.of(1));
            expected.pass(v, masks(user, expected.parts(2), 2, new double[USERS]), expectedBack, Workers.of(1));
            assertSame(back, expectedBack);
            double[] tile = new double[10];
            scaled.tile(7, 5, 5, 2, DoubleBuffer.wrap(tile));
            for (int i = 0; i < 5; i++) {
                assertThat(tile[2 * i]).isEqualTo(formed[7 + i][5]);
                assertThat(tile[2 * i + 1]).isEqualTo(1);
            }
        });
    }

    private static DenseMatrix product(Matrix matrix, DenseMatrix v) {
        DenseMatrix out = DenseMatrix.zeros(matrix.rows(), v.cols());
        matrix.times(v, out, Workers.of(1));
        return out;
    }

    private static void assertSame(DenseMatrix found, DenseMatrix expected) {
        for (int i = 0; i < expected.rows(); i++) {
            double size = Vectors.norm(expected.row(i));
            assertThat(found.row(i)).containsExactly(expected.row(i), within(1e-10 * (1 + size)));
        }
    }

    private static DenseMatrix start(int user) {
        return random(new Random(100 + user), 6, 1 + user % 3);
    }

    /** Leaves out every fourth row, another one for each user, and adds up the squares of the rest. */
    private static Matrix.RowStep[] masks(int user, int parts, int k, double[] squares) {
        Matrix.RowStep[] steps = new Matrix.RowStep[parts];
        for (int part = 0; part < parts; part++) {
            steps[part] = (first, rows, u) -> {
                double sum = 0;
                for (int i = 0; i < rows; i++) {
                    for (int c = 0; c < k; c++) {
                        double kept = (first + i) % USERS == user ? 0 : u.get(i * k + c);
                        u.put(i * k + c, kept);
                        sum += kept * kept;
                    }
                }
                synchronized (squares) {
                    squares[user] += sum;
                }
            };
        }
        return steps;
    }

    private static DenseMatrix scaled(DenseMatrix v) {
        DenseMatrix result = DenseMatrix.zeros(v.rows(), v.cols());
        for (int c = 0; c < v.cols(); c++) {
            double[] column = v.column(c);
            Vectors.scale(1 / Vectors.norm(column), column);
            result.setColumn(c, column);
        }
        return result;
    }

    private static DenseMatrix random(Random random, int rows, int cols) {
        DenseMatrix a = DenseMatrix.zeros(rows, cols);
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < cols; j++) {
                a.set(i, j, random.nextGaussian());
            }
        }
        return a;
    }
}
