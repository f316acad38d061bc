package stackelberg.objective.omega;

/** A point on the axis of omega from which the loss can be bounded from below over an interval that ends there. */
interface Anchor {
    double omega();

    /**
     * Returns a rigorous lower bound of the loss over all rules with lo &lt;= omega &lt;= hi; one of the two ends is
     * this anchor's omega.
     */
    double lowerBound(double lo, double hi);
}
