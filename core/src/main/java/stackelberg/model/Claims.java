package stackelberg.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.Message;
import stackelberg.data.Scaling;
import stackelberg.game.GameSpec;
import stackelberg.game.GameSpec.Today;
import stackelberg.game.PublishedRule;
import stackelberg.game.Sample;
import stackelberg.game.World;
import stackelberg.linalg.Vectors;
import stackelberg.objective.Solution;
import stackelberg.objective.program.Program;
import stackelberg.sphere.SphereGeometry;

/**
 * Compares everything that a model file states, apart from the point r itself, with what {@link Training} computes from
 * the data at that point.
 *
 * <p>Each comparison is a {@link Verification.Claim}. Numbers must agree to the digits that rounding leaves, and a
 * stored bound must not be better than the computed one.
 */
final class Claims {
    /** Matches the number in a limit such as b&gt;=0. */
    private static final Pattern BOUND =
            Pattern.compile("(?<=[<>]=)[-+]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][-+]?[0-9]+)?");

    /** The relative tolerance of most numbers. */
    private static final double DIGITS = 1e-9;

    /**
     * In old files a coefficient of an idle column may differ from 0 by this fraction of the coefficient that would
     * make people move.
     */
    private static final double NOTHING = 1e-6;

    /**
     * The tolerance in units of the measured rounding error. That error is measured with only two other weightings,
     * while other threads and kernels round differently.
     */
    private static final double ROUNDINGS = 100;

    private static final double[] WEIGHINGS = {1.1, 1.7};

    /**
     * The factor by which bounds that consist mostly of rounding errors, such as residuals, may differ; gaps may differ
     * by its square.
     */
    private static final double RESIDUAL_FACTOR = 10;

    /**
     * The relative tolerance of the multiplier of a rule found by a search over omega: old files store the multiplier
     * at the omega where the search ended.
     */
    private static final double SEARCHED_DIGITS = 5e-7;

    /** The relative tolerance of a gap at which a search ended: the gap is a difference of losses. */
    private static final double SAME_SEARCH = 1e-12;

    /**
     * The relative tolerance of figures along the frontier of a hedge: the loss is flat there, so that a share
     * determines its rule to fewer digits.
     */
    private static final double FRONTIER_DIGITS = 1e-4;

    /**
     * Matches a number. A decimal point or an exponent marks a measured number, which rounding may change, in contrast
     * to a count.
     */
    private static final Pattern NUMBER = Pattern.compile("[0-9][0-9,]*(\\.[0-9]+)?(e[-+][0-9]+)?");

    /** The relative tolerance of a refitted rule's coefficients and of gamma declared as a share. */
    private static final double LEARNED_DIGITS = 1e-7;

    /**
     * The tolerance of the scores of a refitted rule, relative to their range. It decides where the coefficients are
     * not determined to {@link #LEARNED_DIGITS}.
     */
    private static final double SCORED_DIGITS = 1e-9;

    private final StackelbergModel model;
    private final Training training;
    private final StackelbergModel found;
    private final double tolerance;
    private final Supplier<StackelbergModel[]> reweighed;
    private final List<Verification.Claim> list = new ArrayList<>();
    private StackelbergModel[] rounded;

    private Claims(
            StackelbergModel model,
            Training training,
            StackelbergModel found,
            double tolerance,
            Supplier<StackelbergModel[]> reweighed) {
        this.model = model;
        this.training = training;
        this.found = found;
        this.tolerance = tolerance;
        this.reweighed = reweighed;
    }

