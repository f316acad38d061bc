package stackelberg.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.linalg.Workers;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.solver.krylov.KrylovSolver;

/** A real cluster: a master, two workers and their executors in processes of their own. */
class ClusterTest {
    @TempDir
    private static Path folder;

    /** Kills a worker when a given number of jobs have ended. */
    private static final class Killer extends SparkListener {
        private final StandaloneCluster cluster;
        private final AtomicInteger ended = new AtomicInteger();
        private final AtomicBoolean killed = new AtomicBoolean();

        Killer(StandaloneCluster cluster) {
            this.cluster = cluster;
        }

        @Override
        public void onJobEnd(SparkListenerJobEnd end) {
            if (ended.incrementAndGet() == 5 && killed.compareAndSet(false, true)) {
                cluster.killOneWorker();
            }
        }
    }

    @Test
    void theAnswerIsTheCoresEvenIfAWorkerDies() throws Exception {
        TestGame game = new TestGame(2000, 30, 1, 20);
        try (StandaloneCluster cluster = StandaloneCluster.start(folder, "512m", 1)) {
            Dataset<Row> data = game.dataset(cluster.session(), 4, false);
            StackelbergRegressionModel direct = game.estimator().fit(data);
            assertThat(TestGame.difference(direct, game.answer(1, new DirectSolver(Workers.of(1)), 1e-9)))
                    .isLessThan(1e-10);

            StackelbergRegression passes = game.estimator().setSolver("krylov").setTol(1e-12);
            double[] undisturbed = TestGame.rule(passes.fit(data));
            TestGame.Answer expected = game.answer(1, new KrylovSolver(Workers.of(1)), 1e-12);
            assertThat(TestGame.difference(undisturbed, expected.rule())).isLessThan(1e-10);

            Killer killer = new Killer(cluster);
            cluster.session().sparkContext().addSparkListener(killer);
            double[] survived = TestGame.rule(passes.fit(data));
            assertThat(killer.killed).isTrue();
            // the same partitions, added in the same order
            assertThat(survived).isEqualTo(undisturbed);
        }
    }

    @Test
    void rowsThatTheExecutorsCannotHoldSpillAndNoExecutorIsLost() throws Exception {
        ExecutorWatch watch = new ExecutorWatch();
        try (StandaloneCluster cluster = StandaloneCluster.start(folder.resolve("spill"), "512m", 1)) {
            cluster.session().sparkContext().addSparkListener(watch);
            // 280 MB, where two executors of 512 MB can cache 250
            Dataset<Row> data = cluster.session()
                    .createDataFrame(SparkBench.data(cluster.session(), 340_000, 100, 16), TestGame.SCHEMA);
            StackelbergRegressionModel model =
                    new StackelbergRegression().setSolver("krylov").fit(data);
            watch.catchUp(cluster.session());
            assertThat(watch.disk).isGreaterThan(10 << 20);
            assertThat(watch.lost).isZero();
            assertThat(watch.failed).isZero();
            assertThat(model.summary().certified()).isTrue();
        }
    }
}
