package stackelberg.cli.option;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import stackelberg.data.DataException;
import stackelberg.data.Scaling;
import stackelberg.data.io.DataFile;
import stackelberg.game.GameSpec;
import stackelberg.game.GameSpec.Today;
import stackelberg.game.Loss;
import stackelberg.game.PublishedRule;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;

/** What people can do, and in which units: the options of the game itself. */
public final class GameOptions {
    @Option(
            names = "--immutable",
            paramLabel = "COLS|none",
            split = ",",
            hideParamSyntax = true,
            description = "Columns nobody can change (default: the categorical ones).")
    Set<String> immutable;

    @Option(
            names = "--cost",
            paramLabel = "COL=VALUE",
            description = "How costly it is to move a feature, relative to 1; may be repeated.")
    Map<String, Double> costs = Map.of();

    @Option(
            names = "--costs",
            paramLabel = "FILE.csv",
            description = "Costs from a file with the columns feature and cost; --cost counts before it.")
    Path costsFile;

    @Option(
            names = "--cost-units",
            paramLabel = "sd|raw",
            converter = Words.OfCostUnits.class,
            completionCandidates = Words.OfCostUnits.class,
            description = "Moves are paid for in scaled units (sd, the default) or in the units of the data.")
    GameSpec.CostUnits costUnits = GameSpec.CostUnits.SCALED;

    @Option(
            names = "--today",
            paramLabel = "RULE.csv|MODEL.json|cross-fitted",
            completionCandidates = Words.OfToday.class,
            description =
                    "The rule in force now, for today in wishes and for --gamma in percent: a file with the columns term"
                            + " and coefficient, a model, or cross-fitted, which scores each person by a rule learned from other people; its scores are log-odds where the loss is logistic (default: least"
                            + " squares of the data, or ridge where that is ill-posed; by the game's own loss where that is not squared).")
    String today;

    @Option(
            names = "--wish-noise",
            paramLabel = "SD",
            description = "The standard deviation with which the wishes are known (default: 0).")
    double wishNoise;

    @Option(
            names = "--ridge",
            paramLabel = "MU",
            description =
                    "What the rule pays for relying on features, per person and scaled feature, so that a rule with many"
                            + " coefficients does not learn people by heart: 0 is nothing (the default), 0.1 some, 10 nearly all.")
    double ridge;

    @Option(
            names = "--loss",
            paramLabel = "squared|logistic|huber:DELTA",
            converter = Words.OfLoss.class,
            completionCandidates = Words.OfLoss.class,
            description =
                    "What an error costs: its square (the default), logistic where the target is yes or no, or huber:DELTA, by"
                            + " which errors beyond DELTA, in units of the target, count no more than in proportion.")
    Loss loss = Loss.SQUARED;

    @Option(
            names = "--yes",
            paramLabel = "VALUE",
            description =
                    "The value of the target that is a yes, or which numbers are, \">=6\", with --loss logistic (default: the"
                            + " larger of two numbers, the one of two texts that reads like a yes, or the later).")
    String yes;

    @Option(
            names = "--wish-units",
            paramLabel = "probability|logodds",
            converter = Words.OfWishUnits.class,
            completionCandidates = Words.OfWishUnits.class,
            description = "What wishes are numbers of with --loss logistic (default: probability).")
    GameSpec.WishUnits wishUnits;

    @Option(
            names = "--limit",
            paramLabel = "LIMIT",
            description =
                    "How far a move can go, in the units of the data: \"debt>=0\", \"savings<=1e6\", \"schooling up\", \"debt down\","
                            + " or data for the range seen in training; may be repeated. The best rule is then searched for, not proven.")
    List<String> limits = List.of();

    @Option(
            names = "--one-sided",
            paramLabel = "up|down",
            converter = Words.OfSide.class,
            completionCandidates = Words.OfSide.class,
            description =
                    "The only direction in which anybody wants to move the score: up, nobody lowers one that is as high"
                            + " as wished; down, nobody raises one that is as low (default: both).")
    GameSpec.Side oneSided;

    @Option(
            names = "--effect",
            paramLabel = "COL=VALUE",
            description = "What a move of a feature by one unit of the data really does to the target; may be repeated"
                    + " (default: nothing, all moves are for show).")
    Map<String, Double> effects = Map.of();

    @Option(
            names = "--effects",
            paramLabel = "FILE.csv",
            description = "Effects from a file with the columns feature and effect; --effect counts before it.")
    Path effectsFile;

