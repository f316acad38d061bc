package stackelberg.solver.published.admm;

import java.util.Optional;
import stackelberg.solver.ProgressListener.Progress;
import stackelberg.solver.SphereResult;

/** The published algorithm: it only has a stopping rule, max(||s - r||, rho ||s - s_previous||) <= eps. */
record PaperPolicy(double eps) implements Policy {
    @Override
    public void extrapolate(AdmmState state) {
        // the published algorithm does not extrapolate
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
