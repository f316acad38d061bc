package stackelberg.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.data.io.DataFile;
import stackelberg.data.wish.Wish;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/**
 * One of the paper's eight real games with its protocol: a random subsample of m rows without replacement, y and z divided by a constant, features scaled to
 * [0, 1] on the rows in use, all levels of categories as 0/1 columns, and a manipulable column of ones.
 *
 * @param wish the wish expression
 * @param divisor the constant by which y and z are divided; NaN for 0.01 max |y|
 * @param unused columns that are no features
 * @param sizes the paper's subsample sizes
 */
record RealGame(
        String name, String file, String target, String wish, double divisor, Set<String> unused, List<Integer> sizes) {
    private static final List<Integer> WINE = sizes(150, 1500, 90);
    private static final List<Integer> INSURANCE = sizes(100, 1300, 50);
    private static final List<Integer> BUILDING = sizes(100, 300, 10);
    private static final List<Integer> BLOG = sizes(5000, 50_000, 5000);

    static List<RealGame> all() {
        return List.of(
                new RealGame("wine modest", "wine.csv", "quality", "max(y,6)", 1, Set.of(), WINE),
                new RealGame("wine severe", "wine.csv", "quality", "max(y,7)", 1, Set.of(), WINE),
                new RealGame("insurance modest", "insurance.csv", "charges", "max(y-100,0)", 100, Set.of(), INSURANCE),
                new RealGame("insurance severe", "insurance.csv", "charges", "max(y-300,0)", 100, Set.of(), INSURANCE),
                new RealGame("building modest", "building.csv", "V-9", "y+20", Double.NaN, Set.of("V-10"), BUILDING),
                new RealGame("building severe", "building.csv", "V-9", "y+40", Double.NaN, Set.of("V-10"), BUILDING),
                new RealGame("blog modest", "blog.csv.gz", "281", "y+5", 1, Set.of(), BLOG),
                new RealGame("blog severe", "blog.csv.gz", "281", "y+10", 1, Set.of(), BLOG));
    }

    private static List<Integer> sizes(int from, int to, int step) {
        return java.util.stream.IntStream.iterate(from, m -> m <= to, m -> m + step)
                .boxed()
                .toList();
    }

    /** The name of the data set, which is the first word of the name. */
    String data() {
        return name.substring(0, name.indexOf(' '));
    }

    /** The number of features, without the column of ones. */
    int features() {
        return switch (data()) {
            case "wine" -> 11;
            case "insurance" -> 11;
            case "building" -> 107;
            default -> 280;
        };
    }

    /** Reads the whole table from its file. */
    Table read(Path folder, Workers workers) {
        Path path = folder.resolve(file);
        if (!Files.exists(path)) {
            throw new DataException("There is no " + path + ".\n" + WhereToGet.of(data()));
        }
        return DataFile.read(path, DataFile.Options.DEFAULT.withNoHeader(data().equals("blog")), workers);
    }

    /** The game on a random subsample of m rows. */
    PredictionGame sample(Table whole, int m, double gamma, long seed) {
        Table table = m == whole.rows() ? whole : whole.select(draw(whole.rows(), m, seed));
        double[] y = table.numeric(target).values();
        double[] z = Wish.parse(wish, table.names()).evaluate(table, y, null);
        double by = Double.isNaN(divisor)
                ? 0.01 * Arrays.stream(y).map(Math::abs).max().orElseThrow()
                : divisor;
        DenseMatrix x = DenseMatrix.zeros(m, features() + 1);
        int next = 0;
        for (Column column : table.columns()) {
            if (column.name().equals(target) || unused.contains(column.name())) {
                continue;
            }
            if (column instanceof NumericColumn numbers) {
                x.setColumn(next++, toUnitRange(numbers.values()));
            } else if (column instanceof CategoricalColumn levels) {
                for (int level = 0; level < levels.levels().size(); level++) {
                    double[] indicator = new double[m];
                    for (int i = 0; i < m; i++) {
                        indicator[i] = levels.code(i) == level ? 1 : 0;
                    }
                    x.setColumn(next++, toUnitRange(indicator));
                }
            }
        }
        double[] ones = new double[m];
        Arrays.fill(ones, 1);
        x.setColumn(next++, ones);
        if (next != x.cols()) {
            throw new IllegalStateException(name + " has " + (next - 1) + " features, not " + features() + ".");
        }
        return PredictionGame.of(x, divided(y, by), divided(z, by), gamma);
    }

    private static int[] draw(int rows, int m, long seed) {
        int[] order = java.util.stream.IntStream.range(0, rows).toArray();
        Random random = new Random(seed);
        for (int i = 0; i < m; i++) {
            int other = i + random.nextInt(rows - i);
            int swapped = order[i];
            order[i] = order[other];
            order[other] = swapped;
        }
        int[] drawn = Arrays.copyOf(order, m);
        Arrays.sort(drawn);
        return drawn;
    }

    private static double[] divided(double[] values, double by) {
        return Arrays.stream(values).map(value -> value / by).toArray();
    }

    private static double[] toUnitRange(double[] values) {
        double min = Arrays.stream(values).min().orElse(0);
        double range = Arrays.stream(values).max().orElse(0) - min;
        return Arrays.stream(values)
                .map(value -> range > 0 ? (value - min) / range : 0)
                .toArray();
    }
}
