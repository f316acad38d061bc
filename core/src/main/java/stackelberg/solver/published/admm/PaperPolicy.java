package stackelberg.solver.published.admm;

import java.util.Optional;
import stackelberg.solver.ProgressListener.Progress;
import stackelberg.solver.SphereResult;

/** The algorithm as published: stop when max(||s - r||, rho ||s - s_previous||) <= eps. */
record PaperPolicy(double eps) implements Policy {
    @Override
    public void extrapolate(AdmmState state) {
        // the paper does not
    }

    @Override
    public Optional<Outcome> review(AdmmState state, Progress now) {
        boolean reached = Math.max(now.primalResidual(), now.dualResidual()) <= eps;
        return reached
                ? Optional.of(new Outcome(
                        state.s().clone(), SphereResult.Status.CONVERGED, "plain: stopped by the residuals"))
                : Optional.empty();
    }

    @Override
    public Outcome interrupted(AdmmState state, SphereResult.Status status) {
        return new Outcome(state.s().clone(), status, "plain: the residuals did not reach eps " + eps);
    }
}
