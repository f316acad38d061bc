package stackelberg.objective.program;

/**
 * ||u||^2 + gamma (tau - 1/2)^2 <= gamma/4 as the unit ball of r = (2u/sqrt(gamma), 2 tau - 1), and the ridge on it, which on its sphere is linear: mu gamma tau.
 *
 * @param gamma how hard it is to move
 * @param ridge mu
 */
record Ball(double gamma, double ridge) {
    /** sqrt(gamma)/2, du/dr. */
    double half() {
        return Math.sqrt(gamma) / 2;
    }

    /** mu gamma, what tau = 1 costs. */
    double tilt() {
        return ridge * gamma;
    }

    /** u, or the change of it for a change of r. */
    double[] u(double[] r) {
        double[] u = new double[r.length - 1];
        double half = half();
        for (int j = 0; j < u.length; j++) {
            u[j] = half * r[j];
        }
        return u;
    }

    static double tau(double[] r) {
        return (1 + r[r.length - 1]) / 2;
    }

    double penalty(double[] r) {
        return tilt() * tau(r);
    }

    /** dF/dr from dF/du and dF/dtau, the ridge included. */
    double[] slopes(double[] byU, double byTau) {
        double[] slopes = new double[byU.length + 1];
        double half = half();
        for (int j = 0; j < byU.length; j++) {
            slopes[j] = half * byU[j];
        }
        slopes[byU.length] = (byTau + tilt()) / 2;
        return slopes;
    }
}
