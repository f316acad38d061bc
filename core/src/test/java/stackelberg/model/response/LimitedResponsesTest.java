package stackelberg.model.response;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.NumericColumn;
import stackelberg.data.Scaling;
import stackelberg.data.Table;
import stackelberg.game.GameSpec;
import stackelberg.game.Population;
import stackelberg.game.PublishedRule;
import stackelberg.game.World;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.Workers;
import stackelberg.model.People;

/** People who can go only so far, each held against the optimum of its own quadratic program, found by trying which features are at which end. */
class LimitedResponsesTest {
    private static final int ROWS = 30;
    private static final Workers WORKERS = Workers.of(2);
    private static final PublishedRule RULE = new PublishedRule(
            "scorecard",
            -2,
            new LinkedHashMap<>(Map.of("income", 1e-4, "year", 0.001, "debt", 0.5, "rate", -300.0, "job=j1", -0.4)));

    private final Table table = table();

    private static Table table() {
        Random random = new Random(8);
        double[] efforts = IntStream.range(0, ROWS)
                .mapToDouble(i -> i % 7 == 0 ? 1e30 : 0.02 + random.nextDouble())
                .toArray();
        return People.table(ROWS, 5).with(NumericColumn.of("effort", efforts));
    }

    /** Games with limits that stop many. */
    private enum Variant {
        FLOORS(spec -> spec.limit("debt>=0.5")
                .limit("rate>=0.0002")
                .limit("income<=45000")
                .limit("year<=2003")),
        DIRECTIONS(spec ->
                spec.limit("debt up").limit("rate down").limit("rate>=0.0001").limit("income down")),
        MIXED(spec ->
                spec.limit("debt<=1.5").limit("rate>=0.0003").truthfulShare(0.3).rowGamma("effort")),
        MOVABLE_CONSTANT(spec -> spec.limit("data").limit("rate>=0.0004").intercept(GameSpec.Intercept.MANIPULABLE)),
        CATEGORIES(spec -> spec.limit("data").limit("job=j1<=0.25").immutable(Set.of())),
        ONE_SIDED(spec -> spec.limit("debt<=1").limit("income<=41000").oneSided(GameSpec.Side.UP)),
        ONE_SIDED_ONLY(spec -> spec.oneSided(GameSpec.Side.DOWN)),
        NOISY(spec -> spec.limit("debt<=1").limit("income<=41000").wishNoise(0.8)),
        NOISY_AND_ONE_SIDED(spec ->
                spec.limit("debt<=1").oneSided(GameSpec.Side.UP).wishNoise(0.8).truthfulShare(0.2)),
        REAL(spec -> spec.limit("debt<=1.5")
                .limit("income<=45000")
                .limit("rate>=0.0002")
                .effect("debt", 0.7)
                .effect("income", -2e-5)
                .effect("year", 0.002)),
        REAL_AND_NOISY(spec -> spec.limit("debt<=1")
                .limit("income<=41000")
                .weight("weight")
                .effect("debt", -0.4)
                .effect("rate", 500)
                .wishNoise(0.8)),
        REAL_AND_ONE_SIDED(spec -> spec.limit("debt up")
                .limit("data")
                .oneSided(GameSpec.Side.UP)
                .effect("debt", 0.2)
                .effect("job", 0.3)
                .immutable(Set.of())
                .wishNoise(0.3)),
        WEIGHTED_RAW(spec -> spec.limit("debt<=1")
                .weight("weight")
                .scaling(Scaling.NONE)
                .gamma(1e-6)
                .cost("debt", 1e4));

        private final UnaryOperator<GameSpec.Builder> declared;

        Variant(UnaryOperator<GameSpec.Builder> declared) {
            this.declared = declared;
        }

        GameSpec spec() {
            return declared.apply(game().toBuilder()).build();
        }
    }

    private static GameSpec game() {
        return GameSpec.builder()
                .target("score")
                .wish("max(y, median()) + 0.3")
                .gamma(0.1)
                .cost("debt", 0.3)
                .build();
    }

