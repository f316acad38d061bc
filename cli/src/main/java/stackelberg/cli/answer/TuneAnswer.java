package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Message;
import stackelberg.model.StackelbergModel;
import stackelberg.model.tuning.Tuning;

/** The answer of {@code tune}: the choice, the losses behind it, the folds, and the model if one was fitted. */
public record TuneAnswer(
        @JsonUnwrapped Chosen chosen,
        @JsonUnwrapped Game game,
        @JsonUnwrapped Folds folds,
        @Meaning("Wall-clock seconds.") Seconds seconds,

        @Meaning("Warnings: what to check or change before the choice is used.")
        List<Message> warnings,

        @Meaning("The model that was fitted to all data with the choice; null without --model.") @Nullable
        ModelAnswer model) {
    /**
     * @param seed of the folds
     * @param group the column whose groups stay together, if there is one
     * @param model absent if none was fitted
     */
    public static TuneAnswer of(
            Chosen chosen,
            Tuning tuning,
            long seed,
            @Nullable String group,
            Seconds seconds,
            List<Message> warnings,
            @Nullable StackelbergModel model) {
        return new TuneAnswer(
                chosen,
                new Game(
                        tuning.shareOf(chosen.choice().gamma()).orElse(Double.NaN),
                        tuning.truthfulShare(),
                        tuning.hedge().isNone() ? null : tuning.hedge().inFile(),
                        tuning.loss().inWords()),
                new Folds(
                        tuning.folds().rows(), tuning.folds().count(), seed, group, tuning.method(), tuning.settled()),
                seconds,
                warnings,
                model == null ? null : ModelAnswer.of(model));
    }

    /** What was chosen, and why. */
    public record Chosen(
            @JsonUnwrapped Choice choice, @JsonUnwrapped Figures figures) {}

    /** What was chosen. */
    public record Choice(
            @Meaning("The chosen gamma.") double gamma,
            @Meaning("The ridge that goes with it.") double ridge,

            @Meaning("How it was chosen: one-standard-error or least-worst-regret.")
            String choice) {}

    /** Why it was chosen: the first four where the gamma of the world is known, the last two where it is not. */
    public record Figures(
            @Meaning("The gamma with which people respond; null where it is not known.") @Nullable
            Double worldGamma,

            @Meaning("One entry per gamma that was tried; null where the gamma of the world is not known.") @Nullable
            List<Point> curve,

            @Meaning("The entry with the smallest loss.") @Nullable
            Point minimum,

            @Meaning("The entry with the smallest pull-through within one standard error of the smallest loss.")
            @Nullable
            Point oneStandardError,

            @Meaning("The gammas that people may have; null where the gamma of the world is known.") @Nullable
            List<Double> worldGammas,

            @Meaning("One entry per gamma that was tried; null where the gamma of the world is known.") @Nullable
            List<Row> table) {
        public static Figures of(Tuning.Curve curve) {
            List<Point> points = curve.points().stream().map(Point::of).toList();
            return new Figures(
                    curve.worldGamma(),
                    points,
                    points.get(curve.best()),
                    points.get(curve.oneStandardError()),
                    null,
                    null);
        }

        public static Figures of(Tuning.Regret regret) {
            return new Figures(null, null, null, null, list(regret.worldGammas()), Row.of(regret));
        }
    }

    /** The held-out loss of one model gamma, if the gamma of the world is known. */
    record Point(
            @Meaning("The gamma of the model.") double gamma,
            @Meaning("The ridge that is best with it.") double ridge,
            @Meaning("The mean loss of held-out people.") double loss,

            @Meaning("The standard error of that mean, from its spread over the folds.")
            double standardError,

            @Meaning("The share of the gap that people close, mean over the folds.")
            double pullThrough) {
        static Point of(Tuning.Curve.Point point) {
            return new Point(point.gamma(), point.ridge(), point.loss(), point.standardError(), point.pullThrough());
        }
    }

    /** The regrets of one model gamma, if the gamma of the world is not known. */
    record Row(
            @Meaning("The gamma of the model.") double gamma,
            @Meaning("The ridge that goes with it.") double ridge,
            @Meaning("The largest regret over all worlds.") double worstRegret,

            @Meaning("The world's gamma at which the regret is largest.")
            double worstWorldGamma,

            @Meaning("The mean loss of held-out people, by world.")
            List<Double> loss,

            @Meaning("The regret by world: the loss minus the smallest loss of any model in that world.")
            List<Double> regret) {
        static List<Row> of(Tuning.Regret table) {
            return IntStream.range(0, table.gammas().length)
                    .mapToObj(j -> new Row(
                            table.gammas()[j],
                            table.ridges()[j],
                            table.worstRegret()[j],
                            table.worldGammas()[table.worstWorld()[j]],
                            list(table.loss()[j]),
                            list(table.regret()[j])))
                    .toList();
        }
    }

    /** The game. */
    record Game(
            @Meaning(
                    "The chosen gamma as the share of the gap that people would close under today's rule; null if gammas were tried as numbers.")
            double gammaShare,

            @Meaning("The share of people who do not move.") double truthfulShare,

            @Meaning(
                    "By what fraction the error may exceed that of the best rule if nobody moves, or \"balanced\"; null without a hedge.")
            @Nullable
            Object hedge,

            @Meaning("squared, logistic or huber:DELTA.") String loss) {}

    /** How the folds were made. */
    record Folds(
            @Meaning("How many rows were used.") int rows,

            @Meaning("How many parts were held out, one after the other.")
            int folds,

            @Meaning("The random seed of the folds.") long seed,

            @Meaning("The column whose groups stay together, or null.") @Nullable
            String group,

            @Meaning("How the folds were computed.") String method,

            @Meaning("Whether every rule of every fold is finite and its solver reached the tolerance.")
            boolean settled) {}

    /** How long it took. */
    public record Seconds(
            @Meaning("Reading the data.") double read,
            @Meaning("Cross-validation.") double tune) {}

    private static List<Double> list(double[] values) {
        return Arrays.stream(values).boxed().toList();
    }
}
