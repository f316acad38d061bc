package stackelberg.model.tuning;

/** Accumulates the {@link HeldOut} of one fold's rules row by row. */
final class HeldOutSums {
    private final double[] remainders;
    private final double[] uu;
    private final double[] ud;
    private double dd;
    /** The stored rows by rule; null if sums suffice. */
    private final HeldOut.People[] people;

    HeldOutSums(double[] remainders, HeldOut.People[] people) {
        this.remainders = remainders;
        this.people = people;
        this.uu = new double[remainders.length];
        this.ud = new double[remainders.length];
    }

    /** Adds the gap of a row between wish and truth, and its noise. */
    void addPerson(double weight, double gap, double noise) {
        dd += weight * (gap * gap + noise);
    }

    /**
     * Adds the scaled prediction p/(1 + alpha) of a row by rule j.
     *
     * @param place the position among the held-out rows
     */
    void addPrediction(int j, int place, double weight, double scaled, double y, double gap) {
        if (people != null) {
            people[j].scaled()[place] = scaled;
            return;
        }
        double u = scaled - remainders[j] * y;
        uu[j] += weight * u * u;
        ud[j] += weight * u * gap;
    }

    HeldOut[] heldOut(double[] gammas, FoldRules rules) {
        HeldOut[] result = new HeldOut[gammas.length];
        for (int j = 0; j < result.length; j++) {
            FoldRules.Place place = rules.places().get(j);
            result[j] = new HeldOut(
                    gammas[j],
                    place.alphaTilde(),
                    place.below(),
                    uu[j],
                    ud[j],
                    dd,
                    place.real(),
                    people == null ? null : people[j]);
        }
        return result;
    }
}
