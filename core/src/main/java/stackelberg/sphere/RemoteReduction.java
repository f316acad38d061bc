package stackelberg.sphere;

import org.jspecify.annotations.Nullable;
import stackelberg.linalg.Workers;
import stackelberg.sphere.Reduction.RemoteRows;

/** The {@link Reduction} of a game whose rows are on other machines; it reads only sums over all rows. */
final class RemoteReduction extends Reduction {
    private final RemoteFamily family;

    RemoteReduction(
            RemoteRows rows,
            RemoteRows.Totals totals,
            double[] rootCosts,
            double noise,
            double ridge,
            double @Nullable [] effects,
            boolean intercept,
            Workers workers) {
        super(rootCosts, intercept, ridge, effects);
        this.family = new RemoteFamily(rows, totals, rootCosts, noise, workers);
    }

    @Override
    SphereFamily data() {
        return family;
    }

    @Override
    Projection projection() {
        return family.projection();
    }

    @Override
    public double explainedGap() {
        return family.explainedGap();
    }

    @Override
    double[] immutablePart(double[] v, double wish) {
        return family.immutablePart(v, wish);
    }
}
