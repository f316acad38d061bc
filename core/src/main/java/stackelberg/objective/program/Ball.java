package stackelberg.objective.program;

/**
 * The ball ||u||^2 + gamma (tau - 1/2)^2 &lt;= gamma/4, represented as the unit ball of r = (2u/sqrt(gamma), 2 tau -
 * 1), with the ridge on it, which on the sphere is linear: mu gamma tau.
 *
 * @param gamma the gamma
 * @param ridge mu
 */
record Ball(double gamma, double ridge) {
    /** Returns sqrt(gamma)/2 = du/dr. */
    double half() {
        return Math.sqrt(gamma) / 2;
    }

    /** Returns mu gamma, the penalty at tau = 1. */
    double tilt() {
        return ridge * gamma;
    }

    /** Returns u for a point r, or the change of u for a change of r. */
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

    /** Returns dF/dr from dF/du and dF/dtau, the ridge included. */
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
