package stackelberg.objective.program;

/** Columns of a game, of each of which a rule has one coefficient. */
interface Columns {
    /** Their number. */
    int size();

    /** C theta. */
    double[] times(double[] theta);

    /** C'nu. */
    double[] transposeTimes(double[] nu);

    /** C'diag(w)C for w >= 0. */
    double[][] gram(double[] w);
}
