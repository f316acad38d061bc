package stackelberg.model;

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

/** A fitted rule with everything needed to use it, to explain it and to prove it again. */
public final class StackelbergModel {
    /** A part of gamma + omega that is no larger moves nobody: a coefficient of a millionth of what would. */
    private static final double ROUNDING = 1e-12;

    /** A part that is no larger is what a solver left where it stopped. */
    private static final double STOPPED = 1e-6;

    /** A line holds no more names. */
    static final int MOST_NAMED = 10;

    private final World world;
    private final Answer answer;
    private final List<Term> terms;
    private final Optimality optimality;
    private final Background background;
    /** What its file says, which {@link Optimality#certified} need not bear out. */
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
     * @param interceptCoefficient in encoded units, what the manipulable ones column contributes to omega; 0 otherwise
     * @param pullThrough t, the fraction of the gap to their wish that everybody closes; the average over the people where they differ
     * @param r the point of the sphere that the rule was recovered from: what {@code verify} certifies again
     * @param hedged how it was chosen where a hedge is declared; null otherwise
     * @param limited what became of the rule that is best without limits, where some are declared; null otherwise
     * @param between what it loses at both ends of the interval that gamma is declared to lie in; null where gamma is known
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
     * What became of the rule that is best without limits, of which r is the point; the model's rule is the best that was found under them.
     *
     * @param unlimited what is proven of it, in the game without limits
     * @param promised what it would lose after the move there
     * @param real what it loses under the limits; not a number where there is no such rule
     * @param heldBefore people whom a limit holds back under it
     * @param held people whom a limit holds back under the model's rule
     * @param earned the part of the gap that the truth closes under it, on average over the people; 0 where moves do nothing to it
     * @param starts rules that descents began at
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

        /** Whether the limits change anything for the rule that is best without them; noise of wishes may reach limits that the wishes do not. */
        public boolean binding() {
            return heldBefore > 0 || !(Math.abs(real - promised) <= SAME * Math.abs(promised));
        }

        /** Whether the model's rule, which loses so much, is that rule still. */
        public boolean kept(double refitted) {
            return Math.abs(refitted - real) <= SAME * Math.abs(real);
        }

