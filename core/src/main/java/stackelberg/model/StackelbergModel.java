package stackelberg.model;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import stackelberg.certificate.Certificate;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.Message;
import stackelberg.data.Missing;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.game.GameSpec;
import stackelberg.game.LinearRule;
import stackelberg.game.Population;
import stackelberg.game.PublishedRule;
import stackelberg.game.Response;
import stackelberg.game.Sample;
import stackelberg.game.Settings;
import stackelberg.game.World;
import stackelberg.linalg.Workers;
import stackelberg.objective.Pipeline;
import stackelberg.objective.Solution;
import stackelberg.solver.SphereResult;
import stackelberg.sphere.SphereProblem;

/**
 * A fitted rule with everything that is needed to use it, explain it and verify it.
 *
 * <p>It is immutable; {@link ModelFile} reads and writes it.
 */
public final class StackelbergModel {
    /**
     * A coefficient whose share of gamma + omega is at most this moves nobody: it is a millionth of a coefficient that
     * would.
     */
    private static final double ROUNDING = 1e-12;

    /** A coefficient whose share is at most this may be an inaccuracy left where the solver stopped. */
    private static final double STOPPED = 1e-6;

    /** The largest number of names in a message. */
    static final int MOST_NAMED = 10;

    private final World world;
    private final Answer answer;
    private final List<Term> terms;
    private final Optimality optimality;
    private final Background background;
    /** The verdict in the model file, which {@link Optimality#certified} may contradict. */
    private final boolean saysCertified;

    StackelbergModel(World world, Answer answer, Optimality optimality, Background background) {
        this(world, answer, optimality, background, optimality.certified());
    }

    StackelbergModel(World world, Answer answer, Optimality optimality, Background background, boolean saysCertified) {
        this.saysCertified = saysCertified;
        this.world = world;
        this.answer = answer;
        this.optimality = optimality;
        this.background = background;
        List<Term> list = new ArrayList<>();
        List<EncodedColumn> columns = world.encoding().columns();
        double[] costs = world.costs();
        for (int j = 0; j < columns.size(); j++) {
            boolean manipulable = Double.isFinite(costs[j]);
            list.add(new Term(columns.get(j).name(), answer.coefficients[j], manipulable, manipulable ? costs[j] : 0));
        }
        this.terms = List.copyOf(list);
    }

    /**
     * The rule itself.
     *
     * @param intercept the constant term, in the units of the data
     * @param coefficients one per encoded column, in the units of the data
     * @param interceptCoefficient the coefficient of the manipulable ones column in encoded units, which is part of
     *     omega; 0 otherwise
     * @param pullThrough t, the fraction of the gap that followers close; the weighted mean if they differ
     * @param r the point of the sphere from which the rule was recovered; {@code verify} certifies it again
     * @param hedged how the rule was chosen under a hedge; null if none is declared
     * @param limited what is known of the best rule without limits; null if no limits are declared
     * @param between the losses at both ends of a range of gamma; null if gamma is a number
     */
    record Answer(
            double intercept,
            double[] coefficients,
            double interceptCoefficient,
            double pullThrough,
            double[] r,
            Solution.Hedged hedged,
            Limited limited,
            Solution.Between between) {}

    /**
     * What is known of the best rule without limits, whose point is r. The model's own rule is the best one that was
     * found under the limits.
     *
     * @param unlimited what is proven of it, in the game without limits
     * @param promised its loss after the move in that game
     * @param real its loss under the limits; NaN if there is no such rule
     * @param heldBefore the number of people whom a limit stops under it
     * @param held the number of people whom a limit stops under the model's rule
     * @param earned the mean share of the gap that the true target closes under the model's rule; 0 without effects
     * @param starts the number of starting points of the search
     */
    public record Limited(
            Optimality unlimited, double promised, double real, int heldBefore, int held, double earned, int starts) {
        private static Limited of(Solution.Limited limited, double tolerance) {
            return limited == null
                    ? null
                    : new Limited(
                            Optimality.of(limited.unlimited(), tolerance),
                            limited.promised(),
                            limited.real(),
                            limited.heldBefore(),
                            limited.held(),
                            limited.earned(),
                            limited.starts());
        }

        /**
         * Returns whether the limits change anything for the best rule without them; noise of the wishes may reach
         * limits that the wishes themselves do not.
         */
        public boolean binding() {
            return heldBefore > 0 || !(Math.abs(real - promised) <= SAME * Math.abs(promised));
        }

        /** Returns whether the model's rule, which has the given loss, is still the best rule without limits. */
        public boolean kept(double refitted) {
            return Math.abs(refitted - real) <= SAME * Math.abs(real);
        }

        private static final double SAME = 1e-9;
    }

