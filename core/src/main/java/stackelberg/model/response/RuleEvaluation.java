package stackelberg.model.response;

import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.DoubleFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import stackelberg.data.Message;
import stackelberg.estimate.Loss;
import stackelberg.game.Population;
import stackelberg.game.PublishedRule;
import stackelberg.game.Response;
import stackelberg.game.Settings;
import stackelberg.game.World;

/**
 * The losses of a rule in a world: before any move, after the move, and if the world differs from the declared one.
 *
 * <p>After the move the mean loss is mean ((1 - t_i) p_i + t_i z_i - y_i)^2 + t_i^2 sigma^2 over those who move; the
 * loss of truthful rows does not change. With effects, tau_i, the gamed share of the gap, takes the place of t_i. If
 * all who move have the same gamma, this is a convex quadratic function of t, and t decreases in gamma, so over an
 * interval of gamma, or of costs, the maximum is at an end. If gammas differ it may be inside; {@link WorstFactor}
 * finds it.
 *
 * <p>Other losses are mean l((1 - t_i) p_i + t_i z_i, y_i), integrated by a quadrature over normal wishes if these are
 * uncertain. The score is linear in t and l is convex in the score, so with one gamma for all the maximum over an
 * interval is again at an end.
 *
 * <p>None of this holds if limits stop anyone. Each loss is then a sum over the bounded responses of the rows, and the
 * maximum over an interval is searched for on a grid, without a proof.
 */
public final class RuleEvaluation {
    /** The number of parts into which the search for the worst case divides an interval. */
    private static final int GRID = 16;

    /** How often the search then cuts the bracket around the worst grid point to two thirds. */
    private static final int REFINEMENTS = 8;

    /**
     * The range of the trapezoidal rule for a standard normal variable, in standard deviations on either side; {@link
     * #STEPS} steps per standard deviation.
     */
    private static final int FURTHEST = 6;

    private static final int STEPS = 4;

    /**
     * Sums of a million terms have a relative error of about 1e-13. A loss below this share of the terms that it is the
     * difference of is summed row by row instead, because its relative error could exceed 1e-9, the accuracy with which
     * {@link WhatIf} compares losses.
     */
    private static final double CANCELLED = 1e-4;

    private final World world;
    private final PublishedRule rule;
    private final Followers people;
    private final double omega;
    /** beta'C^{-1}w; 0 without effects. */
    private final double earned;

    /** Creates bounded responses; null if no limits are declared. */
    private final Supplier<Response.Bounded> bounded;
    /**
     * The bounded responses in the declared game, computed on first use and shared with copies that have other sample
     * weights.
     */
    private final AtomicReference<Limited> declared;

    private RuleEvaluation(
            World world,
            PublishedRule rule,
            Followers people,
            double omega,
            double earned,
            Supplier<Response.Bounded> bounded,
            AtomicReference<Limited> declared) {
        this.world = world;
        this.rule = rule;
        this.people = people;
        this.omega = omega;
        this.earned = earned;
        this.bounded = bounded;
        this.declared = declared;
    }

    /**
     * The responses of the rows under limits.
     *
     * @param anybody whether limits change the response of anyone; if not, the closed form holds
     * @param closed the share of the gap that each row closes
     * @param earned the share of the gap that the true target of each row closes
     * @param improvement the change of the true target of each row
     * @param off the score after the move minus the truth then
     * @param squares the expected square of that difference
     */
    private record Limited(
            boolean anybody, double[] closed, double[] earned, double[] improvement, double[] off, double[] squares) {}

    /** Returns the bounded responses; empty if limits change nothing. */
    private Optional<Limited> limited(double noise) {
        if (bounded == null) {
            return Optional.empty();
        }
        boolean asDeclared = noise == world.wishNoise();
        Limited known = asDeclared ? declared.get() : null;
        Limited one = known == null ? walk(noise) : known;
        if (asDeclared) {
            declared.set(one);
        }
        return one.anybody ? Optional.of(one) : Optional.empty();
    }

