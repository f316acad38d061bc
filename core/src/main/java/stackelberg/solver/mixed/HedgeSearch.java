package stackelberg.solver.mixed;

import java.util.Optional;
import stackelberg.certificate.Certificate;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;

/**
 * minimise M, the loss after the move and what a ridge adds to it, among rules whose loss H if nobody moves is at most B: a search over the share theta of theta H + (1 - theta) M.
 *
 * <p>Each theta is a game with a truthful share, solved and bounded below by L(theta) over every omega ({@link OmegaSearch}); then no rule with H <= B
 * has M below (L(theta) - theta B)/(1 - theta). H falls and M grows with theta, so that theta is bracketed where H passes B. Between the rules of both
 * sides of the bracket lies one with H = B, and what it loses against the best is of second order in the bracket's width.
 */
final class HedgeSearch {
    /** mu = theta/(1 - theta) from which the search starts: a tenth is nearly always enough. */
    private static final double START = 1 / 9.0;

    /** Beyond these mu there is no difference to everybody moving, or to nobody. */
    private static final double LEAST = 1e-13;

    private static final double MOST = 1e10;

    /** The width of log mu from which on the rules of both sides are the same but for what their mixture makes good. */
    static final double NARROW = 1e-6;

    private static final int MOST_SHARES = 80;

    private static final int MOST_PARTS = 60;

    /** A bound is reached to so much, relative. */
    private static final double EXACT = 1e-14;

    /** Beyond the worse side of a bracket rules are tried up to so many times its width. */
    private static final double BEYOND = 64;

    private final PredictionGame game;
    private final MixedReduction reduction;
    private final double scale;
    private final SolverOptions options;
    private final ProgressListener listener;
    private final Workers workers;
    private int iterations;
    private boolean stopped;

    /**
     * A search among the rules of a game.
     *
     * @param game in which everybody moves, at one gamma
     * @param reduction of it, with a basis
     * @param scale p0
     */
    HedgeSearch(
            PredictionGame game,
            MixedReduction reduction,
            double scale,
            SolverOptions options,
            ProgressListener listener,
            Workers workers) {
        this.game = game;
        this.reduction = reduction;
        this.scale = scale;
        this.options = options;
        this.workers = workers;
        this.listener = progress -> {
            ProgressListener.Decision decision = listener.onIteration(progress);
            stopped |= decision == ProgressListener.Decision.STOP;
            return decision;
        };
    }

    /**
     * The best rule at one share.
     *
     * @param w on cost-scaled features
     * @param honest H
     * @param moved M
     * @param lowerBound no rule has a lower theta H + (1 - theta) M
     */
    record Met(double share, double[] w, double honest, double moved, double lowerBound, OmegaSearch.Result result) {
        /** No rule that loses at most that much if nobody moves loses less than this after the move. */
        double leastMoved(double bound) {
            return share == 1 ? Double.NEGATIVE_INFINITY : (lowerBound - share * bound) / (1 - share);
        }
    }

    /** The two sides of the bound: the rule that is just too bad if nobody moves (null where that is the rule of share 0), and the one that just is not. */
    record Bracket(Met worse, Met better) {}

    MixedReduction reduction() {
        return reduction;
    }

    /** Sphere problems solved so far. */
    int iterations() {
        return iterations;
    }

    boolean stopped() {
        return stopped;
    }

    /** The best rule at one share above 0 and below 1. */
    Met at(double share) {
        // what is not known of theta H + (1 - theta) M is not known of M, divided by 1 - theta
        double tolerance = Math.max(1e-13, options.tolerance() / 8 * (1 - share));
        OmegaSearch.Result result =
                OmegaSearch.of(reduction.withShare(share), scale, options.withTolerance(tolerance), listener);
        iterations += result.evaluations();
        LinearRule rule = rule(result.w(), share);
        return new Met(share, result.w(), honest(rule), moved(rule), result.lowerBound(), result);
    }

    /** What is proven of coefficients among those with the same omega, at one share; empty at w = 0. */
    Optional<Certificate> slice(double[] w, double share) {
        return reduction.withShare(share).slice(w);
    }

    /** The rule with coefficients w and the immutable part that is best at that share. */
    LinearRule rule(double[] w, double share) {
        return reduction.withShare(share).recover(w);
    }

    double honest(LinearRule rule) {
        return game.honestLoss(rule, workers);
    }

    double moved(LinearRule rule) {
        return game.leaderLoss(rule, workers) + game.penalty(rule);
    }