    /**
     * What else is stored with a model.
     *
     * @param solver how the rule was found
     * @param losses the losses of the rule and of today's rule
     * @param provenance the data and options from which it was found
     * @param warnings what the user should act on
     * @param notes explanations of the answer; they need no action
     * @param standardErrors null if none were asked for, or if the rows are not in memory
     */
    public record Background(
            SolverRecord solver,
            Losses losses,
            Provenance provenance,
            List<Message> warnings,
            List<Message> notes,
            StandardErrors standardErrors) {
        public Background {
            warnings = List.copyOf(warnings);
            notes = List.copyOf(notes);
        }

        /** Makes the background of a model that has no notes and no standard errors yet. */
        public Background(SolverRecord solver, Losses losses, Provenance provenance, List<Message> warnings) {
            this(solver, losses, provenance, warnings, List.of(), null);
        }

        private Background with(SolverRecord other, List<Message> otherWarnings) {
            return new Background(other, losses, provenance, otherWarnings, notes, standardErrors);
        }

        private Background explained(List<Message> otherWarnings, List<Message> otherNotes) {
            return new Background(solver, losses, provenance, otherWarnings, otherNotes, standardErrors);
        }

        private Background sure(StandardErrors errors) {
            return new Background(solver, losses, provenance, warnings, notes, errors);
        }
    }

    /**
     * Returns the model of a solution, with the warnings and notes that explain it.
     *
     * @param world the game at the gamma for which it was solved
     * @param pullThrough the mean pull-through
     * @param tolerance the largest relative gap that counts as certified
     */
    public static StackelbergModel of(
            World world, Solution solution, double pullThrough, double tolerance, Background background) {
        LinearRule rule = solution.rule();
        PublishedRule published = published("this rule", rule, world);
        double[] w = rule.w();
        boolean ones = world.intercept() == GameSpec.Intercept.MANIPULABLE;
        Answer answer = new Answer(
                published.intercept(),
                published.coefficients().values().stream()
                        .mapToDouble(Double::doubleValue)
                        .toArray(),
                ones ? w[w.length - 1] : 0,
                pullThrough,
                solution.result().r(),
                solution.detail(Solution.Hedged.class).orElse(null),
                Limited.of(solution.detail(Solution.Limited.class).orElse(null), tolerance),
                solution.detail(Solution.Between.class).orElse(null));
        Certificate certificate = solution.certificate();
        List<Message> warnings = new ArrayList<>(background.warnings());
        if (certificate.finite()) {
            levers(rule, world).ifPresent(warnings::add);
        }
        double share = world.spec().truthfulShare();
        boolean stopped = solution.result().status() == SphereResult.Status.STOPPED_BY_LISTENER
                && !certificate.certified(tolerance);
        warnings.addAll(
                stopped
                        ? Explanations.stoppedWarnings(certificate, tolerance)
                        : answer.limited != null
                                ? Explanations.limitedWarnings(answer.limited, certificate, pullThrough / (1 - share))
                                : Explanations.warnings(solution, pullThrough / (1 - share), tolerance));
        if (answer.limited == null && certificate.finite() && !stopped && !certificate.certified(tolerance)) {
            Explanations.farColumns(world.encoding())
                    .ifPresent(text -> warnings.add(Message.plain("columns-far-from-zero", text)));
        }
        List<Message> notes = new ArrayList<>(background.notes());
        if (answer.limited != null) {
            notes.addAll(Explanations.limitedNotes(answer.limited, solution.loss()));
        }
        solution.detail(Solution.Convex.class)
                .ifPresent(convex -> notes.addAll(Explanations.convexNotes(convex, world, pullThrough)));
        if (answer.limited == null || !answer.limited.binding() && answer.limited.kept(solution.loss())) {
            solution.tie().ifPresent(tie -> notes.addAll(Explanations.notes(tie, world)));
        }
        return new StackelbergModel(
                world, answer, Optimality.of(certificate, tolerance), background.explained(warnings, notes));
    }

