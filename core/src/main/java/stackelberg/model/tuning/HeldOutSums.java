package stackelberg.model.tuning;

/** Gathers {@link HeldOut} for the rules of one fold, person by person: their sums, or where the loss is not squared themselves. */
final class HeldOutSums {
    private final double[] remainders;
    private final double[] uu;
    private final double[] ud;
    private double dd;
    /** By rule what is kept of everybody; null where sums are enough. */
    private final HeldOut.People[] people;

    HeldOutSums(double[] remainders, HeldOut.People[] people) {
        this.remainders = remainders;
        this.people = people;
        this.uu = new double[remainders.length];
        this.ud = new double[remainders.length];
    }

    /** The gap of a person between wish and truth, noise included. */
    void addPerson(double weight, double gap, double noise) {
        dd += weight * (gap * gap + noise);
    }

    /**
     * A person's scaled prediction p/(1 + alpha) under rule j.
     *
     * @param place among those held out
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
