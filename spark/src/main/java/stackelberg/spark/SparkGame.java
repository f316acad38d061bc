package stackelberg.spark;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import stackelberg.data.Scaling;
import stackelberg.data.wish.Wish;
import stackelberg.game.GameSpec;
import stackelberg.game.Setting;
import stackelberg.game.Settings;

/** Checks that Spark supports all settings of a game: a setting of {@link GameSpec} without a param here is refused by name, instead of being ignored. */
final class SparkGame {
    /** Settings without a param that change nothing here: without scaling both units of costs are the same, and a wish that is a column does not depend on today's rule. */
    private static final Set<Setting<?>> WITHOUT_CONSEQUENCE = Set.of(Settings.COST_UNITS, Settings.TODAY);

    private SparkGame() {}

    /**
     * Refuses a game with a setting that Spark does not support.
     *
     * @param source the file that the game comes from, for the message
     */
    static void require(GameSpec game, String source) {
        require(
                game,
                "'" + source + "' is of a game that",
                "load it with the core's ModelFile, or fit the game on Spark");
    }

    private static void require(GameSpec game, String who, String advice) {
        String refused = Settings.all().stream()
                .filter(setting -> !canExpress(setting, game))
                .map(setting -> setting.name() + "(" + said(setting, game) + ")")
                .collect(Collectors.joining(", "));
        if (!refused.isEmpty()) {
            throw ParamWords.refused(
                    "settings-without-param",
                    "{} has the settings {}; Spark has no params for them, and its model would ignore them.\nMaybe {}.",
                    who,
                    refused,
                    advice);
        }
    }

    /** Whether the params can express the game's value of this setting; a setting that is not named here has no param, and must have its default. */
    private static boolean canExpress(Setting<?> setting, GameSpec game) {
        if (setting == Settings.WISH) {
            String wish = game.wish();
            return wish != null && isSupported(wish);
        }
        if (setting == Settings.GAMMA_SHARE) {
            // it is a number by now
            return game.gammaShare().isEmpty() || game.gammaKnown();
        }
        if (setting == Settings.FEATURES) {
            return game.features() != null;
        }
        if (setting == Settings.IMMUTABLE) {
            return game.immutable() != null;
        }
        if (setting == Settings.INTERCEPT) {
            return game.intercept() != GameSpec.Intercept.MANIPULABLE;
        }
        if (setting == Settings.SCALING) {
            return game.scaling() == Scaling.NONE;
        }
        return ParamWords.PARAMS.containsKey(setting)
                || WITHOUT_CONSEQUENCE.contains(setting)
                || !game.declares(setting);
    }

    private static String said(Setting<?> setting, GameSpec game) {
        if (setting == Settings.FEATURES && game.features() == null) {
            return "all";
        }
        return setting == Settings.IMMUTABLE ? "the categories" : game.inWords(setting);
    }

    /** The estimator with the settings of a game as params. */
    static StackelbergRegression estimator(GameSpec game) {
        require(game, "The game", "fit it with the core");
        // require has refused games that do not list their features and immutable columns
        List<String> names = Objects.requireNonNull(game.features());
        Set<String> immutable = Objects.requireNonNull(game.immutable());
        String wish = game.chosenWish();
        StackelbergRegression estimator = new StackelbergRegression()
                .setLabelCol(game.chosenTarget())
                .setGamma(game.gamma())
                .setWishNoise(game.wishNoise())
                .setRidge(game.ridge())
                .setHedge(game.hedge().toString())
                .setFitIntercept(game.intercept() == GameSpec.Intercept.IMMUTABLE);
        Wishes.parse(wish).column().ifPresentOrElse(estimator::setWishCol, () -> estimator.setWish(wish));
        if (game.weight() != null) {
            estimator.setWeightCol(game.weight());
        }
        if (!game.costs().isEmpty()) {
            estimator.setCosts(inOrder(game.costs(), 1, names));
        }
        if (game.hasEffects()) {
            estimator.setEffects(inOrder(game.effects(), 0, names));
        }
        return estimator.setImmutableFeatures(
                immutable.stream().mapToInt(name -> position(name, names)).toArray());
    }

    private static double[] inOrder(Map<String, Double> byName, double otherwise, List<String> names) {
        double[] values = new double[names.size()];
        Arrays.fill(values, otherwise);
        byName.forEach((name, value) -> values[position(name, names)] = value);
        return values;
    }

    private static int position(String name, List<String> names) {
        int position = names.indexOf(name);
        if (position < 0) {
            throw ParamWords.refused(
                    "settings-of-no-feature",
                    "The game has settings for '{}', which is not among its features {}.",
                    name,
                    String.join(", ", names));
        }
        return position;
    }

    /** Whether a wish uses columns only; today's score and the current prediction are not supported by Spark. */
    private static boolean isSupported(String text) {
        Wish wish = Wishes.parse(text);
        return !wish.usesToday() && !wish.usesPrediction();
    }
}
