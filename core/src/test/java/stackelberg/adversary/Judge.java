package stackelberg.adversary;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import stackelberg.certificate.Certificate;
import stackelberg.game.LinearRule;
import stackelberg.game.NelderMead;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Workers;
import stackelberg.objective.Solution;
import stackelberg.sphere.SphereGeometry;

/**
 * What is wrong with a claim about one game, by an {@link Oracle} that takes more digits where it cannot decide.
 *
 * <p>A claim is wrong only where a better point is in hand, and right only where a lower bound says so.
 */
final class Judge {
    private static final int[] BITS = {320, 1200, 4800};
    /** Bounds are doubles, and the last digit of one is no claim. */
    private static final double LAST_DIGITS = 1e-12;

    /** Points with a larger last entry, a pull-through above 0.99, count as the limit point (decision 02). */
    private static final double NEXT_TO_THE_LIMIT = 0.98;

    private final PredictionGame game;
    private final double tolerance;
    private final Oracle[] oracles = new Oracle[BITS.length];
    private int undecided;

    Judge(PredictionGame game, double tolerance) {
        this.game = game;
        this.tolerance = tolerance;
    }

    /** Claims that all digits did not suffice for. */
    int undecided() {
        return undecided;
    }

    Map<String, String> wrong(Solution solution) {
        Certificate claim = solution.certificate();
        double[] r = solution.result().r();
        Map<String, String> wrong = new TreeMap<>();
        if (!(claim.gapBound() >= 0) || !Double.isFinite(claim.objective())) {
            wrong.put("NUMBER", "" + claim);
            return wrong;
        }
        boolean beyond = refuted(oracle -> {
            Wide f = oracle.objective(r);
            Wide gap = oracle.wide(claim.gapBound() * (1 + LAST_DIGITS));
            return new Wide[] {
                f.minus(oracle.lower()).minus(gap), f.minus(oracle.upper()).minus(gap)
            };
        });
        if (beyond) {
            Oracle oracle = oracle(0);
            wrong.put(
                    "BEYOND",
                    "f - f* = " + oracle.objective(r).minus(oracle.upper()) + " f* " + oracle.upper() + ": "
                            + said(claim));
        }
        if (refuted(oracle -> curvature(oracle, claim))) {
            wrong.put("CURVATURE", "" + said(claim));
        }
        boolean certified = claim.certified(tolerance);
        if (certified
                && refuted(oracle -> {
                    Wide most = tolerable(oracle, oracle.objective(r));
                    Wide missing = oracle.wide(claim.gapBound()).minus(most);
                    return new Wide[] {missing, missing};
                })) {
            wrong.put(
                    "CERTIFIED",
                    "f " + oracle(0).objective(r) + " p0 " + oracle(0).p0() + ": " + said(claim));
        }
        if (certified) {
            wrongRule(solution, wrong);
        }
        if (!claim.finite()) {
            wrongLimit(claim, wrong);
        }
        return wrong;
    }

    /** For people who differ, whose optimum no oracle knows: a rule nearby, or of the game if all were alike, that beats the answer by more than its bound. */
    Map<String, String> beaten(Solution solution) {
        Certificate claim = solution.certificate();
        Map<String, String> wrong = new TreeMap<>();
        if (!(claim.gapBound() >= 0) || !Double.isFinite(claim.objective())) {
            wrong.put("NUMBER", said(claim));
            return wrong;
        }
        LinearRule rule = solution.rule();
        if (!isFinite(rule)) {
            if (claim.certified(tolerance)) {
                wrong.put("RULE", text(rule) + ": " + said(claim));
            }
            return wrong;
        }
        if (!claim.certified(tolerance)) {
            return wrong;
        }
        Oracle oracle = oracle(0);
        Wide loss = oracle.loss(rule);
        Wide most = allowed(claim, rule, oracle).plus(oracle.nothing());
        for (LinearRule other : others(rule, oracle)) {
            Wide less = oracle.loss(other);
            if (isFinite(other) && most.isLessThan(loss.minus(less))) {
                wrong.put("BEYOND", text(other) + " loses " + less + ", the answer " + loss + ": " + said(claim));
            }
        }
        return wrong;
    }

    /** Rules to compare with: none at all, the best if all were alike, and what a local search finds from there and from the answer. */
    private List<LinearRule> others(LinearRule rule, Oracle oracle) {
        List<LinearRule> all = new ArrayList<>();
        double[] r = oracle.point();
        double[] w = SphereGeometry.coefficients(r, game.gamma());
        double[] costs = game.costs();
        Arrays.setAll(w, j -> w[j] * Math.sqrt(costs[j]));
        all.add(new LinearRule(new double[w.length], rule.q(), rule.intercept()));
        all.add(new LinearRule(w, rule.q(), rule.intercept()));
        for (LinearRule start : List.of(rule, all.get(0), all.get(1))) {
            if (isFinite(start)) {
                all.add(descended(start));
            }
        }
        return all;
    }

    private LinearRule descended(LinearRule start) {
        int n = start.w().length;
        int fixed = start.q().length;
        double[] from = Arrays.copyOf(start.w(), n + fixed + 1);
        System.arraycopy(start.q(), 0, from, n, fixed);
        from[n + fixed] = start.intercept();
        double size = Arrays.stream(from).map(Math::abs).max().orElse(0);
        double[] to = NelderMead.minimise(
                v -> {
                    double loss = game.leaderLoss(rule(v, n), Workers.of(1));
                    return Double.isNaN(loss) ? Double.POSITIVE_INFINITY : loss;
                },
                from,
                size == 0 ? 1 : 0.1 * size);
        return rule(to, n);
    }

