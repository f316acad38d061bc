package stackelberg.adversary;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;

/**
 * The least loss of a small game between two numbers, in many digits and by none of the library's code: f(r) at a point above, and below the dual value
 * d(lambda) = p - lambda - g'(H + lambda I)^{-1} g at a lambda where H + lambda I has a Cholesky factor.
 *
 * <p>The sphere problem is that of the paper: L = [sqrt(gamma)/2 X sqrt(C), z/2] and b = y - z/2, both without what the immutable columns explain.
 * lambda is the root of ||(H + lambda I)^{-1} g|| = 1 by Newton from the left, or -lambda_min where there is none (the hard case).
 */
final class Oracle {
    private final PredictionGame game;
    private final int bits;
    private final int d;
    private final Wide[] weights;
    private final Wide[][] x;
    private final Wide[] y;
    private final Wide[] z;
    private final Wide[] sd;

    private final Wide[][] h;
    private final Wide[] g;
    private final Wide p;
    private final Wide p0;
    /** The size of the problem, and what is nothing against it: half of the digits. */
    private final Wide size;

    private final Wide little;
    /** ||y||^2 + ||z||^2. */
    private final Wide dust;

    private Wide multiplier;
    private Wide lower;
    private Wide upper;
    private Wide[] point;

    private Oracle(PredictionGame game, int bits) {
        this.game = game;
        this.bits = bits;
        this.weights = Wide.of(game.weights(), bits);
        int rows = weights.length;
        this.d = game.x().cols() + 1;
        Wide half = Wide.of(0.5, bits);
        Wide rootGamma = Wide.of(game.gamma(), bits).root().times(half);
        double[] costs = game.costs();
        Wide[][] l = new Wide[d][rows];
        Wide[] b = new Wide[rows];
        this.y = Wide.of(game.y(), bits);
        this.z = Wide.of(game.z(), bits);
        this.sd = Wide.of(game.wishNoise(), bits);
        this.x = Arrays.stream(Nasty.rows(game.x()))
                .map(row -> Wide.of(row, bits))
                .toArray(Wide[][]::new);
        for (int i = 0; i < rows; i++) {
            l[d - 1][i] = z[i].scaled(-1);
            b[i] = y[i].minus(l[d - 1][i]);
        }
        this.dust = dot(y, y).plus(dot(z, z));
        for (int j = 0; j < d - 1; j++) {
            // a feature that is costlier to move has the larger column
            Wide factor = rootGamma.times(Wide.of(costs[j], bits).root());
            for (int i = 0; i < rows; i++) {
                l[j][i] = factor.times(x[i][j]);
            }
        }
        // before anything is taken away: what the projection leaves of nothing is nothing against this
        Wide squares = dot(b, b);
        Wide total = Wide.of(0, bits);
        for (Wide[] column : l) {
            total = total.plus(dot(column, column));
        }
        List<Wide[]> immutable = basis(game, bits);
        for (Wide[] column : l) {
            remove(immutable, column);
        }
        remove(immutable, b);
        Wide[] rest = y.clone();
        remove(immutable, rest);
        this.p0 = dot(rest, rest);
        // the row of the wish noise, which no column but the last and the right side has
        Wide noise = Wide.of(0, bits);
        for (int i = 0; i < rows; i++) {
            noise = noise.plus(weights[i].times(sd[i]).times(sd[i]));
        }
        noise = noise.times(half).times(half);
        this.h = new Wide[d][d];
        this.g = new Wide[d];
        for (int j = 0; j < d; j++) {
            for (int k = 0; k <= j; k++) {
                h[j][k] = dot(l[j], l[k]);
                h[k][j] = h[j][k];
            }
            g[j] = dot(l[j], b).negated();
        }
        h[d - 1][d - 1] = h[d - 1][d - 1].plus(noise);
        g[d - 1] = g[d - 1].plus(noise);
        this.p = dot(b, b).plus(noise);
        total = total.plus(noise);
        this.size = total.plus(total.times(squares.plus(noise)).root());
        this.little = size.scaled(-9L * bits / 20);
    }

