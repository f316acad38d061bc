package stackelberg.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import stackelberg.data.Missing;
import stackelberg.data.Scaling;
import stackelberg.estimate.Loss;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.game.Settings;

/** What a game says is either honoured on Spark or refused by its name. */
class SparkGameTest {
    private static final List<String> NAMES = List.of("income", "debt", "age");

    /** With all that the params can say. */
    private static GameSpec declared(double effect) {
        StackelbergRegression estimator = new StackelbergRegression()
                .setWeightCol("weight")
                .setWishCol("a `wish`")
                .setGamma(0.5)
                .setCosts(1, 2, 3)
                .setEffects(0, effect, 0)
                .setWishNoise(0.3)
                .setImmutableFeatures(2)
                .setFitIntercept(false);
        return estimator.own().spec(estimator, NAMES);
    }

    @Test
    void paramsBecomeSettingsOfTheGame() {
        GameSpec game = declared(-2);
        assertThatCode(() -> SparkGame.require(game, "a game")).doesNotThrowAnyException();
        assertThat(game.weight()).isEqualTo("weight");
        assertThat(game.wish()).isEqualTo("`a ``wish```");
        assertThat(game.gamma()).isEqualTo(0.5);
        assertThat(game.costs()).isEqualTo(Map.of("income", 1.0, "debt", 2.0));
        assertThat(game.effects()).isEqualTo(Map.of("debt", -2.0));
        assertThat(game.wishNoise()).isEqualTo(0.3);
        assertThat(game.immutable()).isEqualTo(Set.of("age"));
        assertThat(game.intercept()).isEqualTo(GameSpec.Intercept.NONE);
        StackelbergRegression plain = new StackelbergRegression();
        GameSpec other = plain.own().spec(plain, NAMES);
        assertThatCode(() -> SparkGame.require(other, "a game")).doesNotThrowAnyException();
        assertThat(other.weight()).isNull();
        assertThat(other.intercept()).isEqualTo(GameSpec.Intercept.IMMUTABLE);
    }

    static Stream<Arguments> beyond() {
        // with effects the core itself refuses some of these
        GameSpec game = declared(0);
        return Stream.of(
                Arguments.of("rowGamma(own)", people(game, "own", 0)),
                Arguments.of("truthfulShare(0.2)", people(game, null, 0.2)),
                Arguments.of("loss(logistic)", unsure(game).loss(Loss.LOGISTIC).build()),
                Arguments.of(
                        "loss(huber:1.5)", unsure(game).loss(Loss.huber(1.5)).build()),
                Arguments.of(
                        "gammaBetween(0.1, 2.0)",
                        game.toBuilder().gammaBetween(0.1, 2).build()),
                Arguments.of(
                        "limit(debt>=0, income up)",
                        game.toBuilder().limit("debt>=0").limit("income up").build()),
                Arguments.of("limit(data)", game.toBuilder().limit("data").build()),
                Arguments.of(
                        "oneSided(UP)",
                        game.toBuilder().oneSided(GameSpec.Side.UP).build()),
                Arguments.of("group(region)", columns(game, game.wish(), "region", NAMES, Set.of())),
                Arguments.of("features(all)", columns(game, game.wish(), null, null, Set.of())),
                Arguments.of("wish(max(today,6))", columns(game, "max(today,6)", null, NAMES, Set.of())),
                Arguments.of("wish(p + 1)", columns(game, "p + 1", null, NAMES, Set.of())),
                Arguments.of("gammaShare(0.3)", game.toBuilder().gammaShare(0.3).build()),
                Arguments.of("wish(null)", columns(game, null, null, NAMES, Set.of())),
                Arguments.of("ignore(other)", columns(game, game.wish(), null, NAMES, Set.of("other"))),
                Arguments.of("immutable(the categories)", moves(game, null, GameSpec.Intercept.IMMUTABLE)),
                Arguments.of("intercept(MANIPULABLE)", moves(game, Set.of(), GameSpec.Intercept.MANIPULABLE)),
                Arguments.of("scaling(STANDARD)", units(game, Scaling.STANDARD, Missing.ERROR, false)),
                Arguments.of("scaling(RANGE)", units(game, Scaling.RANGE, Missing.ERROR, false)),
                Arguments.of("missing(DROP)", units(game, Scaling.NONE, Missing.DROP, false)),
                Arguments.of("missing(MEAN)", units(game, Scaling.NONE, Missing.MEAN, false)),
                Arguments.of("fullOneHot(true)", units(game, Scaling.NONE, Missing.ERROR, true)));
    }

