package stackelberg.model.tuning;

import org.jspecify.annotations.Nullable;
import stackelberg.estimate.Loss;
import stackelberg.game.Response;
import stackelberg.sphere.SphereGeometry;

/**
 * The held-out loss of one rule in one fold, for any gamma of the world. Squared loss is a quadratic function of the
 * world's pull-through, so three sums suffice; for other losses the predictions of the rows are stored.
 *
 * <p>With u = (p - y)/(1 + alpha), alpha the rule's omega over the model's gamma, and d = z - y, the residual in a
 * world with gamma G is (1 - t)(p - y) + t (z - y) = keep u + t d, where keep = (1 - t)(1 + alpha). Dividing by 1 +
 * alpha keeps everything finite at the limit point, which belongs to no finite rule: there t = 1 and keep = G/gamma.
 * With effects, u is (1 - tau)(p - y) with the model's own tau, and the world's tau takes the place of t.
 *
 * @param gamma the model's gamma
 * @param place where the rule lies on the sphere
 * @param uu sum_i s_i u_i^2
 * @param ud sum_i s_i u_i d_i
 * @param dd sum_i s_i (d_i^2 + sigma^2), the noise of the wishes included
 * @param people the held-out rows; null if the loss is squared
 */
record HeldOut(
        double gamma,
        Place place,
        double uu,
        double ud,
        double dd,
        @Nullable People people) {
    /** A rule is treated as infinite if followers close all but this fraction of the gap. */
    private static final double UNBOUNDED = 1e-12;

    /**
     * The figures of a rule's point on the sphere that its held-out loss depends on.
     *
     * @param alphaTilde (alpha - 1)/(alpha + 1), the last coordinate
     * @param below 1 - alphaTilde, which near 1 cannot be computed accurately from alphaTilde
     * @param remainder the factor of y in the error of the scaled prediction: 1/(1 + alpha) = (1 - alphaTilde)/2, or 1
     *     - tau with effects
     * @param real null without effects
     */
    record Place(
            double alphaTilde,
            double below,
            double remainder,
            @Nullable Real real) {
        static Place of(double[] point, SphereGeometry geometry) {
            Real real = geometry.hasEffects() ? new Real(geometry.omega(point), geometry.earned(point)) : null;
            return new Place(
                    point[point.length - 1],
                    SphereGeometry.oneMinusAlphaTilde(point),
                    geometry.oneMinusTau(point),
                    real);
        }

        boolean isUnbounded() {
            return Math.abs(remainder) <= UNBOUNDED;
        }
    }

    /**
     * What effects add.
     *
     * @param omega omega of the rule
     * @param earned beta'C^{-1}w of the rule
     */
    record Real(double omega, double earned) {}

    /**
     * The held-out rows for other losses. The score in a world with gamma G is (1 - t) p + t z = keep p/(1 + alpha) + t
     * z.
     *
     * @param scaled p/(1 + alpha)
     */
    record People(Loss loss, double[] scaled, double[] y, double[] z, double[] weights) {
        double lost(double keep, double t) {
            double sum = 0;
            for (int i = 0; i < scaled.length; i++) {
                sum += weights[i] == 0 ? 0 : weights[i] * loss.value(keep * scaled[i] + t * z[i], y[i]);
            }
            return sum;
        }
    }

    /** Returns the pull-through in a world with gamma worldGamma. */
    double pullThrough(double worldGamma) {
        double omega = place.real != null ? place.real.omega : gamma * (1 + place.alphaTilde) / place.below;
        return Response.pullThrough(omega, worldGamma);
    }

    /**
     * Returns the summed loss in a world with gamma worldGamma, in which each row is truthful with probability
     * truthfulShare.
     */
    double loss(double worldGamma, double truthfulShare) {
        return truthfulShare == 0
                ? moved(worldGamma)
                : truthfulShare * honest() + (1 - truthfulShare) * moved(worldGamma);
    }

    /** Returns the loss before any move, sum_i s_i (p_i - y_i)^2 = (1 + alpha)^2 uu. */
    private double honest() {
        return uu == 0 ? 0 : 4 * uu / (place.below * place.below);
    }

    private double moved(double worldGamma) {
        if (place.real != null) {
            Response there = Response.of(place.real.omega, place.real.earned, worldGamma);
            return Response.loss(there.remainingError() / place.remainder, there.gamed(), uu, ud, dd);
        }
        double keep = Response.scaledRemainder(worldGamma, gamma, (1 + place.alphaTilde) / 2, place.below / 2);
        double t = pullThrough(worldGamma);
        return people != null ? people.lost(keep, t) : Response.loss(keep, t, uu, ud, dd);
    }
}