    /**
     * Returns the comparisons of all statements that can be recomputed from the data.
     *
     * @param training the model's game on the data
     * @param columns the encoded columns of the declared game on these data
     * @param found the model that results from the stored r
     * @param tolerance the relative gap to which a mixed population is searched
     */
    static List<Verification.Claim> of(
            StackelbergModel model, Training training, List<String> columns, StackelbergModel found, double tolerance) {
        Supplier<StackelbergModel[]> reweighed = () -> {
            StackelbergModel[] models = new StackelbergModel[WEIGHINGS.length];
            for (int k = 0; k < models.length; k++) {
                Training weighing = training.withWeightFactor(WEIGHINGS[k]);
                models[k] = weighing.model(weighing.at(model, tolerance), false);
            }
            return models;
        };
        Claims claims = new Claims(model, training, found, tolerance, reweighed);
        claims.optimality("optimality", model.optimality(), model.saysCertified(), found.optimality());
        claims.numbers();
        claims.today();
        claims.hedge();
        claims.limited();
        claims.between();
        claims.standardErrors();
        claims.provenance(training.sample());
        claims.warnings();
        claims.encoding(training.sample().world(), columns);
        return List.copyOf(claims.list);
    }

    /**
     * Compares what is proven of a point: of the rule's, or of the best rule without limits.
     *
     * @param name the key in the file
     * @param says the stored values
     * @param certified the stored verdict
     * @param is the values computed from the data
     */
    private void optimality(
            String name, StackelbergModel.Optimality says, boolean certified, StackelbergModel.Optimality is) {
        double scale = is.relativeGap() > 0 ? is.gapBound() / is.relativeGap() : Math.abs(is.objective());
        // a search may end at another omega and prove another bound, as good as the tolerance that was asked for
        double searched = searched() ? tolerance * scale : 0;
        double elsewhere = isOfItsPoint() ? 0 : tolerance * scale;
        add(name + ".certified", certified, is.certified());
        add(name + ".finite", says.finite(), is.finite());
        add(name + ".finiteness", says.finiteness().name(), is.finiteness().name());
        add(name + ".proof", says.proof().name(), is.proof().name());
        add(name + ".unique", says.unique(), is.unique(), isUniqueBorneOut(says, is));
        if (!isOfOlderHedge()) {
            double residual = is.bound().residual();
            atMost(name + ".residual", says.bound().residual(), residual, RESIDUAL_FACTOR, elsewhere);
            double least = is.bound().curvature();
            double rounding = RESIDUAL_FACTOR * residual + DIGITS * Math.abs(least);
            double curvature = says.bound().curvature();
            boolean proven = !isOfItsPoint() || curvature - least <= rounding;
            add(name + ".curvature", curvature, least, Double.isNaN(curvature) || proven);
        }
        atMost(name + ".gapBound", says.gapBound(), is.gapBound(), RESIDUAL_FACTOR * RESIDUAL_FACTOR, searched);
        // the relative gap must follow from the stored gap bound
        double relative = says.gapBound() == 0 ? 0 : says.gapBound() / scale;
        add(name + ".relativeGap", says.relativeGap(), is.relativeGap(), close(says.relativeGap(), relative, DIGITS));
        String asked = model.provenance().options().get("tolerance");
        if (asked != null) {
            add(name + ".tolerance", String.valueOf(says.tolerance()), asked);
        }
    }

    /** Returns whether the rule's optimality is proven by a search over omega. */
    private boolean searched() {
        return model.game().mixed() || model.game().isHedged() || model.game().between() != null;
    }

    /**
     * Returns whether residual and curvature are those of r itself and not of another point at which a search ended.
     * For a range of gammas two losses are compared, and w = 0 lies on no sphere of a single omega.
     */
    private boolean isOfItsPoint() {
        return !searched()
                || model.game().between() == null
                        && Vectors.norm(SphereGeometry.coefficients(model.r(), model.gamma())) > 0;
    }

    /**
     * Returns whether a hedge binds in a file of a format version before 3. There the residual, the curvature, the
     * multiplier and the gaps along the frontier come from a search over sphere problems. The current program proves
     * the gap differently, so that they cannot be recomputed, and they prove nothing here.
     */
    private boolean isOfOlderHedge() {
        return model.game().hedgeOf() == GameSpec.HedgeOf.TODAY
                && found.hedged().filter(hedged -> hedged.share() > 0).isPresent();
    }

    /**
     * Returns whether the stored statement about uniqueness is acceptable. A file that does not claim uniqueness where
     * it is found now is accepted if its own curvature and residual did not suffice to prove it.
     */
    private static boolean isUniqueBorneOut(StackelbergModel.Optimality says, StackelbergModel.Optimality is) {
        boolean provedLess = !says.unique()
                && is.unique()
                && says.bound().curvature() <= 4 * says.bound().residual();
        return says.unique() == is.unique() || provedLess;
    }

