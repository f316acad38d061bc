package stackelberg.model.tuning;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;

/**
 * The models to compare: every gamma with the first ridge, then every gamma with the second, and so on.
 *
 * @param gammas the gamma of each model
 * @param ridges the ridge MU of each model, per unit of weight
 */
record Candidates(double[] gammas, double[] ridges) {
    static Candidates of(double[] gammas, double[] ridges) {
        int count = gammas.length * ridges.length;
        double[] allGammas = new double[count];
        double[] allRidges = new double[count];
        Arrays.setAll(allGammas, j -> gammas[j % gammas.length]);
        Arrays.setAll(allRidges, j -> ridges[j / gammas.length]);
        return new Candidates(allGammas, allRidges);
    }

    /** Returns the candidates with all gammas multiplied by a factor. */
    Candidates stretched(double factor) {
        return factor == 1
                ? this
                : new Candidates(
                        Arrays.stream(gammas).map(gamma -> factor * gamma).toArray(), ridges);
    }

    /** Returns the index of the first model with the ridge after that of a model. */
    int nextRidge(int model) {
        int next = model + 1;
        while (next < ridges.length && ridges[next] == ridges[model]) {
            next++;
        }
        return next;
    }

    int count() {
        return gammas.length;
    }

    /**
     * Returns the sphere problem of each candidate on the data of one fold.
     *
     * @param weight the sum of the fold's sample weights
     */
    List<SphereProblem> problems(SphereFamily family, double weight) {
        return IntStream.range(0, count())
                .mapToObj(j -> family.withRidge(ridges[j] * weight).at(gammas[j]))
                .toList();
    }
}