    /** One person's program in the units of the data: columns that can be moved, and the constant, if it can. */
    private static final class Alone {
        private final double[] x;
        private final double[] beta;
        private final double[] real;
        private final double[] cost;
        private final double[] least;
        private final double[] most;
        private final int[] columns;
        private final double p;
        private final double gamma;
        private final GameSpec.Side side;

        Alone(World world, PublishedRule rule, Table table, int i, double p, double gamma) {
            GameSpec.Limits limits = world.spec().limits();
            List<EncodedColumn> encoded = world.encoding().columns();
            columns = IntStream.range(0, encoded.size())
                    .filter(world::manipulable)
                    .toArray();
            boolean ones = world.intercept() == GameSpec.Intercept.MANIPULABLE;
            int n = columns.length + (ones ? 1 : 0);
            x = new double[n];
            beta = new double[n];
            real = new double[n];
            cost = new double[n];
            least = new double[n];
            most = new double[n];
            Arrays.fill(least, Double.NEGATIVE_INFINITY);
            Arrays.fill(most, Double.POSITIVE_INFINITY);
            for (int k = 0; k < columns.length; k++) {
                EncodedColumn column = encoded.get(columns[k]);
                double[] all = all(table, column);
                x[k] = all[i];
                beta[k] = rule.coefficients().getOrDefault(column.name(), 0.0);
                real[k] = world.spec()
                        .effects()
                        .getOrDefault(
                                column.name(),
                                world.spec()
                                        .effects()
                                        .getOrDefault(column.name().split("=")[0], 0.0));
                cost[k] = world.costs()[columns[k]] / (column.scale() * column.scale());
                double low = limits.floors().getOrDefault(column.name(), Double.NEGATIVE_INFINITY);
                double high = limits.ceilings().getOrDefault(column.name(), Double.POSITIVE_INFINITY);
                if (limits.data()) {
                    low = Math.max(
                            low,
                            column.level() == null ? Arrays.stream(all).min().orElseThrow() : 0);
                    high = Math.min(
                            high,
                            column.level() == null ? Arrays.stream(all).max().orElseThrow() : 1);
                }
                least[k] = Math.min(low, x[k]);
                most[k] = Math.max(high, x[k]);
            }
            if (ones) {
                beta[n - 1] = rule.encodedConstant(encoded);
                cost[n - 1] = 1;
            }
            this.p = p;
            this.gamma = gamma;
            this.side = limits.oneSided();
        }

        private static double[] all(Table table, EncodedColumn column) {
            return column.level() == null
                    ? table.numeric(column.name()).values()
                    : IntStream.range(0, table.rows())
                            .mapToDouble(i -> ((CategoricalColumn)
                                                    table.column(column.name().split("=")[0]))
                                            .level(i)
                                            .equals(column.level())
                                    ? 1
                                    : 0)
                            .toArray();
        }

        /** Where the person ends; the constant's place is by how much it is moved. */
        double[] best(double z) {
            int n = x.length;
            double[] best = x.clone();
            boolean enough = side != null && (side == GameSpec.Side.UP ? p >= z : p <= z);
            if (Double.isInfinite(gamma) || enough) {
                return best;
            }
            double bestValue = value(best, z);
            for (int pattern = (int) Math.pow(3, n) - 1; pattern >= 0; pattern--) {
                double[] at = new double[n];
                double score = p;
                double free = 0;
                boolean sensible = true;
                for (int j = 0, rest = pattern; j < n; j++, rest /= 3) {
                    at[j] = rest % 3 == 0 ? Double.NaN : rest % 3 == 1 ? least[j] : most[j];
                    sensible &= !Double.isInfinite(at[j]);
                    score += Double.isNaN(at[j]) ? 0 : beta[j] * (at[j] - x[j]);
                    free += Double.isNaN(at[j]) ? beta[j] * beta[j] / (gamma * cost[j]) : 0;
                }
                double open = (score - z) / (1 + free);
                for (int j = 0; j < n && sensible; j++) {
                    if (Double.isNaN(at[j])) {
                        at[j] = x[j] - open * beta[j] / (gamma * cost[j]);
                        double rounding = 1e-9 * Math.abs(x[j]);
                        sensible = at[j] >= least[j] - rounding && at[j] <= most[j] + rounding;
                    }
                }
                double value = sensible ? value(at, z) : Double.POSITIVE_INFINITY;
                if (value < bestValue) {
                    bestValue = value;
                    best = at;
                }
            }
            return best;
        }

