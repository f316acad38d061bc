package stackelberg.model;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.game.GameSpec.Today;
import stackelberg.game.LinearRule;
import stackelberg.game.Population;
import stackelberg.game.PredictionGame;
import stackelberg.game.PublishedRule;
import stackelberg.game.Sample;
import stackelberg.game.World;
import stackelberg.linalg.Workers;
import stackelberg.objective.PreparedGame;

/** Supplies today's rule and the population of a sample, each computed on first use and only once. */
final class SampleSource implements PreparedGame.Source {
    private final Sample sample;
    private final PredictionGame game;
    private final Workers workers;
    private Today today;
    private RuleLosses.Naive naive;

    SampleSource(Sample sample, PredictionGame game, Workers workers) {
        this.sample = sample;
        this.game = game;
        this.workers = workers;
    }

    /** Returns the source for the same sample with other weights; today's rule is shared. */
    SampleSource withWeightsOf(PredictionGame weighed) {
        SampleSource other = new SampleSource(sample, weighed, workers);
        other.today = today;
        other.naive = naive;
        return other;
    }

    @Override
    public Population population(double gamma) {
        World world = sample.spec().rowGamma() == null ? sample.world().withGamma(gamma) : sample.world();
        return world.population(sample.rows());
    }

    @Override
    public List<LinearRule> starts() {
        return today()
                .map(Today::rule)
                .filter(sample.world()::uses)
                .map(this::encoded)
                .filter(LinearRule::isFinite)
                .stream()
                .toList();
    }

    @Override
    public double todaysHonestLoss() {
        inForce();
        return game.lossOf(naive().predictions());
    }

    /** Returns whether learning today's rule would take long. */
    boolean isLarge() {
        return Math.min(game.x().rows(), game.x().cols()) > Training.NAIVE_SIDE;
    }

    /** Returns today's rule, however long it takes to learn. */
    Today inForce() {
        if (today == null) {
            today = sample.today(workers);
        }
        return today;
    }

    /**
     * Returns today's rule; empty if it was neither given nor needed and would take long to learn merely for
     * comparison.
     */
    Optional<Today> today() {
        if (today == null && (sample.spec().today().known() || !isLarge())) {
            today = sample.today(workers);
        }
        return Optional.ofNullable(today);
    }

    /** Returns today's rule with its predictions; null if it is not known. */
    RuleLosses.Naive naive() {
        if (naive == null && today().isPresent()) {
            World world = sample.world();
            // a rule over the game's own columns is evaluated on their matrix, without reading the rows again
            double[] scores = world.uses(today.rule())
                    ? sample.predictions(today.rule(), workers)
                    : sample.scores(today, workers);
            naive = new RuleLosses.Naive(scores, world.omega(today.rule()), world.movedBy(today.rule()));
        }
        return naive;
    }

    /**
     * Returns a rule over the game's own columns in its units. A level without a column is represented by the other
     * levels and the constant.
     */
    LinearRule encoded(PublishedRule published) {
        PublishedRule rule = published.basedOn(sample.world().encoding());
        List<EncodedColumn> columns = sample.world().encoding().columns();
        int manipulable = sample.world().manipulable();
        double[] all = rule.encodedCoefficients(columns);
        double[] w = Arrays.copyOf(Arrays.copyOf(all, manipulable), game.x().cols());
        double constant = rule.encodedConstant(columns);
        if (w.length > manipulable) {
            w[manipulable] = constant;
        }
        double[] q = Arrays.copyOfRange(all, manipulable, all.length);
        return new LinearRule(w, q, game.hasIntercept() ? constant : 0);
    }
}