    /** Computes the responses of all rows under limits, by a pass over them. */
    private Limited walk(double noise) {
        int n = size();
        double[] closed = new double[n];
        double[] real = new double[n];
        double[] improvement = new double[n];
        double[] off = new double[n];
        IntFunction<Response> each = people.population().responses(omega, earned);
        double[] squares = new double[n];
        AtomicBoolean anybody = new AtomicBoolean();
        people.each(bounded, (i, person) -> {
            double gamma = people.population().gamma(i);
            double y = people.truth(i);
            squares[i] = person.loss(people.prediction(i), people.wish(i), gamma, y, noise);
            if (!anybody.get() && person.isLimited(people.prediction(i), people.wish(i), gamma, noise)) {
                anybody.set(true);
            }
            person.answer(people.prediction(i), people.wish(i), gamma);
            closed[i] = person.closed();
            improvement[i] = person.earned();
            real[i] = person.isLimited()
                    ? improvement[i] / (people.wish(i) - people.prediction(i))
                    : each.apply(i).earned();
            off[i] = person.after() - improvement[i] - y;
        });
        return new Limited(anybody.get(), closed, real, improvement, off, squares);
    }

    /** Returns whether limits change the response of anyone. */
    public boolean isLimited() {
        return limited(world.wishNoise()).isPresent();
    }

    /**
     * Returns the evaluation of a rule on followers of known truth. Their gammas are those of their population; the
     * world's gamma is not used.
     */
    public static RuleEvaluation of(World world, PublishedRule rule, Followers people) {
        if (!people.hasTruth()) {
            throw new IllegalArgumentException(
                    "The truth about these people is not known, so the loss of the rule cannot be computed.");
        }
        Supplier<Response.Bounded> bounded = world.bounded(rule).orElse(null);
        return new RuleEvaluation(
                world, rule, people, world.omega(rule), world.earned(rule), bounded, new AtomicReference<>());
    }

    /** Returns the same evaluation on a subset of the rows. */
    public RuleEvaluation of(int[] some) {
        return of(people.of(some));
    }

    /** Returns the same evaluation for one group of the population, in which all rows or none are truthful. */
    public RuleEvaluation of(Population.Group group) {
        RuleEvaluation part = of(group.people());
        return part.withPopulation(part.people.population().withTruthfulShare(group.truthful() ? 1 : 0));
    }

    private RuleEvaluation of(Followers others) {
        return new RuleEvaluation(world, rule, others, omega, earned, bounded, new AtomicReference<>());
    }

    private RuleEvaluation counted(int[] counts) {
        return new RuleEvaluation(world, rule, people.counted(counts), omega, earned, bounded, declared);
    }

    /** Returns the same evaluation if the followers responded as another population would. */
    RuleEvaluation withPopulation(Population other) {
        return of(people.withPopulation(other));
    }

    /** Returns the same evaluation with all effects multiplied by a factor. */
    RuleEvaluation withEffects(double factor) {
        Supplier<Response.Bounded> real = world.bounded(rule, factor).orElse(null);
        return new RuleEvaluation(world, rule, people, omega, factor * earned, real, new AtomicReference<>());
    }

    Population population() {
        return people.population();
    }

    /** Returns the sum of the sample weights. */
    double weight() {
        return people.weight();
    }

    public PublishedRule rule() {
        return rule;
    }

    public int size() {
        return people.size();
    }

    /** Returns the weighted mean of the fraction of the gap that followers are expected to close. */
    public double pullThrough() {
        return limited(world.wishNoise())
                .map(all -> mean(i -> all.closed[i]))
                .orElseGet(() -> people.mean(i -> people.population().expectedPullThrough(i, omega)));
    }

    /** Returns whether moves have effects on the target in this world. */
    public boolean hasEffects() {
        return world.spec().hasEffects();
    }

    /** Returns the weighted mean of the expected fraction of the gap that the true target closes; 0 without effects. */
    public double earned() {
        return share(all -> i -> all.earned[i], Response::earned);
    }

    /** Returns the weighted mean of the expected fraction of the gap that is closed in the score only. */
    public double gamed() {
        return share(all -> i -> all.closed[i] - all.earned[i], Response::gamed);
    }

    /** Returns the weighted mean of the expected change of the true target. */
    public double improvement() {
        IntFunction<Response> each = people.population().responses(omega, earned);
        IntToDoubleFunction free = i -> each.apply(i).improvement(people.prediction(i), people.wish(i));
        return mean(limited(world.wishNoise())
                .<IntToDoubleFunction>map(all -> i -> all.improvement[i])
                .orElse(free));
    }

