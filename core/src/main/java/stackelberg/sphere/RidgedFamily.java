package stackelberg.sphere;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem.Evaluation;

/**
 * A family with a ridge (docs/theory.md, "Ridge"). The penalty mu (||u||^2 + gamma t^2) is linear on the sphere, because u'u = gamma t (1 - t): it equals
 * mu gamma t = mu gamma (1 + alphaTilde)/2. H does not change, so the sums of the data are shared.
 *
 * @param data the family without a ridge
 * @param ridge mu, positive
 */
record RidgedFamily(SphereFamily data, double ridge) implements SphereFamily {
    RidgedFamily {
        if (!(ridge > 0) || Double.isInfinite(ridge)) {
            throw new IllegalArgumentException("The ridge is " + ridge + "; it must be 0 or more and finite.");
        }
    }

    @Override
    public SphereFamily withRidge(double mu) {
        return data.withRidge(mu);
    }

    @Override
    public double @Nullable [] effects() {
        return data.effects();
    }

    @Override
    public SphereFamily plain() {
        return data.plain();
    }

    @Override
    public Sums sums() {
        return data.sums();
    }

    @Override
    public Rounding rounding() {
        return data.rounding();
    }

    @Override
    public double zeroRuleLoss() {
        return data.zeroRuleLoss();
    }

    @Override
    public boolean isGram() {
        return data.isGram();
    }

    @Override
    public double[] startSizes() {
        return data.startSizes();
    }

    @Override
    public Workers workers() {
        return data.workers();
    }

    @Override
    public void gramTimes(DenseMatrix v, DenseMatrix out) {
        data.gramTimes(v, out);
    }

    @Override
    public DenseMatrix gram() {
        return data.gram();
    }

    @Override
    public void gram(DenseMatrix out) {
        data.gram(out);
    }

    @Override
    public Optional<Dual> dual() {
        return data.dual();
    }

    @Override
    public Optional<Sparse> sparse() {
        return data.sparse();
    }

    @Override
    public int rankBound() {
        return data.rankBound();
    }

    @Override
    public Evaluation[] evaluate(double[] gammas, double[][] r) {
        Evaluation[] evaluations = data.evaluate(gammas, r);
        for (int c = 0; c < gammas.length; c++) {
            evaluations[c] = at(gammas[c]).tilted(evaluations[c], r[c]);
        }
        return evaluations;
    }
}
