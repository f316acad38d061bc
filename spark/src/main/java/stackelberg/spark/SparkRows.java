package stackelberg.spark;

import java.io.Serializable;
import java.nio.DoubleBuffer;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Row;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;
import stackelberg.estimate.Moments;
import stackelberg.linalg.DenseMatrix;
import stackelberg.sphere.Reduction.RemoteRows;

/**
 * The rows of a DataFrame, packed into blocks on the executors. Each operation is one Spark job: it broadcasts vectors, if any, and collects one sum per
 * partition; these are added in the order of the partitions, so that results do not change from run to run.
 */
final class SparkRows implements RemoteRows, AutoCloseable {
    private final JavaSparkContext context;
    private final JavaRDD<RowBlock> blocks;
    private final Layout layout;
    private final int depth;
    private @Nullable Totals totals;

    /**
     * Rows that are read by the first job.
     *
     * @param rows rows (features, label, wish, weight)
     * @param names the names of these columns, for messages
     * @param depth the depth of the tree in which sums are added
     */
    SparkRows(JavaRDD<Row> rows, RowCheck.Names names, Layout layout, int depth) {
        this.context = JavaSparkContext.fromSparkContext(rows.context());
        this.layout = layout;
        this.depth = depth;
        this.blocks = rows.mapPartitionsWithIndex(
                (index, iterator) -> new RowPacker(iterator, layout, new RowCheck(names, layout.size(), index)), true);
    }

    /** Caches the blocks from the next job on, in memory as far as they fit and on disk beyond. */
    SparkRows cached() {
        blocks.persist(StorageLevel.MEMORY_AND_DISK());
        return this;
    }

    @Override
    public void close() {
        blocks.unpersist(false);
    }

    @Override
    public int fixed() {
        return layout.fixed();
    }

    @Override
    public int features() {
        return layout.features();
    }

    @Override
    public Totals totals() {
        if (totals == null) {
            totals = readTotals();
        }
        return totals;
    }

    private Totals readTotals() {
        int n = layout.features();
        Part sum = sum(partition -> {
            double[] squares = new double[n];
            long rows = 0;
            double weight = 0;
            while (partition.hasNext()) {
                RowBlock block = partition.next();
                if (block.problem != null) {
                    return Part.bad(block.problem);
                }
                rows += block.rows;
                weight += block.addTotals(squares);
            }
            return Part.of(rows, weight, squares);
        });
        return new Totals(sum.rows, sum.weight, sum.sums);
    }

    @Override
    public Product times(DenseMatrix c) {
        int order = layout.order();
        int k = c.cols();
        double[] values = new double[Math.multiplyExact(order, k)];
        c.tile(0, order, 0, k, DoubleBuffer.wrap(values));
        Broadcast<double[]> vectors = context.broadcast(values);
        try {
            Layout shape = layout;
            double[] sums = sum(partition -> new BlockProduct(shape, vectors.value()).over(partition)).sums;
            DenseMatrix image = DenseMatrix.zeros(order, k);
            image.setTile(0, order, 0, k, sums);
            double[] squares = new double[k];
            System.arraycopy(sums, values.length, squares, 0, k);
            return new Product(image, squares);
        } finally {
            vectors.destroy();
        }
    }

    @Override
    public Moments sums() {
        int order = layout.order();
        Part sum = sum(partition -> BlockGram.over(partition, order));
        return new Moments(BlockGram.symmetric(sum.sums, order), sum.rows, sum.weight);
    }

    /** The computation of a job on the blocks of one partition. */
    @FunctionalInterface
    private interface PartitionTask extends Serializable {
        Part over(Iterator<RowBlock> partition);
    }

    private Part sum(PartitionTask task) {
        JavaPairRDD<Integer, Part> parts = blocks.mapPartitionsWithIndex(
                        (index, iterator) -> List.of(new Tuple2<>(index, task.over(iterator)))
                                .iterator(),
                        true)
                .mapToPair(part -> part);
        Part sum = OrderedSum.of(parts, depth);
        if (sum.problem != null) {
            throw ParamWords.unusable("row-unusable", "{}", sum.problem);
        }
        return sum;
    }
}