    /**
     * Returns a rule in the units of the data; a manipulable intercept becomes part of the constant. Constant columns
     * get the coefficient 0, unless the rule uses them beyond rounding.
     */
    public static PublishedRule published(String name, LinearRule rule, World world) {
        double[] w = rule.w();
        double[] q = rule.q();
        int manipulable = world.manipulable();
        double constant = rule.intercept();
        if (world.intercept() == GameSpec.Intercept.MANIPULABLE) {
            constant += w[w.length - 1];
        }
        Map<String, Double> coefficients = new LinkedHashMap<>();
        Set<String> idle = idle(rule, world, ROUNDING);
        for (Encoding.Feature feature : world.encoding().features()) {
            for (EncodedColumn column : feature.columns()) {
                int j = coefficients.size();
                double encoded = j < manipulable ? w[j] : q[j - manipulable];
                double coefficient = encoded / column.scale();
                constant -= coefficient * column.shift();
                if (idle.contains(column.name())) {
                    constant += coefficient * feature.reach().max();
                    coefficient = 0;
                }
                coefficients.put(column.name(), coefficient);
            }
        }
        return new PublishedRule(name, constant, coefficients);
    }

    /**
     * Returns the constant columns along which nobody moves: limits prevent it, or their share of gamma + omega is at
     * most the given one.
     */
    private static Set<String> idle(LinearRule rule, World world, double part) {
        Set<String> same = world.idle();
        if (same.isEmpty()) {
            return same;
        }
        List<String> names = world.encoding().names();
        double[] w = rule.w();
        double[] costs = Arrays.copyOf(world.costs(), w.length);
        int manipulable = world.manipulable();
        Arrays.fill(costs, manipulable, costs.length, 1);
        double all = world.gamma() + rule.omega(costs);
        Optional<Response.Bounds> bounds = world.bounds();
        double[] low = bounds.map(Response.Bounds::low).orElse(null);
        double[] high = bounds.map(Response.Bounds::high).orElse(null);
        Set<String> idle = new HashSet<>();
        for (int j = 0; j < manipulable; j++) {
            boolean kept = low != null && low[j] == high[j];
            if (same.contains(names.get(j)) && (kept || w[j] * w[j] / costs[j] <= part * all)) {
                idle.add(names.get(j));
            }
        }
        return idle;
    }

    /**
     * Returns a warning about constant columns that nevertheless have a coefficient: nothing in the data shows what
     * moving them does.
     */
    private static Optional<Message> levers(LinearRule rule, World world) {
        Set<String> same = world.idle();
        if (same.isEmpty()) {
            return Optional.empty();
        }
        Set<String> idle = idle(rule, world, STOPPED);
        List<String> used = world.encoding().features().stream()
                .filter(feature -> feature.columns().stream()
                        .anyMatch(column -> same.contains(column.name()) && !idle.contains(column.name())))
                .map(Encoding.Feature::column)
                .toList();
        return used.isEmpty()
                ? Optional.empty()
                : Optional.of(Message.of(
                        "constant-as-lever",
                        "The best rule has a coefficient on a column that is the same for everyone, {}{}"
                                + ": people move it, and nothing in the data shows what that does to the target. Maybe leave it out"
                                + " with {}.",
                        String.join(", ", used.subList(0, Math.min(MOST_NAMED, used.size()))),
                        used.size() > MOST_NAMED ? " and " + (used.size() - MOST_NAMED) + " more" : "",
                        Message.Choice.text("ignore", used.get(0))));
    }

    /**
     * One encoded column in the rule.
     *
     * @param coefficient in the units of the data
     * @param manipulable whether people can change it
     * @param cost the cost of moving it, in encoded units; 0 for an immutable column
     */
    public record Term(String name, double coefficient, boolean manipulable, double cost) {}

