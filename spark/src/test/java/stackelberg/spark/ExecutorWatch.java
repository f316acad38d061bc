package stackelberg.spark;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerBlockUpdated;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;

/** What the executors keep of the rows, and which of them are lost. */
final class ExecutorWatch extends SparkListener {
    /** Bytes in memory and on disk, by executor and partition. */
    private final Map<String, long[]> blocks = new HashMap<>();
    /** The most bytes that were on disk at once, and what was in memory then. */
    long disk;

    long memory;
    long peakHeap;
    int lost;
    int failed;

    @Override
    public synchronized void onBlockUpdated(SparkListenerBlockUpdated update) {
        var block = update.blockUpdatedInfo();
        if (!block.blockId().isRDD()) {
            return;
        }
        blocks.put(
                block.blockManagerId().executorId() + " " + block.blockId().name(),
                new long[] {block.memSize(), block.diskSize()});
        long onDisk = blocks.values().stream().mapToLong(sizes -> sizes[1]).sum();
        if (onDisk >= disk) {
            disk = onDisk;
            memory = blocks.values().stream().mapToLong(sizes -> sizes[0]).sum();
        }
    }

    @Override
    public synchronized void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
        lost++;
    }

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
        failed += end.taskInfo().successful() ? 0 : 1;
        if (end.taskExecutorMetrics() != null) {
            peakHeap = Math.max(peakHeap, end.taskExecutorMetrics().getMetricValue("JVMHeapMemory"));
        }
    }

    /** Waits until it has been told everything that has happened. */
    void catchUp(SparkSession spark) {
        try {
            spark.sparkContext().listenerBus().waitUntilEmpty(60_000);
        } catch (java.util.concurrent.TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }
}
