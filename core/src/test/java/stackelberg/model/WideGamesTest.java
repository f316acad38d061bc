package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.estimate.Resampling.Bootstrap;
import stackelberg.game.Hedge;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.Workers;
import stackelberg.model.response.Comparison;
import stackelberg.model.response.RuleEvaluation;
import stackelberg.model.tuning.Tuning;

/** More features than people: a ridge is suggested, tuned from one basis per fold, and compared with. */
class WideGamesTest {
    private static final double[] RIDGES = {
        0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100
    };
    private static final Pattern SUGGESTED = Pattern.compile("is smallest with ridge\\(([0-9.]+)\\)");

    private static StackelbergRegression.Builder regression() {
        return StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("y")
                .wish("max(y,6)")
                .wishNoise(0.5);
    }

    private static double suggested(StackelbergModel model) {
        Matcher found = SUGGESTED.matcher(model.warnings().toString());
        return found.find() ? Double.parseDouble(found.group(1)) : Double.NaN;
    }

    /** What is suggested from one decomposition loses next to nothing beside the best that cross-validation finds. */
    @ParameterizedTest
    @ValueSource(doubles = {0.05, 0.5, 5, 1e6})
    void fitSuggestsAboutTheRidgeThatTuneChooses(double gamma) {
        for (long seed = 1; seed <= 2; seed++) {
            Table table = TextLike.table(120, 400, 20, 1.5, seed);
            double suggested = suggested(regression().gamma(gamma).build().fit(table));
            Tuning tuning = regression()
                    .build()
                    .tune(table, Tuning.Plan.of(gamma).withRidges(RIDGES).withSeed(seed), Tuning.Listener.NONE);
            double best = Double.POSITIVE_INFINITY;
            double taken = Double.NaN;
            for (int k = 0; k < RIDGES.length; k++) {
                double loss = tuning.loss(k, gamma);
                best = Math.min(best, loss);
                taken = RIDGES[k] == suggested || Double.isNaN(suggested) && RIDGES[k] == 0 ? loss : taken;
            }
            assertThat(taken)
                    .as("gamma %s, seed %s, ridge %s", gamma, seed, suggested)
                    .isLessThan(1.03 * best);
            // where people hardly move, a rule without a ridge learns them by heart
            assertThat(gamma < 1 || tuning.loss(0, gamma) > 1.15 * best).isTrue();
        }
    }

    @Test
    void noRidgeIsSuggestedForManyRowsOrIfOneIsDeclared() {
        Table wide = TextLike.table(100, 300, 20, 1.5, 1);
        Table tall = TextLike.table(400, 50, 20, 1.5, 1);

        assertThat(suggested(regression().gamma(1).build().fit(wide))).isPositive();
        assertThat(suggested(regression().gamma(1).ridge(0.1).build().fit(wide)))
                .isNaN();
        assertThat(suggested(regression().gamma(1).build().fit(tall))).isNaN();
    }

    @Test
    void aHedgeOnMoreColumnsThanRowsIsCertifiedWithARidgeAndRefusedWithoutOne() {
        Table table = TextLike.table(150, 2500, 20, 1.5, 3);
        StackelbergRegression.Builder builder = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("y")
                .wish("max(today,6)")
                .gammaShare(0.5)
                .hedge(0.05);
        StackelbergModel model = builder.ridge(0.5).build().fit(table);
        StackelbergModel.Losses losses = model.losses();

        assertThat(model.terms()).hasSizeGreaterThan(1500);
        assertThat(model.certified()).isTrue();
        assertThat(model.hedged().orElseThrow().share()).isPositive();
        assertThat(losses.honest())
                .isLessThanOrEqualTo(model.hedged().orElseThrow().bound() * (1 + 1e-11));
        assertThat(Verification.of(model, table, Workers.of(2)).refuted()).isEmpty();
        // without a ridge some rule fits fewer rows than columns exactly, and 5% of nothing is nothing
        assertThatThrownBy(() -> builder.ridge(0).build().fit(table))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("fits these rows exactly")
                .hasMessageContaining("ridge(...)");
    }

