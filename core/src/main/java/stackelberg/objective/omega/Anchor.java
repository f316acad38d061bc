package stackelberg.objective.omega;

/** A place on the axis of omega from which the loss can be bounded below over an interval that ends there. */
interface Anchor {
    double omega();

    /** A rigorous lower bound of the loss over all rules with lo <= omega <= hi, one of which is this anchor's omega. */
    double lowerBound(double lo, double hi);
}
