package stackelberg.adversary;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import stackelberg.certificate.Certificate;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.pipeline.Pipeline;

/**
 * What is wrong with a claim about one game, by an {@link Oracle} that takes more digits where it cannot decide.
 *
 * <p>A claim is wrong only where a better point is in hand, and right only where a lower bound says so.
 */
final class Judge {
    private static final int[] BITS = {320, 1200, 4800};
    /** Bounds are doubles, and the last digit of one is no claim. */
    private static final double LAST_DIGITS = 1e-12;

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

    Map<String, String> wrong(Pipeline.Solution solution) {
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

    /** A certified rule itself loses no more than was said, but for the digits of its coefficients. */
    private void wrongRule(Pipeline.Solution solution, Map<String, String> wrong) {
        LinearRule rule = solution.rule();
        if (!Arrays.stream(rule.w()).allMatch(Double::isFinite)
                || !Arrays.stream(rule.q()).allMatch(Double::isFinite)
                || !Double.isFinite(rule.intercept())) {
            wrong.put("RULE", "" + rule + ": " + said(solution.certificate()));
        } else if (refuted(oracle -> {
            Wide loss = oracle.loss(rule);
            Wide most = oracle.wide(solution.certificate().gapBound()).plus(tolerable(oracle, loss));
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

    /** That there is no finite equilibrium is so only where believing everybody is optimal and nothing finite is. */
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
                    "believing everybody loses " + oracle.limit() + " f* " + oracle.upper() + " p0 " + oracle.p0()
                            + ": " + said(claim));
        } else if (last(oracle(0).point()) < 0.99) {
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

    private String said(Certificate claim) {
        return claim.proof() + (claim.certified(tolerance) ? " certified" : "") + " f " + claim.objective() + " gap "
                + claim.gapBound() + " lambda " + claim.multiplier() + " curvature " + claim.curvature()
                + (claim.finite() ? "" : " not finite") + (claim.unique() ? " unique" : "") + " scale "
                + claim.scale();
    }
}
