package stackelberg.spark;

import java.io.Serializable;

/** Maps the entries of a feature vector to the columns of X (manipulable features) and V (intercept and immutable features). */
final class Layout implements Serializable {
    private static final long serialVersionUID = 1L;

    /** For every entry its column j of X, or -1 - j for column j of V. */
    private final int[] place;

    private final boolean intercept;
    private final int fixed;

    private Layout(int[] place, boolean intercept, int fixed) {
        this.place = place;
        this.intercept = intercept;
        this.fixed = fixed;
    }

    static Layout of(int size, int[] immutable, boolean intercept) {
        boolean[] frozen = new boolean[size];
        for (int j : immutable) {
            if (j < 0 || j >= size || frozen[j]) {
                throw ParamWords.refused(
                        "immutable-features-index",
                        "immutableFeatures has the index {}; every index must lie between 0 and {}, the last of the features,"
                                + " and be given once.",
                        j,
                        size - 1);
            }
            frozen[j] = true;
        }
        int[] place = new int[size];
        int fixed = intercept ? 1 : 0;
        int free = 0;
        for (int j = 0; j < size; j++) {
            place[j] = frozen[j] ? -1 - fixed++ : free++;
        }
        if (free == 0) {
            throw ParamWords.refused(
                    "nothing-to-move",
                    "There is no manipulable feature, so no one can move.\nMaybe name fewer features with {}, or use"
                            + " LinearRegression, which is the answer here.",
                    ParamWords.param("immutableFeatures"));
        }
        return new Layout(place, intercept, fixed);
    }

    /** The length of a feature vector. */
    int size() {
        return place.length;
    }

    /** The number of columns of V; a column of ones for the intercept is the first. */
    int fixed() {
        return fixed;
    }

    boolean intercept() {
        return intercept;
    }

    /** The number of columns of X. */
    int features() {
        return place.length - fixed + (intercept ? 1 : 0);
    }

    /** The number of columns of M = [V, X, y, z - y]. */
    int order() {
        return fixed + features() + 2;
    }

    boolean isFixed(int entry) {
        return place[entry] < 0;
    }

    /** The column of an entry: of V if it is immutable, otherwise of X. */
    int column(int entry) {
        return place[entry] < 0 ? -1 - place[entry] : place[entry];
    }
}