    /** The certificate in plain values. */
    public record Optimality(
            double objective,
            Certificate.Bound bound,
            double relativeGap,
            double tolerance,
            Certificate.Proof proof,
            boolean unique,
            Certificate.Finiteness finiteness) {
        static Optimality of(Certificate certificate, double tolerance) {
            return new Optimality(
                    certificate.objective(),
                    certificate.bound(),
                    certificate.relativeGap(),
                    tolerance,
                    certificate.proof(),
                    certificate.unique(),
                    certificate.finiteness());
        }

        /** Returns lambda. */
        public double multiplier() {
            return bound.multiplier();
        }

        /** Returns a rigorous upper bound of how far the objective is above the global minimum. */
        public double gapBound() {
            return bound.gap();
        }

        /** Returns whether a finite equilibrium may exist: its absence is not proven. */
        public boolean finite() {
            return finiteness != Certificate.Finiteness.NONE;
        }

        /** Returns whether the point is PROVEN optimal within the tolerance and 1e-6, and finite. */
        public boolean certified() {
            return proof == Certificate.Proof.PROVEN && finite() && Certificate.isOptimal(relativeGap, tolerance);
        }
    }

    /**
     * Weighted sums of squared errors, or of the game's loss, over the training rows.
     *
     * @param totalWeight the sum of the weights, by which these sums become means; null if a file does not contain it
     * @param anticipated the rule's loss after the move
     * @param honest the rule's loss before any move
     * @param naive the loss of today's rule before any move; null if it was not computed
     * @param naiveAttacked the loss of today's rule after the move; null if it was not computed
     * @param meanGap the weighted mean of z_i - p_i; null without effects, where it is not needed
     */
    public record Losses(
            Double totalWeight, double anticipated, double honest, Double naive, Double naiveAttacked, Double meanGap) {
        /** Makes losses without effects. */
        public Losses(Double totalWeight, double anticipated, double honest, Double naive, Double naiveAttacked) {
            this(totalWeight, anticipated, honest, naive, naiveAttacked, null);
        }

        /** Makes losses with an unknown sum of weights. */
        public Losses(double anticipated, double honest, Double naive, Double naiveAttacked) {
            this(null, anticipated, honest, naive, naiveAttacked, null);
        }
    }

    /** Returns the weighted mean whose sum is the given loss; empty if the sum of the weights is not known. */
    public OptionalDouble mean(double loss) {
        Double weight = game().weight() == null ? Double.valueOf(rows()) : losses().totalWeight();
        return weight == null ? OptionalDouble.empty() : OptionalDouble.of(loss / weight);
    }

    /**
     * Returns the weighted root mean square whose sum is the given loss; empty if the sum of the weights is not known.
     */
    public OptionalDouble rmse(double loss) {
        OptionalDouble mean = mean(loss);
        return mean.isEmpty() ? mean : OptionalDouble.of(Math.sqrt(mean.getAsDouble()));
    }

    /** How the rule was found. */
    public record SolverRecord(
            String name, String status, int iterations, int passes, int factorisations, String note, Phases seconds) {
        public static SolverRecord of(String name, SphereResult result, Phases seconds) {
            return new SolverRecord(
                    name,
                    result.status().name(),
                    result.effort().iterations(),
                    result.effort().passes(),
                    result.effort().factorisations(),
                    result.note(),
                    seconds);
        }

        private SolverRecord in(Phases others) {
            return new SolverRecord(name, status, iterations, passes, factorisations, note, others);
        }
    }

    /**
     * Wall-clock seconds of disjoint phases.
     *
     * @param read reading the data, which happens outside the estimator
     * @param assemble seconds for encoding, for today's rule (only if wishes or gamma need it) and for the reduction to the sphere
     * @param solve finding the point
     * @param certify certifying the point
     * @param recover recovering the rule
     * @param judge computing losses, warnings and standard errors
     */
    public record Phases(double read, double assemble, double solve, double certify, double recover, double judge) {
        /** Makes the phases of a model whose losses are not computed yet. */
        public Phases(double read, double assemble, double solve, double certify, double recover) {
            this(read, assemble, solve, certify, recover, 0);
        }

        private Phases withRead(double seconds) {
            return new Phases(seconds, assemble, solve, certify, recover, judge);
        }

        /** Returns a copy with another time for computing losses, warnings and standard errors. */
        public Phases withJudge(double seconds) {
            return new Phases(read, assemble, solve, certify, recover, seconds);
        }
    }

