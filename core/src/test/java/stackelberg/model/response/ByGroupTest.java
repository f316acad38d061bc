package stackelberg.model.response;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.estimate.Loss;
import stackelberg.game.GameSpec;
import stackelberg.game.PublishedRule;
import stackelberg.game.World;
import stackelberg.model.People;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression;
import stackelberg.model.StackelbergRegression.FitOptions;
import stackelberg.model.Training;

/** What is said of groups is what their people do, one by one. */
class ByGroupTest {
    /** The variants of the game. */
    private enum Game {
        PLAIN(game -> game),
        WEIGHTS(game -> game.weight("weight")),
        NOISE(game -> game.wishNoise(0.7)),
        EFFECTS(game -> game.effect("debt", 0.2).effect("income", 1e-5)),
        LIMITS(game -> game.limit("debt>=0").limit("year up").weight("weight")),
        NOISY_LIMITS(game -> game.limit("debt>=0").limit("income<=45000").wishNoise(0.6)),
        ONE_SIDED(game -> game.oneSided(GameSpec.Side.UP)),
        LIMITED_EFFECTS(game -> game.effect("debt", 0.2).limit("debt>=0")),
        TRUTHFUL(game -> game.truthfulShare(0.3).weight("weight")),
        OWN_GAMMAS(game -> game.rowGamma("hardship").ignore(Set.of("household", "weight", "hardship"))),
        HEDGE(game -> game.hedge(0.05)),
        MANIPULABLE_CONSTANT(
                game -> game.intercept(GameSpec.Intercept.MANIPULABLE).wishNoise(0.5)),
        COSTS(game -> game.cost("income", 3).costUnits(GameSpec.CostUnits.SCALED)),
        LOGISTIC(game -> game.loss(Loss.LOGISTIC).yes(">=3").wish("0.9")),
        WEIGHED_LOGISTIC(game -> game.loss(Loss.LOGISTIC)
                .yes(">=3")
                .wish("0.3 + 0.6*today")
                .weight("weight")
                .intercept(GameSpec.Intercept.MANIPULABLE)),
        HUBER(game -> game.loss(Loss.huber(0.5)).weight("weight"));

        private final UnaryOperator<GameSpec.Builder> declared;

        Game(UnaryOperator<GameSpec.Builder> declared) {
            this.declared = declared;
        }

        GameSpec spec() {
            return declared.apply(GameSpec.builder()
                            .target("score")
                            .wish("median() + 0.3*debt")
                            .ignore(Set.of("household", "weight", "hardship"))
                            .gamma(0.4)
                            .group("region"))
                    .build();
        }
    }

    private static Table table(int rows) {
        Table people = People.table(rows, 11);
        Random random = new Random(5);
        double[] hardship = new double[rows];
        Arrays.setAll(hardship, i -> i % 7 == 0 ? 1e31 : 0.1 + random.nextDouble());
        List<stackelberg.data.Column> columns = new ArrayList<>();
        people.names().forEach(name -> columns.add(people.column(name)));
        columns.add(NumericColumn.of("hardship", hardship));
        return Table.of(columns);
    }

    private static Training training(GameSpec spec, Table table) {
        return new StackelbergRegression(spec, FitOptions.defaults().withThreads(1)).training(table);
    }

    @ParameterizedTest
    @EnumSource
    void theFiguresOfAGroupAreThoseOfItsRows(Game game) {
        Table table = table(120);
        // where limits stop people, wishes that are known up to noise go through a quadrature of 15 nodes
        double tolerance = game == Game.NOISY_LIMITS ? 1e-3 : 1e-7;
        Training training = training(game.spec(), table);
        StackelbergModel model = training.fit();
        ByGroup groups = ByGroup.of(training, model).orElseThrow();

        assertThat(groups.rules()).containsExactly(model.rule().name(), "today's rule");
        assertThat(groups.parts()).extracting(ByGroup.Part::name).containsExactly("r0", "r1", "r2", "r3");
        assertThat(groups.parts().stream().mapToInt(ByGroup.Part::people).sum()).isEqualTo(120);
        List<PublishedRule> rules =
                List.of(model.rule(), training.today().orElseThrow().rule());
        for (int r = 0; r < rules.size(); r++) {
            for (ByGroup.Part part : groups.parts()) {
                int which = r;
                Brute brute = new Brute(model.world(), rules.get(r), training, part.name(), groups.threshold());
                assertThat(part.people()).isEqualTo(brute.members.size());
                ByGroup.Figures figures = part.rules().get(which);
                double[] said = values(figures);
                double[] is = brute.figures();
                for (int k = 0; k < is.length; k++) {
                    assertThat(said[k])
                            .as(part.name() + " " + k + " of " + groups.rules().get(r))
                            .isCloseTo(is[k], within(tolerance * (1 + Math.abs(is[k]))));
                }
            }
        }
    }

