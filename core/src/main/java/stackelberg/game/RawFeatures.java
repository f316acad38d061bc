package stackelberg.game;

import java.nio.DoubleBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.linalg.Matrix;

/** The manipulable features of the rows of a table, in the units of the data. They are read on demand and not copied as a whole. */
final class RawFeatures implements Response.Bounded.Features {
    /** Values copied at a time from a block, 512 kB: they stay in the second-level cache. */
    private static final int BLOCK = 1 << 16;

    private final World world;
    private final Table rows;
    private Response.Bounded.@Nullable Features source;

    RawFeatures(World world, Table rows) {
        this.world = world;
        this.rows = rows;
    }

    @Override
    public void read(int first, int count, double[] values) {
        source().read(first, count, values);
    }

    private synchronized Response.Bounded.Features source() {
        if (source == null) {
            Table complete = world.encoding().complete(rows);
            source = ofBlock(complete).orElseGet(() -> ofColumns(complete));
        }
        return source;
    }

    private int width() {
        return world.manipulable() + (world.intercept() == GameSpec.Intercept.MANIPULABLE ? 1 : 0);
    }

    /** A reader of the matrix that holds all manipulable columns; empty if no single block holds them all. */
    private Optional<Response.Bounded.Features> ofBlock(Table complete) {
        return complete.block().flatMap(block -> {
            Map<String, Integer> places = new HashMap<>();
            block.names().forEach(name -> places.put(name, places.size()));
            List<Encoding.Feature> features = world.encoding().features();
            int[] movable = world.movable();
            boolean numbers = features.stream().noneMatch(Encoding.Feature::categorical);
            if (!numbers
                    || !IntStream.of(movable)
                            .allMatch(j -> places.containsKey(features.get(j).column()))) {
                return Optional.empty();
            }
            int[] from = IntStream.of(movable)
                    .map(j -> places.get(features.get(j).column()))
                    .toArray();
            double[] mean = IntStream.of(movable)
                    .mapToDouble(j -> features.get(j).mean())
                    .toArray();
            return Optional.of((first, count, values) -> pick(block.matrix(), from, mean, first, count, values));
        });
    }

    /** Copies the manipulable columns of a block of rows, with missing values replaced by the means. */
    private void pick(Matrix matrix, int[] from, double[] mean, int first, int count, double[] values) {
        int cols = matrix.cols();
        int width = width();
        int height = Math.max(1, Math.min(count, BLOCK / cols));
        double[] tile = new double[height * cols];
        for (int start = 0; start < count; start += height) {
            int some = Math.min(height, count - start);
            matrix.tile(first + start, some, 0, cols, DoubleBuffer.wrap(tile));
            for (int i = 0; i < some; i++) {
                int at = (start + i) * width;
                for (int k = 0; k < from.length; k++) {
                    double value = tile[i * cols + from[k]];
                    values[at + k] = Double.isNaN(value) ? mean[k] : value;
                }
                if (width > from.length) {
                    values[at + from.length] = 1;
                }
            }
        }
    }

    /** Returns a reader of manipulable features that are separate columns. */
    private Response.Bounded.Features ofColumns(Table complete) {
        int width = width();
        IntToDoubleFunction[] columns = new IntToDoubleFunction[width];
        int k = 0;
        int j = 0;
        for (Encoding.Feature feature : world.encoding().features()) {
            for (EncodedColumn column : feature.columns()) {
                if (world.manipulable(j++)) {
                    columns[k++] = column(complete, feature, column);
                }
            }
        }
        if (k < width) {
            columns[k] = i -> 1;
        }
        return (first, count, values) -> {
            for (int c = 0; c < width; c++) {
                IntToDoubleFunction column = columns[c];
                for (int i = 0; i < count; i++) {
                    values[i * width + c] = column.applyAsDouble(first + i);
                }
            }
        };
    }

    /**
     * Reads an encoded column row by row, in the units of the data: a number, or 1 for a level and 0 for the others. A missing value is the mean, or the
     * most frequent level. The column is looked up once, not per row.
     */
    static IntToDoubleFunction column(Table rows, Encoding.Feature feature, EncodedColumn column) {
        if (feature.categorical()) {
            String level = Objects.requireNonNull(column.level(), "a categorical column has a level");
            boolean frequent = level.equals(feature.mostFrequentLevel());
            return rows.column(feature.column()) instanceof CategoricalColumn text
                    ? i -> (text.isMissing(i) ? frequent : level.equals(text.level(i))) ? 1 : 0
                    : i -> frequent ? 1 : 0;
        }
        NumericColumn numbers = rows.numeric(feature.column());
        return i -> numbers.isMissing(i) ? feature.mean() : numbers.value(i);
    }
}