    /**
     * The data and options from which the rule was found.
     *
     * @param data file, hash and length, or null
     * @param rows the number of rows used
     * @param prepared what was done with values that could not be used as they are
     * @param options the options that differ from the default, as text
     */
    public record Provenance(
            Table.Source data,
            long rows,
            int droppedRows,
            Prepared prepared,
            Map<String, String> options,
            String version,
            long seed) {
        public Provenance {
            options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
        }

        /** Makes the provenance of data that are numbers already. */
        public Provenance(
                Table.Source data, long rows, int droppedRows, Map<String, String> options, String version, long seed) {
            this(data, rows, droppedRows, Prepared.NOTHING, options, version, seed);
        }
    }

    /**
     * What was done with values that could not be used as they are.
     *
     * @param filled the number of missing values filled in, by column; the encoding has the values
     * @param notations the notation of numeric columns that are not written like 1234.5; new data are read in the same
     *     way
     */
    public record Prepared(Map<String, Integer> filled, Map<String, NumericColumn.Notation> notations) {
        static final Prepared NOTHING = new Prepared(Map.of(), Map.of());

        public Prepared {
            filled = Collections.unmodifiableMap(new LinkedHashMap<>(filled));
            notations = Collections.unmodifiableMap(new LinkedHashMap<>(notations));
        }
    }

    /** Returns the world that the rule was made for: the declared game, the encoding and the costs. */
    public World world() {
        return world;
    }

    /**
     * Returns the declared game. The statistics in its wish are replaced by their values; the wish is null if wishes
     * were given as numbers.
     */
    public GameSpec game() {
        return world.spec();
    }

    /** Returns gamma; with individual gammas, the median over those who move. */
    public double gamma() {
        return world.gamma();
    }

    /** Returns the encoding, which maps columns to encoded columns. */
    public Encoding encoding() {
        return world.encoding();
    }

    /** Returns one term per encoded column, manipulable ones first. */
    public List<Term> terms() {
        return terms;
    }

    /** Returns the constant term, in the units of the data. */
    public double intercept() {
        return answer.intercept;
    }

    /**
     * Returns the coefficient of the manipulable ones column in encoded units, which is part of omega; 0 if there is
     * none.
     */
    public double interceptCoefficient() {
        return answer.interceptCoefficient;
    }

    /**
     * Returns t, the fraction of the gap that followers close; if they differ, or limits stop some, the weighted mean
     * over them.
     */
    public double pullThrough() {
        return answer.pullThrough;
    }

    /** Returns the best response to the rule; with individual gammas, at the typical gamma. */
    private Response response() {
        return Response.of(omega(), world.earned(rule()), gamma());
    }

    /**
     * Returns u, the fraction of the gap that the true target closes (the mean, if limits stop some); 0 without
     * effects, NaN if there is no finite rule.
     */
    public double earned() {
        return !game().hasEffects()
                ? 0
                : !optimality.finite()
                        ? Double.NaN
                        : held() ? answer.limited.earned() : response().earned();
    }

    /** Returns whether limits stop anyone, so that the closed form does not hold. */
    private boolean held() {
        return answer.limited != null && answer.limited.held() > 0;
    }

    /**
     * Returns tau = t - u, the fraction of the gap that is closed in the score only; without effects, the pull-through.
     */
    public double gamed() {
        return !game().hasEffects()
                ? pullThrough()
                : !optimality.finite()
                        ? Double.NaN
                        : held()
                                ? pullThrough() - answer.limited.earned()
                                : response().gamed();
    }

    /**
     * Returns u times the mean gap, the mean increase of the true target; 0 without effects, NaN if it is not known, as
     * under limits that stop anyone.
     */
    public double improvement() {
        Double gap = losses().meanGap();
        return !game().hasEffects() ? 0 : gap == null || held() ? Double.NaN : earned() * gap;
    }

    /** Returns the point of the sphere from which the rule was recovered; {@code verify} certifies it again. */
    public double[] r() {
        return answer.r.clone();
    }

    /** Returns how the rule was chosen under a hedge; empty if none is declared. */
    public Optional<Solution.Hedged> hedged() {
        return Optional.ofNullable(answer.hedged);
    }

