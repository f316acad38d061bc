package stackelberg.estimate;

import java.util.Locale;

/**
 * The leader's loss l(S, y) on one row with score S and target value y, convex in the score.
 *
 * <p>The conjugate l*(a) = sup_S a S - l(S, y) gives the lower bound l(S, y) >= a S - l*(a) for every a and S, from which the certificate of the
 * convex program is built.
 */
public sealed interface Loss {
    /** The squared loss (S - y)^2. */
    Loss SQUARED = new Squared();

    /** The logistic loss log(1 + e^S) - y S, y = 1 for a yes and 0 for a no: the negative log-likelihood of the answer if the score is the log-odds of a yes. */
    Loss LOGISTIC = new Logistic();

    /** Parses a loss: {@code squared}, {@code logistic} or {@code huber:DELTA}. */
    static Loss of(String words) {
        String text = words.strip().toLowerCase(Locale.ROOT);
        if (text.equals("squared")) {
            return SQUARED;
        }
        if (text.equals("logistic")) {
            return LOGISTIC;
        }
        if (text.startsWith("huber:")) {
            try {
                return huber(
                        Double.parseDouble(text.substring("huber:".length()).strip()));
            } catch (NumberFormatException e) {
                // the message below names the accepted forms
            }
        }
        throw new IllegalArgumentException(
                "The loss '" + words + "' is not known.\nMaybe use squared, logistic for targets that"
                        + " are yes or no, or huber:DELTA, in which errors beyond DELTA, in units of the target, count only in proportion.");
    }

    /** The Huber loss: (S - y)^2 for errors up to delta, 2 delta |S - y| - delta^2 beyond, so that outliers count only in proportion to their size. */
    static Loss huber(double delta) {
        return new Huber(delta);
    }

    /** l(S, y), the loss itself. */
    double value(double score, double y);

    /** dl/dS, the first derivative by the score. */
    double slope(double score, double y);

    /** d^2l/dS^2, the second derivative by the score; for the Huber loss the one-sided derivative where it jumps. */
    double curvature(double score, double y);

    /** The curvature of a parabola that touches the loss at S and is nowhere below it: steps by it never rise, and it is positive where the loss is a line. */
    double curvatureAbove(double score, double y);

    /** The conjugate l*(a) = sup_S a S - l(S, y); infinite outside [{@link #lowest}, {@link #highest}]. */
    double conjugate(double a, double y);

    /** The smallest a with a finite conjugate. */
    double lowest(double y);

    /** The largest a with a finite conjugate. */
    double highest(double y);

    /** Returns the text that {@link #of} reads as this loss. */
    String inWords();

    /** The prediction that is shown for a score: the score itself, or under the logistic loss the probability of a yes, 1/(1 + e^-S). */
    default double prediction(double score) {
        return score;
    }

    /** The score that belongs to a prediction: the inverse of {@link #prediction}. */
    default double score(double prediction) {
        return prediction;
    }

    /** Whether the target is yes or no and predictions are probabilities. */
    default boolean isLogistic() {
        return this == LOGISTIC;
    }

    /** Whether this is the squared loss, the only one with a closed form on the sphere. */
    default boolean isSquared() {
        return this == SQUARED;
    }

    /** The squared loss (S - y)^2. */
    final class Squared implements Loss {
        private Squared() {}

        @Override
        public double value(double score, double y) {
            return (score - y) * (score - y);
        }

        @Override
        public double slope(double score, double y) {
            return 2 * (score - y);
        }

        @Override
        public double curvature(double score, double y) {
            return 2;
        }

        @Override
        public double curvatureAbove(double score, double y) {
            return 2;
        }

        @Override
        public double conjugate(double a, double y) {
            return a * y + a * a / 4;
        }

        @Override
        public double lowest(double y) {
            return Double.NEGATIVE_INFINITY;
        }

        @Override
        public double highest(double y) {
            return Double.POSITIVE_INFINITY;
        }

        @Override
        public String inWords() {
            return "squared";
        }

        @Override
        public String toString() {
            return inWords();
        }
    }

    /** The logistic loss log(1 + e^S) - y S. */
    final class Logistic implements Loss {
        private Logistic() {}

        @Override
        public double value(double score, double y) {
            // log(1 + e^S) - y S, written so that e^S cannot overflow and small values keep all their digits
            return Math.log1p(Math.exp(-Math.abs(score))) + (score > 0 ? (1 - y) * score : -y * score);
        }

        @Override
        public double slope(double score, double y) {
            // p - y = (1 - y) - (1 - p): with S > 0, 1 - p is computed directly, because 1 minus a p near 1 would lose
            // its digits
            return score > 0 ? 1 - y - prediction(-score) : prediction(score) - y;
        }

        @Override
        public double curvature(double score, double y) {
            return prediction(score) * prediction(-score);
        }

        @Override
        public double curvatureAbove(double score, double y) {
            // next to 0 the quotient is of rounding
            return Math.abs(score) < 1e-4 ? 0.25 : (prediction(score) - 0.5) / score;
        }

        @Override
        public double conjugate(double a, double y) {
            double p = a + y;
            double rest = 1 - y - a;
            if (p < 0 || rest < 0) {
                return Double.POSITIVE_INFINITY;
            }
            return entropy(p, rest) + entropy(rest, p);
        }

        /** p log p; for p near 1 from rest = 1 - p, which has more correct digits there. */
        private static double entropy(double p, double rest) {
            return p == 0 ? 0 : p * (p > 0.5 ? Math.log1p(-rest) : Math.log(p));
        }

        @Override
        public double lowest(double y) {
            return -y;
        }

        @Override
        public double highest(double y) {
            return 1 - y;
        }

        @Override
        public double prediction(double score) {
            double small = Math.exp(-Math.abs(score));
            return (score > 0 ? 1 : small) / (1 + small);
        }

        @Override
        public double score(double prediction) {
            return Math.log(prediction) - Math.log1p(-prediction);
        }

        @Override
        public String inWords() {
            return "logistic";
        }

        @Override
        public String toString() {
            return inWords();
        }
    }

    /**
     * The Huber loss: (S - y)^2 for errors up to delta, 2 delta |S - y| - delta^2 beyond.
     *
     * @param delta the error from which on the loss grows linearly, in the units of the target; positive
     */
    record Huber(double delta) implements Loss {
        public Huber {
            if (!(delta > 0) || Double.isInfinite(delta)) {
                throw new IllegalArgumentException("The delta of the Huber loss is " + delta
                        + "; it must be positive and finite.\nMaybe write huber:1.5, in units of the target.");
            }
        }

        @Override
        public double value(double score, double y) {
            double size = Math.abs(score - y);
            return size <= delta ? size * size : delta * (2 * size - delta);
        }

        @Override
        public double slope(double score, double y) {
            return 2 * Math.max(-delta, Math.min(delta, score - y));
        }

        @Override
        public double curvature(double score, double y) {
            return Math.abs(score - y) <= delta ? 2 : 0;
        }

        @Override
        public double curvatureAbove(double score, double y) {
            return 2 * Math.min(1, delta / Math.abs(score - y));
        }

        @Override
        public double conjugate(double a, double y) {
            return Math.abs(a) <= 2 * delta ? a * y + a * a / 4 : Double.POSITIVE_INFINITY;
        }

        @Override
        public double lowest(double y) {
            return -2 * delta;
        }

        @Override
        public double highest(double y) {
            return 2 * delta;
        }

        @Override
        public String inWords() {
            return "huber:" + delta;
        }

        @Override
        public String toString() {
            return inWords();
        }
    }
}