    /** Compares an upper bound: a stored bound that is weaker than the computed one is true. */
    private void atMost(String name, double claimed, double bound, double factor, double enough) {
        add(name, claimed, bound, Double.isNaN(claimed) || bound <= Math.max(factor * claimed, enough));
    }

    /** Compares today's rule with the refitted one, and gamma with its declared share. */
    private void today() {
        Today says = model.game().today();
        if (!says.known()) {
            return;
        }
        if (says.kind() != Today.Kind.GIVEN) {
            Today is = training.sample().refittedToday(training.workers());
            add("game.today.source", says.source(), is.source());
            boolean same = scoredAlike(says, is);
            Map<String, Double> claimed = inOrder(says.rule());
            Map<String, Double> learned = inOrder(is.rule());
            claimed.forEach((name, value) -> add(
                    "game.today." + name,
                    value,
                    learned.get(name),
                    learned.containsKey(name) && (same || close(value, learned.get(name), LEARNED_DIGITS))));
            add("game.today.terms", claimed.size(), learned.size());
        }
        if (model.game().gammaShare().isPresent()) {
            double share = model.game().gammaShare().getAsDouble();
            double here = found.world().gammaShare().orElse(Double.NaN);
            add("game.gammaShare", share, here, close(share, here, LEARNED_DIGITS));
        }
    }

    private boolean scoredAlike(Today one, Today other) {
        double[] p = training.sample().scores(one, training.workers());
        double[] q = training.sample().scores(other, training.workers());
        DoubleSummaryStatistics spread = Arrays.stream(q).summaryStatistics();
        double most = SCORED_DIGITS * (spread.getMax() - spread.getMin());
        return IntStream.range(0, p.length).allMatch(i -> Math.abs(p[i] - q[i]) <= most);
    }