    /** Returns the losses at both ends of a range of gamma; empty if gamma is a number. */
    public Optional<Solution.Between> between() {
        return Optional.ofNullable(answer.between);
    }

    /** Returns what is known of the best rule without limits; empty if no limits are declared. */
    public Optional<Limited> limited() {
        return Optional.ofNullable(answer.limited);
    }

    /** Returns the certificate in plain values. */
    public Optimality optimality() {
        return optimality;
    }

    /** Returns the losses of the rule and of today's rule. */
    public Losses losses() {
        return background.losses();
    }

    /** Returns how the rule was found. */
    public SolverRecord solver() {
        return background.solver();
    }

    /** Returns the data and options from which the rule was found. */
    public Provenance provenance() {
        return background.provenance();
    }

    /** Returns what the user should act on. */
    public List<Message> warnings() {
        return background.warnings();
    }

    /** Returns explanations of the answer, which need no action. */
    public List<Message> notes() {
        return background.notes();
    }

    /** Returns the standard errors; empty if none were asked for, or if the rows are not in memory. */
    public Optional<StandardErrors> standardErrors() {
        return Optional.ofNullable(background.standardErrors());
    }

    boolean saysCertified() {
        return saysCertified;
    }

    /** Returns the coefficients by name, in the units of the data. */
    public Map<String, Double> coefficients() {
        Map<String, Double> map = new LinkedHashMap<>();
        terms.forEach(term -> map.put(term.name(), term.coefficient()));
        return map;
    }

    /** Returns the rule in the units of the data, independent of the encoding. */
    public PublishedRule rule() {
        return new PublishedRule("this rule", intercept(), coefficients());
    }

    public long rows() {
        return provenance().rows();
    }

    public boolean certified() {
        return optimality.certified();
    }

    /**
     * Returns the predictions at the current features; for logistic loss, the log-odds of yes. Columns are found by
     * name.
     */
    public double[] predict(Table table) {
        return predict(table, Encoding.UnknownLevel.ERROR);
    }

    public double[] predict(Table table, Encoding.UnknownLevel unknown) {
        return rule().predict(encoding(), table, unknown);
    }

    /**
     * Returns the probabilities of yes at the current features, for a model with logistic loss; {@link #predict}
     * returns the log-odds.
     */
    public double[] probabilities(Table table) {
        if (!game().loss().isLogistic()) {
            throw new DataException(Message.of(
                    "no-probabilities",
                    "The model's loss is {}, so that it predicts no probabilities.\n"
                            + "Maybe fit it with {}, or use {}.",
                    game().loss(),
                    Settings.LOSS.word("LOGISTIC"),
                    Message.Choice.any("predict")));
        }
        return Arrays.stream(predict(table)).map(game().loss()::prediction).toArray();
    }

    /**
     * Returns the predictions for the rows of an array. Columns are found by position if the model was fitted to
     * arrays, otherwise in the order of the model's features.
     *
     * <p>A model of named columns of which some are immutable orders them differently from its table, so it can predict
     * tables only.
     */
    public double[] predict(double[][] x) {
        List<String> names =
                encoding().features().stream().map(Encoding.Feature::column).toList();
        boolean byPosition = names.stream().allMatch(name -> name.matches("[1-9][0-9]{0,8}"));
        if (!byPosition && terms.stream().anyMatch(term -> !term.manipulable())) {
            throw DataException.of(
                    "column-order-unknown",
                    "The model finds its columns by name and orders immutable ones last, so that the order of an array's "
                            + "columns is not known.\n"
                            + "Maybe predict a Table with these names.");
        }
        int last = byPosition ? names.stream().mapToInt(Integer::parseInt).max().orElse(0) : names.size();
        // a model of some of the columns does not store how many columns there were
        boolean some = byPosition && last > names.size();
        for (int i = 0; i < x.length; i++) {
            if (x[i].length < last || x[i].length > last && !some) {
                throw DataException.of(
                        "array-of-other-width",
                        "Row {} has {} numbers, but the model has {} features{}.\n" + "Maybe x is of other data.",
                        i + 1,
                        x[i].length,
                        names.size(),
                        some ? ", the last of them column " + last : "");
            }
        }
        return x.length == 0 ? new double[0] : predict(Table.of(x, byPosition ? Table.positions(x[0].length) : names));
    }