    private double share(Function<Limited, IntToDoubleFunction> stopped, ToDoubleFunction<Response> of) {
        IntFunction<Response> each = people.population().responses(omega, earned);
        return mean(limited(world.wishNoise()).map(stopped).orElse(i -> of.applyAsDouble(each.apply(i))));
    }

    /** Returns the weighted mean of a value over those who move, times their share. */
    private double mean(IntToDoubleFunction moving) {
        return (1 - people.population().truthfulShare()) * people.mean(moving);
    }

    /**
     * The results of each row; the means of the first two are the losses {@link #honest} and {@link #moved}.
     *
     * @param lossBefore the loss before any move
     * @param lossAfter the expected loss after the move
     * @param offBefore score minus truth before any move; for logistic loss, here and in the next, probability minus
     *     truth
     * @param offAfter the expected difference after the move
     * @param cost the expected cost of the move
     * @param distance the expected length of the move, in scaled units
     * @param gain the change of the score if the row moves
     */
    record Each(
            IntToDoubleFunction lossBefore,
            IntToDoubleFunction lossAfter,
            IntToDoubleFunction offBefore,
            IntToDoubleFunction offAfter,
            IntToDoubleFunction cost,
            IntToDoubleFunction distance,
            IntToDoubleFunction gain) {}

    /**
     * Returns the results of each row. They are expectations over being truthful; losses and differences are also
     * expectations over the noise of wishes, while costs and distances are those for the given wishes.
     */
    Each each() {
        double share = people.population().truthfulShare();
        IntToDoubleFunction off = i -> loss().prediction(people.prediction(i)) - people.truth(i);
        IntToDoubleFunction lost = i -> loss().value(people.prediction(i), people.truth(i));
        Each moving = bounded == null ? unbounded(lost, off) : bounded(lost, off);
        return share == 0
                ? moving
                : new Each(
                        lost,
                        i -> share * lost.applyAsDouble(i) + (1 - share) * moving.lossAfter.applyAsDouble(i),
                        off,
                        i -> share * off.applyAsDouble(i) + (1 - share) * moving.offAfter.applyAsDouble(i),
                        i -> (1 - share) * moving.cost.applyAsDouble(i),
                        i -> (1 - share) * moving.distance.applyAsDouble(i),
                        moving.gain);
    }

    /** Returns the results without limits. */
    private Each unbounded(IntToDoubleFunction lost, IntToDoubleFunction off) {
        IntFunction<Response> each = people.population().responses(omega, earned);
        double noise = world.wishNoise();
        double squares = 0;
        double[] direction = world.direction(rule);
        for (int j : world.movable()) {
            double scaled = direction[j] / world.encoding().columns().get(j).scale();
            squares += scaled * scaled;
        }
        double length = Math.sqrt(squares);
        boolean squared = loss().isSquared();
        return new Each(
                lost,
                i -> squared
                        ? each.apply(i).loss(people.prediction(i), people.wish(i), people.truth(i), noise)
                        : expectedAfter(i, each.apply(i), s -> loss().value(s, people.truth(i))),
                off,
                i -> expectedAfter(i, each.apply(i), loss()::prediction) - people.truth(i),
                i -> each.apply(i).cost(people.prediction(i), people.wish(i)),
                i -> length * Math.abs(each.apply(i).step(people.prediction(i), people.wish(i))),
                loss().isLogistic()
                        ? i -> loss().prediction(each.apply(i).after(people.prediction(i), people.wish(i)))
                                - loss().prediction(people.prediction(i))
                        : i -> each.apply(i).pullThrough() * (people.wish(i) - people.prediction(i)));
    }

    /**
     * Returns the expectation over the noise of the wish of a function of the score after the move minus the change of
     * the truth.
     */
    private double expectedAfter(int i, Response response, DoubleUnaryOperator f) {
        // no quadrature is needed for a linear function
        double sd = loss().isSquared() ? 0 : Math.abs(response.gamed()) * world.wishNoise();
        return expected(f, response.net(people.prediction(i), people.wish(i)), sd);
    }

