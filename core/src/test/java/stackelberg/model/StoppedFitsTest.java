package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.estimate.Loss;
import stackelberg.game.Hedge;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.ProgressListener.Decision;
import stackelberg.solver.auto.Solvers;

/** A fit that is stopped from outside, by its listener or an interrupt, gives its last rule and does not blame the game. */
class StoppedFitsTest {
    private static final int ROWS = 200;

    enum Game {
        HEDGED {
            @Override
            StackelbergRegression.Builder of(StackelbergRegression.Builder plain) {
                return plain.hedge(0.02);
            }
        },
        BETWEEN {
            @Override
            StackelbergRegression.Builder of(StackelbergRegression.Builder plain) {
                return plain.gammaBetween(0.1, 2);
            }
        },
        MIXED {
            @Override
            StackelbergRegression.Builder of(StackelbergRegression.Builder plain) {
                return plain.truthfulShare(0.3);
            }
        },
        ITERATIVE {
            @Override
            StackelbergRegression.Builder of(StackelbergRegression.Builder plain) {
                return plain.solver(Solvers.named("krylov", Workers.of(2)));
            }
        },
        HUBER {
            @Override
            StackelbergRegression.Builder of(StackelbergRegression.Builder plain) {
                return plain.loss(Loss.of("huber:1"));
            }
        };

        abstract StackelbergRegression.Builder of(StackelbergRegression.Builder plain);

        StackelbergRegression.Builder builder() {
            return of(StackelbergRegression.builder()
                    .hedge(Hedge.NONE)
                    .target("y")
                    .wish("z")
                    .gamma(0.5));
        }
    }

    private static Table table() {
        Random random = new Random(71_004);
        double[][] x = new double[6][ROWS];
        double[] y = new double[ROWS];
        double[] z = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            for (int j = 0; j < x.length; j++) {
                x[j][i] = random.nextGaussian();
                y[i] += (j + 1) * x[j][i] / 4;
            }
            y[i] += random.nextGaussian();
            z[i] = y[i] + 1 + random.nextDouble() * 2;
        }
        Table table = Table.of(NumericColumn.of("y", y), NumericColumn.of("z", z));
        for (int j = 0; j < x.length; j++) {
            table = table.with(NumericColumn.of("x" + j, x[j]));
        }
        return table;
    }

    @AfterEach
    void forget() {
        Thread.interrupted();
    }

    @ParameterizedTest
    @EnumSource(Game.class)
    void theWarningOfAStoppedFitDoesNotBlameTheGame(Game game) {
        StackelbergModel whole = game.builder().build().fit(table());
        assertThat(whole.certified()).isTrue();

        StackelbergModel model =
                game.builder().listener(progress -> Decision.STOP).build().fit(table());

        assertThat(model.solver().status()).isEqualTo("STOPPED_BY_LISTENER");
        assertThat(Double.isFinite(model.intercept())).isTrue();
        assertThat(model.warnings().toString())
                .doesNotContain("another hedge")
                .doesNotContain("another interval")
                .doesNotContain("five decades")
                .doesNotContain("another solver")
                .doesNotContain("ridge(...)");
        if (!model.certified()) {
            assertThat(model.warnings()).anyMatch(warning -> warning.text().startsWith("The fit was stopped"));
            assertThat(model.standardErrors().flatMap(StandardErrors::found)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Game.class)
    void anInterruptStopsAFitAndReturnsItsLastRule(Game game) {
        AtomicInteger iterations = new AtomicInteger();
        ProgressListener interrupting = progress -> {
            iterations.incrementAndGet();
            Thread.currentThread().interrupt();
            return Decision.CONTINUE;
        };

        StackelbergModel model = game.builder().listener(interrupting).build().fit(table());

        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThat(model.solver().status()).isEqualTo("STOPPED_BY_LISTENER");
        assertThat(Double.isFinite(model.intercept())).isTrue();
        // each search of a fit is stopped at its first look
        assertThat(iterations.get()).isLessThanOrEqualTo(4);
    }

    @Test
    void anInterruptBeforeTheSolverStartsThrowsAClearException() {
        Table table = table();
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> Game.HEDGED.builder().build().fit(table))
                .isInstanceOf(CancellationException.class)
                .hasMessageStartingWith("Interrupted");
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    /** The default has no listener, and is stopped too. */
    @Test
    void anInterruptFromAnotherThreadEndsALongFit() throws InterruptedException {
        StackelbergRegression regression = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("y")
                .wish("z")
                .gamma(0.5)
                .standardErrors("bootstrap:1000000")
                .build();
        AtomicReference<StackelbergModel> found = new AtomicReference<>();
        Thread fitting = new Thread(() -> found.set(regression.fit(table())));
        fitting.start();
        Thread.sleep(500);
        fitting.interrupt();
        fitting.join(30_000);

        assertThat(fitting.isAlive()).isFalse();
        assertThat(found.get().certified()).isTrue();
        assertThat(found.get().standardErrors().orElseThrow().reason()).contains("stopped");
    }
}