    /** The game's least loss, to about half of these bits of the size of H and g. */
    static Oracle of(PredictionGame game, int bits) {
        Oracle oracle = new Oracle(game, bits);
        oracle.solve();
        return oracle;
    }

    /** No rule loses less. */
    Wide lower() {
        return lower;
    }

    /** The loss of the best rule, or of the limit point. */
    Wide upper() {
        return upper;
    }

    /**
     * What no claim is about: a vector of which the immutable columns leave no more than 16 units in its last place is 0 to the library, and this is the
     * square of that for y and z; and the digits that this oracle has not.
     */
    Wide nothing() {
        return dust.scaled(-96).plus(size.plus(dust).scaled(64L - bits));
    }

    /** ||P y||^2: the loss of the best rule that uses immutable columns only. */
    Wide p0() {
        return p0;
    }

    Wide multiplier() {
        return multiplier;
    }

    /** The last entry of a minimiser that has the smallest one: 1 if only the limit point is optimal. */
    double[] point() {
        return Arrays.stream(point).mapToDouble(Wide::toDouble).toArray();
    }

    /** f(r/||r||). */
    Wide objective(double[] r) {
        return objective(unit(Wide.of(r, bits)));
    }

    /** f(0, ..., 0, 1), the loss of the limit point. */
    Wide limit() {
        return h[d - 1][d - 1].plus(g[d - 1].scaled(1)).plus(p);
    }

    /** Whether H + shift I is positive definite, or would be with next to nothing added. */
    boolean isPositive(Wide shift) {
        return size.signum() == 0 || factor(shift.plus(little)) != null;
    }

    /** In this oracle's digits. */
    Wide wide(double value) {
        return Wide.of(value, bits);
    }

    /** The leader's loss of a rule in the game, person by person. */
    Wide loss(LinearRule rule) {
        double[] costs = game.costs();
        double[][] v = game.immutable();
        Wide[] w = Wide.of(rule.w(), bits);
        Wide[] q = Wide.of(rule.q(), bits);
        Wide omega = Wide.of(0, bits);
        for (int j = 0; j < w.length; j++) {
            omega = omega.plus(w[j].times(w[j]).over(Wide.of(costs[j], bits)));
        }
        Wide share = Wide.of(game.population().truthfulShare(), bits);
        Wide one = Wide.of(1, bits);
        Wide loss = Wide.of(0, bits);
        for (int i = 0; i < weights.length; i++) {
            Wide prediction = Wide.of(rule.intercept(), bits);
            for (int j = 0; j < w.length; j++) {
                prediction = prediction.plus(w[j].times(x[i][j]));
            }
            for (int j = 0; j < q.length; j++) {
                prediction = prediction.plus(q[j].times(Wide.of(v[j][i], bits)));
            }
            double gamma = game.population().gamma(i);
            Wide t = Double.isInfinite(gamma) ? Wide.of(0, bits) : omega.over(omega.plus(Wide.of(gamma, bits)));
            Wide plain = prediction.minus(y[i]);
            Wide wish = z[i].minus(prediction);
            Wide moved = plain.plus(t.times(wish));
            Wide noise = t.times(sd[i]);
            Wide squares = moved.times(moved).plus(noise.times(noise));
            loss = loss.plus(weights[i].times(
                    share.times(plain.times(plain)).plus(one.minus(share).times(squares))));
        }
        return loss;
    }

    /** What the last digits of a rule's coefficients may add to its loss: the squares of 64 units in the last place of everything that is added up for a person. */
    Wide rounding(LinearRule rule) {
        double[][] v = game.immutable();
        Wide sum = Wide.of(0, bits);
        for (int i = 0; i < weights.length; i++) {
            Wide all = Wide.of(rule.intercept(), bits).abs().plus(y[i].abs()).plus(z[i].abs());
            for (int j = 0; j < d - 1; j++) {
                all = all.plus(Wide.of(rule.w()[j], bits).times(x[i][j]).abs());
            }
            for (int j = 0; j < v.length; j++) {
                all = all.plus(
                        Wide.of(rule.q()[j], bits).times(Wide.of(v[j][i], bits)).abs());
            }
            sum = sum.plus(weights[i].times(all).times(all));
        }
        return sum.scaled(2 * (6 - 52));
    }

