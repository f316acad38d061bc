package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Message;
import stackelberg.model.StackelbergModel;
import stackelberg.model.tuning.Tuning;

/**
 * The answer of {@code tune}: the choice, the losses behind it, the folds, and the model if one was fitted.
 *
 * @param seconds wall-clock seconds of the phases
 * @param warnings warnings: what to check or change before the choice is used
 * @param model the model that was fitted to all data with the choice; null without --model
 */
public record TuneAnswer(
        @JsonUnwrapped Chosen chosen,
        @JsonUnwrapped Game game,
        @JsonUnwrapped Folds folds,
        Seconds seconds,
        List<Message> warnings,
        @Nullable ModelAnswer model) {
    /**
     * @param seed the seed of the folds
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

    /** The choice and the losses behind it. */
    public record Chosen(
            @JsonUnwrapped Choice choice, @JsonUnwrapped Figures figures) {}

    /**
     * The choice.
     *
     * @param gamma the chosen gamma
     * @param ridge the ridge chosen together with this gamma
     * @param choice how gamma was chosen: one-standard-error or least-worst-regret
     */
    public record Choice(double gamma, double ridge, String choice) {}

    /**
     * The losses behind the choice: the first four components if the gamma of the world is known, the last two otherwise.
     *
     * @param worldGamma the gamma with which people respond; null where it is not known
     * @param curve one entry per gamma that was tried; null where the gamma of the world is not known
     * @param minimum the entry with the smallest loss
     * @param oneStandardError the entry with the smallest pull-through within one standard error of the smallest loss
     * @param worldGammas the gammas that people may have; null where the gamma of the world is known
     * @param table one entry per gamma that was tried; null where the gamma of the world is known
     */
    public record Figures(
            @Nullable Double worldGamma,
            @Nullable List<Point> curve,
            @Nullable Point minimum,
            @Nullable Point oneStandardError,
            @Nullable List<Double> worldGammas,
            @Nullable List<Row> table) {
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

    /**
     * The held-out loss of one model gamma, if the gamma of the world is known.
     *
     * @param gamma the gamma of the model
     * @param ridge the best ridge for this gamma
     * @param loss the mean loss of held-out people
     * @param standardError the standard error of the mean loss, from its spread over the folds
     * @param pullThrough the share of the gap that people close, mean over the folds
     */
    record Point(double gamma, double ridge, double loss, double standardError, double pullThrough) {
        static Point of(Tuning.Curve.Point point) {
            return new Point(point.gamma(), point.ridge(), point.loss(), point.standardError(), point.pullThrough());
        }
    }

    /**
     * The regrets of one model gamma, if the gamma of the world is not known.
     *
     * @param gamma the gamma of the model
     * @param ridge the ridge chosen together with this gamma
     * @param worstRegret the largest regret over all worlds
     * @param worstWorldGamma the world's gamma at which the regret is largest
     * @param loss the mean loss of held-out people, by world
     * @param regret the regret by world: the loss minus the smallest loss of any model in that world
     */
    record Row(
            double gamma,
            double ridge,
            double worstRegret,
            double worstWorldGamma,
            List<Double> loss,
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

    /**
     * The game.
     *
     * @param gammaShare the chosen gamma as the share of the gap that people would close under today's rule; null if gammas were tried as numbers
     * @param truthfulShare the share of people who do not move
     * @param hedge by what fraction the error may exceed that of the best rule if nobody moves, or "balanced"; null without a hedge
     * @param loss the loss: squared, logistic or huber:DELTA
     */
    record Game(
            double gammaShare,
            double truthfulShare,
            @Nullable Object hedge,
            String loss) {}

    /**
     * How the folds were made.
     *
     * @param rows the number of rows in use
     * @param folds the number of folds
     * @param seed the random seed of the folds
     * @param group the column whose groups stay together; null if there is none
     * @param method how the folds were computed
     * @param settled whether all rules of all folds are finite and were solved to the tolerance
     */
    record Folds(int rows, int folds, long seed, @Nullable String group, String method, boolean settled) {}

    /**
     * How long it took.
     *
     * @param read seconds for reading the data
     * @param tune seconds for the cross-validation
     */
    public record Seconds(double read, double tune) {}

    private static List<Double> list(double[] values) {
        return Arrays.stream(values).boxed().toList();
    }
}
