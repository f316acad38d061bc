package stackelberg.model.tuning;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereGeometry;
import stackelberg.sphere.SphereProblem;

/**
 * The rules that are to be judged: every gamma with every ridge, all gammas with the first ridge, then with the second, and so on.
 *
 * @param gammas of each
 * @param ridges MU of each, per person
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

    /** The same where every gamma is so many times as large. */
    Candidates stretched(double factor) {
        return factor == 1
                ? this
                : new Candidates(
                        Arrays.stream(gammas).map(gamma -> factor * gamma).toArray(), ridges);
    }

    int count() {
        return gammas.length;
    }

    /** The sphere of each. */
    List<SphereGeometry> geometries(SphereFamily family) {
        double[] effects = family.effects();
        return Arrays.stream(gammas)
                .mapToObj(gamma -> SphereGeometry.of(gamma, effects))
                .toList();
    }

    /**
     * The sphere problem of each, on the data of one fold.
     *
     * @param weight the sum of the weights of its people
     */
    List<SphereProblem> problems(SphereFamily family, double weight) {
        return IntStream.range(0, count())
                .mapToObj(j -> family.withRidge(ridges[j] * weight).at(gammas[j]))
                .toList();
    }
}
