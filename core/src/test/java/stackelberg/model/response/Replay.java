package stackelberg.model.response;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Vectors;

/**
 * Retraining by hand: every person a row, or several of them where it is truthful with some probability or its wish is known up to noise, and each rule the QR
 * factorisation of all rows as they then are.
 */
final class Replay {
    private final PredictionGame game;
    private final Retraining.Plan plan;
    private final double[] costs;
    private final List<Person> people = new ArrayList<>();

    private static final class Person {
        private double weight;
        private double gamma;
        private double wish;
        private double[] original;
        private double[] features;
        private double[] fixed;
        private double truth;
        private double gained;
    }

    Replay(PredictionGame game, Retraining.Plan plan) {
        this.game = game;
        this.plan = plan;
        this.costs = game.costs();
        double[] weights = game.weights();
        double[] noise = game.wishNoise();
        double share = game.population().truthfulShare();
        for (int i = 0; i < game.y().length; i++) {
            add(i, share * weights[i], Double.POSITIVE_INFINITY, 0);
            double sd = noise[i];
            // two wishes have the mean and the variance of any that are distributed about one
            add(i, (1 - share) * weights[i] / 2, game.population().gamma(i), sd);
            add(i, (1 - share) * weights[i] / 2, game.population().gamma(i), -sd);
        }
    }

    private void add(int i, double weight, double gamma, double off) {
        Person person = new Person();
        person.weight = weight;
        person.gamma = gamma;
        person.wish = game.z()[i] + off;
        person.original = new double[game.x().cols()];
        game.x().tile(i, 1, 0, person.original.length, java.nio.DoubleBuffer.wrap(person.original));
        person.features = person.original.clone();
        person.fixed = Arrays.stream(game.immutable()).mapToDouble(v -> v[i]).toArray();
        person.truth = game.y()[i];
        people.add(person);
    }

    void answer(LinearRule rule) {
        double[] effects = game.effects().orElse(new double[game.x().cols()]);
        for (Person person : people) {
            boolean anew = plan.memory() == Retraining.Memory.ORIGINAL;
            double[] from = anew ? person.original : person.features;
            double[] answer = answer(rule, from, person);
            double[] to = from.clone();
            double gained = anew ? 0 : person.gained;
            for (int j = 0; j < to.length; j++) {
                double move = (1 - plan.inertia()) * (answer[j] - from[j]);
                to[j] += move;
                gained += move * effects[j];
            }
            person.features = to;
            person.gained = gained;
        }
    }

    /** By the closed form, or x_j = clip(from_j - s w_j/(gamma c_j)) where s, what the score then is off the wish, is found by halving. */
    private double[] answer(LinearRule rule, double[] from, Person person) {
        double[] x = from.clone();
        double[] w = rule.w();
        if (game.bounds().isEmpty()) {
            double gap = person.wish - prediction(rule, from, person.fixed);
            for (int j = 0; j < x.length; j++) {
                x[j] += gap / (person.gamma + rule.omega(costs)) * w[j] / costs[j];
            }
            return x;
        }
        double far = 1e6;
        double[] least = new double[x.length];
        double[] most = new double[x.length];
        for (int j = 0; j < x.length; j++) {
            int at = j;
            least[j] =
                    game.bounds().map(all -> Math.min(all.low()[at], from[at])).orElse(-far);
            most[j] =
                    game.bounds().map(all -> Math.max(all.high()[at], from[at])).orElse(far);
        }
        double low = -far;
        double high = far;
        for (int halving = 0; halving < 100 && !Double.isInfinite(person.gamma); halving++) {
            double off = (low + high) / 2;
            for (int j = 0; j < x.length; j++) {
                double to = from[j] - off * w[j] / (person.gamma * costs[j]);
                x[j] = Math.min(Math.max(to, least[j]), most[j]);
            }
            if (prediction(rule, x, person.fixed) - person.wish > off) {
                low = off;
            } else {
                high = off;
            }
        }
        return x;
    }

    private static double prediction(LinearRule rule, double[] x, double[] v) {
        return rule.intercept() + Vectors.dot(rule.w(), x) + Vectors.dot(rule.q(), v);
    }

    double loss(LinearRule rule) {
        double loss = 0;
        for (Person person : people) {
            double off = prediction(rule, person.features, person.fixed) - person.truth - person.gained;
            loss += person.weight * off * off;
        }
        return loss;
    }

    LinearRule refit() {
        int n = game.x().cols();
        int k = game.immutable().length;
        int ones = game.hasIntercept() ? 1 : 0;
        int penalised = game.ridge() > 0 ? n : 0;
        double[][] a = new double[people.size() + penalised][n + k + ones + 1];
        for (int i = 0; i < people.size(); i++) {
            Person person = people.get(i);
            System.arraycopy(person.features, 0, a[i], 0, n);
            System.arraycopy(person.fixed, 0, a[i], n, k);
            Arrays.fill(a[i], n + k, n + k + ones, 1);
            a[i][n + k + ones] = person.truth + person.gained;
            for (int j = 0; j < a[i].length; j++) {
                a[i][j] *= Math.sqrt(person.weight);
            }
        }
        for (int j = 0; j < penalised; j++) {
            a[people.size() + j][j] = Math.sqrt(game.ridge() / costs[j]);
        }
        double[] solution = leastSquares(a, n + k + ones);
        return new LinearRule(
                Arrays.copyOf(solution, n), Arrays.copyOfRange(solution, n, n + k), ones > 0 ? solution[n + k] : 0);
    }

    /** The last column on the others, by Householder's reflections. */
    private static double[] leastSquares(double[][] a, int cols) {
        for (int k = 0; k < cols; k++) {
            double norm = 0;
            for (int i = k; i < a.length; i++) {
                norm = Math.hypot(norm, a[i][k]);
            }
            double alpha = a[k][k] > 0 ? -norm : norm;
            double[] v = new double[a.length];
            for (int i = k; i < a.length; i++) {
                v[i] = a[i][k];
            }
            v[k] -= alpha;
            double vv = Arrays.stream(v).map(value -> value * value).sum();
            for (int j = k; j <= cols; j++) {
                double sum = 0;
                for (int i = k; i < a.length; i++) {
                    sum += v[i] * a[i][j];
                }
                for (int i = k; i < a.length; i++) {
                    a[i][j] -= 2 * sum / vv * v[i];
                }
            }
        }
        double[] solution = new double[cols];
        for (int k = cols - 1; k >= 0; k--) {
            double sum = a[k][cols];
            for (int j = k + 1; j < cols; j++) {
                sum -= a[k][j] * solution[j];
            }
            solution[k] = sum / a[k][k];
        }
        return solution;
    }
}