    @Option(
            names = "--intercept",
            paramLabel = "immutable|manipulable|none",
            converter = Words.OfIntercept.class,
            completionCandidates = Words.OfIntercept.class,
            description = "Who can change the constant term (default: immutable, nobody).")
    GameSpec.Intercept intercept;

    @Option(
            names = "--scale",
            paramLabel = "standard|range|none",
            converter = Words.OfScaling.class,
            completionCandidates = Words.OfScaling.class,
            description = "How features are scaled before moves are paid for (default: standard).")
    Scaling scaling;

    @Option(
            names = "--paper",
            description = "The published data protocol in one word: range scaling, manipulable intercept, full one-hot"
                    + " encoding, nothing immutable. Options given besides it still count.")
    boolean paper;

    /** Whether the options say who can change which column. */
    boolean chooseColumns() {
        return immutable != null && !immutable.equals(Set.of("none"));
    }

    boolean hasEffects() {
        return !effects.isEmpty() || effectsFile != null;
    }

    boolean hasLimits() {
        return !limits.isEmpty() || oneSided != null;
    }

    /** Whether today's rule is to be learned in a way that was asked for. */
    boolean learnsToday() {
        return Words.CROSS_FITTED.equals(today);
    }

    /** The file that today's rule is in, null if it is in none. */
    Path todayFile() {
        return today == null || learnsToday() ? null : Path.of(today);
    }

    void applyTo(GameSpec.Builder choices) {
        if (learnsToday()) {
            choices.today(Today.CROSS_FITTED);
        } else if (today != null) {
            choices.today(Today.given(inForce(), today));
        }
        if (paper) {
            choices.paper();
        }
        if (immutable != null) {
            choices.immutable(chooseColumns() ? new LinkedHashSet<>(immutable) : Set.of());
        }
        if (intercept != null) {
            choices.intercept(intercept);
        }
        if (scaling != null) {
            choices.scaling(scaling);
        }
        if (costsFile != null) {
            read(costsFile, "cost", choices::cost);
        }
        if (effectsFile != null) {
            read(effectsFile, "effect", choices::effect);
        }
        costs.forEach(choices::cost);
        effects.forEach(choices::effect);
        limits.forEach(choices::limit);
        choices.oneSided(oneSided);
        choices.costUnits(costUnits).wishNoise(wishNoise).ridge(ridge).loss(loss);
        if (yes != null) {
            choices.yes(yes);
        }
        if (wishUnits != null && !loss.isLogistic()) {
            throw new IllegalArgumentException(
                    "What wishes are numbers of (wishUnits(...)) is asked by logistic loss, not by " + loss
                            + ".\nMaybe add loss(LOGISTIC).");
        }
        if (wishUnits != null) {
            choices.wishUnits(wishUnits);
        }
    }

    /** Refuses a loss where nothing is lost; by logistic loss a rule scores log-odds, which wishes have to know. */
    public void refuseLossesOfNumbers(CommandLine command) {
        if (!loss.isLogistic() && command.getParseResult().hasMatchedOption("--loss")) {
            throw new ParameterException(
                    command,
                    "--loss " + loss.inWords()
                            + ": gamma is told by moves, whatever errors cost.\nMaybe leave it out; --loss logistic"
                            + " would say that the rule scores log-odds.");
        }
    }

    private PublishedRule inForce() {
        Path file = todayFile();
        if (!today.endsWith(".json")) {
            return PublishedRule.read(file);
        }
        StackelbergModel model = ModelFile.load(file);
        if (model.game().loss().isLogistic() != loss.isLogistic()) {
            throw new DataException(
                    "'" + file + "': by the model's loss, " + model.game().loss()
                            + ", its rule scores " + (loss.isLogistic() ? "numbers" : "log-odds")
                            + ", and by the game's, " + loss
                            + ", today's rule scores " + (loss.isLogistic() ? "log-odds" : "numbers")
                            + ".\nMaybe give both the same loss(...).");
        }
        return model.rule();
    }

    /** What the library refuses in it is wrong in the file, not in the command. */
    private static void read(Path file, String what, BiConsumer<String, Double> choice) {
        try {
            DataFile.numbers(file, "feature", what).forEach(choice);
        } catch (IllegalArgumentException e) {
            throw new DataException("'" + file + "': " + e.getMessage(), e);
        }
    }
}