    private static Map<String, Double> inOrder(PublishedRule rule) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        numbers.put("intercept", rule.intercept());
        rule.coefficients().forEach((name, value) -> numbers.put("coefficients." + name, value));
        return numbers;
    }

    /** Compares all numbers of the model that can be recomputed, allowing for the measured rounding error. */
    private void numbers() {
        Map<String, Double> claimed = numbersOf(model, 1);
        if (!model.game().today().known()) {
            // old files do not say to which rule these losses belong
            claimed.keySet().removeAll(List.of("losses.naive", "losses.naiveAttacked"));
        }
        if (found.standardErrors().isEmpty()) {
            claimed.keySet().removeIf(name -> name.startsWith("standardErrors."));
        }
        if (isOfOlderHedge()) {
            claimed.remove("optimality.multiplier");
        }
        Map<String, Double> here = numbersOf(found, 1);
        Map<String, Double> idle = idle();
        claimed.forEach((name, value) -> {
            Double other = here.get(name);
            // null and NaN claim nothing
            if (value != null && !value.isNaN()) {
                boolean searched = name.endsWith(".multiplier") && searched();
                boolean holds = other != null
                        && (close(value, other, searched ? SEARCHED_DIGITS : DIGITS)
                                || other == 0 && Math.abs(value) <= idle.getOrDefault(name, 0.0)
                                || Math.abs(value - other) <= ROUNDINGS * rounding(name, other));
                add(name, value, other, holds);
            }
        });
    }

    /**
     * Returns, for each constant column that moves nobody, how far its coefficient in an old file may be from 0, its
     * value now.
     */
    private Map<String, Double> idle() {
        Map<String, Double> most = new LinkedHashMap<>();
        Set<String> idle = found.world().idle();
        List<EncodedColumn> columns = found.encoding().columns();
        double all = Math.sqrt(found.gamma() + found.omega());
        for (int j = 0; j < columns.size(); j++) {
            StackelbergModel.Term term = found.terms().get(j);
            if (idle.contains(term.name())) {
                double tiny =
                        NOTHING * all * Math.sqrt(term.cost()) / columns.get(j).scale();
                most.put("terms." + term.name() + ".coefficient", tiny);
                for (String number : List.of(".error", ".low", ".high")) {
                    most.put("standardErrors.intervals.coefficients." + term.name() + number, tiny);
                }
            }
        }
        return most;
    }

    /**
     * @param weight the factor on all sample weights, by which losses are divided
     */
    private static Map<String, Double> numbersOf(StackelbergModel of, double weight) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        StackelbergModel.Losses losses = of.losses();
        numbers.put("gamma", of.gamma());
        numbers.put("pullThrough", of.pullThrough());
        numbers.put("optimality.objective", of.optimality().objective() / weight);
        numbers.put("optimality.multiplier", of.optimality().multiplier() / weight);
        of.limited().ifPresent(limited -> {
            numbers.put("limited.unlimited.objective", limited.unlimited().objective() / weight);
            numbers.put("limited.unlimited.multiplier", limited.unlimited().multiplier() / weight);
            numbers.put("limited.promised", limited.promised() / weight);
            numbers.put("limited.real", limited.real() / weight);
            numbers.put("limited.earned", limited.earned());
        });
        of.between().ifPresent(between -> {
            for (Solution.Between.End end : List.of(between.low(), between.high())) {
                String name = "between." + (end == between.low() ? "low" : "high");
                numbers.put(name + ".gamma", end.gamma());
                numbers.put(name + ".loss", end.loss() / weight);
                numbers.put(name + ".penalty", end.penalty() / weight);
                numbers.put(name + ".best", end.best() / weight);
                numbers.put(name + ".bestPenalty", end.bestPenalty() / weight);
            }
        });
        numbers.put("losses.totalWeight", losses.totalWeight() == null ? null : losses.totalWeight() / weight);
        numbers.put("losses.anticipated", losses.anticipated() / weight);
        numbers.put("losses.honest", losses.honest() / weight);
        numbers.put("losses.naive", losses.naive() == null ? null : losses.naive() / weight);
        numbers.put("losses.naiveAttacked", losses.naiveAttacked() == null ? null : losses.naiveAttacked() / weight);
        numbers.put("losses.meanGap", losses.meanGap());
        numbers.put("intercept", of.intercept());
        numbers.put("game.interceptCoefficient", of.interceptCoefficient());
        of.terms().forEach(term -> numbers.put("terms." + term.name() + ".coefficient", term.coefficient()));
        of.standardErrors().ifPresent(errors -> {
            numbers.put("standardErrors.totalSquares", errors.totalSquares() / weight);
            errors.found().ifPresent(all -> {
                interval("intercept", all.intercept(), numbers);
                interval("pullThrough", all.pullThrough(), numbers);
                interval("earned", all.earned(), numbers);
                for (int j = 0; j < all.coefficients().size(); j++) {
                    String name = "coefficients." + of.terms().get(j).name();
                    interval(name, all.coefficients().get(j), numbers);
                }
            });
        });
        return numbers;
    }

    private static void interval(String name, StandardErrors.Interval interval, Map<String, Double> numbers) {
        if (interval != null) {
            numbers.put("standardErrors.intervals." + name + ".error", interval.error());
            numbers.put("standardErrors.intervals." + name + ".low", interval.low());
            numbers.put("standardErrors.intervals." + name + ".high", interval.high());
        }
    }

    /**
     * Compares the number of rows and parameters of the standard errors, and the reason if there are none; a bootstrap
     * is not repeated. The reason is a sentence, which other versions word differently: of theirs it only matters that
     * there is one.
     */
    private void standardErrors() {
        StandardErrors says = model.standardErrors().orElse(null);
        StandardErrors is = found.standardErrors().orElse(null);
        if (says == null || is == null) {
            return;
        }
        add("standardErrors.people", says.people(), is.people());
        add("standardErrors.parameters", says.parameters(), is.parameters());
        // old files have no standard errors if a column is constant
        boolean more = says.reason() != null
                && is.reason() == null
                && !found.encoding().constantColumns().isEmpty();
        boolean equal = isOfThisVersion()
                ? Objects.equals(says.reason(), is.reason())
                : (says.reason() == null) == (is.reason() == null);
        add("standardErrors.reason", says.reason(), is.reason(), more || equal);
    }

    /**
     * Returns the rounding error of a number, measured by its change when all sample weights are multiplied by a
     * factor, which does not change its exact value.
     */
    private double rounding(String name, double here) {
        if (rounded == null) {
            rounded = reweighed.get();
        }
        double largest = 0;
        for (int k = 0; k < rounded.length; k++) {
            Double other = numbersOf(rounded[k], WEIGHINGS[k]).get(name);
            largest = Math.max(largest, other == null ? 0 : Math.abs(other - here));
        }
        // a recomputed value that is not finite gives no measure of the rounding, so nothing is refuted
        return Double.isNaN(largest) ? Double.POSITIVE_INFINITY : largest;
    }

    /**
     * Compares the bound of a hedge, whether the rule keeps it, and the frontier. A search determines the rules of the
     * frontier to fewer digits than the loss that it minimises.
     */
    private void hedge() {
        if (model.hedged().isEmpty() || found.hedged().isEmpty()) {
            return;
        }
        Solution.Hedged says = model.hedged().get();
        Solution.Hedged is = found.hedged().get();
        if (says.balance() != null && is.balance() != null) {
            balance(says.balance(), is.balance());
        }
        digits("hedge.bound", says.bound(), is.bound());
        double honest = found.losses().honest();
        add("hedge.kept", true, honest <= is.bound() * (1 + DIGITS));
        add("hedge.frontier", says.frontier().size(), is.frontier().size());
        for (int k = 0; k < Math.min(says.frontier().size(), is.frontier().size()); k++) {
            Solution.Hedged.Point one = says.frontier().get(k);
            Solution.Hedged.Point other = is.frontier().get(k);
            String name = "hedge.frontier." + (k + 1);
            // searches end at slightly different shares, as near as the gap needs; the rule's own proof uses the file's
            // share
            boolean own = model.game().hedgeOf() == GameSpec.HedgeOf.TODAY && one.share() == says.share();
            boolean share = close(one.share(), other.share(), own ? FRONTIER_DIGITS : DIGITS);
            add(name + ".share", one.share(), other.share(), share);
            add(name + ".honest", one.honest(), other.honest(), close(one.honest(), other.honest(), FRONTIER_DIGITS));
            add(name + ".moved", one.moved(), other.moved(), close(one.moved(), other.moved(), FRONTIER_DIGITS));
            boolean t = close(one.pullThrough(), other.pullThrough(), FRONTIER_DIGITS);
            add(name + ".pullThrough", one.pullThrough(), other.pullThrough(), t);
            if (model.game().hedgeOf() == GameSpec.HedgeOf.TODAY) {
                // old gaps come from another search, see isOfOlderHedge
                continue;
            }
            // the same search ends at the same gap; another search ends at one as good as the tolerance
            double asked = Math.max(tolerance, model.optimality().tolerance());
            double enough = (asked == Math.min(tolerance, model.optimality().tolerance()) ? SAME_SEARCH : asked)
                    * other.moved();
            double factor = RESIDUAL_FACTOR * RESIDUAL_FACTOR;
            boolean gap = other.gap() <= Math.max(factor * one.gap(), enough)
                    && one.gap() >= 0
                    && one.gap() <= Math.max(factor * other.gap(), asked * other.moved());
            add(name + ".gap", one.gap(), other.gap(), gap || Double.isNaN(one.gap()) && Double.isNaN(other.gap()));
        }
    }

    /** Compares a balanced rule's excess over the best losses, and those best losses. */
    private void balance(Solution.Hedged.Balance says, Solution.Hedged.Balance is) {
        add("hedge.balance.units", says.units().name(), is.units().name());
        digits("hedge.balance.honestBest", says.honestBest(), is.honestBest());
        digits("hedge.balance.movedBest", says.movedBest(), is.movedBest());
        double digits = DIGITS * Math.max(is.regret(), says.units() == Program.Excess.Kind.PROPORTION ? 1 : 0);
        add("hedge.balance.regret", says.regret(), is.regret(), Math.abs(says.regret() - is.regret()) <= digits);
        // how far the proof is from closing; the same search ends about as close
        double open = says.regretBound() - says.regret();
        double isOpen = is.regretBound() - is.regret();
        double factor = RESIDUAL_FACTOR * RESIDUAL_FACTOR;
        boolean alike = isOpen <= Math.max(factor * open, digits) && open <= Math.max(factor * isOpen, digits);
        add("hedge.balance.regretBound", says.regretBound(), is.regretBound(), alike);
    }

    /** Compares the range of gamma and, for its ends, what is stored besides the losses there. */
    private void between() {
        GameSpec.Between range = model.game().between();
        if (range == null || model.between().isEmpty() || found.between().isEmpty()) {
            return;
        }
        Solution.Between says = model.between().get();
        Solution.Between is = found.between().get();
        if (range.leastShare() != null) {
            double low = training.gammaOf(range.mostShare());
            double high = training.gammaOf(range.leastShare());
            add("game.between.low", range.low(), low, close(range.low(), low, LEARNED_DIGITS));
            add("game.between.high", range.high(), high, close(range.high(), high, LEARNED_DIGITS));
        }
        digits("between.weight", says.weight(), is.weight());
        add("between.low.proven", says.low().proven(), is.low().proven());
        add("between.high.proven", says.high().proven(), is.high().proven());
        if (says.regret() != null && is.regret() != null) {
            // a difference of two losses has their absolute error
            double rounding = DIGITS * Math.max(is.low().objective(), is.high().objective());
            double met = Math.abs(says.regret().met() - is.regret().met());
            double most = Math.abs(says.regret().most() - is.regret().most());
            add("between.regret.met", says.regret().met(), is.regret().met(), met <= rounding);
            add("between.regret.most", says.regret().most(), is.regret().most(), most <= rounding);
            digits("between.regret.gamma", says.regret().gamma(), is.regret().gamma());
        }
    }

    /**
     * Compares the promised and the actual loss of the best rule without limits and its proof, and checks that the
     * model's rule is no worse.
     */
    private void limited() {
        if (model.limited().isEmpty() || found.limited().isEmpty()) {
            return;
        }
        StackelbergModel.Limited says = model.limited().get();
        StackelbergModel.Limited is = found.limited().get();
        optimality("limited.unlimited", says.unlimited(), says.unlimited().certified(), is.unlimited());
        add("limited.heldBefore", says.heldBefore(), is.heldBefore());
        add("limited.held", says.held(), is.held());
        // with a ridge the minimised objective is more than the loss, so losses cannot be compared
        boolean notWorse = Double.isNaN(is.real())
                || found.game().ridge() > 0
                || found.losses().anticipated() <= is.real() * (1 + DIGITS);
        add("limited.notWorse", true, notWorse);
    }

    /** Compares the rows, the filled-in values and the options from which the model was fitted. */
    private void provenance(Sample sample) {
        StackelbergModel.Provenance from = model.provenance();
        add("provenance.rows", from.rows(), (long) sample.size());
        Map<String, Integer> filled = from.prepared().filled();
        // old files do not say what was filled in
        add(
                "provenance.prepared.filled",
                filled.toString(),
                sample.filled().toString(),
                filled.isEmpty() || filled.equals(sample.filled()));
        add("provenance.droppedRows", from.droppedRows(), sample.dropped());
        if (from.data() != null) {
            sample.source().ifPresent(source -> {
                add("provenance.data.sha256", from.data().sha256(), source.sha256());
                add("provenance.data.bytes", from.data().bytes(), source.bytes());
            });
        }
        GameSpec game = model.game();
        Map<String, String> options = from.options();
        Map<String, String> declared =
                Training.provenanceOf(game, model.optimality().tolerance());
        // in a file of version 1 the game is derived from the columns, in other words than it was declared in
        boolean readOff = game.features() != null && !options.containsKey("features");
        Map<String, String> both = new LinkedHashMap<>(options);
        declared.forEach(both::putIfAbsent);
        for (String option : both.keySet()) {
            boolean otherWords = readOff
                    && (List.of("features", "ignore", "immutable", "costUnits").contains(option)
                            || option.startsWith("cost "));
            if (!otherWords && !option.equals("wish") && !option.equals("tolerance")) {
                String says = options.get(option);
                String is = declared.get(option);
                boolean same = option.equals("limits")
                        ? names(numbersWritten(says)).equals(names(numbersWritten(is)))
                        : names(says).equals(names(is));
                add("provenance.options." + option, says, is, same);
            }
        }
        if (game.features() != null) {
            List<String> columns = found.encoding().features().stream()
                    .map(Encoding.Feature::column)
                    .sorted()
                    .toList();
            List<String> declaredColumns = game.features().stream().sorted().toList();
            add("game.features", String.join(",", declaredColumns), String.join(",", columns));
        }
        wish(sample, options.get("wish"));
    }

    /**
     * Writes the numbers in limits uniformly: old files have b&gt;=0.0 and b&lt;=1.0E7 for b&gt;=0 and b&lt;=10000000.
     */
    private static String numbersWritten(String limits) {
        return limits == null
                ? null
                : BOUND.matcher(limits).replaceAll(bound -> String.valueOf(Double.parseDouble(bound.group()) + 0.0));
    }

    /** Returns the names in a comma-separated list in alphabetical order, because sets have no order. */
    private static List<String> names(String list) {
        return list == null
                ? List.of()
                : Stream.of(list.split(",", -1)).sorted().toList();
    }

    /** Compares the wish: declared with statistics such as mean(y), it is stored with their values. */
    private void wish(Sample sample, String declared) {
        if (declared == null) {
            return;
        }
        String kept = model.game().wish();
        double[] z = sample.z();
        try {
            Sample.Wished wished = training.wished(declared);
            double[] recomputed = wished.z();
            double largest = 0;
            double difference = 0;
            for (int i = 0; i < z.length; i++) {
                largest = Math.max(largest, Math.abs(z[i]));
                difference = Math.max(difference, Math.abs(z[i] - recomputed[i]));
            }
            add("game.wish", kept, wished.rule().text(), difference <= DIGITS * largest);
        } catch (DataException e) {
            add("game.wish", kept, declared, false);
        }
    }

    private boolean isOfThisVersion() {
        return StackelbergModel.libraryVersion().equals(model.provenance().version());
    }

    /**
     * Checks that the file contains all warnings and notes that are found now, if it was written by this version.
     * Additional warnings are accepted, because users may add them; additional notes are not.
     */
    private void warnings() {
        if (!isOfThisVersion()) {
            return;
        }
        given("warnings", found.warnings(), model.warnings());
        given("notes", found.notes(), model.notes());
        // notes explain the answer, so that a note which is not found now was edited; what was not declared is not
        // stored
        model.notes().stream()
                .filter(note -> !note.code().equals(StackelbergRegression.NO_HEDGE))
                .filter(note -> found.notes().stream().noneMatch(other -> sameWarning(other, note)))
                .forEach(note -> add("notes", note, null));
    }

    private void given(String name, List<Message> here, List<Message> claimed) {
        here.forEach(text -> {
            boolean given = claimed.stream().anyMatch(other -> sameWarning(other, text));
            add(name, given ? text : null, text);
        });
    }

    /**
     * Returns whether two messages have the same code, words and counts; other numbers need to agree only to a tenth,
     * because some depend on rounding errors. Files of earlier versions have no codes.
     */
    private static boolean sameWarning(Message found, Message claimed) {
        if (!claimed.code().isEmpty() && !claimed.code().equals(found.code())) {
            return false;
        }
        String one = found.text();
        String other = claimed.text();
        if (!NUMBER.matcher(one).replaceAll("#").equals(NUMBER.matcher(other).replaceAll("#"))) {
            return false;
        }
        Matcher first = NUMBER.matcher(one);
        Matcher second = NUMBER.matcher(other);
        while (first.find() && second.find()) {
            boolean count = first.group(1) == null && first.group(2) == null;
            boolean same = count
                    ? first.group().equals(second.group())
                    : close(
                            Double.parseDouble(first.group().replace(",", "")),
                            Double.parseDouble(second.group().replace(",", "")),
                            0.1);
            if (!same) {
                return false;
            }
        }
        return true;
    }

    /** Compares the encoding: columns, levels, scales, and the costs of the terms. */
    private void encoding(World here, List<String> columns) {
        Encoding says = model.encoding();
        Encoding is = here.encoding();
        boolean block = says.features().stream().allMatch(f -> !f.categorical() && f.mean() == 0);
        boolean bare = says.features().stream().noneMatch(Encoding.Feature::categorical)
                && says.columns().stream()
                        .allMatch(column ->
                                column.shift() == 0 || says.constantColumns().contains(column.name()));
        add("encoding.missing", says.missing().name(), model.game().missing().name());
        add(
                "encoding.constantColumns",
                says.constantColumns().toString(),
                is.constantColumns().toString(),
                // old files do not list the constant columns of a block that is not scaled
                says.constantColumns().equals(is.constantColumns())
                        || says.constantColumns().isEmpty()
                                && block
                                && model.game().scaling() == Scaling.NONE);
        add("encoding.columns", says.names().toString(), columns.toString());
        double[] costs = here.costs();
        for (int j = 0; j < costs.length; j++) {
            StackelbergModel.Term term = model.terms().get(j);
            boolean manipulable = here.manipulable(j);
            add("terms." + term.name() + ".manipulable", term.manipulable(), manipulable);
            digits("terms." + term.name() + ".cost", term.cost(), manipulable ? costs[j] : 0);
        }
        // for blocks of numbers the features may not have been examined one by one
        for (int k = 0; k < says.features().size(); k++) {
            feature(says.features().get(k), is.features().get(k), block, bare);
        }
    }

    /**
     * @param block whether the means are unknown, as in old files of models fitted to a block
     * @param bare whether nothing is subtracted from the columns, as from those of a block
     */
    private void feature(Encoding.Feature says, Encoding.Feature is, boolean block, boolean bare) {
        String name = "encoding." + says.column();
        add(name, says.column(), is.column());
        add(name + ".levels", says.levels().toString(), is.levels().toString());
        add(name + ".mostFrequentLevel", says.mostFrequentLevel(), is.mostFrequentLevel());
        if (!block) {
            digits(name + ".mean", says.mean(), is.mean());
        }
        if (says.range() != null && is.range() != null) {
            digits(name + ".range.min", says.range().min(), is.range().min());
            digits(name + ".range.max", says.range().max(), is.range().max());
        }
        for (int k = 0; k < Math.min(says.columns().size(), is.columns().size()); k++) {
            EncodedColumn column = says.columns().get(k);
            EncodedColumn other = is.columns().get(k);
            add("encoding." + column.name() + ".level", column.level(), other.level());
            digits("encoding." + column.name() + ".scale", column.scale(), other.scale());
            // with an immutable constant every shift describes the same game, and a block has none
            boolean unshifted = bare && column.shift() == 0 && found.game().intercept() == GameSpec.Intercept.IMMUTABLE;
            // a shift is a mean, whose error is relative to the size of the values
            double size = Math.max(Math.abs(other.shift()), other.scale());
            add(
                    "encoding." + column.name() + ".shift",
                    column.shift(),
                    other.shift(),
                    unshifted || Math.abs(column.shift() - other.shift()) <= DIGITS * size);
        }
    }

    private void digits(String name, double claimed, double here) {
        add(name, claimed, here, close(claimed, here, DIGITS));
    }

    private static boolean close(double one, double other, double digits) {
        return Double.compare(one, other) == 0 || Math.abs(one - other) <= digits * Math.abs(other);
    }

    private void add(String name, Object claimed, Object here) {
        add(name, claimed, here, Objects.equals(claimed, here));
    }

    private void add(String name, Object claimed, Object here, boolean holds) {
        list.add(new Verification.Claim(name, claimed, here, holds));
    }
}
