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
 * What a rule loses in a world: if nobody moves, after everybody has moved, and if the world is not quite as it was thought to be.
 *
 * <p>By another loss than the squared one it is mean l((1 - t_i) p_i + t_i z_i, y_i), over normal wishes by a quadrature where they may be off. The score is linear in t
 * and l convex in the score, so that with one gamma for all the worst case of an interval is at an end of it for every loss.
 *
 * <p>After the move the mean loss is mean ((1 - t_i) p_i + t_i z_i - y_i)^2 + t_i^2 sigma^2, where people move; of the truthful it is what it
 * was. Where moves really change the target, tau_i, what is gamed of the gap, stands for t_i: the truth moves along. With one gamma for all who move it is a convex quadratic of t, and t falls as gamma grows, so over an interval of gamma, or of costs,
 * the worst case is at an end of it. Where gammas differ it may lie inside, and {@link WorstFactor} finds it.
 *
 * <p>Where declared limits stop anybody, nothing of this is so: every loss is a sum over what each person does, over normal wishes by a quadrature where
 * they are known up to noise, and the worst of an interval is searched for on a grid and not proven.
 */
public final class RuleEvaluation {
    /** Into so many parts an interval is cut in which the worst is searched for. */
    private static final int GRID = 16;

    /** Thirds of what is left between two of its points are cut off so often. */
    private static final int REFINEMENTS = 8;

    /** The trapezoidal rule for a standard normal variable, so many standard deviations either way in steps of such a part of one. */
    private static final int FURTHEST = 6;

    private static final int STEPS = 4;

    /** Sums of a million terms are known to about 1e-13 of themselves: what is left of them where more was taken off is not known to 1e-9, which {@link WhatIf} tells worlds apart by. */
    private static final double CANCELLED = 1e-4;

    private final World world;
    private final PublishedRule rule;
    private final Followers people;
    private final double omega;
    /** beta'C^{-1}w, where moves really change the target. */
    private final double earned;

    /** Of those who can go only so far; null where moves know no bounds. */
    private final Supplier<Response.Bounded> bounded;
    /** What they do in the game as declared, once somebody asked; the same for everybody who is counted otherwise. */
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
     * What people do who can go only so far.
     *
     * @param anybody whether limits change anything for anybody; if not, the closed form holds
     * @param closed the part of the gap that each closes
     * @param earned the part of it that the truth of each closes
     * @param improvement by how much the truth of each rises
     * @param off how far each is predicted from the truth after the move
     * @param squares the expected square of it
     */
    private record Limited(
            boolean anybody, double[] closed, double[] earned, double[] improvement, double[] off, double[] squares) {}

    /** Empty where limits change nothing. */
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

    /** Whether limits change anything for anybody. */
    public boolean isLimited() {
        return limited(world.wishNoise()).isPresent();
    }

    /** Of a rule whose predictions are known; who moves how is the people's business, and the world's gamma plays no part. */
    public static RuleEvaluation of(World world, PublishedRule rule, Followers people) {
        if (!people.hasTruth()) {
            throw new IllegalArgumentException(
                    "The truth about these people is not known, so nobody can say what the rule loses.");
        }
        Supplier<Response.Bounded> bounded = world.bounded(rule).orElse(null);
        return new RuleEvaluation(
                world, rule, people, world.omega(rule), world.earned(rule), bounded, new AtomicReference<>());
    }

    /** The same for some of the people. */
    public RuleEvaluation of(int[] some) {
        return of(people.of(some));
    }

    /** The same for a part of the population, among which everybody or nobody is truthful. */
    public RuleEvaluation of(Population.Group group) {
        RuleEvaluation part = of(group.people());
        return part.in(part.people.population().withTruthfulShare(group.truthful() ? 1 : 0));
    }

    private RuleEvaluation of(Followers others) {
        return new RuleEvaluation(world, rule, others, omega, earned, bounded, new AtomicReference<>());
    }

    private RuleEvaluation counted(int[] counts) {
        return new RuleEvaluation(world, rule, people.counted(counts), omega, earned, bounded, declared);
    }

    /** The same if these people responded otherwise. */
    RuleEvaluation in(Population other) {
        return of(people.in(other));
    }

    /** The same if every move did so many times as much to the target. */
    RuleEvaluation withEffects(double factor) {
        Supplier<Response.Bounded> real = world.bounded(rule, factor).orElse(null);
        return new RuleEvaluation(world, rule, people, omega, factor * earned, real, new AtomicReference<>());
    }

    Population population() {
        return people.population();
    }

    /** How much the people count together. */
    double weight() {
        return people.weight();
    }

    public PublishedRule rule() {
        return rule;
    }

    public int size() {
        return people.size();
    }

    /** The average over the people, by weight, of the fraction of the gap that they are expected to close. */
    public double pullThrough() {
        return limited(world.wishNoise())
                .map(all -> mean(i -> all.closed[i]))
                .orElseGet(() -> people.mean(i -> people.population().expectedPullThrough(i, omega)));
    }

