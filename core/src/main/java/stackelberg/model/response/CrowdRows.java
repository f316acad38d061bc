package stackelberg.model.response;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import stackelberg.data.DataException;
import stackelberg.data.Message;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.game.Response;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * A crowd whose followers move by different multiples of their gaps, because limits stop them or because gammas differ:
 * every round is a pass over the rows. A wish that is known up to noise is replaced by the nodes of a quadrature.
 */
final class CrowdRows implements Crowd {
    /** The number of rows whose moves are held at once. */
    private static final int PART = 4096;

    /** The largest number of values held when followers keep their position between rounds, 2 GB. */
    private static final long MOST_VALUES = 1L << 28;

    /**
     * The nodes without limits, +-1 standard deviation: a move is then linear in the wish, so that two nodes with the
     * right mean and variance are exact.
     */
    private static final double[] TWO = {-1, 1};

    private static final double[] HALVES = {0.5, 0.5};

    private final PredictionGame game;
    private final PeopleSums start;
    private final Retraining.Plan plan;
    private final Workers workers;
    /** Which manipulable columns the rules may use. */
    private final boolean[] usable;

    private final double[][] fixed;
    private final double[] y;
    private final double[] z;
    private final double[] weights;
    private final double[] noise;
    private final double[] effects;
    /** The nodes of the wish distribution, in standard deviations of the noise; their probabilities follow. */
    private final double[] nodes;

    private final double[] probabilities;
    /**
     * The current features of each row and its gain in truth so far; null if every round starts from the original
     * features.
     */
    private final double[][] now;

    private PeopleSums movers;

    /** Starts a crowd at the original features, with the quadrature for noisy wishes. */
    CrowdRows(PredictionGame game, PeopleSums start, Retraining.Plan plan, Workers workers) {
        this.game = game;
        this.start = start;
        this.plan = plan;
        this.workers = workers;
        this.usable = Crowd.usableColumns(game, start);
        this.fixed = game.immutable();
        this.y = game.y();
        this.z = game.z();
        this.weights = game.weights();
        this.noise = game.wishNoise();
        this.effects = game.effects().orElse(null);
        boolean noisy = Arrays.stream(noise).anyMatch(sd -> sd > 0);
        boolean limited = game.bounds().isPresent();
        this.nodes = !noisy ? new double[] {0} : limited ? Response.Bounded.wishNodes() : TWO;
        this.probabilities = !noisy ? new double[] {1} : limited ? Response.Bounded.wishProbabilities() : HALVES;
        this.now = plan.memory() == Retraining.Memory.ORIGINAL ? null : positions();
        this.movers = start;
    }

    /** Allocates the current features of every row; throws if they do not fit into the memory allowed for them. */
    private double[][] positions() {
        int n = game.x().cols();
        long people = (long) y.length * nodes.length;
        if (people * (n + 1) > MOST_VALUES) {
            throw new DataException(Message.of(
                    "too-many-values",
                    "If moves start from the present features, retraining would hold {} values in memory, but at most {} are possible.\n"
                            + "Maybe let every move start from the original features with {}, or retrain on fewer people.",
                    people * (n + 1),
                    MOST_VALUES,
                    Message.Choice.word("memory", "ORIGINAL")));
        }
        double[][] all = new double[(int) people][n + 1];
        for (int c = 0; c < all.length; c++) {
            game.x().tile(c / nodes.length, 1, 0, n, DoubleBuffer.wrap(all[c]));
        }
        return all;
    }

    @Override
    public Crowd initial() {
        return new CrowdRows(game, start, plan, workers);
    }

    @Override
    public boolean needsPass() {
        return true;
    }

    @Override
    public void answer(LinearRule rule) {
        PeopleSums.Builder sums = start.builder(workers);
        for (int first = 0; first < y.length; first += PART) {
            answer(rule, first, Math.min(PART, y.length - first), sums);
        }
        movers = sums.build();
    }

    /** Computes the response of a block of rows. */
    private void answer(LinearRule rule, int first, int count, PeopleSums.Builder sums) {
        double[] w = rule.w();
        double omega = rule.omega(game.costs());
        double[] costs = game.costs();
        Response.Bounds bounds = game.bounds().orElseGet(() -> Response.Bounds.none(w.length, null));
        int copies = count * nodes.length;
        double[][] moved = new double[copies][];
        Response.Bounded.each(
                copies,
                (from, many, rows) -> read(first * nodes.length + from, many, rows),
                () -> new Response.Bounded(w, omega, costs, bounds, effects),
                workers,
                (c, person) -> moved[c] = moved(rule, first * nodes.length + c, w, person));
        double[] row = new double[start.order()];
        for (int c = 0; c < copies; c++) {
            int i = first + c / nodes.length;
            System.arraycopy(moved[c], 0, row, 0, w.length);
            for (int j = 0; j < fixed.length; j++) {
                row[w.length + j] = fixed[j][i];
            }
            row[start.wish()] = wish(i, c % nodes.length);
            row[start.truth()] = y[i] + moved[c][w.length];
            sums.add(weights[i] * probabilities[c % nodes.length], row);
        }
        if (now != null) {
            System.arraycopy(moved, 0, now, first * nodes.length, copies);
        }
    }

    /** Reads the features from which a block of rows starts the round. */
    private void read(int from, int many, double[] rows) {
        int n = game.x().cols();
        double[] own = new double[n];
        for (int c = 0; c < many; c++) {
            if (now == null) {
                game.x().tile((from + c) / nodes.length, 1, 0, n, DoubleBuffer.wrap(own));
                System.arraycopy(own, 0, rows, c * n, n);
            } else {
                System.arraycopy(now[from + c], 0, rows, c * n, n);
            }
        }
    }

    /** Returns the features of one copy of a row after the round, followed by its gain in truth. */
    private double[] moved(LinearRule rule, int copy, double[] w, Response.Bounded person) {
        int i = copy / nodes.length;
        double[] from = person.features();
        double p = rule.intercept() + Vectors.dot(w, from);
        double[] q = rule.q();
        for (int j = 0; j < q.length; j++) {
            p += q[j] * fixed[j][i];
        }
        double[] move = new double[w.length];
        person.answer(p, wish(i, copy % nodes.length), game.population().gamma(i))
                .moves(move);
        double[] after = new double[w.length + 1];
        double gained = now == null ? 0 : now[copy][w.length];
        for (int j = 0; j < w.length; j++) {
            double made = (1 - plan.inertia()) * move[j];
            after[j] = from[j] + made;
            gained += effects == null ? 0 : effects[j] * made;
        }
        after[w.length] = gained;
        return after;
    }

    private double wish(int i, int node) {
        return z[i] + nodes[node] * noise[i];
    }

    @Override
    public double loss(LinearRule rule) {
        double share = game.population().truthfulShare();
        double loss = movers.loss(rule);
        return share == 0 ? loss : (1 - share) * loss + share * start.loss(rule);
    }

    @Override
    public LinearRule refit() {
        return movers.mixedWith(start, game.population().truthfulShare())
                .leastSquares(game.hasIntercept(), game.ridge(), game.costs(), usable, workers);
    }
}
