package stackelberg.objective.omega;

import stackelberg.game.PredictionGame;
import stackelberg.game.Response;

/**
 * The ridge's penalty honest omega + moving gamma t with t = omega/(gamma + omega), which is the same for all rules
 * with the same omega and therefore not part of the sphere problems. It increases with omega and is concave in it.
 *
 * @param honest mu times the share of rows that pay without moving
 * @param moving mu times the share of rows that move
 */
record Penalty(double honest, double moving, double gamma) {
    /** Returns the penalty of a game; every row pays, whether it moves or not. */
    static Penalty of(PredictionGame game) {
        double share = game.population().truthfulShare();
        return new Penalty(share * game.ridge(), (1 - share) * game.ridge(), game.gamma());
    }

    double at(double omega) {
        return change(0, omega);
    }

    /** Returns the derivative by omega. */
    double derivative(double omega) {
        double remainder = Response.remainder(omega, gamma);
        return honest + moving * remainder * remainder;
    }

    /**
     * Returns the change of the penalty between two omegas, with gamma (t - t') = gamma^2 (omega - omega')/((gamma +
     * omega)(gamma + omega')).
     */
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
     * Returns an s such that the change from an anchor is at least s D up to the given end, where D = (omega -
     * anchor)/(gamma0 + omega). omega is convex in D, so its tangent lies below it. t is convex too, or, for gamma0 >=
     * gamma, concave, so that its chord lies below it.
     */
    double slope(double anchor, double end, double gamma0) {
        if (gamma0 < gamma) {
            return derivative(anchor) * (gamma0 + anchor);
        }
        double far = Double.isInfinite(end) ? 1 : (end - anchor) / (gamma0 + end);
        return honest * (gamma0 + anchor) + movingChange(anchor, end) / far;
    }
}