    /** Returns the results with limits. */
    private Each bounded(IntToDoubleFunction lost, IntToDoubleFunction off) {
        int n = size();
        double[] losses = new double[n];
        double[] left = new double[n];
        double[] cost = new double[n];
        double[] distance = new double[n];
        double[] gain = new double[n];
        int[] movable = world.movable();
        double noise = world.wishNoise();
        people.each(bounded, (i, person) -> {
            double p = people.prediction(i);
            double z = people.wish(i);
            double gamma = people.population().gamma(i);
            losses[i] = person.loss(p, z, gamma, people.truth(i), noise);
            left[i] = person.residual(p, z, gamma, people.truth(i), noise);
            person.answer(p, z, gamma);
            cost[i] = person.cost();
            gain[i] = person.gain();
            double squares = 0;
            for (int k = 0; k < movable.length; k++) {
                double scaled = person.move(k)
                        / world.encoding().columns().get(movable[k]).scale();
                squares += scaled * scaled;
            }
            distance[i] = Math.sqrt(squares);
        });
        return new Each(lost, i -> losses[i], off, i -> left[i], i -> cost[i], i -> distance[i], i -> gain[i]);
    }

    /** Returns the evaluated followers. */
    Followers people() {
        return people;
    }

    /** Returns the score of the rule before any move. */
    public Score honest() {
        return loss().isSquared() ? Score.of(people::prediction, people, 0) : score(people::prediction, i -> 0);
    }

    /** Returns the loss by which the rule is evaluated. */
    public Loss loss() {
        return world.spec().loss();
    }

    /**
     * Returns the mean of another loss than the squared one, for scores with normal noise of the given standard
     * deviations.
     */
    private Score score(IntToDoubleFunction score, IntToDoubleFunction sd) {
        IntToDoubleFunction off = i -> loss().prediction(score.applyAsDouble(i)) - people.truth(i);
        Score errors = Score.of(
                off,
                i -> people.weight(i)
                        * expected(
                                s -> square(loss().prediction(s) - people.truth(i)),
                                score.applyAsDouble(i),
                                sd.applyAsDouble(i)),
                people,
                0);
        double lost = people.mean(
                i -> expected(s -> loss().value(s, people.truth(i)), score.applyAsDouble(i), sd.applyAsDouble(i)));
        return new Score(lost, errors.mse, errors.mae, errors.r2);
    }

    private static double square(double value) {
        return value * value;
    }

    /** Returns E f(mean + sd N) for standard normal N, by the trapezoidal rule. */
    private static double expected(DoubleUnaryOperator f, double mean, double sd) {
        if (sd == 0) {
            return f.applyAsDouble(mean);
        }
        double sum = 0;
        double total = 0;
        for (int k = -FURTHEST * STEPS; k <= FURTHEST * STEPS; k++) {
            double node = (double) k / STEPS;
            double density = Math.exp(-node * node / 2);
            sum += density * f.applyAsDouble(mean + sd * node);
            total += density;
        }
        return sum / total;
    }

    /** Returns how well the rule separates yes from no before any move; for logistic loss only. */
    public YesOrNo honest(double cutoff) {
        requireYesOrNo();
        int n = size();
        return YesOrNo.of(all(n, people::prediction), all(n, people::truth), all(n, people::weight), cutoff);
    }

    /**
     * Returns the same measures after the move. A row that may be truthful counts twice, once moved and once not,
     * weighted by the probabilities.
     */
    public YesOrNo moved(double cutoff) {
        requireYesOrNo();
        int n = size();
        IntFunction<Response> each = people.population().responses(omega, earned);
        double share = people.population().truthfulShare();
        int copies = share == 0 ? n : 2 * n;
        return YesOrNo.of(
                all(
                        copies,
                        i -> i < n
                                ? each.apply(i).after(people.prediction(i), people.wish(i))
                                : people.prediction(i - n)),
                all(copies, i -> people.truth(i % n)),
                all(copies, i -> (i < n ? 1 - share : share) * people.weight(i % n)),
                cutoff);
    }

    private static double[] all(int n, IntToDoubleFunction of) {
        double[] values = new double[n];
        Arrays.setAll(values, of);
        return values;
    }