    private void solve() {
        Wide[] smallest = null;
        Wide lambda = little;
        if (size.signum() == 0) {
            finish(Wide.of(0, bits), lastUnit(-1));
            return;
        }
        Wide[][] factor = factor(lambda);
        if (factor == null || norm(rOf(factor)).isLessThan(Wide.of(1, bits))) {
            // the multiplier is not positive: how far down H + lambda I is positive definite
            smallest = smallestEigenvector();
            Wide value = dot2(smallest, times(smallest));
            lambda = value.negated().plus(little.scaled(2));
            factor = factor(lambda);
            for (int more = 3; factor == null; more++) {
                lambda = value.negated().plus(little.scaled(more));
                factor = factor(lambda);
            }
        }
        Wide[] r = rOf(factor);
        if (!Wide.of(1, bits).isLessThan(norm(r))) {
            finish(lambda, complete(r, smallest));
            return;
        }
        // 1/||r|| is concave in lambda, so Newton from the left never passes the root
        Wide close = Wide.of(1, bits).scaled(-2L * bits / 5);
        for (int step = 0; step < 2000; step++) {
            Wide length = norm(r);
            Wide above = length.minus(Wide.of(1, bits));
            if (above.isLessThan(close)) {
                break;
            }
            Wide[] half = forward(factor, r);
            lambda = lambda.plus(length.times(length).over(dot2(half, half)).times(above));
            factor = factor(lambda);
            r = rOf(factor);
        }
        finish(lambda, unit(r));
    }

    /** The point is above, the dual value at lambda below. */
    private void finish(Wide lambda, Wide[] r) {
        multiplier = lambda;
        point = r;
        upper = objective(r);
        Wide[][] factor = factor(lambda.plus(little));
        if (factor == null) {
            lower = Wide.of(0, bits);
            return;
        }
        Wide shift = lambda.plus(little);
        Wide dual = p.minus(shift).plus(dot2(g, rOf(factor)));
        // a sum of squares is never below 0
        lower = dual.max(Wide.of(0, bits));
    }

    /** r0 + tau u on the sphere, with the sign of u that has the smaller last entry. */
    private Wide[] complete(Wide[] r0, Wide[] u) {
        Wide along = dot2(r0, u);
        Wide rest = Wide.of(1, bits).minus(dot2(r0, r0));
        Wide root = along.times(along).plus(rest.max(Wide.of(0, bits))).root();
        Wide[] down = plus(r0, u, along.negated().minus(root));
        Wide[] up = plus(r0, u, root.minus(along));
        return unit(down[d - 1].isLessThan(up[d - 1]) ? down : up);
    }

    /** By inverse iteration with a shift that follows the Rayleigh quotient as far as H + shift I stays positive definite. */
    private Wide[] smallestEigenvector() {
        Wide[] u = new Wide[d];
        for (int j = 0; j < d; j++) {
            u[j] = Wide.of(1 + 0.37 * ((j * 7 + 3) % 5), bits);
        }
        u = unit(u);
        Wide shift = size.scaled(-8);
        Wide[][] factor = factor(shift);
        for (int step = 0; step < 400; step++) {
            u = unit(backward(factor, forward(factor, u)));
            Wide[] hu = times(u);
            Wide value = dot2(u, hu);
            Wide off = norm(plus(hu, u, value.negated())).max(little);
            Wide tighter = value.negated().plus(off.scaled(1));
            if (off.equals(little)) {
                break;
            }
            for (int back = 0; back < 6 && tighter.isLessThan(shift); back++) {
                Wide[][] next = factor(tighter);
                if (next != null) {
                    factor = next;
                    shift = tighter;
                    break;
                }
                tighter = tighter.plus(shift).scaled(-1);
            }
        }
        return u;
    }

    /** -(H + lambda I)^{-1} g. */
    private Wide[] rOf(Wide[][] factor) {
        Wide[] right = new Wide[d];
        Arrays.setAll(right, j -> g[j].negated());
        return backward(factor, forward(factor, right));
    }