    private LinearRule rule(double[] v, int n) {
        int last = v.length - 1;
        return new LinearRule(Arrays.copyOf(v, n), Arrays.copyOfRange(v, n, last), game.hasIntercept() ? v[last] : 0);
    }

    private static boolean isFinite(LinearRule rule) {
        return Arrays.stream(rule.w()).allMatch(Double::isFinite)
                && Arrays.stream(rule.q()).allMatch(Double::isFinite)
                && Double.isFinite(rule.intercept());
    }

    /** A certified rule itself loses no more than was said, but for the digits of its coefficients. */
    private void wrongRule(Solution solution, Map<String, String> wrong) {
        LinearRule rule = solution.rule();
        if (!isFinite(rule)) {
            wrong.put("RULE", text(rule) + ": " + said(solution.certificate()));
        } else if (refuted(oracle -> {
            Wide loss = oracle.loss(rule);
            Wide most = allowed(solution.certificate(), rule, oracle);
            return new Wide[] {
                loss.minus(oracle.lower()).minus(most),
                loss.minus(oracle.upper()).minus(most)
            };
        })) {
            Oracle oracle = oracle(0);
            wrong.put(
                    "RULE",
                    "loses " + oracle.loss(rule) + " f* " + oracle.upper() + " p0 " + oracle.p0() + ": "
                            + said(solution.certificate()));
        }
    }

    /** There is no finite equilibrium only if the limit point is optimal and no finite rule is. */
    private void wrongLimit(Certificate claim, Map<String, String> wrong) {
        if (refuted(oracle -> {
            Wide most = tolerable(oracle, oracle.upper());
            Wide limit = oracle.limit();
            return new Wide[] {
                limit.minus(oracle.lower()).minus(most),
                limit.minus(oracle.upper()).minus(most)
            };
        })) {
            Oracle oracle = oracle(0);
            wrong.put(
                    "LIMIT",
                    "the limit point loses " + oracle.limit() + " f* " + oracle.upper() + " p0 " + oracle.p0() + ": "
                            + said(claim));
        } else if (last(oracle(0).point()) < NEXT_TO_THE_LIMIT) {
            wrong.put(
                    "TIE",
                    "a finite rule is as good, f* " + oracle(0).upper() + " at "
                            + Arrays.toString(oracle(0).point()) + ": " + said(claim));
        }
    }

    private Wide[] curvature(Oracle oracle, Certificate claim) {
        double lambda = claim.multiplier();
        double least = claim.curvature();
        if (!Double.isFinite(least) || !Double.isFinite(lambda)) {
            return new Wide[] {oracle.wide(-1), oracle.wide(-1)};
        }
        Wide slack = oracle.wide(LAST_DIGITS * (Math.abs(lambda) + Math.abs(least)));
        Wide shift = oracle.wide(lambda).minus(oracle.wide(least)).plus(slack);
        Wide found =
                oracle.isPositive(shift) ? oracle.wide(-1) : oracle.nothing().scaled(1);
        return new Wide[] {found, found};
    }

    /** How far a rule may lose more than the optimum: by the bound, the tolerance, and what the digits of its coefficients cost. */
    private Wide allowed(Certificate claim, LinearRule rule, Oracle oracle) {
        return oracle.wide(claim.gapBound())
                .plus(tolerable(oracle, oracle.loss(rule)))
                .plus(oracle.rounding(rule));
    }

    /** tolerance * max(f, 1e-9 p0). */
    private Wide tolerable(Oracle oracle, Wide f) {
        Wide most = f.max(oracle.p0().times(1e-9));
        return most.times(tolerance * (1 + 1e-6));
    }

    /**
     * Whether a claim is refuted.
     *
     * @param excess what exceeds the claim at most and at least: right if the first is not positive, wrong if the second is
     */
    private boolean refuted(Function<Oracle, Wide[]> excess) {
        for (int k = 0; k < BITS.length; k++) {
            Wide[] found = excess.apply(oracle(k));
            Wide nothing = oracle(k).nothing();
            if (!nothing.isLessThan(found[0])) {
                return false;
            }
            if (nothing.isLessThan(found[1])) {
                return true;
            }
        }
        undecided++;
        return false;
    }

    private Oracle oracle(int k) {
        if (oracles[k] == null) {
            oracles[k] = Oracle.of(game, BITS[k]);
        }
        return oracles[k];
    }

    private static double last(double[] r) {
        return r[r.length - 1];
    }

    private static String text(LinearRule rule) {
        return "w " + Arrays.toString(rule.w()) + " q " + Arrays.toString(rule.q()) + " intercept " + rule.intercept();
    }

    private String said(Certificate claim) {
        return claim.proof() + (claim.certified(tolerance) ? " certified" : "") + " f " + claim.objective() + " gap "
                + claim.gapBound() + " lambda " + claim.multiplier() + " curvature " + claim.curvature()
                + (claim.finite() ? "" : " not finite") + (claim.unique() ? " unique" : "") + " scale "
                + claim.scale();
    }
}
