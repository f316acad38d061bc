package stackelberg.spark;

import java.io.Serializable;
import java.util.List;
import stackelberg.model.StackelbergModel;

/** What is known about a fitted rule: how good it is, and how it was found. A view of the core's model, which knows more. */
public final class StackelbergSummary implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Fitted fitted;

    StackelbergSummary(Fitted fitted) {
        this.fitted = fitted;
    }

    private StackelbergModel model() {
        return fitted.model();
    }

    /** How hard the model thinks it is to move. */
    public double gamma() {
        return model().gamma();
    }

    /** t, the fraction of the gap to their wish that everybody closes. */
    public double pullThrough() {
        return model().pullThrough();
    }

    /** The loss on the training rows after everybody has moved. */
    public double objective() {
        return model().optimality().objective();
    }

    /** lambda. */
    public double multiplier() {
        return model().optimality().multiplier();
    }

    /** A rigorous upper bound of how far the objective is above the global minimum. */
    public double gapBound() {
        return model().optimality().gapBound();
    }

    /** The same against the objective. */
    public double relativeGap() {
        return model().optimality().relativeGap();
    }

    /** PROVEN, ESTIMATED or REFUTED. */
    public String proof() {
        return model().optimality().proof().name();
    }

    /** Whether the optimum is proven to be the only one. */
    public boolean unique() {
        return model().optimality().unique();
    }

    /** False if believing everybody is as good, so that the best rule would be infinitely large. */
    public boolean finite() {
        return model().optimality().finite();
    }

    /** Proven within the tolerance, and finite. */
    public boolean certified() {
        return model().certified();
    }

    /** The name of the core's solver. */
    public String solver() {
        return model().solver().name();
    }

    /** Why it stopped. */
    public String status() {
        return model().solver().status();
    }

    /** In the solver's own unit. */
    public int iterations() {
        return model().solver().iterations();
    }

    /** Products with the data during the solution, set-up and certificate not counted. */
    public int passes() {
        return model().solver().passes();
    }

    /** What the user should know about the way taken, or empty. */
    public String note() {
        return model().solver().note();
    }

    /** How many were fitted. */
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