    private void requireYesOrNo() {
        if (!loss().isLogistic()) {
            throw Message.Refused.of(
                    "cutoff-without-logistic-loss",
                    "The loss is {}; a cut-off needs a logistic loss.\n" + "Maybe declare {}.",
                    loss(),
                    Settings.LOSS.word("LOGISTIC"));
        }
    }

    /** Returns the score after the move; the expected one if wishes are known up to noise. */
    public Score moved() {
        return movedIfWishesAreOff(0);
    }

    /** Returns the score after the move if wishes have an additional error with this standard deviation. */
    public Score movedIfWishesAreOff(double wishError) {
        double share = people.population().truthfulShare();
        Score moving = limited(wishError == 0 ? world.wishNoise() : Math.hypot(world.wishNoise(), wishError))
                .map(all -> Score.of(i -> all.off[i], i -> people.weight(i) * all.squares[i], people, 0))
                .orElseGet(() -> closedForm(wishError));
        return share == 0 ? moving : Score.mixture(share, honest(), moving);
    }

    /** Returns that score for rows that no limit stops. */
    private Score closedForm(double wishError) {
        IntFunction<Response> each = people.population().responses(omega, earned);
        double sd = world.wishNoise();
        if (!loss().isSquared()) {
            double off = Math.hypot(sd, wishError);
            return score(
                    i -> each.apply(i).net(people.prediction(i), people.wish(i)),
                    i -> Math.abs(each.apply(i).gamed()) * off);
        }
        double variance = sd * sd + wishError * wishError;
        double noise = variance == 0
                ? 0
                : variance
                        * people.mean(i -> each.apply(i).gamed() * each.apply(i).gamed());
        return Score.of(i -> each.apply(i).net(people.prediction(i), people.wish(i)), people, noise);
    }

    /**
     * Returns whether all rows move at one gamma and the loss is squared, so that three sums give the loss at every
     * gamma.
     */
    boolean isSummed() {
        return loss().isSquared() && bounded == null && people.population().isOneGamma();
    }

    /** Returns the loss of {@link #movedIfWishesAreOff}. */
    double movedLoss(double wishError) {
        if (!isSummed()) {
            return movedIfWishesAreOff(wishError).loss();
        }
        Population population = people.population();
        Followers.Squares sums = people.squares();
        Response all = Response.of(omega, earned, population.gamma(0));
        double sd = world.wishNoise();
        double wished = sums.dd() + sums.weight() * (sd * sd + wishError * wishError);
        double moving = Response.loss(all.remainingError(), all.gamed(), sums.uu(), sums.ud(), wished);
        double share = population.truthfulShare();
        double lost = share * sums.uu() + (1 - share) * moving;
        double apart = all.remainingError() * all.remainingError() * sums.uu() + all.gamed() * all.gamed() * wished;
        // if the rule predicts everyone almost exactly, the difference of the sums is mostly rounding
        return lost > CANCELLED * (share * sums.uu() + (1 - share) * apart)
                ? lost / sums.weight()
                : movedIfWishesAreOff(wishError).loss();
    }

    /** Returns the score after the move if the true effects of moves were the declared ones times a factor. */
    public Score movedIfEffectsAre(double factor) {
        return withEffects(factor).moved();
    }

    /** Returns the mean loss before any move on a bootstrap resample, given by how often each row was drawn. */
    double honestLoss(int[] counts) {
        return counted(counts).honest().loss();
    }

    /** Returns the mean loss after the move on a bootstrap resample, given by how often each row was drawn. */
    double movedLoss(int[] counts) {
        return counted(counts).moved().loss();
    }

    /**
     * The loss over an interval of a parameter.
     *
     * @param low the score at the lower end
     * @param high the score at the upper end
     * @param worstAt the value of the parameter at which the loss is largest
     * @param worst the score there
     * @param searched true if limits stop anyone, so that the maximum was searched for on a grid and is not proven
     */
    public record Interval(
            double from, double to, Score low, Score high, double worstAt, Score worst, boolean searched) {
        /** Returns whether the loss is larger inside the interval than at both ends. */
        public boolean worstInside() {
            return worstAt != from && worstAt != to;
        }
    }

