package stackelberg.solver.published.admm;

/** How rho, the penalty of ||s - r||^2, is chosen. */
public sealed interface Penalty {
    /** One rho from beginning to end, and with it the algorithm as published. */
    static Penalty fixed(double rho) {
        return new Fixed(rho);
    }

    /** rho follows the multiplier, with the acceleration, the escapes and the stopping rule that make it an algorithm for everybody. */
    static Penalty adaptive() {
        return new Adaptive();
    }

    /** The paper's rho > 0. */
    record Fixed(double rho) implements Penalty {
        public Fixed {
            if (!(rho > 0) || Double.isInfinite(rho)) {
                throw new IllegalArgumentException("rho is " + rho + "; it must be positive and finite.");
            }
        }
    }

    /** rho = 2 lambda or so, wherever lambda turns out to be. */
    record Adaptive() implements Penalty {}
}
