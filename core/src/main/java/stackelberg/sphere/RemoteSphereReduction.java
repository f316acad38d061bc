package stackelberg.sphere;

import java.util.Arrays;
import stackelberg.game.LinearRule;
import stackelberg.linalg.Workers;

/** {@link SphereReduction} for a game whose rows are kept elsewhere: to the sphere and back through sums over all rows. */
public final class RemoteSphereReduction implements Reduction {
    private final RemoteFamily family;
    private final double[] rootCosts;
    private final boolean intercept;

    private RemoteSphereReduction(RemoteFamily family, double[] rootCosts, boolean intercept) {
        this.family = family;
        this.rootCosts = rootCosts;
        this.intercept = intercept;
    }

    /**
     * Reads the rows twice, once if V is empty, three times if it is badly conditioned.
     *
     * @param totals of these rows
     * @param costs one for each column of X
     * @param noise s^2, the summed variance of the wishes
     * @param intercept whether the first column of V is the ones of an intercept
     */
    public static RemoteSphereReduction of(
            RemoteRows rows,
            RemoteRows.Totals totals,
            double[] costs,
            double noise,
            boolean intercept,
            Workers workers) {
        double[] rootCosts = Arrays.stream(costs).map(Math::sqrt).toArray();
        return new RemoteSphereReduction(
                new RemoteFamily(rows, totals, rootCosts, noise, workers), rootCosts, intercept);
    }

    @Override
    public SphereFamily family() {
        return family;
    }

    @Override
    public LinearRule recover(double[] r, double gamma) {
        return SphereReduction.recover(r, gamma, rootCosts, family.scaledFixedPart(r, gamma), intercept);
    }

    @Override
    public LinearRule recoverScaled(double[] r, double gamma) {
        return SphereReduction.recoverScaled(r, gamma, rootCosts, family.scaledFixedPart(r, gamma), intercept);
    }
}