        double score(double[] at) {
            double score = p;
            for (int j = 0; j < x.length; j++) {
                score += beta[j] * (at[j] - x[j]);
            }
            return score;
        }

        double earned(double[] at) {
            double earned = 0;
            for (int j = 0; j < x.length; j++) {
                earned += real[j] * (at[j] - x[j]);
            }
            return earned;
        }

        double paid(double[] at) {
            double paid = 0;
            for (int j = 0; j < x.length; j++) {
                paid += at[j] == x[j] ? 0 : gamma * cost[j] * (at[j] - x[j]) * (at[j] - x[j]);
            }
            return paid;
        }

        private double value(double[] at, double z) {
            return Math.pow(score(at) - z, 2) + paid(at);
        }

        /** The expected square of the error over normal wishes, at the 15 roots of a Hermite polynomial. */
        double loss(double z, double y, double noise, double factor) {
            if (noise == 0) {
                double[] at = best(z);
                return Math.pow(score(at) - factor * earned(at) - y, 2);
            }
            double sum = 0;
            for (double root : ROOTS) {
                double before = hermite(14, root);
                double weight = FACTORIAL_14 / (15 * before * before);
                double[] at = best(z + noise * root);
                sum += weight * Math.pow(score(at) - factor * earned(at) - y, 2);
            }
            return sum;
        }
    }

    private static final double FACTORIAL_14 = 87_178_291_200.0;
    private static final double[] ROOTS = roots();

    /** He_n by its recurrence. */
    private static double hermite(int n, double x) {
        double before = 0;
        double at = 1;
        for (int k = 0; k < n; k++) {
            double next = x * at - k * before;
            before = at;
            at = next;
        }
        return at;
    }

