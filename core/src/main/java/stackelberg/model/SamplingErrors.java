package stackelberg.model;

import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import stackelberg.data.DataException;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.Message;
import stackelberg.estimate.Resampling;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.game.PublishedRule;
import stackelberg.game.Response;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.model.StandardErrors.Interval;
import stackelberg.model.StandardErrors.Kind;
import stackelberg.model.StandardErrors.Method;
import stackelberg.objective.Solution;
import stackelberg.objective.program.ConvexSearch;
import stackelberg.objective.program.Program;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SphereResult;

/** The standard errors of a model that was just fitted, or why there are none. */
final class SamplingErrors {
    /** More coefficients are not looked at. */
    private static final int MOST = 3000;

    /** Products of two numbers that take a moment; more are for those who ask. */
    private static final double MOMENT = 2e9;

    /** So much of the draws must give a rule. */
    private static final double USABLE = 0.9;

    /** A coefficient that is so many standard errors away is of quite another rule; next to a rule of the same kind its loss would be higher by more than CLOSE standard errors. */
    private static final double APART = 4;

    /** Losses that differ by less than so many standard errors of the difference may change places with other people. */
    private static final double CLOSE = 2;

    /** More coefficients are not decomposed for that. */
    private static final int MOST_FOR_RIVALS = 1000;

    /** So many standard errors are not missed. */
    private static final double NEAR = 0.1;

    /** How near to its bound a hedged rule's loss must be for the bound to hold it there. */
    private static final double AT_BOUND = 1e-6;

    private final Training training;
    private final PredictionGame game;
    private final StackelbergModel model;
    private final Method asked;
    private final int people;
    private final int parameters;
    private final boolean undone;
    /** Null while nobody has asked. */
    private double[] scores;

    private static final String INTERRUPTED = "the fit was stopped before they were found.";

    /** @param game with its people and the model's gamma, without limits */
    SamplingErrors(Training training, PredictionGame game, StackelbergModel model) {
        this.training = training;
        this.game = game;
        this.model = model;
        this.asked = training.options().standardErrors();
        this.people = game.rowsWithWeight();
        this.parameters = game.x().cols() + game.immutable().length + (game.hasIntercept() ? 1 : 0);
        this.undone = undone(training, game);
    }

    /** Whether all wish for the same by another loss than the squared one: of the two rules that undo it, each the only one near it, the one with the smaller pull-through is taken always. */
    private static boolean undone(Training training, PredictionGame game) {
        return !game.loss().isSquared() && ConvexSearch.isCommon(game, training.workers());
    }

    /** Null where nobody wants any. */
    StandardErrors find() {
        if (asked != null && asked.kind() == Kind.NONE) {
            return null;
        }
        String reason = refusal();
        if (reason != null) {
            return none(reason);
        }
        return method().kind() == Kind.BOOTSTRAP ? bootstrap() : sandwich();
    }

    private Method method() {
        return asked == null ? new Method(Kind.HC1, 0) : asked;
    }

    private StandardErrors none(String reason) {
        return new StandardErrors(method(), people, parameters, totalSquares(), null, reason);
    }

    private StandardErrors found(StandardErrors.Intervals intervals) {
        return new StandardErrors(method(), people, parameters, totalSquares(), intervals, null);
    }

    /** Why there are none, null where there may be some. */
    private String refusal() {
        boolean drawn = method().kind() == Kind.BOOTSTRAP;
        boolean searched = model.game().mixed() || model.game().isHedged();
        boolean stopped = model.solver().status().equals(SphereResult.Status.STOPPED_BY_LISTENER.name());
        if (stopped && !model.certified() || Workers.isInterrupted()) {
            return INTERRUPTED;
        }
        if (!model.optimality().finite()) {
            return "there is no finite rule whose coefficients could differ.";
        }
        if (model.game().between() != null) {
            return "the best rule for an interval of gammas is held where two losses are equal, and how that place would move is not"
                    + " computed.";
        }
        if (!model.game().limits().none()) {
            return "under limits the rule is the best that was found, and nothing tells what would be found with other people.";
        }
        if (people <= parameters) {
            return String.format(
                    Locale.ROOT,
                    "%,d people leave no degree of freedom to a rule of %,d coefficients.",
                    people,
                    parameters);
        }
        if (drawn) {
            return null;
        }
        if (model.certified() && !searched && !undone && !model.optimality().unique()) {
            return "the best rule is not the only one, so that how much it would differ is not defined; people drawn again tell it"
                    + " (standardErrors(\"bootstrap:200\")).";
        }
        if (parameters > MOST) {
            return String.format(
                    Locale.ROOT,
                    "they are computed for at most %,d coefficients, and there are %,d.",
                    MOST,
                    parameters);
        }
        double products = (double) parameters * parameters * (people + 4.0 * parameters);
        return asked == null && products > MOMENT
                ? String.format(
                        Locale.ROOT,
                        "on %,d people and %,d coefficients they take longer than a moment, and are computed where they are asked for"
                                + " (standardErrors(\"hc1\")).",
                        people,
                        parameters)
                : null;
    }