        private static final double SAME = 1e-9;
    }

    /**
     * What else is known of a model.
     *
     * @param solver how it was found
     * @param losses what the rule and its naive rival lose
     * @param provenance what it was found from
     * @param warnings what a user should know
     * @param notes what the answer means, where that can be said in a sentence; nothing is odd about it
     * @param standardErrors how sure the rule is; null where nobody asked, or where the rows are kept elsewhere
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

        /** Of an answer that is yet to be explained. */
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
     * The model of a solution, explained.
     *
     * @param world the game at the gamma that was solved
     * @param pullThrough t, on average over the people
     * @param tolerance the relative gap that counts as certified
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
        List<Message> notes = new ArrayList<>();
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
     * A rule in the units of the data; a constant that people can move is still the constant. Columns that are the same for everybody have the coefficient 0, unless the rule makes more of them than
     * rounding does.
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

    /** The columns that are the same for everybody and along which nobody moves: limits keep them, or their part of gamma + omega is no larger than this. */
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

    /** What is the same for everybody and all the same has a coefficient: nothing in the data tells what moving it does. */
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
                        "The best rule makes a lever of what is the same for everybody, {}{}"
                                + ": people move it, and nothing in the data tells what that does to the target. Maybe leave it out"
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
     * @param cost of moving it, in encoded units; 0 for an immutable one
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

        /** lambda. */
        public double multiplier() {
            return bound.multiplier();
        }

        /** A rigorous upper bound of how far the objective is above the global minimum. */
        public double gapBound() {
            return bound.gap();
        }

        /** Whether there may be a finite equilibrium: it is not proven that there is none. */
        public boolean finite() {
            return finiteness != Certificate.Finiteness.NONE;
        }

        /** PROVEN, within the tolerance and 1e-6, and finite. */
        public boolean certified() {
            return proof == Certificate.Proof.PROVEN && finite() && Certificate.isOptimal(relativeGap, tolerance);
        }
    }

    /**
     * Weighted sums of squares, or of what else the leader loses by, on the training rows.
     *
     * @param totalWeight the sum of the weights, which makes means of these sums; null where a file does not say
     * @param anticipated the rule's loss after everybody has moved: what was minimised
     * @param honest the rule's loss if nobody moved
     * @param naive today's rule, if nobody moved; null where it was not computed
     * @param naiveAttacked the same after everybody has moved; null where it was not computed
     * @param meanGap no loss, but the weighted mean of z_i - p_i; null where moves do nothing to the target, so that nobody asks
     */
    public record Losses(
            Double totalWeight, double anticipated, double honest, Double naive, Double naiveAttacked, Double meanGap) {
        /** Where moves do nothing to the target. */
        public Losses(Double totalWeight, double anticipated, double honest, Double naive, Double naiveAttacked) {
            this(totalWeight, anticipated, honest, naive, naiveAttacked, null);
        }

        /** Where the sum of the weights is not known. */
        public Losses(double anticipated, double honest, Double naive, Double naiveAttacked) {
            this(null, anticipated, honest, naive, naiveAttacked, null);
        }
    }

    /** The mean of what sums up to this loss, by weight; empty where the sum of the weights is not known. */
    public OptionalDouble mean(double loss) {
        Double weight = game().weight() == null ? Double.valueOf(rows()) : losses().totalWeight();
        return weight == null ? OptionalDouble.empty() : OptionalDouble.of(loss / weight);
    }

    /** The weighted root of the mean square that sums up to this loss; empty where the sum of the weights is not known. */
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
     * @param read the data, which happens outside the estimator
     * @param assemble columns encoded, today's rule where wishes or gamma ask for it, the way to the sphere
     * @param solve the point on it
     * @param certify what is proven of the point
     * @param recover the rule
     * @param judge all that is told of the rule: losses, warnings, standard errors
     */
    public record Phases(double read, double assemble, double solve, double certify, double recover, double judge) {
        /** Where nothing is told of the rule yet. */
        public Phases(double read, double assemble, double solve, double certify, double recover) {
            this(read, assemble, solve, certify, recover, 0);
        }

        private Phases withRead(double seconds) {
            return new Phases(seconds, assemble, solve, certify, recover, judge);
        }

        /** The same with another time that judging the rule took. */
        public Phases withJudge(double seconds) {
            return new Phases(read, assemble, solve, certify, recover, seconds);
        }
    }

    /**
     * What the rule was found from.
     *
     * @param data file, hash and length, or null
     * @param rows in use
     * @param prepared what was made of values that could not be used as they are
     * @param options the choices that differ from the default, as text
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

        /** Of data that are numbers already. */
        public Provenance(
                Table.Source data, long rows, int droppedRows, Map<String, String> options, String version, long seed) {
            this(data, rows, droppedRows, Prepared.NOTHING, options, version, seed);
        }
    }

    /**
     * What was made of values that could not be used as they are.
     *
     * @param filled how many missing values of which columns were filled in; the encoding knows with what
     * @param notations how columns of numbers were written, where it was not as 1234.5: new data are read the same way
     */
    public record Prepared(Map<String, Integer> filled, Map<String, NumericColumn.Notation> notations) {
        static final Prepared NOTHING = new Prepared(Map.of(), Map.of());

        public Prepared {
            filled = Collections.unmodifiableMap(new LinkedHashMap<>(filled));
            notations = Collections.unmodifiableMap(new LinkedHashMap<>(notations));
        }
    }

    /** People as the rule meets them: what was declared, the encoding and the costs. */
    public World world() {
        return world;
    }

    /** What was declared of the game; the statistics of its wish are frozen, and the wish is null if wishes were given as numbers. */
    public GameSpec game() {
        return world.spec();
    }

    /** How hard the model thinks it is to move; where everybody has a gamma of their own, the median of those who move. */
    public double gamma() {
        return world.gamma();
    }

    /** How columns become encoded columns. */
    public Encoding encoding() {
        return world.encoding();
    }

    /** One per encoded column, those people can change first. */
    public List<Term> terms() {
        return terms;
    }

    /** The constant term, in the units of the data. */
    public double intercept() {
        return answer.intercept;
    }

    /** In encoded units, what the manipulable ones column contributes to omega; 0 if there is none. */
    public double interceptCoefficient() {
        return answer.interceptCoefficient;
    }

    /**
     * t, the fraction of the gap to their wish that everybody closes; where people differ, or limits stop some of them, the average over the people, by weight,
     * of the fraction that each closes.
     */
    public double pullThrough() {
        return answer.pullThrough;
    }

    /** What everybody does about the rule; where people differ, at their typical gamma. */
    private Response response() {
        return Response.of(omega(), world.earned(rule()), gamma());
    }

    /**
     * u, the fraction of the gap that the truth closes, where limits stop some the average over the people; 0 where moves do nothing to it, not a number where
     * there is no finite rule.
     */
    public double earned() {
        return !game().hasEffects()
                ? 0
                : !optimality.finite()
                        ? Double.NaN
                        : held() ? answer.limited.earned() : response().earned();
    }

    /** Whether limits stop anybody, so that the closed form does not hold. */
    private boolean held() {
        return answer.limited != null && answer.limited.held() > 0;
    }

    /** tau = t - u, the fraction of the gap that is closed by the score alone; the pull-through where moves do nothing to the target. */
    public double gamed() {
        return !game().hasEffects()
                ? pullThrough()
                : !optimality.finite()
                        ? Double.NaN
                        : held()
                                ? pullThrough() - answer.limited.earned()
                                : response().gamed();
    }

    /** u times the mean gap, by how much the target really rises on average, by weight; 0 where moves do nothing to it, not a number where nobody knows, as where limits stop people. */
    public double improvement() {
        Double gap = losses().meanGap();
        return !game().hasEffects() ? 0 : gap == null || held() ? Double.NaN : earned() * gap;
    }

    /** The point of the sphere that the rule was recovered from: what {@code verify} certifies again. */
    public double[] r() {
        return answer.r.clone();
    }

    /** How the rule was chosen among those that keep the bound of a hedge; empty where none is declared. */
    public Optional<Solution.Hedged> hedged() {
        return Optional.ofNullable(answer.hedged);
    }

    /** What the rule loses at both ends of the interval that gamma lies in; empty where gamma is known. */
    public Optional<Solution.Between> between() {
        return Optional.ofNullable(answer.between);
    }

    /** What became of the rule that is best without limits; empty where none are declared. */
    public Optional<Limited> limited() {
        return Optional.ofNullable(answer.limited);
    }

    /** The certificate. */
    public Optimality optimality() {
        return optimality;
    }

    /** What the rule and its naive rival lose. */
    public Losses losses() {
        return background.losses();
    }

    /** How it was found. */
    public SolverRecord solver() {
        return background.solver();
    }

    /** What it was found from. */
    public Provenance provenance() {
        return background.provenance();
    }

    /** What a user should know. */
    public List<Message> warnings() {
        return background.warnings();
    }

    /** What the answer means, where that can be said in a sentence; nothing is odd about it. */
    public List<Message> notes() {
        return background.notes();
    }

    /** How sure the rule is; empty where nobody asked, or where the rows are kept elsewhere. */
    public Optional<StandardErrors> standardErrors() {
        return Optional.ofNullable(background.standardErrors());
    }

    boolean saysCertified() {
        return saysCertified;
    }

    /** Coefficients by name, in the units of the data. */
    public Map<String, Double> coefficients() {
        Map<String, Double> map = new LinkedHashMap<>();
        terms.forEach(term -> map.put(term.name(), term.coefficient()));
        return map;
    }

    /** The rule as anybody can publish it. */
    public PublishedRule rule() {
        return new PublishedRule("this rule", intercept(), coefficients());
    }

    public long rows() {
        return provenance().rows();
    }

    public boolean certified() {
        return optimality.certified();
    }

    /** The prediction for everybody's features as they are, the log-odds of a yes where the loss is logistic; columns are found by name. */
    public double[] predict(Table table) {
        return predict(table, Encoding.UnknownLevel.ERROR);
    }

    public double[] predict(Table table, Encoding.UnknownLevel unknown) {
        return rule().predict(encoding(), table, unknown);
    }

    /** The probability of a yes for everybody's features as they are, of a model whose loss is logistic: {@link #predict} gives its log-odds. */
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
     * The prediction for arrays: columns are found by their position where the model was fitted to arrays, else in the order of its features.
     *
     * <p>A model of named columns, some of them immutable, has them in another order than the table they were in: it predicts tables only.
     */
    public double[] predict(double[][] x) {
        List<String> names =
                encoding().features().stream().map(Encoding.Feature::column).toList();
        boolean byPosition = names.stream().allMatch(name -> name.matches("[1-9][0-9]{0,8}"));
        if (!byPosition && terms.stream().anyMatch(term -> !term.manipulable())) {
            throw DataException.of(
                    "column-order-unknown",
                    "The model knows its columns by name, immutable ones after the others, so that the order of an array's "
                            + "columns cannot be told.\n"
                            + "Maybe predict a Table with these names.");
        }
        int last = byPosition ? names.stream().mapToInt(Integer::parseInt).max().orElse(0) : names.size();
        // a model of some of the columns does not say how many there were
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

    /** The model's wish rule, where the table has what the rule needs. */
    public Optional<Wish> wishRule(Table table) {
        return world.wishRule(table);
    }

    /** The wish of everybody in the table by the model's own rule; empty if the table lacks what the rule needs. */
    public Optional<double[]> wishes(Table table, double[] predictions) {
        return wishRule(table).map(wish -> {
            double[] y = wish.usesTarget() ? world.truths(table) : null;
            return world.wishes(wish, table, y, predictions);
        });
    }

    /** Predictions after everybody has moved towards its wish: (1 - t) p + t z. */
    public double[] afterResponse(double[] predictions, double[] wishes) {
        refuseLimits();
        if (optimality.finite() || game().mixed()) {
            double[] t = new double[predictions.length];
            Arrays.fill(t, pullThrough());
            return afterResponse(predictions, wishes, t);
        }
        // predictions are as large as 1 - t is small: what they say survives only in the product
        Response response = Response.of(omega(), gamma());
        double[] after = new double[predictions.length];
        for (int i = 0; i < after.length; i++) {
            after[i] = response.after(predictions[i], wishes[i]);
        }
        return after;
    }

    /**
     * The fraction of the gap to its wish that each person closes, on average over being truthful or not; empty if the table lacks the gammas.
     */
    public Optional<double[]> pullThroughs(Table table) {
        refuseLimits();
        return freePullThroughs(table);
    }

    /**
     * The same of people who wish that: with limits, what each can close. Empty, too, where there is no finite rule that they could face under limits.
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

    /** Predictions after everybody has moved its own fraction of the way: p + t_i (z - p). */
    public double[] afterResponse(double[] predictions, double[] wishes, double[] pullThroughs) {
        double[] after = new double[predictions.length];
        for (int i = 0; i < after.length; i++) {
            after[i] = Response.after(pullThroughs[i], predictions[i], wishes[i]);
        }
        return after;
    }

    /** Where people can go only so far, what they do depends on more than their predictions and wishes. */
    private void refuseLimits() {
        if (!game().limits().none()) {
            throw DataException.of(
                    "limits-need-rows",
                    "The model's game has limits, so that what people close of the gap to their wish depends on where they are.\n"
                            + "Maybe say who they are: pullThroughs(table, predictions, wishes, workers).");
        }
    }

    /** omega = w'C^{-1}w in encoded units. */
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

    /** The optimisation problem that this model solves on the given data, for those who want to solve it elsewhere. */
    public SphereProblem sphereProblem(Table table, Workers workers) {
        if (game().mixed()) {
            throw DataException.of(
                    "not-one-sphere-problem",
                    "The model is for a mixed population, which is not one problem on a sphere, but one for every omega.\n"
                            + "Maybe fit it with one gamma for all.");
        }
        if (!game().loss().isSquared()) {
            throw DataException.of(
                    "not-one-sphere-problem",
                    "By the model's loss, {}, the game is no quadratic problem on a sphere.\n"
                            + "Maybe fit it with squared loss.",
                    game().loss());
        }
        if (!game().limits().none()) {
            throw DataException.of(
                    "not-one-sphere-problem",
                    "The model has limits, under which the game is no problem on a sphere.\n"
                            + "Maybe fit it without.");
        }
        if (game().isHedged()) {
            throw DataException.of(
                    "not-one-sphere-problem",
                    "The model has a hedge, which is not one problem on a sphere: its rules are bounded by what they lose if "
                            + "nobody moves.\n"
                            + "Maybe fit it without.");
        }
        if (game().between() != null) {
            throw DataException.of(
                    "not-one-sphere-problem",
                    "The model's gamma lies between two, which is not one problem on a sphere, but two that one rule has to be "
                            + "good at.\n"
                            + "Maybe fit it with one gamma.");
        }
        return Pipeline.reduce(Sample.ofModel(world, table, workers).game(), workers, gamma())
                .family()
                .at(gamma());
    }

    /** The pull-through of this rule in a world where moving costs worldGamma. */
    public double pullThroughAt(double worldGamma) {
        return Response.pullThrough(omega(), worldGamma);
    }

    /** The same model with another answer to missing values in new data. */
    public StackelbergModel withMissing(Missing missing) {
        return new StackelbergModel(world.withMissing(missing), answer, optimality, background, saysCertified);
    }

    /** The same model with the time it took to read its data. */
    public StackelbergModel withReadSeconds(double seconds) {
        return in(solver().seconds().withRead(seconds));
    }

    /** The same model with the time it took to tell all that is told of its rule. */
    StackelbergModel withJudgeSeconds(double seconds) {
        return in(solver().seconds().withJudge(seconds));
    }

    private StackelbergModel in(Phases seconds) {
        Background timed = background.with(solver().in(seconds), warnings());
        return new StackelbergModel(world, answer, optimality, timed, saysCertified);
    }

    /** The same model with one more thing that a user should know. */
    public StackelbergModel withWarning(Message warning) {
        List<Message> more = new ArrayList<>(warnings());
        more.add(warning);
        return new StackelbergModel(world, answer, optimality, background.with(solver(), more), saysCertified);
    }

    StackelbergModel withStandardErrors(StandardErrors errors) {
        return new StackelbergModel(world, answer, optimality, background.sure(errors), saysCertified);
    }

    /** A few lines for whoever looks at it in a console. */
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
}