    /** They were those of a gamma in between, which nobody is promised anything about. */
    @Test
    void withARangeOfGammasGroupsAddUpToTheLossAtTheWorstGamma() {
        GameSpec spec = GameSpec.builder()
                .target("score")
                .wish("median() + 0.3*debt")
                .ignore(Set.of("household", "weight", "hardship"))
                .gammaBetween(0.05, 3)
                .group("region")
                .build();
        Training training = training(spec, table(120));
        StackelbergModel model = training.fit();
        double sum = 0;
        for (ByGroup.Part part : ByGroup.of(training, model).orElseThrow().parts()) {
            double rmse = part.rules().get(0).error().after().value();
            sum += part.people() * rmse * rmse;
        }
        double promised = model.losses().anticipated();
        assertThat(sum).isCloseTo(promised, within(1e-9 * promised));
    }

    /** Values, and then the ends of the intervals of all but the share, which is Wilson's. */
    private static double[] values(ByGroup.Figures f) {
        List<ByGroup.Figure> means = List.of(
                f.error().before(),
                f.error().after(),
                f.bias().before(),
                f.bias().after(),
                f.cost(),
                f.distance(),
                f.move());
        List<Double> all = new ArrayList<>();
        means.forEach(figure -> all.addAll(List.of(figure.value(), figure.low(), figure.high())));
        all.add(f.moving().value());
        return all.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** Everybody's best move by a search of its own, feature by feature, and plain sums. */
    private static final class Brute {
        private final World world;
        private final PublishedRule rule;
        private final Training training;
        private final double threshold;
        private final List<Integer> members = new ArrayList<>();

        Brute(World world, PublishedRule rule, Training training, String group, double threshold) {
            this.world = world;
            this.rule = rule;
            this.training = training;
            this.threshold = threshold;
            CategoricalColumn regions =
                    (CategoricalColumn) training.sample().rows().column("region");
            for (int i = 0; i < training.sample().size(); i++) {
                if (regions.levels().get(regions.code(i)).equals(group)) {
                    members.add(i);
                }
            }
        }

        /** Score less truth after the move, cost, distance and gain of somebody who moves and wishes for z. */
        private double[] move(int i, double z) {
            Table rows = training.sample().rows();
            double gamma = training.sample().population().gamma(i);
            List<EncodedColumn> columns = world.encoding().columns();
            int[] movable = world.movable();
            boolean ones = world.intercept() == GameSpec.Intercept.MANIPULABLE;
            int d = movable.length + (ones ? 1 : 0);
            double[] w = new double[d];
            double[] c = new double[d];
            double[] low = new double[d];
            double[] high = new double[d];
            double[] scale = new double[d];
            Arrays.fill(low, Double.NEGATIVE_INFINITY);
            Arrays.fill(high, Double.POSITIVE_INFINITY);
            Map<String, Double> effects = world.spec().effects();
            double[] beta = new double[d];
            for (int k = 0; k < movable.length; k++) {
                EncodedColumn column = columns.get(movable[k]);
                w[k] = rule.coefficient(column);
                scale[k] = column.scale();
                c[k] = world.costs()[movable[k]] / (scale[k] * scale[k]);
                beta[k] = effects.getOrDefault(column.name(), 0.0);
                double x = rows.numeric(column.name()).value(i);
                for (String limit : world.spec().limits().inWords()) {
                    if (limit.startsWith(column.name())) {
                        String rest = limit.substring(column.name().length()).trim();
                        if (rest.startsWith(">=")) {
                            low[k] = Math.min(0, Double.parseDouble(rest.substring(2)) - x);
                        } else if (rest.startsWith("<=")) {
                            high[k] = Math.max(0, Double.parseDouble(rest.substring(2)) - x);
                        } else if (rest.equals("up")) {
                            low[k] = 0;
                        } else {
                            throw new AssertionError(limit);
                        }
                    }
                }
            }
            if (ones) {
                w[d - 1] = rule.encodedConstant(columns);
                c[d - 1] = 1;
                scale[d - 1] = Double.POSITIVE_INFINITY;
            }
            double p = score(i);
            double[] delta = new double[d];
            boolean stays = Double.isInfinite(gamma) || world.spec().limits().oneSided() == GameSpec.Side.UP && z <= p;
            // v, what stays open of the gap, by bisection: every feature goes as far as it pays
            double from = Math.min(0, z - p);
            double to = Math.max(0, z - p);
            for (int step = 0; step < 100 && !stays; step++) {
                double v = (from + to) / 2;
                double closed = 0;
                for (int k = 0; k < d; k++) {
                    delta[k] = Math.max(low[k], Math.min(high[k], v * w[k] / (gamma * c[k])));
                    closed += w[k] * delta[k];
                }
                if (v + closed > z - p) {
                    to = v;
                } else {
                    from = v;
                }
            }
            double gain = 0;
            double cost = 0;
            double distance = 0;
            double real = 0;
            for (int k = 0; k < d; k++) {
                gain += w[k] * delta[k];
                cost += stays ? 0 : gamma * c[k] * delta[k] * delta[k];
                distance += delta[k] / scale[k] * (delta[k] / scale[k]);
                real += beta[k] * delta[k];
            }
            double y = training.sample().y()[i];
            return new double[] {p + gain - y - real, cost, Math.sqrt(distance), gain};
        }

        private double score(int i) {
            return rule == training.today().orElseThrow().rule()
                    ? training.todaysScores().orElseThrow()[i]
                    : rule.predict(world.encoding(), training.sample().rows(), Encoding.UnknownLevel.ERROR)[i];
        }

        /** By the definitions. */
        private static double lost(Loss loss, double score, double y) {
            if (loss.isLogistic()) {
                return -Math.log(y == 1 ? said(loss, score) : 1 - said(loss, score));
            }
            double off = Math.abs(score - y);
            return off <= 0.5 ? off * off : off - 0.25;
        }

        private static double said(Loss loss, double score) {
            return loss.isLogistic() ? 1 / (1 + Math.exp(-score)) : score;
        }

        /** E f(e) for a standard normal e. */
        private static double[] normal(java.util.function.DoubleFunction<double[]> f) {
            double[] sum = new double[2];
            double total = 0;
            for (double e = -8; e <= 8; e += 1.0 / 16) {
                double density = Math.exp(-e * e / 2);
                double[] at = f.apply(e);
                sum[0] += density * at[0];
                sum[1] += density * at[1];
                total += density;
            }
            return new double[] {sum[0] / total, sum[1] / total};
        }

        double[] figures() {
            double share = world.spec().truthfulShare();
            double sd = world.wishNoise();
            int n = members.size();
            double[][] v = new double[8][n];
            double[] s = new double[n];
            for (int k = 0; k < n; k++) {
                int i = members.get(k);
                double z = training.sample().z()[i];
                s[k] = training.sample().weights()[i];
                double p = score(i);
                double y = training.sample().y()[i];
                double off = p - y;
                double[] moved = move(i, z);
                Loss loss = world.spec().loss();
                if (!loss.isSquared()) {
                    double after = p + moved[3];
                    v[0][k] = lost(loss, p, y);
                    v[1][k] = lost(loss, after, y);
                    v[2][k] = said(loss, p) - y;
                    v[3][k] = said(loss, after) - y;
                    v[4][k] = moved[1];
                    v[5][k] = moved[2];
                    v[6][k] = said(loss, after) - said(loss, p);
                    v[7][k] = Math.abs(v[6][k]) > threshold ? 1 : 0;
                    continue;
                }
                double[] expected = sd == 0
                        ? new double[] {moved[0], moved[0] * moved[0]}
                        : normal(e -> {
                            double left = move(i, z + sd * e)[0];
                            return new double[] {left, left * left};
                        });
                v[0][k] = off * off;
                v[1][k] = share * off * off + (1 - share) * expected[1];
                v[2][k] = off;
                v[3][k] = share * off + (1 - share) * expected[0];
                v[4][k] = (1 - share) * moved[1];
                v[5][k] = (1 - share) * moved[2];
                v[6][k] = (1 - share) * moved[3];
                v[7][k] = Math.abs(moved[3]) > threshold ? 1 - share : 0;
            }
            double weight = Arrays.stream(s).sum();
            List<Double> all = new ArrayList<>();
            for (int q = 0; q < 8; q++) {
                double mean = 0;
                for (int k = 0; k < n; k++) {
                    mean += s[k] * v[q][k] / weight;
                }
                double squares = 0;
                for (int k = 0; k < n; k++) {
                    squares += Math.pow(s[k] * (v[q][k] - mean) / weight, 2);
                }
                double half = 1.959963984540054 * Math.sqrt(squares * n / (n - 1.0));
                double low = mean - half;
                double high = mean + half;
                if (q < 2 && !world.spec().loss().isSquared()) {
                    all.addAll(List.of(mean, Math.max(0, low), high));
                } else if (q < 2) {
                    all.addAll(List.of(Math.sqrt(mean), Math.sqrt(Math.max(0, low)), Math.sqrt(high)));
                } else if (q < 7) {
                    all.addAll(List.of(mean, q == 4 || q == 5 ? Math.max(0, low) : low, high));
                } else {
                    all.add(mean);
                }
            }
            return all.stream().mapToDouble(Double::doubleValue).toArray();
        }
    }

    @Test
    void theIntervalsCoverThePopulationMeans() {
        // one group of a large population, drawn again and again
        Table population = table(4000);
        Training training = training(Game.WEIGHTS.spec().toBuilder().gamma(5).build(), table(300));
        StackelbergModel model = training.fit();
        Random random = new Random(3);
        ByGroup truth = evaluated(model, population);
        assertThat(truth.parts().get(1).rules().get(0).moving().value()).isBetween(0.2, 0.8);
        int[] covered = new int[8];
        int sameThreshold = 0;
        int trials = 400;
        for (int trial = 0; trial < trials; trial++) {
            int[] drawn = random.ints(800, 0, 4000).toArray();
            ByGroup some = evaluated(model, population.select(drawn));
            List<ByGroup.Figure> is = figures(truth.parts().get(1).rules().get(0));
            List<ByGroup.Figure> said = figures(some.parts().get(1).rules().get(0));
            // it is rounded, so that another sample may have another one
            boolean same = some.threshold() == truth.threshold();
            sameThreshold += same ? 1 : 0;
            for (int k = 0; k < 8; k++) {
                boolean covers = said.get(k).low() <= is.get(k).value()
                        && is.get(k).value() <= said.get(k).high();
                covered[k] += covers && (k != 6 || same) ? 1 : 0;
            }
        }
        assertThat(sameThreshold).isGreaterThan(trials / 2);
        // 95% within four standard deviations of 400 trials, and a skewed mean's a little below
        for (int k = 0; k < 8; k++) {
            assertThat(covered[k] / (double) (k == 6 ? sameThreshold : trials))
                    .as("figure " + k)
                    .isBetween(0.905, 0.995);
        }
    }

    private static List<ByGroup.Figure> figures(ByGroup.Figures f) {
        return List.of(
                f.error().before(),
                f.error().after(),
                f.bias().before(),
                f.bias().after(),
                f.cost(),
                f.distance(),
                f.moving(),
                f.move());
    }

    private static ByGroup evaluated(StackelbergModel model, Table rows) {
        World world = model.world();
        double[] p = model.predict(rows);
        double[] y = rows.numeric("score").values();
        Followers people = Followers.of(
                        world.population(rows), p, model.wishes(rows, p).orElseThrow())
                .withTruth(y, world.weights(rows));
        return ByGroup.of(rows, "region", List.of(RuleEvaluation.of(world, model.rule(), people)));
    }

    @Test
    void theIntervalOfAShareOfZeroHasPositiveWidth() {
        Table table = table(40);
        Training training = training(Game.PLAIN.spec().toBuilder().gamma(1e9).build(), table);
        ByGroup groups = ByGroup.of(training, training.fit()).orElseThrow();
        for (ByGroup.Part part : groups.parts()) {
            ByGroup.Figure moving = part.rules().get(1).moving();
            assertThat(moving.value()).isZero();
            assertThat(moving.low()).isZero();
            assertThat(moving.high()).isBetween(0.1, 0.6);
            assertThat(part.few()).isTrue();
            assertThat(part.rules().get(1).cost().low()).isNotNegative();
        }
    }

    @Test
    void aGroupOfOneRowHasNoInterval() {
        Table table = table(61);
        String[] kinds = new String[61];
        Arrays.setAll(kinds, i -> i == 0 ? "one" : "rest");
        List<stackelberg.data.Column> columns = new ArrayList<>();
        table.names().forEach(name -> columns.add(table.column(name)));
        columns.add(CategoricalColumn.of("kind", kinds));
        GameSpec spec = Game.PLAIN.spec().toBuilder()
                .group("kind")
                .ignore(Set.of("household", "weight", "hardship"))
                .build();
        Training training = training(spec, Table.of(columns));
        ByGroup.Part one =
                ByGroup.of(training, training.fit()).orElseThrow().parts().get(0);
        assertThat(one.people()).isEqualTo(1);
        assertThat(one.rules().get(0).bias().after().value()).isFinite();
        assertThat(one.rules().get(0).bias().after().low()).isNaN();
        assertThat(one.rules().get(0).error().after().high()).isNaN();
        assertThat(one.rules().get(0).moving().high()).isLessThanOrEqualTo(1);
    }

    @Test
    void ofManyGroupsTheLargestAreReported() {
        int rows = 900;
        Table table = table(rows);
        double[] kinds = new double[rows];
        // group g has g people, as far as they go
        Map<Double, Integer> sizes = new TreeMap<>();
        for (int i = 0, g = 1, left = 1; i < rows; i++) {
            kinds[i] = g;
            sizes.merge((double) g, 1, Integer::sum);
            if (--left == 0) {
                g++;
                left = g;
            }
        }
        List<stackelberg.data.Column> columns = new ArrayList<>();
        table.names().forEach(name -> columns.add(table.column(name)));
        columns.add(NumericColumn.of("kind", kinds));
        Training training = training(Game.PLAIN.spec().toBuilder().group("kind").build(), Table.of(columns));
        ByGroup all = ByGroup.of(training, training.fit()).orElseThrow();
        assertThat(all.groups()).isEqualTo(sizes.size()).isEqualTo(42);
        ByGroup some = all.largest(20);
        assertThat(some.groups()).isEqualTo(42);
        assertThat(some.people()).isEqualTo(900);
        // the last is cut short
        assertThat(some.parts())
                .extracting(ByGroup.Part::name)
                .containsExactly(java.util.stream.IntStream.rangeClosed(22, 42)
                        .filter(g -> g != (sizes.get(42.0) < 22 ? 42 : 22))
                        .mapToObj(String::valueOf)
                        .toArray(String[]::new));

        Training households =
                training(Game.PLAIN.spec().toBuilder().group("household").build(), table);
        ByGroup hundred = ByGroup.of(households, households.fit()).orElseThrow();
        assertThat(hundred.groups()).isEqualTo(300);
        assertThat(hundred.parts()).hasSize(ByGroup.MOST);
        assertThat(hundred.largest(20).parts()).hasSize(20);
    }

    @Test
    void theThresholdIsARoundNumber() {
        Table table = table(200);
        double[] y = table.numeric("score").values();
        for (double factor : new double[] {1e-6, 0.3, 1, 1.7, 250, 1e9}) {
            double[] scaled = Arrays.stream(y).map(v -> factor * v).toArray();
            List<stackelberg.data.Column> columns = new ArrayList<>();
            table.names().stream().filter(n -> !n.equals("score")).forEach(n -> columns.add(table.column(n)));
            columns.add(NumericColumn.of("score", scaled));
            Training training = training(Game.PLAIN.spec(), Table.of(columns));
            double threshold =
                    ByGroup.of(training, training.fit()).orElseThrow().threshold();
            double mean = Arrays.stream(scaled).average().orElseThrow();
            double sd = Math.sqrt(Arrays.stream(scaled)
                    .map(v -> (v - mean) * (v - mean))
                    .average()
                    .orElseThrow());
            assertThat(threshold).isBetween(sd / 16, sd / 6);
            assertThat(String.format("%.0e", threshold)).matches("[125]e.*");
            assertThat(Double.parseDouble(String.format("%.0e", threshold))).isEqualTo(threshold);
        }
    }

    @Test
    void rowsWithZeroWeightAreNotCounted() {
        Table table = table(60);
        double[] weight = new double[60];
        CategoricalColumn regions = (CategoricalColumn) table.column("region");
        Arrays.setAll(weight, i -> regions.code(i) == 0 ? 0 : 1 + i % 3);
        List<stackelberg.data.Column> columns = new ArrayList<>();
        table.names().stream().filter(n -> !n.equals("weight")).forEach(n -> columns.add(table.column(n)));
        columns.add(NumericColumn.of("weight", weight));
        Training training = training(Game.WEIGHTS.spec(), Table.of(columns));
        ByGroup groups = ByGroup.of(training, training.fit()).orElseThrow();
        ByGroup.Part nobody = groups.parts().get(0);
        assertThat(nobody.few()).isTrue();
        assertThat(nobody.weight()).isZero();
        assertThat(nobody.effective()).isZero();
        assertThat(nobody.rules().get(0).error().after().value()).isNaN();
        assertThat(nobody.rules().get(0).moving().value()).isNaN();
    }
}
