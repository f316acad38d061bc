package stackelberg.objective.omega;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import stackelberg.certificate.Certificate;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.game.Response;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereGeometry;

/**
 * The rule whose worst loss over an interval of gammas is least, or whose worst regret is: the loss less that of the best rule of the same gamma.
 *
 * <p>A rule's loss is convex in t, which falls as gamma grows, so that its worst gamma is an end. Where the best rule of one end loses no more at the other, it is the answer, with its own certificate;
 * otherwise {@link RangeSearch} finds one whose losses at both ends are equal. What is proven is proven from the rows: the sums behind every bound of the last search are evaluated there.
 *
 * @param certificate of the larger loss, or of the larger regret: no rule has a lower one by more than its gap
 * @param regret the largest over the interval; null where losses are compared
 * @param status why the search ended
 * @param iterations slices
 */
public record RangeSolution(
        Chosen chosen, Certificate certificate, Regret regret, SphereResult.Status status, int iterations) {
    /** The relative gap between two losses that counts as none. */
    private static final double NEGLIGIBLE = 1e-9;

    /** A larger pull-through is hardly that of a rule. */
    private static final double NEARLY_ALL = 0.99;

    /** Rules that are closer, relative, are one. */
    private static final double SAME = 1e-7;

    /**
     * What is searched.
     *
     * @param game whose own gamma plays no part
     * @param ordinary the same, reduced
     * @param low the best rule at the smallest gamma
     * @param regret whether each gamma's own best loss is taken off
     * @param direct whose decomposition of the data serves every omega
     */
    public record Problem(
            PredictionGame game, Reduction ordinary, End low, End high, boolean regret, DirectSolver direct) {}

    /**
     * The best rule at one end of the interval.
     *
     * @param rule not finite where the certificate is not
     */
    public record End(double gamma, LinearRule rule, Certificate certificate) {
        private boolean finite() {
            return certificate.finite()
                    && Double.isFinite(rule.intercept())
                    && Double.isFinite(Vectors.dot(rule.w(), rule.w()));
        }

        /** No rule loses less at this gamma. */
        private double atLeast() {
            return certificate.proof() == Certificate.Proof.PROVEN
                    ? Math.max(0, certificate.objective() - certificate.gapBound())
                    : 0;
        }
    }

    /**
     * A rule and what it loses at both ends, what a ridge adds included.
     *
     * @param lowGamma the smallest gamma
     * @param w on cost-scaled features
     * @param weight theta: the rule is best for theta times the loss at the smallest gamma and 1 - theta times that at the largest, among rules as large
     * @param low the loss at the smallest gamma
     * @param high the loss at the largest gamma
     */
    public record Chosen(double lowGamma, double[] w, double weight, LinearRule rule, double low, double high) {}

    /**
     * The largest regret over the interval.
     *
     * @param gamma where it was met
     * @param met the largest one that was met
     * @param most none is larger
     */
    public record Regret(double gamma, double met, double most) {}

    /** Searches over omega. */
    public static RangeSolution of(Problem problem, SolverOptions options, ProgressListener listener) {
        return new Search(problem, options, listener).run();
    }

    /**
     * A model's rule, from the data alone: a new search bounds the worst loss of every rule.
     *
     * @param w on cost-scaled features
     * @param weight theta
     */
    public static RangeSolution again(Problem problem, double[] w, double weight, double tolerance) {
        return new Search(problem, SolverOptions.DEFAULT.withTolerance(tolerance), ProgressListener.NONE)
                .again(w, weight);
    }

    private static final class Search {
        private final Problem problem;
        private final SolverOptions options;
        private final ProgressListener listener;
        private final Workers workers;
        private final double scale;
        private final double lowLess;
        private final double highLess;
        private final PredictionGame atLow;
        private final PredictionGame atHigh;
        private MixedReduction rows;
        private Condensed condensed;
        private RangeSearch search;
        private Reduction ofGap;

        Search(Problem problem, SolverOptions options, ProgressListener listener) {
            this.problem = problem;
            this.options = options;
            this.listener = listener;
            this.workers = problem.ordinary.family().workers();
            this.scale = problem.ordinary.family().zeroRuleLoss();
            this.lowLess = problem.regret ? problem.low.certificate.objective() : 0;
            this.highLess = problem.regret ? problem.high.certificate.objective() : 0;
            this.atLow = problem.game.withGamma(problem.low.gamma);
            this.atHigh = problem.game.withGamma(problem.high.gamma);
        }

        RangeSolution run() {
            Optional<RangeSolution> own = own();
            if (own.isPresent()) {
                return own.get();
            }
            begin();
            RangeSearch.Result found = search.run();
            RangeSearch.Slice best = found.best();
            double[] w = condensed.coefficients(best.point().w());
            Chosen chosen = chosen(w, best.theta(), best.point().s());
            for (End end : List.of(problem.low, problem.high)) {
                Chosen other = end.finite() ? chosen(end) : null;
                chosen = other != null && worst(other) < worst(chosen) ? other : chosen;
            }
            return solution(chosen, found);
        }

        RangeSolution again(double[] w, double weight) {
            Optional<RangeSolution> own = own().filter(one -> near(one.chosen.w, w));
            if (own.isPresent()) {
                return own.get();
            }
            begin();
            Chosen chosen = chosen(w, weight, search.target(Vectors.dot(w, w), weight));
            return solution(chosen, search.run());
        }

        /** Whether it is the same rule, to the digits that a file keeps and a second search finds. */
        private static boolean near(double[] one, double[] other) {
            double[] difference = one.clone();
            Vectors.axpy(-1, other, difference);
            return Vectors.norm(difference) <= SAME * Vectors.norm(one);
        }

        /** The best rule of an end that is no worse at the other. */
        private Optional<RangeSolution> own() {
            for (End end : List.of(problem.low, problem.high)) {
                boolean low = end == problem.low;
                if (!end.finite()) {
                    continue;
                }
                Chosen chosen = chosen(end);
                double here = low ? chosen.low - lowLess : chosen.high - highLess;
                double there = low ? chosen.high - highLess : chosen.low - lowLess;
                boolean known = problem.low.gamma == problem.high.gamma;
                if (there <= here && (known || !problem.regret)) {
                    Regret none = problem.regret ? new Regret(end.gamma, 0, end.certificate.gapBound()) : null;
                    return Optional.of(
                            new RangeSolution(chosen, end.certificate, none, SphereResult.Status.CONVERGED, 0));
                }
            }
            return Optional.empty();
        }

        private void begin() {
            if (search == null) {
                rows = MixedReduction.of(atLow, workers);
                condensed = Condensed.of(
                        atLow,
                        rows,
                        problem.ordinary,
                        problem.direct.decomposition(problem.ordinary.family()),
                        workers);
                var ends = new RangeSearch.Ends(
                        problem.low.gamma, problem.high.gamma, lowLess, highLess, problem.game.ridge());
                search = new RangeSearch(condensed.few(), ends, scale, options, listener);
            }
        }

        private Chosen chosen(End end) {
            double[] w = end.rule.w();
            double[] costs = problem.game.costs();
            for (int j = 0; j < w.length; j++) {
                w[j] /= Math.sqrt(costs[j]);
            }
            return chosen(w, end == problem.low ? 1 : 0, end.rule);
        }

        private Chosen chosen(double[] w, double weight, double s) {
            return chosen(w, weight, rows.recover(w, s));
        }

        private Chosen chosen(double[] w, double weight, LinearRule rule) {
            return new Chosen(problem.low.gamma, w, weight, rule, lost(atLow, rule), lost(atHigh, rule));
        }

        private double lost(PredictionGame game, LinearRule rule) {
            return game.leaderLoss(rule, workers) + game.penalty(rule);
        }

        private double worst(Chosen rule) {
            return Math.max(rule.low - lowLess, rule.high - highLess);
        }

        private RangeSolution solution(Chosen chosen, RangeSearch.Result found) {
            RowBounds bounds = new RowBounds(found);
            double least = Math.max(
                    bounds.least(), Math.max(problem.low.atLeast() - lowLess, problem.high.atLeast() - highLess));
            Regret regret = problem.regret ? regret(chosen) : null;
            double most = regret == null ? worst(chosen) : regret.most;
            double objective = Math.max(chosen.low, chosen.high);
            double size = Math.max(objective, 1e-9 * scale);
            boolean resolved = rows.resolved();
            double gap = resolved ? Math.max(0, most - least) : objective;
            // a bound above what the rule loses is rounding, and proves nothing
            boolean consistent = least <= most + options.tolerance() * size;
            boolean proven = resolved && consistent && gap <= options.tolerance() * size;
            double multiplier = search.multiplier(Vectors.dot(chosen.w, chosen.w), chosen.weight);
            var bound = new Certificate.Bound(multiplier, Double.NaN, Double.NaN, gap);
            var certificate = new Certificate(
                    objective,
                    bound,
                    proven ? Certificate.Proof.PROVEN : Certificate.Proof.ESTIMATED,
                    false,
                    finiteness(found, chosen, gap),
                    scale,
                    Optional.empty());
            return new RangeSolution(
                    chosen,
                    certificate,
                    regret,
                    found.stopped() ? SphereResult.Status.STOPPED_BY_LISTENER : SphereResult.Status.CONVERGED,
                    found.evaluations());
        }

        /** As on one sphere ({@link Certificate.Finiteness}). */
        private Certificate.Finiteness finiteness(RangeSearch.Result found, Chosen chosen, double gap) {
            double negligible = NEGLIGIBLE * Math.max(Math.max(chosen.low, chosen.high), 1e-9 * scale);
            double better = found.limit() - worst(chosen);
            if (better > negligible) {
                return Certificate.Finiteness.FINITE;
            }
            if (!(better + gap <= 2 * negligible)) {
                return Certificate.Finiteness.UNKNOWN;
            }
            double omega = Vectors.dot(chosen.w, chosen.w);
            boolean rule = Response.pullThrough(omega, problem.low.gamma) <= NEARLY_ALL && gap <= negligible;
            return rule ? Certificate.Finiteness.FINITE : Certificate.Finiteness.NONE;
        }

        /** The largest regret at any gamma of the interval: at the ends it is what was minimised, between them it is bounded piece by piece. */
        private Regret regret(Chosen chosen) {
            double[] e = problem.game.predict(chosen.rule, workers);
            Vectors.axpy(-1, problem.game.y(), e);
            double[] gap = rows.rows().gap();
            double[] sums = new double[3];
            for (int i = 0; i < e.length; i++) {
                double weight = rows.rows().weight()[i];
                sums[0] += weight * e[i] * e[i];
                sums[1] += weight * e[i] * gap[i];
                sums[2] += weight * gap[i] * gap[i];
            }
            sums[2] += problem.game.wishNoiseVariance();
            double omega = Vectors.dot(chosen.w, chosen.w);
            double size = Math.max(Math.max(chosen.low, chosen.high), 1e-9 * scale);
            double low = chosen.low - problem.low.atLeast();
            double high = chosen.high - problem.high.atLeast();
            return search.largestRegret(sums, omega, low, high, options.tolerance() / 4 * size);
        }

        /** The bounds of a search with the sums behind them taken from the rows. */
        private final class RowBounds {
            private final RangeSearch.Result found;

            RowBounds(RangeSearch.Result found) {
                this.found = found;
            }

            /** From left to right, by one slice as long as it bounds as well as the search did: each costs two passes. */
            double least() {
                List<OmegaBranch.Interval<RangeSearch.Slice>> sorted = new ArrayList<>(found.pieces());
                sorted.sort(Comparator.<OmegaBranch.Interval<RangeSearch.Slice>>comparingInt(OmegaBranch.Interval::side)
                        .thenComparingDouble(OmegaBranch.Interval::from));
                double least = Double.POSITIVE_INFINITY;
                RangeSearch.Slice by = null;
                RangeBound.Face face = null;
                for (OmegaBranch.Interval<RangeSearch.Slice> piece : sorted) {
                    boolean serves = by != null
                            && by.side() == piece.side()
                            && search.least(search.face(by), by, piece.from(), piece.to()) >= found.lowerBound();
                    if (!serves) {
                        by = piece.by();
                        face = face(by);
                    }
                    least = Math.min(least, search.least(face, by, piece.from(), piece.to()));
                }
                return least;
            }

            /** The sums that ridge regressions of y and of z - y at kappa leave, less what they may be off. */
            private RangeBound.Face face(RangeSearch.Slice slice) {
                return slice.side() == 0 ? relaxed(slice.kappa()) : signed(slice.side());
            }

            private RangeBound.Face relaxed(double kappa) {
                double curvature = kappa + condensed.smallest();
                if (!(curvature > 0)) {
                    return new RangeBound.Face(Double.NEGATIVE_INFINITY, 0, 0, 0, 0, 0, 0);
                }
                Part ofY = part(problem.ordinary, search.ridge(kappa, false), kappa, y());
                Part ofGap = part(gaps(), search.ridge(kappa, true), kappa, gap());
                // e'e + kappa w'w = w'(X'e + kappa w) - y'e, and so for every pair
                double v0 = Vectors.dot(ofY.w, ofY.gradient) - dot(y(), ofY.e);
                double v1 = Vectors.dot(ofY.w, ofGap.gradient) - dot(y(), ofGap.e);
                double v2 = Vectors.dot(ofGap.w, ofGap.gradient) - dot(gap(), ofGap.e);
                v0 -= Vectors.dot(ofY.gradient, ofY.gradient) / curvature + ofY.off(ofY);
                v1 += -Vectors.dot(ofY.gradient, ofGap.gradient) / curvature + ofY.off(ofGap);
                v2 -= Vectors.dot(ofGap.gradient, ofGap.gradient) / curvature + ofGap.off(ofGap);
                return face(v0, 0, -kappa, v1, 0, v2);
            }

            /** With one feature nothing is relaxed: the residuals of no rule, and the feature's own. */
            private RangeBound.Face signed(int sign) {
                double[] none = new double[1];
                Part ofY = part(problem.ordinary, none, 0, y());
                Part ofGap = part(gaps(), none, 0, gap());
                double[] x = problem.ordinary.residuals(new double[] {1}).orElseThrow();
                Vectors.axpy(-1, ofY.e, x);
                // e = -Py and -P(z - y)
                return face(
                        dot(ofY.e, ofY.e) - ofY.off(ofY),
                        2 * sign * dot(x, ofY.e),
                        dot(x, x),
                        dot(ofY.e, ofGap.e) + ofY.off(ofGap),
                        -2 * sign * dot(x, ofGap.e),
                        dot(ofGap.e, ofGap.e) - ofGap.off(ofGap));
            }

            private RangeBound.Face face(double v0, double a1, double a2, double v1, double b1, double v2) {
                double square = dot(gap(), gap());
                return new RangeBound.Face(
                        v0, a1, a2, -2 * v1, b1, square - v2, square + problem.game.wishNoiseVariance());
            }

            private Part part(Reduction reduction, double[] few, double kappa, double[] of) {
                double[] w = few.length == rows.features() && few.length == 1 ? few : condensed.coefficients(few);
                double[] e = reduction.residuals(w).orElseThrow();
                double[] weighted = e.clone();
                for (int i = 0; i < e.length; i++) {
                    weighted[i] *= rows.rows().weight()[i];
                }
                double[] gradient = rows.transposeTimes(weighted);
                Vectors.axpy(kappa, w, gradient);
                SphereFamily family = reduction.family();
                double parts = Math.sqrt(family.squaredNorm()) * Vectors.norm(w)
                        + Math.sqrt(dot(of, of))
                        + family.removedNorm();
                return new Part(w, e, gradient, Math.sqrt(dot(e, e)), 4 * 0x1p-52 * family.projectionGrowth() * parts);
            }

            private double[] y() {
                return rows.rows().y();
            }

            private double[] gap() {
                return rows.rows().gap();
            }

            private Reduction gaps() {
                if (ofGap == null) {
                    ofGap = rows.reduce(gap(), rows.rows().weight());
                }
                return ofGap;
            }

            private double dot(double[] a, double[] b) {
                double sum = 0;
                for (int i = 0; i < a.length; i++) {
                    sum += rows.rows().weight()[i] * a[i] * b[i];
                }
                return sum;
            }
        }
    }

    /**
     * A ridge regression on the rows.
     *
     * @param e its residuals
     * @param gradient X'We + kappa w, which is 0 but for rounding
     * @param rounding of ||e||
     */
    private record Part(double[] w, double[] e, double[] gradient, double norm, double rounding) {
        /** What the product of two residuals may be off. */
        double off(Part other) {
            return norm * other.rounding + other.norm * rounding + rounding * other.rounding;
        }
    }

    /** The rule as the point of the sphere at one gamma that a model keeps. */
    public SphereResult sphereResult(double gamma) {
        return new SphereResult(
                SphereGeometry.pointOf(chosen.w, gamma),
                status,
                new SphereResult.Effort(iterations, 0, 1, 0),
                "a search over omega for the worst of two gammas");
    }
}
