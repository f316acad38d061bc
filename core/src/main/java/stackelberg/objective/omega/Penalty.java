package stackelberg.objective.omega;

import stackelberg.game.PredictionGame;
import stackelberg.game.Response;

/**
 * honest omega + moving gamma t, t = omega/(gamma + omega): what a ridge adds to the loss of every rule with that omega. It grows with omega and is concave in it, and at
 * one omega it is the same for all rules, so that no sphere problem knows of it.
 *
 * @param honest mu times the share of those who do not move and pay
 * @param moving mu times the share of those who move
 */
record Penalty(double honest, double moving, double gamma) {
    /** Everybody pays, whether they move or not. */
    static Penalty of(PredictionGame game) {
        double share = game.population().truthfulShare();
        return new Penalty(share * game.ridge(), (1 - share) * game.ridge(), game.gamma());
    }

    double at(double omega) {
        return change(0, omega);
    }

    /** By omega. */
    double derivative(double omega) {
        double remainder = Response.remainder(omega, gamma);
        return honest + moving * remainder * remainder;
    }

    /** What the way from one omega to another adds; gamma (t - t') = gamma^2 (omega - omega')/((gamma + omega)(gamma + omega')). */
    double change(double from, double to) {
        return (honest == 0 ? 0 : honest * (to - from)) + movingChange(from, to);
    }

    private double movingChange(double from, double to) {
        if (moving == 0) {
            return 0;
        }
        double remainder = Response.remainder(from, gamma);
        return moving * remainder * (Double.isInfinite(to) ? gamma : Response.remainder(to, gamma) * (to - from));
    }

    /**
     * The s for which the change from an anchor is at least s D on the way to an end, D = (omega - anchor)/(gamma0 + omega): omega is convex in D, so that its tangent lies below, and t is
     * too, or, from gamma0 = gamma on, concave, so that its chord does.
     */
    double slope(double anchor, double end, double gamma0) {
        if (gamma0 < gamma) {
            return derivative(anchor) * (gamma0 + anchor);
        }
        double far = Double.isInfinite(end) ? 1 : (end - anchor) / (gamma0 + end);
        return honest * (gamma0 + anchor) + movingChange(anchor, end) / far;
    }
}
