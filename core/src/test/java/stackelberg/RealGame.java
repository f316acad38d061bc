package stackelberg;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import stackelberg.data.Column;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.data.io.DataFile;
import stackelberg.data.wish.Wish;
import stackelberg.game.Hedge;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergRegression;

/**
 * One of the eight real games of the paper's protocol: wishes first, then y and z divided, then range scaling of the features.
 *
 * @param divisor what y and z are divided by; NaN for 0.01 max |y|
 */
public record RealGame(String name, String file, String target, String wish, double divisor, Set<String> unused) {
    public static List<RealGame> all() {
        return List.of(
                new RealGame("wine modest", "wine.csv", "quality", "max(y,6)", 1, Set.of()),
                new RealGame("wine severe", "wine.csv", "quality", "max(y,7)", 1, Set.of()),
                new RealGame("insurance modest", "insurance.csv", "charges", "max(y-100,0)", 100, Set.of()),
                new RealGame("insurance severe", "insurance.csv", "charges", "max(y-300,0)", 100, Set.of()),
                new RealGame("building modest", "building.csv", "V-9", "y+20", Double.NaN, Set.of("V-10")),
                new RealGame("building severe", "building.csv", "V-9", "y+40", Double.NaN, Set.of("V-10")),
                new RealGame("blog modest", "blog.csv.gz", "281", "y+5", 1, Set.of()),
                new RealGame("blog severe", "blog.csv.gz", "281", "y+10", 1, Set.of()));
    }

    public static RealGame named(String name) {
        return all().stream().filter(g -> g.name.equals(name)).findFirst().orElseThrow();
    }

    /** The data with the scaled target and the scaled wish in a column named "wish". */
    public Table table() {
        DataFile.Options options = DataFile.Options.DEFAULT.withNoHeader(file.startsWith("blog"));
        Table raw = DataFile.read(RealData.file(file), options, Workers.of(2));
        double[] y = raw.numeric(target).values();
        double[] z = Wish.parse(wish, raw.names()).evaluate(raw, y, null);
        double by = Double.isNaN(divisor)
                ? 0.01 * Arrays.stream(y).map(Math::abs).max().orElseThrow()
                : divisor;
        List<Column> columns = new ArrayList<>();
        for (Column column : raw.columns()) {
            if (!column.name().equals(target) && !unused.contains(column.name())) {
                columns.add(column);
            }
        }
        columns.add(NumericColumn.of(target, Arrays.stream(y).map(v -> v / by).toArray()));
        columns.add(NumericColumn.of("wish", Arrays.stream(z).map(v -> v / by).toArray()));
        return Table.of(columns);
    }

    /** The paper's choices for this game; gamma is still to be said. */
    public StackelbergRegression.Builder regression() {
        return StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target(target)
                .wish("wish")
                .paper();
    }

    @Override
    public String toString() {
        return name;
    }
}