    /**
     * Where H passes the bound, which the rule of share 0 does not keep.
     *
     * @param least the least that any rule loses if nobody moves, below the bound
     * @param width of log theta/(1 - theta) in the end
     */
    Bracket bracket(double bound, double least, double width) {
        double step = Math.log(4);
        double x = Math.log(START);
        Met first = at(shareOf(x));
        Met worse = first.honest > bound ? first : null;
        Met better = worse == null ? first : null;
        while ((worse == null ? x > Math.log(LEAST) : better == null && x < Math.log(MOST)) && !stopped) {
            x = worse == null ? Math.max(Math.log(LEAST), x - step) : Math.min(Math.log(MOST), x + step);
            step *= 2;
            Met next = at(shareOf(x));
            if (next.honest > bound) {
                worse = next;
                if (better != null) {
                    break;
                }
            } else {
                better = next;
                if (worse != null) {
                    break;
                }
            }
        }
        return worse == null || better == null
                ? new Bracket(worse, better)
                : narrowed(worse, better, bound, least, width);
    }

    /** Regula falsi on log((H - least)/(bound - least)) in log mu, halving the weight of an end that stays (Illinois), every third step in the middle. */
    private Bracket narrowed(Met from, Met to, double bound, double least, double width) {
        Met worse = from;
        Met better = to;
        double a = logOdds(worse.share);
        double b = logOdds(better.share);
        double fa = excess(worse, bound, least);
        double fb = excess(better, bound, least);
        for (int k = 0; k < MOST_SHARES && b - a > width && !stopped; k++) {
            double x = k % 3 == 2 || fa == fb ? (a + b) / 2 : a + (b - a) * fa / (fa - fb);
            // not next to an end: the other side of the zero is wanted too
            double margin = Math.max(width / 3, 1e-3 * (b - a));
            x = Math.min(b - margin, Math.max(a + margin, x));
            Met at = at(shareOf(x));
            double f = excess(at, bound, least);
            if (at.honest > bound) {
                worse = at;
                a = x;
                fa = f;
                fb /= 2;
            } else {
                better = at;
                b = x;
                fb = f;
                fa /= 2;
            }
        }
        return new Bracket(worse, better);
    }

    private static double excess(Met met, double bound, double least) {
        double room = bound - least;
        return Math.log(Math.max(1e-9 * room, met.honest - least) / room);
    }

    private static double shareOf(double logOdds) {
        double odds = Math.exp(logOdds);
        return odds / (1 + odds);
    }

    private static double logOdds(double share) {
        return Math.log(share / (1 - share));
    }

    /** A rule of this game that keeps the bound: coefficients and the share that its immutable part is best for. */
    record Chosen(double[] w, double share, LinearRule rule, double honest, double moved) {}

    /**
     * The best rule that keeps the bound of those between two, or just beyond the worse one where that keeps it too: H is nearly a parabola there, so that regula
     * falsi (Illinois) takes a few steps.
     */
    Chosen between(double[] worse, double worseShare, double[] better, double betterShare, double bound) {
        Chosen kept = chosen(worse, worseShare, better, betterShare, 0);
        double from = 0;
        double to = 1;
        double room = bound - kept.honest;
        double below = -room;
        double above = chosen(worse, worseShare, better, betterShare, to).honest - bound;
        while (above <= 0 && to < BEYOND && betterShare != worseShare) {
            to *= 2;
            above = chosen(worse, worseShare, better, betterShare, to).honest - bound;
        }
        for (int k = 0; k < MOST_PARTS && room > EXACT * bound && above > 0 && to - from > 0x1p-50; k++) {
            // what rounding keeps below the bound need not be regained
            double part = from - (to - from) * (below + EXACT / 2 * bound) / (above - below);
            part = part > from && part < to ? part : (from + to) / 2;
            Chosen at = chosen(worse, worseShare, better, betterShare, part);
            if (at.honest <= bound) {
                from = part;
                room = bound - at.honest;
                below = -room;
                above /= 2;
                kept = at.moved <= kept.moved ? at : kept;
            } else {
                to = part;
                above = at.honest - bound;
                below /= 2;
            }
        }
        return kept;
    }

    private Chosen chosen(double[] worse, double worseShare, double[] better, double betterShare, double part) {
        double[] w = better.clone();
        Vectors.scale(1 - part, w);
        Vectors.axpy(part, worse, w);
        double share = (1 - part) * betterShare + part * worseShare;
        LinearRule rule = rule(w, share);
        return new Chosen(w, share, rule, honest(rule), moved(rule));
    }
}