    /** Returns the model's wish rule if the table has the columns that it needs. */
    public Optional<Wish> wishRule(Table table) {
        return world.wishRule(table);
    }

    /** Returns the wish of each row by the model's own rule; empty if the table lacks a column that it needs. */
    public Optional<double[]> wishes(Table table, double[] predictions) {
        return wishRule(table).map(wish -> {
            double[] y = wish.usesTarget() ? world.truths(table) : null;
            return world.wishes(wish, table, y, predictions);
        });
    }

    /** Returns the predictions after the move towards the wishes: (1 - t) p + t z. */
    public double[] afterResponse(double[] predictions, double[] wishes) {
        refuseLimits();
        if (optimality.finite() || game().mixed()) {
            double[] t = new double[predictions.length];
            Arrays.fill(t, pullThrough());
            return afterResponse(predictions, wishes, t);
        }
        // if 1 - t is tiny, predictions are huge: only their product with 1 - t is accurate
        Response response = Response.of(omega(), gamma());
        double[] after = new double[predictions.length];
        for (int i = 0; i < after.length; i++) {
            after[i] = response.after(predictions[i], wishes[i]);
        }
        return after;
    }

    /**
     * Returns the fraction of the gap that each person is expected to close, averaged over being truthful or not; empty
     * if the table lacks the gammas.
     */
    public Optional<double[]> pullThroughs(Table table) {
        refuseLimits();
        return freePullThroughs(table);
    }

    /**
     * Returns the same fractions for given wishes, on which they depend under limits. Also empty if limits are declared
     * and there is no finite rule.
     */
    public Optional<double[]> pullThroughs(Table table, double[] predictions, double[] wishes, Workers workers) {
        Supplier<Response.Bounded> bounded = world.bounded(rule()).orElse(null);
        Optional<double[]> free = freePullThroughs(table);
        if (bounded == null || free.isEmpty() || !optimality.finite()) {
            return bounded == null ? free : Optional.empty();
        }
        Population population = world.population(table);
        double[] t = new double[predictions.length];
        AtomicBoolean anybody = new AtomicBoolean();
        Response.Bounded.each(t.length, world.features(table), bounded, workers, (i, person) -> {
            person.answer(predictions[i], wishes[i], population.gamma(i));
            t[i] = (1 - population.truthfulShare()) * person.closed();
            if (person.isLimited()) {
                anybody.set(true);
            }
        });
        return anybody.get() ? Optional.of(t) : free;
    }

    private Optional<double[]> freePullThroughs(Table table) {
        if (game().rowGamma() != null && !table.has(game().rowGamma())) {
            return Optional.empty();
        }
        double[] t = new double[table.rows()];
        Arrays.fill(t, pullThrough());
        if (game().rowGamma() != null) {
            Population population = world.population(table);
            double omega = optimality.finite() ? omega() : Double.POSITIVE_INFINITY;
            Arrays.setAll(t, i -> population.expectedPullThrough(i, omega));
        }
        return Optional.of(t);
    }

    /** Returns the predictions after each person has closed its own fraction of the gap: p + t_i (z - p). */
    public double[] afterResponse(double[] predictions, double[] wishes, double[] pullThroughs) {
        double[] after = new double[predictions.length];
        for (int i = 0; i < after.length; i++) {
            after[i] = Response.after(pullThroughs[i], predictions[i], wishes[i]);
        }
        return after;
    }

    /** Throws if limits are declared, because moves then depend on more than predictions and wishes. */
    private void refuseLimits() {
        if (!game().limits().none()) {
            throw DataException.of(
                    "limits-need-rows",
                    "The model's game has limits, so that what people close of the gap to their wish depends on where they are.\n"
                            + "Maybe use pullThroughs(table, predictions, wishes, workers), which takes their features.");
        }
    }

    /** Returns omega = w'C^{-1}w in encoded units. */
    public double omega() {
        double omega = interceptCoefficient() * interceptCoefficient();
        List<EncodedColumn> columns = encoding().columns();
        for (int j = 0; j < terms.size(); j++) {
            if (terms.get(j).manipulable()) {
                double w = terms.get(j).coefficient() * columns.get(j).scale();
                omega += w * w / terms.get(j).cost();
            }
        }
        return omega;
    }