    /** The Cholesky factor of H + shift I; null if a pivot is not positive. */
    private Wide[][] factor(Wide shift) {
        Wide[][] c = new Wide[d][d];
        for (int j = 0; j < d; j++) {
            for (int k = 0; k <= j; k++) {
                Wide value = j == k ? h[j][k].plus(shift) : h[j][k];
                for (int i = 0; i < k; i++) {
                    value = value.minus(c[j][i].times(c[k][i]));
                }
                if (j == k && value.signum() <= 0) {
                    return null;
                }
                c[j][k] = j == k ? value.root() : value.over(c[k][k]);
            }
        }
        return c;
    }

    private Wide[] forward(Wide[][] c, Wide[] right) {
        Wide[] v = right.clone();
        for (int j = 0; j < d; j++) {
            for (int k = 0; k < j; k++) {
                v[j] = v[j].minus(c[j][k].times(v[k]));
            }
            v[j] = v[j].over(c[j][j]);
        }
        return v;
    }

    private Wide[] backward(Wide[][] c, Wide[] right) {
        Wide[] v = right.clone();
        for (int j = d - 1; j >= 0; j--) {
            for (int k = j + 1; k < d; k++) {
                v[j] = v[j].minus(c[k][j].times(v[k]));
            }
            v[j] = v[j].over(c[j][j]);
        }
        return v;
    }

    private Wide objective(Wide[] r) {
        return dot2(r, times(r)).plus(dot2(g, r).scaled(1)).plus(p);
    }

    private Wide[] times(Wide[] v) {
        Wide[] product = new Wide[d];
        Arrays.setAll(product, j -> dot2(h[j], v));
        return product;
    }

    private Wide[] lastUnit(double last) {
        Wide[] r = Wide.of(new double[d], bits);
        r[d - 1] = Wide.of(last, bits);
        return r;
    }

    private Wide[] unit(Wide[] v) {
        Wide length = norm(v);
        return Arrays.stream(v).map(value -> value.over(length)).toArray(Wide[]::new);
    }

    private Wide norm(Wide[] v) {
        return dot2(v, v).root();
    }

    private static Wide[] plus(Wide[] a, Wide[] b, Wide factor) {
        Wide[] sum = new Wide[a.length];
        Arrays.setAll(sum, j -> a[j].plus(factor.times(b[j])));
        return sum;
    }

    private Wide dot2(Wide[] a, Wide[] b) {
        Wide sum = Wide.of(0, bits);
        for (int i = 0; i < a.length; i++) {
            sum = sum.plus(a[i].times(b[i]));
        }
        return sum;
    }

    /** Over people, by weight. */
    private Wide dot(Wide[] a, Wide[] b) {
        Wide sum = Wide.of(0, bits);
        for (int i = 0; i < a.length; i++) {
            sum = sum.plus(weights[i].times(a[i]).times(b[i]));
        }
        return sum;
    }

    /** Orthonormal columns that span the immutable ones; what is left of a dependent one is only the last digits. */
    private List<Wide[]> basis(PredictionGame game, int bits) {
        List<Wide[]> columns = new ArrayList<>();
        if (game.hasIntercept()) {
            double[] ones = new double[weights.length];
            Arrays.fill(ones, 1);
            columns.add(Wide.of(ones, bits));
        }
        for (double[] column : game.immutable()) {
            columns.add(Wide.of(column, bits));
        }
        List<Wide[]> basis = new ArrayList<>();
        for (Wide[] column : columns) {
            Wide before = dot(column, column);
            remove(basis, column);
            Wide after = dot(column, column);
            if (before.scaled(-bits).isLessThan(after)) {
                Wide length = after.root();
                Arrays.setAll(column, i -> column[i].over(length));
                basis.add(column);
            }
        }
        return basis;
    }

    private void remove(List<Wide[]> basis, Wide[] column) {
        for (int round = 0; round < 2; round++) {
            for (Wide[] e : basis) {
                Wide c = dot(e, column).negated();
                Wide[] less = plus(column, e, c);
                System.arraycopy(less, 0, column, 0, column.length);
            }
        }
    }
}
