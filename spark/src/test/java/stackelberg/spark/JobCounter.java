package stackelberg.spark;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.sql.SparkSession;

/** How many jobs have ended. */
final class JobCounter extends SparkListener {
    private final AtomicInteger jobs = new AtomicInteger();

    @Override
    public void onJobEnd(SparkListenerJobEnd end) {
        jobs.incrementAndGet();
    }

    /** Including those of which the listeners have not been told yet. */
    int jobs(SparkSession spark) {
        try {
            spark.sparkContext().listenerBus().waitUntilEmpty(60_000);
        } catch (java.util.concurrent.TimeoutException e) {
            throw new IllegalStateException(e);
        }
        return jobs.get();
    }
}
