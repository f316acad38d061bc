package stackelberg.cli.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Column;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;

/**
 * The data of {@code demo}: loan applicants whose score depends on six features, of which age and region cannot be changed. Each wants at least the score
 * that the loan requires.
 */
record DemoGame(List<Applicant> applicants) {
    /**
     * One applicant.
     *
     * @param figures income per month, savings and debt in all, years in the present job, age
     * @param region where they live
     * @param score the target: how creditworthy they turn out to be, around 60
     * @param hopedFor the score they want: the target, or the score that their loan requires if that is more
     */
    private record Applicant(double[] figures, String region, double score, double hopedFor) {}

    static final String TARGET = "score";
    static final String WISH = "hoped_for";
    static final List<String> IMMUTABLE = List.of("age", "region");

    private static final int APPLICANTS = 500;
    private static final List<String> FIGURES = List.of("income", "savings", "debt", "job_years", "age");
    private static final String[] REGIONS = {"coast", "hills", "town"};
    private static final double[] REGION_EFFECTS = {0, -4, 3};

    static DemoGame generate(long seed) {
        Random random = new Random(seed);
        return new DemoGame(
                IntStream.range(0, APPLICANTS).mapToObj(i -> draw(random)).toList());
    }

    private static Applicant draw(Random random) {
        int where = random.nextInt(REGIONS.length);
        double age = 20 + random.nextInt(46);
        double jobYears = Math.floor(random.nextDouble() * Math.min(20, age - 18));
        double income = Math.rint(2600 * Math.exp(0.35 * random.nextGaussian() + 0.01 * jobYears));
        double savings = Math.rint(9000 * Math.exp(0.6 * random.nextGaussian()));
        double debt = Math.rint(7000 * Math.exp(0.6 * random.nextGaussian()));
        double truth = 40
                + 0.006 * income
                + 0.0006 * savings
                - 0.0008 * debt
                + 0.5 * jobYears
                + 0.1 * age
                + REGION_EFFECTS[where]
                + 6 * random.nextGaussian();
        double score = Math.rint(10 * truth) / 10;
        double needed = 45 + 50 * random.nextDouble();
        double hopedFor = Math.max(score, Math.rint(10 * needed) / 10);
        return new Applicant(new double[] {income, savings, debt, jobYears, age}, REGIONS[where], score, hopedFor);
    }

    Table table() {
        List<Column> columns = new ArrayList<>();
        for (int k = 0; k < FIGURES.size(); k++) {
            int figure = k;
            columns.add(NumericColumn.of(FIGURES.get(k), numbers(one -> one.figures[figure])));
        }
        columns.add(CategoricalColumn.of(
                "region", applicants.stream().map(Applicant::region).toArray(String[]::new)));
        columns.add(NumericColumn.of(TARGET, numbers(Applicant::score)));
        columns.add(NumericColumn.of(WISH, numbers(Applicant::hopedFor)));
        return Table.of(columns);
    }

    private double[] numbers(ToDoubleFunction<Applicant> value) {
        return applicants.stream().mapToDouble(value).toArray();
    }

    /** The data as a CSV file. All numbers are short decimals, so fitting the file gives the same rule. */
    String csv() {
        StringBuilder csv = new StringBuilder(String.join(",", FIGURES) + ",region," + TARGET + "," + WISH + "\n");
        for (Applicant one : applicants) {
            for (double figure : one.figures) {
                csv.append(String.format(Locale.ROOT, "%.0f,", figure));
            }
            csv.append(String.format(Locale.ROOT, "%s,%.1f,%.1f%n", one.region, one.score, one.hopedFor));
        }
        return csv.toString();
    }
}
