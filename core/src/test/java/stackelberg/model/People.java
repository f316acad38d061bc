package stackelberg.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Column;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.game.Hedge;

/** A seeded table of people: four numbers far from standard units, a region, a job, a weight, a household and a truth. */
public final class People {
    private People() {}

    public static Table table(int rows, long seed) {
        return table(rows, seed, 0);
    }

    /** @param missing the share of values that are missing in income and region */
    public static Table table(int rows, long seed, double missing) {
        Random random = new Random(seed);
        double[][] numbers = new double[4][rows];
        double[] score = new double[rows];
        double[] weight = new double[rows];
        double[] household = new double[rows];
        String[] region = new String[rows];
        String[] job = new String[rows];
        for (int i = 0; i < rows; i++) {
            double skill = random.nextGaussian();
            numbers[0][i] = 40_000 + 9_000 * (0.7 * skill + random.nextGaussian());
            numbers[1][i] = 2000 + 8 * random.nextGaussian();
            numbers[2][i] = Math.exp(random.nextGaussian());
            numbers[3][i] = 0.001 * random.nextDouble();
            int place = random.nextInt(4);
            int work = random.nextInt(3);
            score[i] = 3 + skill + numbers[2][i] / 2 - 300 * numbers[3][i] + 0.4 * place - 0.3 * work;
            score[i] += 0.05 * (numbers[1][i] - 2000) + 0.6 * random.nextGaussian();
            region[i] = random.nextDouble() < missing ? null : "r" + place;
            job[i] = "j" + work;
            weight[i] = 0.5 + random.nextInt(4);
            household[i] = i / 3;
            if (random.nextDouble() < missing) {
                numbers[0][i] = Double.NaN;
            }
        }
        List<Column> columns = new ArrayList<>();
        columns.add(NumericColumn.of("income", numbers[0]));
        columns.add(NumericColumn.of("year", numbers[1]));
        columns.add(NumericColumn.of("debt", numbers[2]));
        columns.add(NumericColumn.of("rate", numbers[3]));
        columns.add(CategoricalColumn.of("region", region));
        columns.add(CategoricalColumn.of("job", job));
        columns.add(NumericColumn.of("score", score));
        columns.add(NumericColumn.of("weight", weight));
        columns.add(NumericColumn.of("household", household));
        return Table.of(columns);
    }

    /** What everybody wants to be scored: at least the median. */
    public static StackelbergRegression.Builder regression() {
        return StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("score")
                .wish("max(y, median()) + 0.3")
                .ignore(java.util.Set.of("household", "weight"))
                .threads(1);
    }
}
