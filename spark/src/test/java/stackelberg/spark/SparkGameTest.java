package stackelberg.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import stackelberg.data.Missing;
import stackelberg.data.Scaling;
import stackelberg.game.GameSpec;
import stackelberg.game.Loss;

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
    void whatTheParamsSayIsInTheGame() {
        GameSpec game = declared(-2);
        assertThatCode(() -> SparkGame.require(game, "a game")).doesNotThrowAnyException();
        assertThat(game.weight()).isEqualTo("weight");
        assertThat(game.wish()).isEqualTo("`a ``wish```");
        assertThat(game.gamma()).isEqualTo(0.5);
        assertThat(game.moves().costs()).isEqualTo(Map.of("income", 1.0, "debt", 2.0));
        assertThat(game.effects()).isEqualTo(Map.of("debt", -2.0));
        assertThat(game.wishNoise()).isEqualTo(0.3);
        assertThat(game.moves().immutable()).isEqualTo(Set.of("age"));
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
                Arguments.of("hedge(0.05)", game.toBuilder().hedge(0.05).build()),
                Arguments.of("loss(logistic)", unsure(game).loss(Loss.LOGISTIC).build()),
                Arguments.of(
                        "loss(huber:1.5)", unsure(game).loss(Loss.huber(1.5)).build()),
                Arguments.of(
                        "limit(debt>=0.0, income up)",
                        game.toBuilder().limit("debt>=0").limit("income up").build()),
                Arguments.of("limit(data)", game.toBuilder().limit("data").build()),
                Arguments.of(
                        "oneSided(UP)",
                        game.toBuilder().oneSided(GameSpec.Side.UP).build()),
                Arguments.of("group(region)", columns(game, game.wish(), "region", NAMES, Set.of())),
                Arguments.of("features(all)", columns(game, game.wish(), null, null, Set.of())),
                Arguments.of("wish(max(y,6))", columns(game, "max(y,6)", null, NAMES, Set.of())),
                Arguments.of("wish(`hope` + 1)", columns(game, "`hope` + 1", null, NAMES, Set.of())),
                Arguments.of("wish(`a` + `b`)", columns(game, "`a` + `b`", null, NAMES, Set.of())),
                Arguments.of("wish(null)", columns(game, null, null, NAMES, Set.of())),
                Arguments.of("ignore=[other]", columns(game, game.wish(), null, NAMES, Set.of("other"))),
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
    void whatTheParamsCannotSayIsRefusedByName(String name, GameSpec game) {
        assertThatThrownBy(() -> SparkGame.require(game, "model.json"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'model.json'", name, "Maybe");
    }

    private static GameSpec columns(
            GameSpec game, String wish, String group, List<String> features, Set<String> ignore) {
        var columns = new GameSpec.Columns(game.target(), wish, game.weight(), group, null, features, ignore);
        return new GameSpec(columns, game.people(), game.moves(), game.units(), game.aim());
    }

    /** The noise of wishes goes together with no other loss. */
    private static GameSpec.Builder unsure(GameSpec game) {
        return game.toBuilder().wishNoise(0);
    }

    private static GameSpec people(GameSpec game, String rowGamma, double truthfulShare) {
        var people = new GameSpec.People(game.gamma(), rowGamma, truthfulShare, game.wishNoise());
        return new GameSpec(game.columns(), people, game.moves(), game.units(), game.aim());
    }

    private static GameSpec moves(GameSpec game, Set<String> immutable, GameSpec.Intercept intercept) {
        var moves = new GameSpec.Moves(immutable, Map.of(), GameSpec.CostUnits.SCALED, intercept);
        return new GameSpec(game.columns(), game.people(), moves, game.units(), game.aim());
    }

    private static GameSpec units(GameSpec game, Scaling scaling, Missing missing, boolean fullOneHot) {
        var units = new GameSpec.Units(scaling, missing, fullOneHot);
        return new GameSpec(game.columns(), game.people(), game.moves(), units, game.aim());
    }
}
