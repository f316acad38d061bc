package stackelberg.spark;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaPairRDD;
import scala.Tuple2;

/**
 * The sum of one {@link Part} per partition, added in the order of the partitions, so that the same partitions give the same bits.
 *
 * <p>Spark's own treeAggregate adds in the order of arrival. Here the intermediate levels group neighbours and sort each group before adding.
 */
final class OrderedSum {
    private OrderedSum() {}

    /**
     * Adds the parts, keyed by partition.
     *
     * @param depth 1 sends every part to the driver; d sends it about the d-th root of their number, after d - 1 shuffles
     */
    static Part of(JavaPairRDD<Integer, Part> parts, int depth) {
        int count = parts.getNumPartitions();
        int scale = Math.max(2, (int) Math.ceil(Math.pow(count, 1.0 / depth)));
        JavaPairRDD<Integer, Part> level = parts;
        while (count > scale + (count + scale - 1) / scale) {
            count = (count + scale - 1) / scale;
            level = level.mapToPair(part -> new Tuple2<>(part._1() / scale, part))
                    .groupByKey(new HashPartitioner(count))
                    .mapValues(OrderedSum::added);
        }
        return added(level.collect());
    }

    private static Part added(Iterable<Tuple2<Integer, Part>> parts) {
        List<Tuple2<Integer, Part>> sorted = new ArrayList<>();
        parts.forEach(sorted::add);
        sorted.sort(Comparator.comparing(Tuple2::_1));
        Part sum = sorted.get(0)._2();
        for (Tuple2<Integer, Part> part : sorted.subList(1, sorted.size())) {
            sum = sum.plus(part._2());
        }
        return sum;
    }
}