    /** Where a rule outside all intervals is as good but for what other people would change: what these do not count. By another loss than the squared one, of people who differ, or with a hedge, it is not looked for. */
    Optional<Message> rival(StackelbergModel sure) {
        StandardErrors.Intervals intervals = sure.standardErrors()
                .filter(errors -> errors.method().kind() != Kind.BOOTSTRAP)
                .flatMap(StandardErrors::found)
                .orElse(null);
        boolean alike = game.loss().isSquared()
                && !model.game().mixed()
                && !model.game().isHedged();
        if (intervals == null || !alike || parameters > MOST_FOR_RIVALS) {
            return Optional.empty();
        }
        LinearRule other = training.reflected(model.r(), model.gamma());
        if (!other.isFinite()) {
            return Optional.empty();
        }
        PublishedRule published = StackelbergModel.published(
                "another rule", other, training.sample().world());
        double far = 0;
        for (int j = 0; j < model.terms().size(); j++) {
            StackelbergModel.Term term = model.terms().get(j);
            double apart = Math.abs(published.coefficients().get(term.name()) - term.coefficient());
            double error = intervals.coefficients().get(j).error();
            far = error > 0 ? Math.max(far, apart / error) : far;
        }
        if (!(far > APART)) {
            return Optional.empty();
        }
        LinearRule rule = stored();
        double[] more = moreLost(rule, scores(), other, game.predict(other, training.workers()));
        double mean = 0;
        for (double each : more) {
            mean += each / more.length;
        }
        double squares = 0;
        for (double each : more) {
            squares += (each - mean) * (each - mean);
        }
        double worse = more.length * mean + game.penalty(other) - game.penalty(rule);
        if (!(worse < CLOSE * Math.sqrt(squares))) {
            return Optional.empty();
        }
        return Optional.of(Message.of(
                "another-rule-as-good",
                "A quite different rule loses hardly more, {} instead of {}, and with other people might be the best one: standard errors"
                        + " do not count that. Maybe draw people again with {}.",
                String.format(Locale.ROOT, "%.5g", model.losses().anticipated() + worse),
                String.format(Locale.ROOT, "%.5g", model.losses().anticipated()),
                Message.Choice.text("standardErrors", "bootstrap:200")));
    }

    private LinearRule stored() {
        return Verification.storedRule(
                model, training.sample().world().encoding().columns(), game.x().cols());
    }

    /** What the model's rule predicts everybody. */
    private double[] scores() {
        if (scores == null) {
            scores = training.predictions(model).orElseGet(() -> game.predict(stored(), training.workers()));
        }
        return scores;
    }

    /** What everybody adds to the leader's loss under another rule beyond what they do under this one; written over what the other predicts. */
    private double[] moreLost(LinearRule rule, double[] p, LinearRule other, double[] predicted) {
        Response here = response(rule);
        Response there = response(other);
        PredictionGame.SharedArrays lent = game.shared();
        for (int i = 0; i < p.length; i++) {
            double y = lent.y()[i];
            double z = lent.z()[i];
            double noise = game.wishNoise(i);
            predicted[i] = game.weight(i) * (there.loss(predicted[i], z, y, noise) - here.loss(p[i], z, y, noise));
        }
        return predicted;
    }

    private Response response(LinearRule rule) {
        return Response.of(rule.omega(game.costs()), game.earned(rule), game.gamma());
    }

    private double totalSquares() {
        double total = game.totalWeight();
        boolean alike = game.isUnweighted();
        double each = 1 / total;
        double[] y = game.shared().y();
        double mean = 0;
        for (int i = 0; i < y.length; i++) {
            mean += (alike ? each : game.weight(i) / total) * y[i];
        }
        double sum = 0;
        for (int i = 0; i < y.length; i++) {
            sum += (alike ? 1 : game.weight(i)) * (y[i] - mean) * (y[i] - mean);
        }
        return sum;
    }