    /**
     * Returns the problem on the sphere whose solution the model is, for the given data, for use with other solvers.
     */
    public SphereProblem sphereProblem(Table table, Workers workers) {
        if (game().mixed()) {
            throw DataException.of(
                    "not-one-sphere-problem",
                    "The model is for a mixed population, which is not one problem on a sphere but one for every omega.\n"
                            + "Maybe fit it with one gamma for all.");
        }
        if (!game().loss().isSquared()) {
            throw DataException.of(
                    "not-one-sphere-problem",
                    "With the model's loss, {}, the game is not a quadratic problem on a sphere.\n"
                            + "Maybe fit it with squared loss.",
                    game().loss());
        }
        if (!game().limits().none()) {
            throw DataException.of(
                    "not-one-sphere-problem",
                    "The model has limits, under which the game is not a problem on a sphere.\n"
                            + "Maybe fit it without.");
        }
        if (game().isHedged()) {
            throw DataException.of(
                    "not-one-sphere-problem",
                    "The model has a hedge, which is not one problem on a sphere: its rules are bounded by what they lose if "
                            + "nobody moves.\n"
                            + "Maybe fit it with {}.",
                    Settings.HEDGE.word("NONE"));
        }
        if (game().between() != null) {
            throw DataException.of(
                    "not-one-sphere-problem",
                    "The model has a range of gammas, which is not one problem on a sphere: one rule has to be good at two.\n"
                            + "Maybe fit it with one gamma.");
        }
        return Pipeline.reduce(Sample.ofModel(world, table, workers).game(), workers, gamma())
                .family()
                .at(gamma());
    }

    /** Returns the pull-through of this rule in a world with another gamma. */
    public double pullThroughAt(double worldGamma) {
        return Response.pullThrough(omega(), worldGamma);
    }

    /** Returns a copy that treats missing values in new data in another way. */
    public StackelbergModel withMissing(Missing missing) {
        return new StackelbergModel(world.withMissing(missing), answer, optimality, background, saysCertified);
    }

    /** Returns a copy with the time that reading its data took. */
    public StackelbergModel withReadSeconds(double seconds) {
        return in(solver().seconds().withRead(seconds));
    }

    /** Returns a copy with the time that computing losses, warnings and standard errors took. */
    StackelbergModel withJudgeSeconds(double seconds) {
        return in(solver().seconds().withJudge(seconds));
    }

    private StackelbergModel in(Phases seconds) {
        Background timed = background.with(solver().in(seconds), warnings());
        return new StackelbergModel(world, answer, optimality, timed, saysCertified);
    }

    /** Returns a copy with one more warning. */
    public StackelbergModel withWarning(Message warning) {
        List<Message> more = new ArrayList<>(warnings());
        more.add(warning);
        return new StackelbergModel(world, answer, optimality, background.with(solver(), more), saysCertified);
    }

    StackelbergModel withStandardErrors(StandardErrors errors) {
        return new StackelbergModel(world, answer, optimality, background.sure(errors), saysCertified);
    }

    /** Returns a few lines that describe the model, for a console. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "Stackelberg model of %s from %,d rows: gamma %.4g, pull-through %.4f, %s%n  intercept %.5g%n",
                game().target() == null ? "y" : game().target(),
                rows(),
                gamma(),
                pullThrough(),
                certified() ? "certified" : "not certified",
                intercept()));
        terms.stream()
                .limit(10)
                .forEach(term -> text.append(String.format(
                        Locale.ROOT,
                        "  %s %.5g%s%n",
                        term.name(),
                        term.coefficient(),
                        term.manipulable() ? "" : " (immutable)")));
        return text + (terms.size() > 10 ? "  and " + (terms.size() - 10) + " more" + System.lineSeparator() : "");
    }

    /** Returns the version of this library, written by the build. */
    public static String libraryVersion() {
        Properties properties = new Properties();
        try (InputStream in = StackelbergModel.class.getResourceAsStream("version.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException("The library's own version.properties cannot be read.", e);
        }
        return properties.getProperty("version");
    }
}
