package stackelberg.objective.omega;

import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import stackelberg.game.PredictionGame;
import stackelberg.game.Response;

/**
 * The ridge's penalty sum_k mu_k gamma_k t_k with t_k = omega/(gamma_k + omega), one part for each gamma. It is the same
 * for all rules with the same omega and therefore not part of the sphere problems. It increases with omega and is
 * concave in it.
 */
record Penalty(List<Part> parts) {
    /**
     * The penalty of the rows with one gamma.
     *
     * @param mu mu times the share of these rows
     * @param gamma their gamma; infinite for rows that do not move, whose penalty is mu omega
     */
    private record Part(double mu, double gamma) {
        /**
         * Returns the change between two omegas: gamma (t - t') = gamma^2 (omega - omega')/((gamma + omega)(gamma +
         * omega')).
         */
        double change(double from, double to) {
            double remainder = Response.remainder(from, gamma);
            return mu * remainder * (Double.isInfinite(to) ? gamma : Response.remainder(to, gamma) * (to - from));
        }

        double derivative(double omega) {
            double remainder = Response.remainder(omega, gamma);
            return mu * remainder * remainder;
        }

        double slope(double anchor, double end, double gamma0) {
            if (gamma0 < gamma) {
                return derivative(anchor) * (gamma0 + anchor);
            }
            double far = Double.isInfinite(end) ? 1 : (end - anchor) / (gamma0 + end);
            return change(anchor, end) / far;
        }
    }

    /** Returns the penalty of a game; every row pays, whether it moves or not. */
    static Penalty of(PredictionGame game) {
        Map<Double, Double> shares = game.population().shares(game::weight);
        return new Penalty(shares.entrySet().stream()
                .map(part -> new Part(game.ridge() * part.getValue(), part.getKey()))
                .filter(part -> part.mu > 0)
                .toList());
    }

    double at(double omega) {
        return sum(part -> part.change(0, omega));
    }

    /** Returns the derivative by omega. */
    double derivative(double omega) {
        return sum(part -> part.derivative(omega));
    }

    /**
     * Returns an s such that the change from an anchor is at least s D up to the given end, where D = (omega -
     * anchor)/(gamma0 + omega). omega is convex in D, so its tangent lies below it. t is convex too, or, for gamma0 >=
     * gamma, concave, so that its chord lies below it.
     */
    double slope(double anchor, double end, double gamma0) {
        return sum(part -> part.slope(anchor, end, gamma0));
    }

    private double sum(ToDoubleFunction<Part> of) {
        double sum = 0;
        for (Part part : parts) {
            sum += of.applyAsDouble(part);
        }
        return sum;
    }
}