    /** Where He_15 changes its sign. */
    private static double[] roots() {
        List<Double> roots = new ArrayList<>();
        double step = 0.01;
        for (double from = -7.0031; from < 7; from += step) {
            double low = from;
            double high = from + step;
            if (hermite(15, low) * hermite(15, high) < 0) {
                for (int k = 0; k < 60; k++) {
                    double middle = (low + high) / 2;
                    boolean left = hermite(15, low) * hermite(15, middle) < 0;
                    high = left ? middle : high;
                    low = left ? low : middle;
                }
                roots.add(low);
            }
        }
        assertThat(roots).hasSize(15);
        return roots.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private record Facing(World world, Table table, double[] p, double[] z, Population population) {
        Followers followers() {
            return Followers.of(population, p, z).with(world.features(table), WORKERS);
        }

        Responses responses() {
            return Responses.of(world, RULE, table, followers());
        }

        double[] y() {
            return table.numeric("score").values();
        }

        RuleEvaluation evaluation() {
            return RuleEvaluation.of(world, RULE, followers().withTruth(y(), world.weights(table)));
        }

        Alone alone(int i) {
            return new Alone(world, RULE, table, i, p[i], population.gamma(i));
        }
    }

    private Facing facing(GameSpec spec) {
        World world = World.declared(table, RULE, spec);
        double[] p = RULE.predict(world.encoding(), table, Encoding.UnknownLevel.ERROR);
        double[] z = world.wishes(world.wishRule(table).orElseThrow(), table, p);
        return new Facing(world, table, p, z, world.population(table));
    }

    @ParameterizedTest
    @EnumSource
    void eachMoveIsOptimalUnderTheLimits(Variant variant) {
        Facing facing = facing(variant.spec());
        Responses responses = facing.responses();
        double share = variant.spec().truthfulShare();
        int stopped = 0;
        double earnedByAll = 0;
        int[] byFeature = new int[responses.movable().length];
        for (int i = 0; i < ROWS; i++) {
            int person = i;
            Alone alone = facing.alone(i);
            double[] best = alone.best(facing.z[i]);
            int stops = 0;
            for (int k = 0; k < alone.columns.length; k++) {
                double size = Math.abs(alone.x[k]);
                double move = responses.move(i, alone.columns[k]);
                assertThat(alone.x[k] + move).isCloseTo(best[k], within(1e-9 * (size + Math.abs(best[k]))));
                assertThat(alone.x[k] + move).isBetween(alone.least[k] - 1e-15 * size, alone.most[k] + 1e-15 * size);
                boolean atAnEnd = responses.isStopped(i, alone.columns[k]);
                stops += atAnEnd ? 1 : 0;
                byFeature[k] += atAnEnd ? 1 : 0;
                if (atAnEnd) {
                    double away = Math.min(best[k] - alone.least[k], alone.most[k] - best[k]);
                    assertThat(away).isCloseTo(0, within(1e-9 * size));
                }
            }
            double after = alone.score(best);
            assertThat(responses.after(i)).isCloseTo(after, within(1e-9));
            assertThat(responses.expectedAfter(i)).isCloseTo(share * facing.p[i] + (1 - share) * after, within(1e-9));
            assertThat(responses.cost(i)).isCloseTo(alone.paid(best), within(1e-9));
            assertThat(responses.pullThrough(i) * (facing.z[i] - facing.p[i]))
                    .isCloseTo((1 - share) * (after - facing.p[i]), within(1e-9));
            double earned = alone.earned(best);
            assertThat(responses.improvement(i)).isCloseTo(earned, within(1e-9));
            assertThat(responses.earned(i) * (facing.z[i] - facing.p[i])).isCloseTo(earned, within(1e-9));
            assertThat(responses.gamed(i) * (facing.z[i] - facing.p[i]))
                    .isCloseTo(after - facing.p[i] - earned, within(1e-9));
            double byColumn = IntStream.of(alone.columns)
                    .mapToDouble(j -> responses.improvement(person, j))
                    .sum();
            assertThat(byColumn).isCloseTo(earned, within(1e-9));
            earnedByAll += (1 - share) * earned / (facing.z[i] - facing.p[i]);
            assertThat(responses.stops(i)).isEqualTo(stops);
            boolean moving = Math.abs(after - facing.p[i]) > 1e-12;
            assertThat(responses.isStuck(i))
                    .isEqualTo(!moving && facing.z[i] != facing.p[i] && !Double.isInfinite(facing.population.gamma(i)));
            stopped += stops > 0 || responses.isStuck(i) ? 1 : 0;
        }
        assertThat(stopped).isBetween(3, ROWS);
        assertThat((1 - share) * responses.earned()).isCloseTo(earnedByAll / ROWS, within(1e-10));
        assertThat(earnedByAll != 0).isEqualTo(variant.spec().hasEffects());
        assertThat(responses.hasLimits()).isTrue();
        assertThat(responses.features().stream().mapToInt(Responses.FeatureMoves::stopped))
                .containsExactly(Arrays.stream(byFeature).boxed().toArray(Integer[]::new));
    }

    @ParameterizedTest
    @EnumSource
    void theLossIsTheSumOverTheBoundedResponses(Variant variant) {
        GameSpec spec = variant.spec();
        Facing facing = facing(spec);
        RuleEvaluation evaluation = facing.evaluation();
        double share = spec.truthfulShare();
        double[] y = facing.y();
        double[] s = facing.world.weights(table);
        double[] sums = new double[7];
        for (int i = 0; i < ROWS; i++) {
            Alone alone = facing.alone(i);
            double[] best = alone.best(facing.z[i]);
            double after = alone.score(best);
            double earned = alone.earned(best);
            sums[0] += s[i];
            double moved = alone.loss(facing.z[i], y[i], spec.wishNoise(), 1);
            double twice = alone.loss(facing.z[i], y[i], spec.wishNoise(), 2);
            sums[1] += s[i] * (share * Math.pow(facing.p[i] - y[i], 2) + (1 - share) * moved);
            sums[2] += s[i] * (share * Math.abs(facing.p[i] - y[i]) + (1 - share) * Math.abs(after - earned - y[i]));
            double gap = facing.z[i] - facing.p[i];
            sums[3] += s[i] * (1 - share) * (after - facing.p[i]) / gap;
            sums[4] += s[i] * (1 - share) * earned / gap;
            sums[5] += s[i] * (1 - share) * earned;
            sums[6] += s[i] * (share * Math.pow(facing.p[i] - y[i], 2) + (1 - share) * twice);
        }
        double mse = sums[1] / sums[0];
        assertThat(evaluation.moved().mse()).isCloseTo(mse, within(1e-9 * mse));
        assertThat(evaluation.moved().mae()).isCloseTo(sums[2] / sums[0], within(1e-10));
        assertThat(evaluation.pullThrough()).isCloseTo(sums[3] / sums[0], within(1e-10));
        assertThat(evaluation.isLimited()).isTrue();
        assertThat(evaluation.earned()).isCloseTo(sums[4] / sums[0], within(1e-10));
        assertThat(evaluation.gamed()).isCloseTo((sums[3] - sums[4]) / sums[0], within(1e-10));
        assertThat(evaluation.improvement()).isCloseTo(sums[5] / sums[0], within(1e-10));
        double twice = sums[6] / sums[0];
        assertThat(evaluation.movedIfEffectsAre(2).mse()).isCloseTo(twice, within(1e-9 * twice));
    }

    @Test
    void aSubsetIsEvaluatedLikeATableOfItsOwn() {
        Facing facing = facing(Variant.NOISY.spec());
        int[] some = {3, 4, 11, 29, 17};
        Table those = table.select(some);
        RuleEvaluation part = facing.evaluation().of(some);
        Facing alone = new Facing(
                facing.world,
                those,
                Arrays.stream(some).mapToDouble(i -> facing.p[i]).toArray(),
                Arrays.stream(some).mapToDouble(i -> facing.z[i]).toArray(),
                facing.population.subset(some));

        assertThat(part.moved()).isEqualTo(alone.evaluation().moved());
        int[] counts = new int[ROWS];
        for (int i : some) {
            counts[i] = 1;
        }
        RuleEvaluation all = facing.evaluation();
        all.moved();
        assertThat(all.movedLoss(counts)).isCloseTo(part.moved().mse(), within(1e-12));
        assertThat(all.withPopulation(facing.population.times(0.5)).movedLoss(counts))
                .isCloseTo(
                        part.withPopulation(part.population().times(0.5))
                                .moved()
                                .mse(),
                        within(1e-12));
    }

    private static GameSpec wide(UnaryOperator<GameSpec.Builder> more) {
        return more.apply(game().toBuilder().wishNoise(0.4).limit("debt>=-1e9").limit("income<=1e12"))
                .build();
    }

    private static GameSpec unlimited(GameSpec spec) {
        GameSpec.Builder game =
                GameSpec.builder().target("score").wish(spec.wish()).gamma(0.1).cost("debt", 0.3);
        game.wishNoise(spec.wishNoise()).truthfulShare(spec.truthfulShare()).rowGamma(spec.rowGamma());
        spec.effects().forEach(game::effect);
        return game.intercept(spec.intercept()).weight(spec.weight()).build();
    }

    @Test
    void limitsThatStopNobodyChangeNoBit() {
        List<UnaryOperator<GameSpec.Builder>> games = List.of(
                game -> game,
                game -> game.truthfulShare(0.3).rowGamma("effort").weight("weight"),
                game -> game.effect("debt", 0.3).weight("weight"),
                game -> game.intercept(GameSpec.Intercept.MANIPULABLE).wishNoise(0));
        for (UnaryOperator<GameSpec.Builder> more : games) {
            Facing limited = facing(wide(more));
            Facing free = facing(unlimited(limited.world.spec()));
            Responses responses = limited.responses();
            Responses others = free.responses();

            assertThat(free.world.bounds()).isEmpty();
            assertThat(responses.hasLimits()).isTrue();
            assertThat(responses.isLimited()).isFalse();
            assertThat(responses.features()).isEqualTo(others.features());
            assertThat(responses.movesOutOfRange()).isEqualTo(others.movesOutOfRange());
            assertThat(responses.pullThrough()).isEqualTo(others.pullThrough());
            for (int i = 0; i < ROWS; i++) {
                assertThat(responses.after(i)).isEqualTo(others.after(i));
                assertThat(responses.cost(i)).isEqualTo(others.cost(i));
                assertThat(responses.isStuck(i)).isFalse();
                for (int j : responses.movable()) {
                    assertThat(responses.move(i, j)).isEqualTo(others.move(i, j));
                }
            }
            RuleEvaluation one = limited.evaluation();
            RuleEvaluation other = free.evaluation();
            assertThat(one.moved()).isEqualTo(other.moved());
            assertThat(one.pullThrough()).isEqualTo(other.pullThrough());
            assertThat(one.movedIfWishesAreOff(0.7)).isEqualTo(other.movedIfWishesAreOff(0.7));
            assertThat(one.overGamma(0.05, 0.3)).isEqualTo(other.overGamma(0.05, 0.3));
            assertThat(one.earned()).isEqualTo(other.earned());
            assertThat(one.gamed()).isEqualTo(other.gamed());
            assertThat(one.improvement()).isEqualTo(other.improvement());
            if (!one.hasEffects()) {
                assertThat(one.overCosts(3)).isEqualTo(other.overCosts(3));
            }
        }
    }

    @Test
    void valuesBeyondALimitDoNotMoveFurtherOut() {
        Facing facing = facing(
                game().toBuilder().limit("debt<=0.6").limit("rate>=0.0005").build());
        Responses responses = facing.responses();
        int debt = facing.world.encoding().names().indexOf("debt");
        double[] before = table.numeric("debt").values();
        int outside = 0;
        for (int i = 0; i < ROWS; i++) {
            boolean up = facing.z[i] > facing.p[i];
            if (before[i] > 0.6) {
                outside++;
                assertThat(responses.move(i, debt)).isLessThanOrEqualTo(0);
                assertThat(responses.move(i, debt) == 0).isEqualTo(up);
            }
        }
        assertThat(outside).isGreaterThan(5);
    }

    /** The worst is looked for where it need not be at an end, and what is found is as bad as anything on a grid a hundred times as fine. */
    @Test
    void theWorstCaseOfAnIntervalIsSearchedForIfLimitsStopAnyone() {
        for (Variant variant : List.of(Variant.FLOORS, Variant.MIXED, Variant.ONE_SIDED)) {
            RuleEvaluation evaluation = facing(variant.spec()).evaluation();
            RuleEvaluation.Interval costs = evaluation.overCosts(50);
            double worst = 0;
            for (int k = 0; k <= 1600; k++) {
                double factor = Math.exp(Math.log(50) * (k / 800.0 - 1));
                worst = Math.max(
                        worst,
                        evaluation
                                .withPopulation(evaluation.population().times(factor))
                                .moved()
                                .mse());
            }
            assertThat(costs.searched()).isTrue();
            assertThat(costs.worst().mse()).isCloseTo(worst, within(1e-5 * worst));
            assertThat(costs.worst())
                    .isEqualTo(evaluation
                            .withPopulation(evaluation.population().times(costs.worstAt()))
                            .moved());
            RuleEvaluation.Interval gammas = evaluation.overGamma(0.001, 3);
            assertThat(gammas.searched()).isTrue();
            assertThat(gammas.worst().mse())
                    .isGreaterThanOrEqualTo(
                            Math.max(gammas.low().mse(), gammas.high().mse()));
        }
    }

    @Test
    void rowsWithoutFeaturesAreRefusedUnderLimits() {
        Facing facing = facing(Variant.FLOORS.spec());
        Followers strangers = Followers.of(facing.population, facing.p, facing.z);

        assertThatThrownBy(() -> Responses.of(facing.world, RULE, table, strangers))
                .hasMessageContaining("Limits are declared")
                .hasMessageContaining("Maybe");
    }

    /** The same people as columns, as an array and as a sparse matrix whose last column is beyond what it holds. */
    @Test
    void arraysAndSparseMatricesAreColumns() {
        Random random = new Random(3);
        double[][] x = new double[40][5];
        for (double[] row : x) {
            for (int j = 0; j < 4; j++) {
                row[j] = random.nextInt(3) == 0 ? 0 : random.nextGaussian() + j;
            }
        }
        double[] y = random.doubles(40).toArray();
        NumericColumn truth = NumericColumn.of("y", y);
        Map<String, Double> terms = new LinkedHashMap<>(Map.of("1", 0.7, "2", -0.4, "3", 0.3, "4", 0.5, "5", 0.2));
        PublishedRule rule = new PublishedRule("rule", 0.1, terms);
        List<NumericColumn> columns = new ArrayList<>();
        for (int j = 0; j < 5; j++) {
            int at = j;
            columns.add(NumericColumn.of(
                    String.valueOf(j + 1),
                    Arrays.stream(x).mapToDouble(row -> row[at]).toArray()));
        }
        columns.add(truth);
        Table byColumns = Table.of(columns);
        Table array = Table.of(x, Table.positions(5), truth);
        Table sparse = Table.ofBlock(sparse(x, 4), Table.positions(4), truth);
        for (GameSpec.Intercept intercept : GameSpec.Intercept.values()) {
            GameSpec spec = GameSpec.builder()
                    .target("y")
                    .wish("y+3")
                    .gamma(0.2)
                    .scaling(Scaling.NONE)
                    .immutable(Set.of("3"))
                    .intercept(intercept)
                    .limit("data")
                    .limit("5<=0.5")
                    .build();
            World world = World.declared(byColumns, rule, spec);
            double[] p = rule.predict(world.encoding(), byColumns, Encoding.UnknownLevel.ERROR);
            double[] z = Arrays.stream(y).map(value -> value + 3).toArray();
            double[][] moves = new double[3][];
            List<Table> tables = List.of(byColumns, array, sparse);
            for (int k = 0; k < 3; k++) {
                Table rows = tables.get(k);
                Followers people = Followers.of(0.2, p, z).with(world.features(rows), WORKERS);
                Responses responses = Responses.of(world, rule, rows, people);
                moves[k] = IntStream.range(0, 40)
                        .boxed()
                        .flatMapToDouble(i -> IntStream.range(0, 5).mapToDouble(j -> responses.move(i, j)))
                        .toArray();
                assertThat(responses.isLimited()).isTrue();
            }
            assertThat(moves[1]).isEqualTo(moves[0]);
            assertThat(moves[2]).isEqualTo(moves[0]);
        }
    }

    private static CsrMatrix sparse(double[][] x, int cols) {
        List<int[]> places = new ArrayList<>();
        for (int i = 0; i < x.length; i++) {
            for (int j = 0; j < cols; j++) {
                if (x[i][j] != 0) {
                    places.add(new int[] {i, j});
                }
            }
        }
        return CsrMatrix.ofTriplets(
                x.length,
                cols,
                places.stream().mapToInt(at -> at[0]).toArray(),
                places.stream().mapToInt(at -> at[1]).toArray(),
                places.stream().mapToDouble(at -> x[at[0]][at[1]]).toArray());
    }
}
