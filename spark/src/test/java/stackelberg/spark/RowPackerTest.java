package stackelberg.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows of every shape, packed and multiplied. */
class RowPackerTest {
    private static final RowCheck.Names NAMES = new RowCheck.Names("features", "label", "wish", "weight", false);

    /** From here on G1 gives an array regions of its own, if regions are as small as they can be: half of 1 MiB. */
    private static final long HUMONGOUS = 1 << 19;

    /** The length of an array is beside its numbers, and objects begin at whole words. */
    private static final int HEADER = 24;

    /**
     * Some rows.
     *
     * @param immutable the first so many features
     * @param nonzeros in a row; every other row may have more
     */
    private record Shape(int rows, int size, int immutable, int nonzeros, int moreNonzeros) {
        Layout layout() {
            return Layout.of(size, IntStream.range(0, immutable).toArray(), true);
        }

        List<Row> make() {
            SplittableRandom random = new SplittableRandom(size);
            List<Row> made = new ArrayList<>();
            for (int i = 0; i < rows; i++) {
                double y = random.nextDouble();
                Vector x = vector(random, i % 2 == 0 ? nonzeros : moreNonzeros);
                made.add(RowFactory.create(x, y, y + random.nextDouble(), 1 + random.nextDouble()));
            }
            return made;
        }

        private Vector vector(SplittableRandom random, int count) {
            if (count == size) {
                return Vectors.dense(random.doubles(size, -1, 1).toArray());
            }
            int[] indices =
                    random.ints(0, size).distinct().limit(count).sorted().toArray();
            return Vectors.sparse(size, indices, random.doubles(count, -1, 1).toArray());
        }
    }

    static Stream<Shape> shapes() {
        return Stream.of(
                new Shape(40_000, 1, 0, 1, 1),
                new Shape(30_000, 50, 3, 50, 50),
                new Shape(300, 1000, 0, 1000, 1000),
                new Shape(40, 9000, 1, 9000, 9000),
                new Shape(40, 16_382, 0, 16_382, 16_382),
                new Shape(40, 16_383, 0, 16_383, 16_383),
                new Shape(20, 150_000, 0, 150_000, 150_000),
                new Shape(40, 40_000, 20_000, 40_000, 40_000),
                new Shape(3000, 100_000, 0, 20, 30),
                new Shape(20, 1_000_000, 0, 100_000, 100_000),
                new Shape(4000, 5000, 4000, 10, 10),
                new Shape(200, 1000, 0, 10, 1000),
                new Shape(200, 100_000, 0, 10, 100_000),
                new Shape(30_000, 4, 0, 1, 1));
    }

    private static List<RowBlock> packed(Shape shape, List<Row> rows) {
        Layout layout = shape.layout();
        List<RowBlock> blocks = new ArrayList<>();
        new RowPacker(rows.iterator(), layout, new RowCheck(NAMES, layout.size(), 0)).forEachRemaining(blocks::add);
        return blocks;
    }

    /** The bytes of every array that an object holds, and of those its parts hold. */
    private static void arrays(Object object, LongConsumer bytes) throws IllegalAccessException {
        Class<?> type = object == null ? String.class : object.getClass();
        if (type.isArray()) {
            Class<?> element = type.getComponentType();
            bytes.accept(HEADER + (element == int.class ? 4L : 8L) * Array.getLength(object));
            for (int i = 0; !element.isPrimitive() && i < Array.getLength(object); i++) {
                arrays(Array.get(object, i), bytes);
            }
        } else if (type.getPackage() == RowBlock.class.getPackage()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                    field.setAccessible(true);
                    arrays(field.get(object), bytes);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void noArrayOfABlockIsHumongousInTheSmallestRegions(Shape shape) throws IllegalAccessException {
        List<RowBlock> blocks = packed(shape, shape.make());
        long row = 12L * (shape.size() + 100);
        long sum = 0;
        for (RowBlock block : blocks) {
            long[] total = new long[1];
            arrays(block, bytes -> {
                assertThat(bytes).isLessThanOrEqualTo(HUMONGOUS / 4 + HEADER);
                total[0] += bytes;
            });
            // seven arrays, or one row: Spark keeps 100 blocks beyond its cache while it spills
            assertThat(total[0]).isLessThan(Math.max(1 << 20, 2 * row));
            sum += total[0];
        }
        // and not so small that their number costs
        assertThat(sum / blocks.size()).isGreaterThan(32 << 10);
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void blocksHaveTheRowsThatWerePacked(Shape shape) {
        List<Row> rows = shape.make();
        Layout layout = shape.layout();
        double[] actual = new double[layout.order()];
        double[] expected = new double[layout.order()];
        int at = 0;
        for (RowBlock block : packed(shape, rows)) {
            for (int i = 0; i < block.rows; i++, at++) {
                block.copyRow(i, actual);
                expected(rows.get(at), layout, expected);
                assertThat(Arrays.equals(actual, expected)).as("row " + at).isTrue();
                assertThat(block.weights[i]).isEqualTo(rows.get(at).getDouble(3));
            }
        }
        assertThat(at).isEqualTo(shape.rows());
    }

    /** [V, X, y, z - y]. */
    private static void expected(Row row, Layout layout, double[] target) {
        Arrays.fill(target, 0);
        target[0] = 1;
        row.<Vector>getAs(0).foreachActive((j, value) -> {
            int entry = (Integer) j;
            target[(layout.isFixed(entry) ? 0 : layout.fixed()) + layout.column(entry)] = (Double) value;
            return null;
        });
        target[layout.order() - 2] = row.getDouble(1);
        target[layout.order() - 1] = row.getDouble(2) - row.getDouble(1);
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void productsAreThoseOfTheRows(Shape shape) {
        int k = 3;
        List<Row> rows = shape.make();
        Layout layout = shape.layout();
        double[] c = new SplittableRandom(1)
                .doubles((long) layout.order() * k, -1, 1)
                .toArray();
        double[] expected = new double[c.length + k];
        double[] m = new double[layout.order()];
        double[] squares = new double[layout.features()];
        for (Row row : rows) {
            expected(row, layout, m);
            double s = row.getDouble(3);
            double[] u = new double[k];
            int[] nonzeros = IntStream.range(0, m.length).filter(j -> m[j] != 0).toArray();
            for (int j : nonzeros) {
                for (int d = 0; d < k; d++) {
                    u[d] += m[j] * c[j * k + d];
                }
            }
            for (int d = 0; d < k; d++) {
                for (int j : nonzeros) {
                    expected[j * k + d] += s * m[j] * u[d];
                }
                expected[c.length + d] += s * u[d] * u[d];
            }
            for (int j = 0; j < squares.length; j++) {
                squares[j] += s * m[layout.fixed() + j] * m[layout.fixed() + j];
            }
        }
        Part part = new BlockProduct(layout, c).over(packed(shape, rows).iterator());
        assertThat(part.rows).isEqualTo(shape.rows());
        assertThat(TestGame.difference(part.sums, expected)).isLessThan(1e-12);
        double[] totals = new double[squares.length];
        packed(shape, rows).forEach(block -> block.addTotals(totals));
        assertThat(TestGame.difference(totals, squares)).isLessThan(1e-12);
    }
}