    private StandardErrors sandwich() {
        Solution.Hedged hedged = model.hedged().orElse(null);
        Sandwich.Bound bound = null;
        if (hedged != null && hedged.share() > 0) {
            double honest = model.losses().honest();
            if (hedged.share() >= 1 || !(Math.abs(honest - hedged.bound()) <= AT_BOUND * hedged.bound())) {
                return none("the losses of hedged rules jump over the bound, and nothing holds the rule where it is.");
            }
            if (!game.loss().isSquared() && game.ridge() > 0) {
                return none(
                        "beside a hedge and a ridge they are computed for squared loss only; people drawn again tell it"
                                + " (standardErrors(\"bootstrap:200\")).");
            }
            Program.Hedged references = training.references(model.gamma());
            Solution.Hedged.Balance balance = hedged.balance();
            if (balance != null
                    && (balance.units() == Program.Excess.Kind.ROOT
                            || !references.rule().isFinite())) {
                return none("of one of the two best rules that a balanced rule is measured by nothing is known.");
            }
            bound = bound(hedged, references);
        }
        List<EncodedColumn> columns = training.sample().world().encoding().columns();
        LinearRule rule = stored();
        boolean held = false;
        if (undone && game.ridge() == 0) {
            OptionalDouble beyond = Sandwich.beyondBound(game, rule, training.workers());
            if (beyond.isPresent() && !(Math.abs(beyond.getAsDouble()) >= CLOSE)) {
                return none(
                        "at the edge of half of the gap, which is the most that people close under a best rule where all wish for the same,"
                                + " how much it would differ is not defined; people drawn again tell it"
                                + " (standardErrors(\"bootstrap:200\")).");
            }
            held = beyond.orElse(0) > 0;
        }
        var sandwich = new Sandwich(game, rule, scores(), bound, training.workers());
        Sandwich.Covariance covariance = sandwich.covariance().orElse(null);
        if (covariance == null) {
            return none(
                    "next to the best rule others are as good to rounding, as where columns depend on one another.");
        }
        // a rule that is not certified may be none that anything holds where it is
        return covariance.left() <= NEAR
                ? found(intervals(sandwich, covariance, columns, held))
                : none("the rule is not near enough to the best one for the loss around it to tell.");
    }

    /**
     * What holds the rule: a bound on its loss H if nobody moves or, of a balanced rule, that its excess is the same in both cases. Of h and m, what the best rules lose, with M the rule's loss
     * after the move, that is H - f h - c (M - f m) = 0, f = H/h and c = h/m (other losses than the squared one: f = c = 1); M slopes as H, by -theta/(1 - theta), because the rule is best for theta.
     */
    private Sandwich.Bound bound(Solution.Hedged hedged, Program.Hedged references) {
        double[] allowed = training.hedgeSlopes(references.reference().rule());
        double theta = hedged.share();
        Solution.Hedged.Balance balance = hedged.balance();
        if (balance == null) {
            double more = 1 + model.game().hedge().worse();
            Vectors.scale(game.loss().isSquared() ? more * more : more, allowed);
            return new Sandwich.Bound(theta, 1, allowed);
        }
        boolean means = balance.units() == Program.Excess.Kind.MEAN;
        double price = means ? 1 : balance.honestBest() / balance.movedBest();
        double factor = means ? 1 : model.losses().honest() / balance.honestBest();
        double part = 1 / (1 + price * theta / (1 - theta));
        double[] own = afterTheMove(stored());
        double[] best = afterTheMove(references.rule());
        Arrays.setAll(allowed, i -> part * (factor * allowed[i] + price * (own[i] - factor * best[i])));
        return new Sandwich.Bound(theta, part, allowed);
    }

    /** What each row loses after the move, with what it pays for a ridge, per unit of its weight. */
    private double[] afterTheMove(LinearRule rule) {
        Response response = Response.of(rule.omega(game.costs()), game.earned(rule), game.gamma());
        double tau = response.gamed();
        double kept = response.remainingError();
        double each = game.penalty(rule) / game.totalWeight();
        double[] losses = game.predict(rule, training.workers());
        Arrays.setAll(losses, i -> {
            double noise = tau * game.wishNoise(i);
            return game.loss().value(kept * losses[i] + tau * game.z(i), game.y(i)) + noise * noise + each;
        });
        return losses;
    }

