package stackelberg.spark;

import java.io.Serializable;
import java.util.List;
import stackelberg.model.StackelbergModel;

/** The certificate of a fitted rule and how it was found: a view of the core's model, which holds more. */
public final class StackelbergSummary implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Fitted fitted;

    StackelbergSummary(Fitted fitted) {
        this.fitted = fitted;
    }

    private StackelbergModel model() {
        return fitted.model();
    }

    /** The gamma that the rule was fitted with. */
    public double gamma() {
        return model().gamma();
    }

    /** The pull-through t: the share of the gap to the wish that each follower closes, from 0 to 1. */
    public double pullThrough() {
        return model().pullThrough();
    }

    /** The loss on the training rows after the move. */
    public double objective() {
        return model().optimality().objective();
    }

    /** The multiplier lambda of the constraint ||r|| = 1. */
    public double multiplier() {
        return model().optimality().multiplier();
    }

    /** A rigorous upper bound on the objective minus the global minimum. */
    public double gapBound() {
        return model().optimality().gapBound();
    }

    /** The gap bound relative to the objective. */
    public double relativeGap() {
        return model().optimality().relativeGap();
    }

    /** The strength of the certificate: PROVEN, ESTIMATED or REFUTED. */
    public String proof() {
        return model().optimality().proof().name();
    }

    /** Whether the minimiser is proven to be unique. */
    public boolean unique() {
        return model().optimality().unique();
    }

    /** Whether a finite best rule exists; false if the limit point (pull-through 1) is proven to be optimal. */
    public boolean finite() {
        return model().optimality().finite();
    }

    /** Whether the rule is finite and its gap is proven to be within the tolerance. */
    public boolean certified() {
        return model().certified();
    }

    /** The name of the core's solver that was used. */
    public String solver() {
        return model().solver().name();
    }

    /** Why the solver stopped. */
    public String status() {
        return model().solver().status();
    }

    /** The number of iterations, in the solver's own unit. */
    public int iterations() {
        return model().solver().iterations();
    }

    /** The number of passes over the data during the solution, without set-up and certificate. */
    public int passes() {
        return model().solver().passes();
    }

    /** A remark on how the rule was found; empty if there is none. */
    public String note() {
        return model().solver().note();
    }

    /** The number of training rows. */
    public long rows() {
        return model().rows();
    }

    private List<Object> values() {
        return List.of(gamma(), pullThrough(), model().optimality(), model().solver(), rows());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StackelbergSummary summary && summary.values().equals(values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "StackelbergSummary[gamma=" + gamma() + ", pullThrough=" + pullThrough() + ", " + model().optimality()
                + ", " + model().solver() + ", rows=" + rows() + "]";
    }
}