    /** One person has nearly all of a word: the fold without her scales it by a million, which once was taken for the rounding of everybody. */
    @Test
    void aColumnThatHardlyVariesInOneFoldDoesNotPreventConvergence() {
        int rows = 600;
        int words = 1500;
        Random random = new Random(149);
        CsrMatrix.Builder builder = new CsrMatrix.Builder();
        double[] y = new double[rows];
        for (int i = 0; i < rows; i++) {
            builder.put(0, i == 0 ? 1 : 1e-6 * random.nextGaussian());
            for (int j = 1 + random.nextInt(100); j < words; j += 40 + random.nextInt(60)) {
                double value = random.nextGaussian();
                builder.put(j, value);
                y[i] += (j % 3 - 1) * value;
            }
            builder.endRow();
        }
        Table table = Table.ofBlock(builder.build(words), Table.positions(words), NumericColumn.of("y", y));
        Tuning tuning = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("y")
                .wish("max(y,1)")
                .wishNoise(1)
                .build()
                .tune(table, Tuning.Plan.of(0.1, 10, 300).withFolds(3), Tuning.Listener.NONE);

        assertThat(tuning.method()).contains("on the rows of each");
        assertThat(tuning.settled()).as(tuning.warnings().toString()).isTrue();
    }

    /** Beyond 2,000 columns today's rules of the folds are learned side by side, each by one thread. */
    @Test
    void todaysRulesOfTheFoldsDoNotDependOnTheThreads() {
        Table table = TextLike.table(150, 2500, 20, 1.5, 3);
        Tuning.Plan plan = Tuning.Plan.ofShares(0.2, 0.6).withFolds(3);
        Tuning one = regression().threads(1).build().tune(table, plan, Tuning.Listener.NONE);
        for (int threads : new int[] {2, 3}) {
            Tuning several = regression().threads(threads).build().tune(table, plan, Tuning.Listener.NONE);
            for (int f = 0; f < 3; f++) {
                for (int k = 0; k < 2; k++) {
                    assertThat(several.foldLoss(f, k, 1)).isEqualTo(one.foldLoss(f, k, 1));
                }
            }
        }
    }

    /** Forty gammas and twenty ridges are one basis per fold. */
    @Test
    @Tag("slow")
    void aGridOnWideSparseDataTakesThePassesOfItsHardestProblem() {
        Table table = TextLike.table(600, 900, 25, 1, 4);
        double[] gammas = new double[40];
        double[] ridges = new double[20];
        for (int k = 0; k < gammas.length; k++) {
            gammas[k] = Math.pow(10, -2 + 4 * k / 39.0);
        }
        for (int k = 0; k < ridges.length; k++) {
            ridges[k] = Math.pow(10, -3 + 4 * k / 19.0);
        }
        Tuning grid = regression()
                .build()
                .tune(table, Tuning.Plan.of(gammas).withRidges(ridges).withFolds(4), Tuning.Listener.NONE);
        Tuning hardest = regression()
                .build()
                .tune(table, Tuning.Plan.of(gammas[39]).withRidges(ridges[0]).withFolds(4), Tuning.Listener.NONE);

        assertThat(grid.settled()).isTrue();
        assertThat(passes(grid)).isLessThanOrEqualTo(3 * passes(hardest) / 2);
    }

    private static int passes(Tuning tuning) {
        Matcher matcher = Pattern.compile(", ([0-9]+) passes").matcher(tuning.method());
        assertThat(matcher.find()).as(tuning.method()).isTrue();
        return Integer.parseInt(matcher.group(1));
    }

    /** Where nobody moves, the rule with the tuned ridge is plain ridge, and no worse on people held out. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void withoutMovesTheTunedRuleIsNoWorseThanRidge(long seed) {
        double never = 1e9;
        Comparison.Split split = Comparison.Split.of(TextLike.table(200, 500, 25, 1.5, seed), null, 0.4, seed);
        double[] ridges = new double[33];
        for (int k = 0; k < ridges.length; k++) {
            ridges[k] = Math.pow(10, -6 + k / 4.0);
        }
        Tuning tuning = regression()
                .build()
                .tune(split.training(), Tuning.Plan.of(never).withRidges(ridges), Tuning.Listener.NONE);
        double ridge = tuning.curve(never).points().get(0).ridge();

        List<Comparison.Entry> entries =
                compare(regression().gamma(never).ridge(ridge), split).entries();
        RuleEvaluation plain = entries.get(1).evaluation();
        RuleEvaluation tuned = entries.get(2).evaluation();
        assertThat(tuned.honest().mse()).isLessThan(1.01 * plain.honest().mse());
    }

    private static Comparison compare(StackelbergRegression.Builder regression, Comparison.Split split) {
        return Comparison.of(
                regression.build(),
                split.training(),
                split.heldOut(),
                Encoding.UnknownLevel.ERROR,
                new Bootstrap(20, 0.95, 1),
                Workers.of(2));
    }
}
