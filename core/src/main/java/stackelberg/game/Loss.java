package stackelberg.game;

import java.util.Locale;

/**
 * l(S, y), what the leader loses on a person whose score is S and whose truth is y: convex in the score.
 *
 * <p>The conjugate l*(a) = sup_S a S - l(S, y) bounds every loss from below, which is what certificates are made of.
 */
public sealed interface Loss {
    /** (S - y)^2. */
    Loss SQUARED = new Squared();

    /** log(1 + e^S) - y S for y in [0, 1]: minus the log-likelihood of a yes where the score is its log-odds. */
    Loss LOGISTIC = new Logistic();

    /** The loss in words: {@code squared}, {@code logistic}, {@code huber:DELTA}. */
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
                // told below
            }
        }
        throw new IllegalArgumentException(
                "The loss '" + words + "' is not known.\nMaybe use squared, logistic for targets that"
                        + " are yes or no, or huber:DELTA, which counts errors beyond DELTA of the target's units no more than in proportion.");
    }

    /** (S - y)^2 up to delta, then 2 delta |S - y| - delta^2: outliers count in proportion. */
    static Loss huber(double delta) {
        return new Huber(delta);
    }

    /** l(S, y). */
    double value(double score, double y);

    /** dl/dS. */
    double slope(double score, double y);

    /** d^2l/dS^2. */
    double curvature(double score, double y);

    /** l*(a); infinite outside its domain. */
    double conjugate(double a, double y);

    /** The least a whose conjugate is finite. */
    double lowest(double y);

    /** The largest a whose conjugate is finite. */
    double highest(double y);

    /** What {@link #of} reads. */
    String inWords();

    /** The prediction that people read, of a score: the score itself, or the probability of a yes. */
    default double prediction(double score) {
        return score;
    }

    /** The score of a prediction. */
    default double score(double prediction) {
        return prediction;
    }

    /** Whether the target is yes or no and predictions are probabilities. */
    default boolean isLogistic() {
        return this == LOGISTIC;
    }

    /** Whether it is (S - y)^2. */
    default boolean isSquared() {
        return this == SQUARED;
    }

    /** (S - y)^2. */
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

    /** log(1 + e^S) - y S. */
    final class Logistic implements Loss {
        private Logistic() {}

        @Override
        public double value(double score, double y) {
            // log(1 + e^S) - y S without overflow, and to the last digits where it is small
            return Math.log1p(Math.exp(-Math.abs(score))) + (score > 0 ? (1 - y) * score : -y * score);
        }

        @Override
        public double slope(double score, double y) {
            // 1 - p to its last digits where p is next to 1 and y is 1
            return score > 0 ? 1 - y - prediction(-score) : prediction(score) - y;
        }

        @Override
        public double curvature(double score, double y) {
            return prediction(score) * prediction(-score);
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

        /** p log p, from 1 - p where p has lost it. */
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
     * (S - y)^2 up to delta, 2 delta |S - y| - delta^2 beyond.
     *
     * @param delta in the units of the target
     */
    record Huber(double delta) implements Loss {
        public Huber {
            if (!(delta > 0) || Double.isInfinite(delta)) {
                throw new IllegalArgumentException("The delta of the Huber loss is " + delta
                        + "; it must be positive and finite.\nMaybe write huber:1.5, in units of the target.");
            }
            GameSpec.requireSize("The delta of the Huber loss", delta);
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
