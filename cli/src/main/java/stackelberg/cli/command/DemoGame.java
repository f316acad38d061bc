package stackelberg.cli.command;

import java.util.List;
import java.util.Locale;
import java.util.Random;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;

/**
 * Loan applicants who polish their figures: how much of a loan they will repay depends on six things, of which age and region cannot be
 * changed; everybody hopes for the score that gets the loan it has in mind, and has nothing against a better one.
 *
 * @param income per month
 * @param savings in all
 * @param debt in all
 * @param jobYears years in the present job
 * @param age in years
 * @param region where they live
 * @param score the truth: how creditworthy they turn out to be, around 60
 * @param hopedFor the score they wish for: the truth, or what their loan needs if that is more
 */
record DemoGame(
        double[] income,
        double[] savings,
        double[] debt,
        double[] jobYears,
        double[] age,
        String[] region,
        double[] score,
        double[] hopedFor) {
    static final String TARGET = "score";
    static final String WISH = "hoped_for";
    static final List<String> IMMUTABLE = List.of("age", "region");

    /** Chosen so that people get about a third of the way: neither a rule that ignores them nor one that believes them. */
    static final double GAMMA = 50;

    private static final int APPLICANTS = 500;
    private static final String[] REGIONS = {"coast", "hills", "town"};
    private static final double[] REGION_EFFECTS = {0, -4, 3};

    static DemoGame generate(long seed) {
        Random random = new Random(seed);
        int m = APPLICANTS;
        DemoGame game = new DemoGame(
                new double[m],
                new double[m],
                new double[m],
                new double[m],
                new double[m],
                new String[m],
                new double[m],
                new double[m]);
        for (int i = 0; i < m; i++) {
            game.draw(i, random);
        }
        return game;
    }

    private void draw(int i, Random random) {
        int where = random.nextInt(REGIONS.length);
        region[i] = REGIONS[where];
        age[i] = 20 + random.nextInt(46);
        jobYears[i] = Math.floor(random.nextDouble() * Math.min(20, age[i] - 18));
        income[i] = Math.rint(2600 * Math.exp(0.35 * random.nextGaussian() + 0.01 * jobYears[i]));
        savings[i] = Math.rint(9000 * Math.exp(0.6 * random.nextGaussian()));
        debt[i] = Math.rint(7000 * Math.exp(0.6 * random.nextGaussian()));
        double truth = 40
                + 0.006 * income[i]
                + 0.0006 * savings[i]
                - 0.0008 * debt[i]
                + 0.5 * jobYears[i]
                + 0.1 * age[i]
                + REGION_EFFECTS[where]
                + 6 * random.nextGaussian();
        score[i] = Math.rint(10 * truth) / 10;
        double needed = 45 + 50 * random.nextDouble();
        hopedFor[i] = Math.max(score[i], Math.rint(10 * needed) / 10);
    }

    Table table() {
        return Table.of(
                NumericColumn.of("income", income),
                NumericColumn.of("savings", savings),
                NumericColumn.of("debt", debt),
                NumericColumn.of("job_years", jobYears),
                NumericColumn.of("age", age),
                CategoricalColumn.of("region", region),
                NumericColumn.of(TARGET, score),
                NumericColumn.of(WISH, hopedFor));
    }

    /** The same as a CSV file: every number is short, so that fitting the file gives the same rule. */
    String csv() {
        StringBuilder csv = new StringBuilder("income,savings,debt,job_years,age,region,score,hoped_for\n");
        for (int i = 0; i < score.length; i++) {
            csv.append(String.format(
                    Locale.ROOT,
                    "%.0f,%.0f,%.0f,%.0f,%.0f,%s,%.1f,%.1f%n",
                    income[i],
                    savings[i],
                    debt[i],
                    jobYears[i],
                    age[i],
                    region[i],
                    score[i],
                    hopedFor[i]));
        }
        return csv.toString();
    }
}