    /**
     * Returns the loss after the move over an interval of a gamma that is the same for all; the maximum is at an end
     * unless limits stop anyone.
     */
    public Interval overGamma(double from, double to) {
        if (!(from > 0) || !(to >= from) || Double.isInfinite(to)) {
            throw new IllegalArgumentException("The range of gamma is " + from + " to " + to
                    + "; it must be positive and ascending.\nMaybe swap the ends.");
        }
        Interval ends = ends(from, to, inWorldOf(from).moved(), inWorldOf(to).moved());
        // a smaller gamma means longer moves in every feature: if no limit stops anyone at the smallest, none does at
        // any other
        return inWorldOf(from).isLimited() ? searched(ends, this::inWorldOf) : ends;
    }

    /** Returns the maximum over a grid, refined between the neighbours of the worst grid point. */
    private static Interval searched(Interval ends, DoubleFunction<RuleEvaluation> at) {
        double start = Math.log(ends.from);
        double step = (Math.log(ends.to) - start) / GRID;
        int worst = 0;
        double[] values = new double[GRID + 1];
        for (int k = 0; k <= GRID; k++) {
            values[k] = k == 0
                    ? ends.low.mse()
                    : k == GRID
                            ? ends.high.mse()
                            : at.apply(Math.exp(start + k * step)).moved().mse();
            worst = values[k] > values[worst] ? k : worst;
        }
        double left = start + Math.max(0, worst - 1) * step;
        double right = start + Math.min(GRID, worst + 1) * step;
        double best = start + worst * step;
        double most = values[worst];
        for (int k = 0; k < REFINEMENTS && step > 0; k++) {
            // keep the two thirds of the bracket around the larger of two inner points
            double a = left + (right - left) / 3;
            double b = right - (right - left) / 3;
            double atA = at.apply(Math.exp(a)).moved().mse();
            double atB = at.apply(Math.exp(b)).moved().mse();
            if (Math.max(atA, atB) > most) {
                most = Math.max(atA, atB);
                best = atA > atB ? a : b;
            }
            if (atA > atB) {
                right = b;
            } else {
                left = a;
            }
        }
        boolean atAnEnd = most == ends.worst.mse();
        double where = atAnEnd ? ends.worstAt : Math.exp(best);
        Score score = atAnEnd ? ends.worst : at.apply(where).moved();
        return new Interval(ends.from, ends.to, ends.low, ends.high, where, score, true);
    }

    /**
     * Returns the loss after the move if each cost may be wrong by up to a factor in either direction. Then omega lies
     * between omega/factor and factor omega, and both ends are attained, as if all gammas were wrong by the factor.
     * {@code worstAt} is the factor on gamma at which the loss is largest.
     *
     * <p>If limits stop anyone, it matters which cost is wrong; the result is then for costs that are all wrong by the
     * same factor.
     */
    public Interval overCosts(double factor) {
        if (!(factor >= 1) || Double.isInfinite(factor)) {
            throw new IllegalArgumentException(
                    "The cost error is " + factor + "; it is a factor and must be at least 1.");
        }
        if (earned != 0) {
            throw Message.Refused.of(
                    "cost-range-with-effect",
                    "Wrong costs cannot be bounded by a factor if moves really change the target ({}): what is "
                            + "earned depends on each of them.\n" + "Maybe ask for a range of gamma instead.",
                    Settings.EFFECT.any());
        }
        Population population = people.population();
        Interval ends = ends(
                1 / factor,
                factor,
                withPopulation(population.times(1 / factor)).moved(),
                withPopulation(population.times(factor)).moved());
        if (withPopulation(population.times(1 / factor)).isLimited()) {
            return searched(ends, f -> withPopulation(population.times(f)));
        }
        if (population.hasEqualGammas()) {
            return ends;
        }
        if (!loss().isSquared()) {
            throw new IllegalArgumentException("With a gamma for each row, costs that are wrong by a factor are not"
                    + " bounded by the loss " + loss() + ".\nMaybe ask for a range of gamma instead.");
        }
        double worstAt = WorstFactor.of(ends, curvature(factor), f -> withPopulation(population.times(f))
                .moved()
                .mse());
        return worstAt == ends.worstAt()
                ? ends
                : new Interval(
                        ends.from(),
                        ends.to(),
                        ends.low(),
                        ends.high(),
                        worstAt,
                        withPopulation(population.times(worstAt)).moved(),
                        false);
    }