    /** Whether moves really change the target in this world. */
    public boolean hasEffects() {
        return world.spec().hasEffects();
    }

    /** The same of the gap that the truth is expected to close; 0 where moves do nothing to it. */
    public double earned() {
        return share(all -> i -> all.earned[i], Response::earned);
    }

    /** The same of the gap that is expected to be closed by the score alone. */
    public double gamed() {
        return share(all -> i -> all.closed[i] - all.earned[i], Response::gamed);
    }

    /** By how much the target really rises on average, by weight. */
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

    /** Of those who move, times how many they are. */
    private double mean(IntToDoubleFunction moving) {
        return (1 - people.population().truthfulShare()) * people.mean(moving);
    }

    /**
     * What becomes of each person: what is lost by it is what {@link #honest} and {@link #moved} are the means of.
     *
     * @param lossBefore what is lost by it if nobody moves
     * @param lossAfter what is expected to be lost by it after the move
     * @param offBefore score less truth if nobody moves; where the loss is logistic, here and below, the probability
     * @param offAfter the same after the move, expected
     * @param cost what it is expected to pay for moving
     * @param distance how far it is expected to move, in scaled units
     * @param gain by how much its score rises if it moves
     */
    record Each(
            IntToDoubleFunction lossBefore,
            IntToDoubleFunction lossAfter,
            IntToDoubleFunction offBefore,
            IntToDoubleFunction offAfter,
            IntToDoubleFunction cost,
            IntToDoubleFunction distance,
            IntToDoubleFunction gain) {}

    /** Expected over who is truthful, and losses and residuals over what is not known of wishes; costs and distances are those of the wishes as they are given. */
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

    /** Of people whose moves know no bounds. */
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

    /** Of the score that person i has after the move, less what it earned, over what is not known of its wish. */
    private double expectedAfter(int i, Response response, DoubleUnaryOperator f) {
        // what is linear needs no quadrature
        double sd = loss().isSquared() ? 0 : Math.abs(response.gamed()) * world.wishNoise();
        return expected(f, response.net(people.prediction(i), people.wish(i)), sd);
    }

    /** Of people who can go only so far. */
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

    /** Of whom this is said, as far as they count. */
    Followers people() {
        return people;
    }

    /** If nobody moves. */
    public Score honest() {
        return loss().isSquared() ? Score.of(people::prediction, people, 0) : score(people::prediction, i -> 0);
    }

    /** What the leader loses by. */
    public Loss loss() {
        return world.spec().loss();
    }

    /** Of scores that are off by noise of these standard deviations, by another loss than the squared one. */
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

    /** E f(mean + sd N), N standard normal. */
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

    /** How well the rule tells a yes from a no if nobody moves, where the loss is logistic. */
    public YesOrNo honest(double cutoff) {
        requireYesOrNo();
        int n = size();
        return YesOrNo.of(all(n, people::prediction), all(n, people::truth), all(n, people::weight), cutoff);
    }

