package stackelberg.objective.program;

/** Columns of a game, each with one coefficient of a rule. */
interface Columns {
    /** Returns the number of columns. */
    int size();

    /** Returns C theta. */
    double[] times(double[] theta);

    /** Returns C'nu. */
    double[] transposeTimes(double[] nu);

    /** Returns C'diag(w)C for w >= 0. */
    double[][] gram(double[] w);
}