    @ParameterizedTest
    @MethodSource("beyond")
    void settingsWithoutAParamAreRefusedByName(String name, GameSpec game) {
        assertThatThrownBy(() -> SparkGame.require(game, "model.json"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'model.json'", name, "Maybe");
    }

    /** What a game can say: the words by which it is refused, or null where Spark plays it. */
    private record Saying(String refused, UnaryOperator<GameSpec.Builder> words) {}

    private static List<Saying> sayings() {
        return List.of(
                new Saying(null, game -> game.weight("weight")),
                new Saying(null, game -> game.wish("max(y, quantile(y, 0.75), `income` + 1)")),
                new Saying(null, game -> game.gamma(3)),
                new Saying(null, game -> game.cost("debt", 2)),
                new Saying(null, game -> game.effect("income", -0.5)),
                new Saying(null, game -> game.wishNoise(0.2)),
                new Saying(null, game -> game.ridge(0.1)),
                new Saying(null, game -> game.hedge(0.05)),
                new Saying(null, game -> game.hedge(Hedge.BALANCED)),
                new Saying(null, game -> game.immutable(Set.of("age"))),
                new Saying(null, game -> game.intercept(GameSpec.Intercept.NONE)),
                new Saying(
                        "wish(max(today, quantile(today, 0.75)))",
                        game -> game.wish("max(today, quantile(today, 0.75))")),
                new Saying("gammaShare(0.4)", game -> game.gammaShare(0.4)),
                new Saying("gammaBetween(0.1, 2.0)", game -> game.gammaBetween(0.1, 2)),
                new Saying("rowGamma(own)", game -> game.rowGamma("own")),
                new Saying("truthfulShare(0.2)", game -> game.truthfulShare(0.2)),
                new Saying("loss(logistic)", game -> game.loss(Loss.LOGISTIC)),
                new Saying("loss(huber:1.5)", game -> game.loss(Loss.huber(1.5))),
                new Saying("limit(debt>=0)", game -> game.limit("debt>=0")),
                new Saying("oneSided(UP)", game -> game.oneSided(GameSpec.Side.UP)),
                new Saying("group(region)", game -> game.group("region")),
                new Saying("id(name)", game -> game.id("name")),
                new Saying("ignore(other)", game -> game.ignore(Set.of("other"))),
                new Saying("intercept(MANIPULABLE)", game -> game.intercept(GameSpec.Intercept.MANIPULABLE)),
                new Saying("scaling(STANDARD)", game -> game.scaling(Scaling.STANDARD)),
                new Saying("missing(DROP)", game -> game.missing(Missing.DROP)));
    }

    @Test
    void everyPairOfSettingsIsFittedOrRefusedByName() {
        int played = 0;
        int refused = 0;
        List<Saying> all = sayings();
        for (int a = 0; a < all.size(); a++) {
            for (int b = 0; b < all.size(); b++) {
                GameSpec game;
                try {
                    GameSpec.Builder builder = GameSpec.builder()
                            .target("score")
                            .wish("`a \"hope\"`")
                            .features(NAMES)
                            .immutable(Set.of())
                            .scaling(Scaling.NONE)
                            .gamma(1);
                    game = all.get(b)
                            .words
                            .apply(all.get(a).words.apply(builder))
                            .build();
                } catch (IllegalArgumentException theCoreRefuses) {
                    assertThat(theCoreRefuses).hasMessageContaining("Maybe");
                    continue;
                }
                // of two that set the same the last counts
                String[] names = Stream.of(all.get(a), all.get(b))
                        .map(Saying::refused)
                        .filter(name -> name != null && says(game, name))
                        .toArray(String[]::new);
                if (names.length == 0) {
                    StackelbergRegression estimator = StackelbergRegression.of(game);
                    GameSpec told = estimator.own().spec(estimator, NAMES);
                    assertThat(costless(told)).isEqualTo(costless(game));
                    assertThat(costs(told)).isEqualTo(costs(game));
                    played++;
                } else {
                    assertThatThrownBy(() -> StackelbergRegression.of(game))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContainingAll(names)
                            .hasMessageContainingAll("The game has the settings", "Maybe");
                    refused++;
                }
            }
        }
        // 11 settings are played, in pairs with themselves and each other
        assertThat(played).isGreaterThanOrEqualTo(121);
        assertThat(refused).isGreaterThan(400);
    }

    private static GameSpec costless(GameSpec game) {
        return game.toBuilder().set(Settings.COST, Map.of()).build();
    }

    /** The manipulable features, declared or by default. */
    private static List<Double> costs(GameSpec game) {
        return NAMES.stream()
                .filter(name -> !game.immutable().contains(name))
                .map(name -> game.costs().getOrDefault(name, 1.0))
                .toList();
    }

    /** Whether a game still says what was said first. */
    private static boolean says(GameSpec game, String refused) {
        return switch (refused.substring(0, refused.indexOf('('))) {
            case "wish" -> game.wish().contains("today");
            case "gammaShare" -> game.gammaShare().isPresent();
            case "gammaBetween" -> game.between() != null;
            case "loss" -> refused.equals("loss(" + game.loss() + ")");
            case "intercept" -> game.intercept() == GameSpec.Intercept.MANIPULABLE;
            default -> true;
        };
    }

    @Test
    void settingsForColumnsThatAreNoFeaturesAreRefused() {
        GameSpec game = GameSpec.builder()
                .target("score")
                .wish("hope")
                .features(NAMES)
                .scaling(Scaling.NONE)
                .immutable(Set.of("height"))
                .gamma(1)
                .build();
        assertThatThrownBy(() -> StackelbergRegression.of(game))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'height'", "income, debt, age");
    }

    private static GameSpec columns(
            GameSpec game, String wish, String group, List<String> features, Set<String> ignore) {
        return game.toBuilder()
                .wish(wish)
                .group(group)
                .features(features)
                .ignore(ignore)
                .build();
    }

    /** The noise of wishes goes together with no other loss. */
    private static GameSpec.Builder unsure(GameSpec game) {
        return game.toBuilder().wishNoise(0);
    }

    private static GameSpec people(GameSpec game, String rowGamma, double truthfulShare) {
        return game.toBuilder().rowGamma(rowGamma).truthfulShare(truthfulShare).build();
    }

    private static GameSpec moves(GameSpec game, Set<String> immutable, GameSpec.Intercept intercept) {
        return game.toBuilder()
                .immutable(immutable)
                .set(Settings.COST, Map.of())
                .set(Settings.EFFECT, Map.of())
                .intercept(intercept)
                .build();
    }

    private static GameSpec units(GameSpec game, Scaling scaling, Missing missing, boolean fullOneHot) {
        return game.toBuilder()
                .scaling(scaling)
                .missing(missing)
                .set(Settings.FULL_ONE_HOT, fullOneHot)
                .build();
    }
}