    /** The same after everybody has moved; whoever may be truthful is two people, who count as much as they are probable. */
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
                    "The loss is {}, so that nobody is told from others by a cut-off.\n" + "Maybe declare {}.",
                    loss(),
                    Settings.LOSS.word("LOGISTIC"));
        }
    }

    /** After everybody has moved; the expected one, where wishes are known up to noise. */
    public Score moved() {
        return movedIfWishesAreOff(0);
    }

    /** After the move, if wishes are off by a further standard deviation. */
    public Score movedIfWishesAreOff(double wishError) {
        double share = people.population().truthfulShare();
        Score moving = limited(wishError == 0 ? world.wishNoise() : Math.hypot(world.wishNoise(), wishError))
                .map(all -> Score.of(i -> all.off[i], i -> people.weight(i) * all.squares[i], people, 0))
                .orElseGet(() -> closedForm(wishError));
        return share == 0 ? moving : Score.mixture(share, honest(), moving);
    }

    /** Of those who move, and whom no limit stops. */
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

    /** Whether all move at one gamma by squared loss, so that three sums over them tell what is lost at every gamma. */
    boolean isSummed() {
        return loss().isSquared() && bounded == null && people.population().isOneGamma();
    }

    /** The loss of {@link #movedIfWishesAreOff}. */
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
        // a rule that hits everybody leaves nothing but the rounding of the sums
        return lost > CANCELLED * (share * sums.uu() + (1 - share) * apart)
                ? lost / sums.weight()
                : movedIfWishesAreOff(wishError).loss();
    }

    /** After the move, if every move really did so many times as much to the target. */
    public Score movedIfEffectsAre(double factor) {
        return withEffects(factor).moved();
    }

    /** Mean loss if nobody moves, of people counted several times or not at all. */
    double honestLoss(int[] counts) {
        return counted(counts).honest().loss();
    }

    /** Mean loss after everybody has moved, of people counted several times or not at all. */
    double movedLoss(int[] counts) {
        return counted(counts).moved().loss();
    }

    /**
     * The loss over an interval.
     *
     * @param low the score at its lower end
     * @param high the score at its upper end
     * @param worstAt where in the interval the loss is largest
     * @param worst the score there
     * @param searched whether limits stop somebody, so that the worst is what was found on a grid, and not proven
     */
    public record Interval(
            double from, double to, Score low, Score high, double worstAt, Score worst, boolean searched) {
        /** Whether the loss is larger somewhere inside than at both ends. */
        public boolean worstInside() {
            return worstAt != from && worstAt != to;
        }
    }

    /** After the move, if everybody has the same gamma, somewhere in an interval: the worst is at an end. */
    public Interval overGamma(double from, double to) {
        if (!(from > 0) || !(to >= from) || Double.isInfinite(to)) {
            throw new IllegalArgumentException("The range of gamma is " + from + " to " + to
                    + "; it must be positive and ascending.\nMaybe swap the ends.");
        }
        Interval ends = ends(from, to, inWorldOf(from).moved(), inWorldOf(to).moved());
        // who is easier to move goes further with every feature: whom nothing stops at the least gamma nothing stops at
        // any
        return inWorldOf(from).isLimited() ? searched(ends, this::inWorldOf) : ends;
    }

    /** The worst of a grid and of what lies between the neighbours of its worst point. */
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
            // the two thirds of the bracket about the larger of two inner points
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
     * After the move, if every cost may be wrong by a factor either way: omega then lies between omega/factor and factor omega, and both ends
     * are reached, so it is as if everybody's gamma were wrong by the factor. {@code worstAt} is what gamma has to be multiplied by.
     *
     * <p>Where limits stop anybody it matters which cost is wrong: then this is about costs that are all wrong by the same factor.
     */
    public Interval overCosts(double factor) {
        if (!(factor >= 1) || Double.isInfinite(factor)) {
            throw new IllegalArgumentException(
                    "The cost error is " + factor + "; it is a factor and must be at least 1.");
        }
        if (earned != 0) {
            throw Message.Refused.of(
                    "cost-range-with-effect",
                    "Costs that are wrong by a factor are not bounded where moves really change the target ({}): what is "
                            + "earned depends on each of them.\n" + "Maybe ask for a range of gamma instead.",
                    Settings.EFFECT.any());
        }
        Population population = people.population();
        Interval ends = ends(
                1 / factor,
                factor,
                in(population.times(1 / factor)).moved(),
                in(population.times(factor)).moved());
        if (in(population.times(1 / factor)).isLimited()) {
            return searched(ends, f -> in(population.times(f)));
        }
        if (population.hasEqualGammas()) {
            return ends;
        }
        if (!loss().isSquared()) {
            throw new IllegalArgumentException(
                    "Where everybody has a gamma of their own, costs that are wrong by a factor are not"
                            + " bounded by the loss " + loss() + ".\nMaybe ask for a range of gamma instead.");
        }
        double worstAt = WorstFactor.of(
                ends, curvature(factor), f -> in(population.times(f)).moved().mse());
        return worstAt == ends.worstAt()
                ? ends
                : new Interval(
                        ends.from(),
                        ends.to(),
                        ends.low(),
                        ends.high(),
                        worstAt,
                        in(population.times(worstAt)).moved(),
                        false);
    }

    private RuleEvaluation inWorldOf(double gamma) {
        return in(Population.ofOneGamma(size(), gamma, people.population().truthfulShare()));
    }

    private static Interval ends(double from, double to, Score low, Score high) {
        boolean atLow = low.loss() >= high.loss();
        return new Interval(from, to, low, high, atLow ? from : to, atLow ? low : high, false);
    }

    /**
     * A bound of the second derivative of the mean loss by s = log of the factor, for factors up to the given one either way.
     *
     * <p>Person i loses r^2 + b t + c t^2 with b = 2 r g, c = g^2 + sigma^2, r = p - y, g = z - p. As |dt/ds| and |d^2t/ds^2| are at most m =
     * max t (1 - t), the second derivative is at most 2 c m^2 + max(|b|, |b + 2 c|) m in size.
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
     * How far predictions are from the truth: where the loss is logistic, probabilities from 0 or 1.
     *
     * @param loss weighted mean of what the leader loses: of the squares, unless the game's loss is another
     * @param mse weighted mean of (p_i - y_i)^2
     * @param mae weighted mean of |p_i - y_i|
     * @param r2 1 - mse / variance of y; not a number where y is constant
     */
    public record Score(double loss, double mse, double mae, double r2) {
        /** By squared loss. */
        public Score(double mse, double mae, double r2) {
            this(mse, mse, mae, r2);
        }

        /** Of predictions that are off by further noise of the given variance, which the mean absolute error leaves out. */
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
         * The same from people's residuals.
         *
         * @param weighed the square of each residual, or what is expected of it, times how much it counts
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

        /** Of people who are as in one score with probability share and as in the other otherwise; the truth is the same. */
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