    private RuleEvaluation inWorldOf(double gamma) {
        return withPopulation(
                Population.ofOneGamma(size(), gamma, people.population().truthfulShare()));
    }

    private static Interval ends(double from, double to, Score low, Score high) {
        boolean atLow = low.loss() >= high.loss();
        return new Interval(from, to, low, high, atLow ? from : to, atLow ? low : high, false);
    }

    /**
     * Returns a bound of the second derivative of the mean loss by s, the logarithm of the factor, for factors up to
     * the given one in either direction.
     *
     * <p>Row i loses r^2 + b t + c t^2 with b = 2 r g, c = g^2 + sigma^2, r = p - y, g = z - p. As |dt/ds| and
     * |d^2t/ds^2| are at most m = max t (1 - t), the second derivative is at most 2 c m^2 + max(|b|, |b + 2 c|) m in
     * absolute value.
     */
    private double curvature(double factor) {
        Population population = people.population();
        IntFunction<Response> easier = population.times(1 / factor).responses(omega);
        IntFunction<Response> harder = population.times(factor).responses(omega);
        double variance = world.wishNoise() * world.wishNoise();
        double bound = people.mean(i -> {
            double most = easier.apply(i).pullThrough();
            double least = harder.apply(i).pullThrough();
            double m = least <= 0.5 && most >= 0.5 ? 0.25 : Math.max(most * (1 - most), least * (1 - least));
            double gap = people.wish(i) - people.prediction(i);
            double b = 2 * (people.prediction(i) - people.truth(i)) * gap;
            double c = gap * gap + variance;
            return 2 * c * m * m + Math.max(Math.abs(b), Math.abs(b + 2 * c)) * m;
        });
        return (1 - population.truthfulShare()) * bound;
    }

    /**
     * How far predictions are from the truth; for logistic loss, probabilities from 0 or 1.
     *
     * @param loss the weighted mean of the game's loss
     * @param mse the weighted mean of (p_i - y_i)^2
     * @param mae the weighted mean of |p_i - y_i|
     * @param r2 1 - mse / variance of y; NaN if y is constant
     */
    public record Score(double loss, double mse, double mae, double r2) {
        /** Makes a score by squared loss. */
        public Score(double mse, double mae, double r2) {
            this(mse, mse, mae, r2);
        }

        /**
         * Returns the score of predictions with additional noise of the given variance, which the mean absolute error
         * does not include.
         */
        static Score of(IntToDoubleFunction prediction, Followers people, double noiseVariance) {
            IntToDoubleFunction off = i -> prediction.applyAsDouble(i) - people.truth(i);
            return of(
                    off,
                    i -> {
                        double residual = off.applyAsDouble(i);
                        return people.weight(i) * residual * residual;
                    },
                    people,
                    noiseVariance);
        }

        /**
         * Returns the score from the residuals of the rows.
         *
         * @param weighed the expected square of each residual times the sample weight
         */
        static Score of(IntToDoubleFunction off, IntToDoubleFunction weighed, Followers people, double noiseVariance) {
            double total = 0;
            double mean = 0;
            for (int i = 0; i < people.size(); i++) {
                total += people.weight(i);
                mean += people.weight(i) * people.truth(i);
            }
            mean /= total;
            double squares = 0;
            double absolute = 0;
            double spread = 0;
            for (int i = 0; i < people.size(); i++) {
                double weight = people.weight(i);
                double y = people.truth(i);
                squares += weighed.applyAsDouble(i);
                absolute += weight * Math.abs(off.applyAsDouble(i));
                spread += weight * (y - mean) * (y - mean);
            }
            double mse = squares / total + noiseVariance;
            return new Score(mse, absolute / total, spread > 0 ? 1 - mse * total / spread : Double.NaN);
        }

        /**
         * Returns the score of rows that have the first score with probability share and otherwise the second; both are
         * for the same truth.
         */
        static Score mixture(double share, Score one, Score other) {
            return new Score(
                    share * one.loss + (1 - share) * other.loss,
                    share * one.mse + (1 - share) * other.mse,
                    share * one.mae + (1 - share) * other.mae,
                    share * one.r2 + (1 - share) * other.r2);
        }

        public double rmse() {
            return Math.sqrt(mse);
        }
    }
}
