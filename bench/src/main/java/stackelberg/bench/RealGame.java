package stackelberg.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
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
 */
record RealGame(String name, Source source, String wish) {
    /** The paper's data sets: file, target, the constant by which y and z are divided (NaN for 0.01 max |y|), number of features, subsample sizes, and where to get the file. */
    enum Source {
        WINE(
                "wine.csv",
                "quality",
                1,
                11,
                sizes(150, 1500, 90),
                "winequality-red.csv of the UCI repository's Wine Quality (Cortez et al. 2009), SHA-256"
                        + " eed1f222f07f0ff48153f437bffd97d2a8cc60d3158bc458ed14b0a271f9cd3f"),
        INSURANCE(
                "insurance.csv",
                "charges",
                100,
                11,
                sizes(100, 1300, 50),
                "Kaggle's Medical Cost Personal Datasets (mirichoi0218/insurance), SHA-256"
                        + " 388eff679557d08ac19f463d025de5e0b4adc482537c8456d19934d78621fd47"),
        BUILDING(
                "building.csv",
                "V-9",
                Double.NaN,
                107,
                sizes(100, 300, 10),
                "the UCI repository's Residential Building (Rafiei and Adeli 2016), the sheet saved as CSV with"
                        + " columns named V-1, V-2, ..., SHA-256"
                        + " 5d015a823a35039913bdf37c69878ea8e7bde484189aff177dbf6769e81fad83"),
        BLOG(
                "blog.csv.gz",
                "281",
                1,
                280,
                sizes(5000, 50_000, 5000),
                "blogData_train.csv of the UCI repository's BlogFeedback (Buza 2014), compressed; SHA-256 of the"
                        + " uncompressed file f3cc953ea9913361be6d3bae2c393eef73eab57b1cb8e5bf8a22f1e5eb5dd05f");

        final String file;
        final String target;
        final double divisor;
        /** Without the column of ones. */
        final int features;

        final List<Integer> sizes;
        final String whereToGet;

        Source(String file, String target, double divisor, int features, List<Integer> sizes, String whereToGet) {
            this.file = file;
            this.target = target;
            this.divisor = divisor;
            this.features = features;
            this.sizes = sizes;
            this.whereToGet = file + " is " + whereToGet
                    + ".\nMaybe put it into a folder and name the folder with --data, or in STACKELBERG_DATA.";
        }

        /** Reads the whole table from its file. */
        Table read(Path folder, Workers workers) {
            Path path = folder.resolve(file);
            if (!Files.exists(path)) {
                throw DataException.of("real-data-missing", "There is no {}.\n{}", path, whereToGet);
            }
            return DataFile.read(path, DataFile.Options.DEFAULT.withNoHeader(this == BLOG), workers);
        }

        private static List<Integer> sizes(int from, int to, int step) {
            return IntStream.iterate(from, m -> m <= to, m -> m + step).boxed().toList();
        }
    }

    static List<RealGame> all() {
        return List.of(
                new RealGame("wine modest", Source.WINE, "max(y,6)"),
                new RealGame("wine severe", Source.WINE, "max(y,7)"),
                new RealGame("insurance modest", Source.INSURANCE, "max(y-100,0)"),
                new RealGame("insurance severe", Source.INSURANCE, "max(y-300,0)"),
                new RealGame("building modest", Source.BUILDING, "y+20"),
                new RealGame("building severe", Source.BUILDING, "y+40"),
                new RealGame("blog modest", Source.BLOG, "y+5"),
                new RealGame("blog severe", Source.BLOG, "y+10"));
    }

    /** The name of the data set, which is the first word of the name. */
    String data() {
        return name.substring(0, name.indexOf(' '));
    }

    /** The game on a random subsample of m rows. */
    PredictionGame sample(Table whole, int m, double gamma, long seed) {
        Table table = m == whole.rows() ? whole : whole.select(draw(whole.rows(), m, seed));
        double[] y = table.numeric(source.target).values();
        double[] z = Wish.parse(wish, table.names()).evaluate(table, y, null);
        double by = Double.isNaN(source.divisor)
                ? 0.01 * Arrays.stream(y).map(Math::abs).max().orElseThrow()
                : source.divisor;
        DenseMatrix x = DenseMatrix.zeros(m, source.features + 1);
        int next = 0;
        for (Column column : table.columns()) {
            // V-10 of the building data is a second target
            if (column.name().equals(source.target) || column.name().equals("V-10")) {
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
            throw new IllegalStateException(name + " has " + (next - 1) + " features, not " + source.features + ".");
        }
        return PredictionGame.of(x, divided(y, by), divided(z, by), gamma);
    }

    private static int[] draw(int rows, int m, long seed) {
        int[] order = IntStream.range(0, rows).toArray();
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