    /** @param held whether people close half of the gap whoever they are */
    private StandardErrors.Intervals intervals(
            Sandwich sandwich, Sandwich.Covariance covariance, List<EncodedColumn> columns, boolean held) {
        double factor = method().kind() == Kind.HC1 ? (double) people / (people - parameters) : 1;
        int manipulable = training.sample().world().manipulable();
        double[] constant = new double[parameters];
        if (game.hasIntercept()) {
            constant[parameters - 1] = 1;
        } else if (game.x().cols() > manipulable) {
            constant[manipulable] = 1;
        }
        double[] means = sandwich.means();
        List<Interval> coefficients = new ArrayList<>();
        for (int j = 0; j < columns.size(); j++) {
            // the ones column that people can move stands between those they can and those they cannot
            int at = j < manipulable ? j : j + game.x().cols() - manipulable;
            double scale = columns.get(j).scale();
            double[] gradient = new double[parameters];
            gradient[at] = 1 / scale;
            constant[at] -= means[at] + columns.get(j).shift() / scale;
            coefficients.add(around(model.terms().get(j).coefficient(), factor * covariance.of(gradient)));
        }
        Interval earned = model.game().hasEffects()
                ? around(model.earned(), factor * covariance.of(sandwich.earnedSlope()))
                : null;
        double pull = held ? 0 : factor * covariance.withMean(sandwich.pullThroughSlope());
        return new StandardErrors.Intervals(
                around(model.intercept(), factor * covariance.of(constant)),
                coefficients,
                around(model.pullThrough(), pull).ofShare(),
                earned);
    }

    private Interval around(double estimate, double variance) {
        return Interval.around(estimate, Math.sqrt(variance), people - parameters);
    }

    /** From draws of people, each with a rule of its own: today's rule, the wishes and gamma as a share are those of the draw; what moving costs, and so the scales, stay. */
    private StandardErrors bootstrap() {
        Supplier<int[]> samples = Resampling.of(
                        training.sample().weights(), training.options().seed())
                .samples();
        Training quiet = training.by(training.options().withListener(ProgressListener.NONE));
        List<double[]> draws = new ArrayList<>();
        for (int b = 0; b < method().replicates(); b++) {
            int[] times = samples.get();
            int[] drawn = IntStream.range(0, times.length)
                    .flatMap(i -> IntStream.generate(() -> i).limit(times[i]))
                    .toArray();
            double[] numbers = numbers(quiet, drawn);
            if (numbers != null) {
                draws.add(numbers);
            }
            if (Workers.isInterrupted()) {
                return none(INTERRUPTED);
            }
        }
        if (draws.size() < USABLE * method().replicates()) {
            return none(String.format(
                    Locale.ROOT,
                    "of %,d draws of people only %,d have a finite rule of the same columns.",
                    method().replicates(),
                    draws.size()));
        }
        List<Interval> all = new ArrayList<>();
        for (int k = 0; k < draws.get(0).length; k++) {
            int which = k;
            all.add(percentiles(draws.stream().mapToDouble(draw -> draw[which]).toArray()));
        }
        int terms = model.terms().size();
        return found(new StandardErrors.Intervals(
                all.get(terms),
                all.subList(0, terms),
                all.get(terms + 1),
                model.game().hasEffects() ? all.get(terms + 2) : null));
    }

    /** The coefficients, the intercept, the pull-through and what is earned; null where a draw has no such rule. */
    private double[] numbers(Training quiet, int[] drawn) {
        try {
            Training anew = quiet.drawn(drawn);
            if (!everyLevelVaries(anew)) {
                return null;
            }
            StackelbergModel found = anew.path(anew.gamma()).get(0);
            if (!found.optimality().finite()) {
                return null;
            }
            double[] numbers = Arrays.copyOf(
                    found.terms().stream()
                            .mapToDouble(StackelbergModel.Term::coefficient)
                            .toArray(),
                    found.terms().size() + 3);
            int terms = found.terms().size();
            numbers[terms] = found.intercept();
            numbers[terms + 1] = found.pullThrough();
            numbers[terms + 2] = found.earned();
            return Arrays.stream(numbers).allMatch(Double::isFinite) ? numbers : null;
        } catch (DataException e) {
            // such people would have had no game to play
            return null;
        } catch (CancellationException e) {
            // interrupted between two draws: the thread stays interrupted, and the loop over draws ends
            return null;
        }
    }

    /** Whether of every level that has a coefficient there is somebody, and somebody else: otherwise a draw says nothing about it. */
    private static boolean everyLevelVaries(Training anew) {
        List<EncodedColumn> columns = anew.sample().world().encoding().columns();
        double[] column = new double[anew.sample().columns().rows()];
        for (int j = 0; j < columns.size(); j++) {
            if (columns.get(j).level() != null) {
                anew.sample().columns().tile(0, column.length, j, 1, DoubleBuffer.wrap(column));
                double first = column[0];
                if (Arrays.stream(column).allMatch(value -> value == first)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The standard deviation of the draws, and their percentiles. */
    private static Interval percentiles(double[] values) {
        double mean = Arrays.stream(values).average().orElseThrow();
        double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
        Resampling.Interval ends = Resampling.Interval.of(values, StandardErrors.LEVEL);
        return new Interval(Math.sqrt(squares / (values.length - 1)), ends.low(), ends.high());
    }
}
