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

/** What a model's file says, beside what {@link Training} finds at the model's own r. */
final class Claims {
    /** The number of a limit. */
    private static final Pattern BOUND =
            Pattern.compile("(?<=[<>]=)[-+]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][-+]?[0-9]+)?");

    /** Numbers agree to nine digits, or to those that rounding leaves. */
    private static final double DIGITS = 1e-9;

    /** A coefficient that is such a part of what would move people moves nobody. */
    private static final double NOTHING = 1e-6;

    /** What rounding does is measured twice, and claims may be off by so many times as much: other threads and kernels round otherwise. */
    private static final double ROUNDINGS = 100;

    private static final double[] WEIGHINGS = {1.1, 1.7};

    /** Bounds that rounding enters, as it enters nearly all of a residual, vary by such a factor; the gap has its square. */
    private static final double RESIDUAL_FACTOR = 10;

    /** Files of before have the multiplier of the omega a search ended at, which is that of the rule to so much. */
    private static final double SEARCHED_DIGITS = 5e-7;

    /** The gap that a search ends with is a difference of losses, which have so much rounding. */
    private static final double SAME_SEARCH = 1e-12;

    /** A share fixes its rule by a loss that is flat there. */
    private static final double FRONTIER_DIGITS = 1e-4;

    /** Words that tell a number with digits behind the point, which rounding may change, from a count. */
    private static final Pattern NUMBER = Pattern.compile("[0-9][0-9,]*(\\.[0-9]+)?(e[-+][0-9]+)?");

    /** To which a rule that was learned once more has the coefficients it had, and gamma its share. */
    private static final double LEARNED_DIGITS = 1e-7;

    /** To which it scores people as it did, where its coefficients are known less well than that. */
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
     * All that the model says and the data can bear out.
     *
     * @param training the model's game on the data
     * @param columns the encoded columns that the declared game has on the data
     * @param found what it makes of the model's r
     * @param tolerance to which a mixed population is searched
     */
    static List<Verification.Claim> of(
            StackelbergModel model, Training training, List<String> columns, StackelbergModel found, double tolerance) {
        Supplier<StackelbergModel[]> reweighed = () -> {
            StackelbergModel[] models = new StackelbergModel[WEIGHINGS.length];
            for (int k = 0; k < models.length; k++) {
                Training weighing = training.weighing(WEIGHINGS[k]);
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
     * What is proven of a point, of the rule or of the one that is best without limits.
     *
     * @param name where it stands in the file
     * @param certified as the file says it
     * @param is the same from the data
     */
    private void optimality(
            String name, StackelbergModel.Optimality says, boolean certified, StackelbergModel.Optimality is) {
        double scale = is.relativeGap() > 0 ? is.gapBound() / is.relativeGap() : Math.abs(is.objective());
        // a search that ends elsewhere proves another bound, as good as it was asked for
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
        // the same bound twice
        double relative = says.gapBound() == 0 ? 0 : says.gapBound() / scale;
        add(name + ".relativeGap", says.relativeGap(), is.relativeGap(), close(says.relativeGap(), relative, DIGITS));
        String asked = model.provenance().options().get("tolerance");
        if (asked != null) {
            add(name + ".tolerance", String.valueOf(says.tolerance()), asked);
        }
    }

    /** Whether a search over omega proves the rule. */
    private boolean searched() {
        return model.game().mixed() || model.game().isHedged() || model.game().between() != null;
    }

    /** Whether residual and curvature are those of r itself, and not of a point that a search ends at: an interval compares two losses, and w = 0 is on no sphere of one omega. */
    private boolean isOfItsPoint() {
        return !searched()
                || model.game().between() == null
                        && Vectors.norm(SphereGeometry.coefficients(model.r(), model.gamma())) > 0;
    }

    /**
     * Whether a hedge binds in a file from before format version 3: the residual, curvature and multiplier there are of a search over sphere problems, and so are the gaps of its frontier. The
     * program proves the gap of the rule itself by other numbers, so that these cannot be recomputed and prove nothing here.
     */
    private boolean isOfOlderHedge() {
        return model.game().hedgeOf() == GameSpec.HedgeOf.TODAY
                && found.hedged().filter(hedged -> hedged.share() > 0).isPresent();
    }

    /** Whoever proved less than is found did not claim too much, if the file says of what it follows. */
    private static boolean isUniqueBorneOut(StackelbergModel.Optimality says, StackelbergModel.Optimality is) {
        boolean provedLess = !says.unique()
                && is.unique()
                && says.bound().curvature() <= 4 * says.bound().residual();
        return says.unique() == is.unique() || provedLess;
    }

    /** A bound that claims less than is found is true. */
    private void atMost(String name, double claimed, double bound, double factor, double enough) {
        add(name, claimed, bound, Double.isNaN(claimed) || bound <= Math.max(factor * claimed, enough));
    }

    /** The rule in force, learned once more, and gamma as a share of the gap that people close under it. */
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

    private void numbers() {
        Map<String, Double> claimed = numbersOf(model, 1);
        if (!model.game().today().known()) {
            // files of before do not say whose losses these are
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
            // what is null or not a number is not claimed
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

    /** What files of before may say of columns that are the same for everybody, whose coefficients are 0 now: what moves nobody. */
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

    /** @param weight how many times as much everybody counts, by which losses are divided */
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

    /** The method and whom it counts, or why there are no standard errors; draws of people are not repeated. */
    private void standardErrors() {
        StandardErrors says = model.standardErrors().orElse(null);
        StandardErrors is = found.standardErrors().orElse(null);
        if (says == null || is == null) {
            return;
        }
        add("standardErrors.people", says.people(), is.people());
        add("standardErrors.parameters", says.parameters(), is.parameters());
        // files of before have none where a column is the same for everybody
        boolean more = says.reason() != null
                && is.reason() == null
                && !found.encoding().constantColumns().isEmpty();
        add("standardErrors.reason", says.reason(), is.reason(), more || Objects.equals(says.reason(), is.reason()));
    }

    /** How far a number is from itself where everybody counts more: by what rounding does to it. */
    private double rounding(String name, double here) {
        if (rounded == null) {
            rounded = reweighed.get();
        }
        double largest = 0;
        for (int k = 0; k < rounded.length; k++) {
            Double other = numbersOf(rounded[k], WEIGHINGS[k]).get(name);
            largest = Math.max(largest, other == null ? 0 : Math.abs(other - here));
        }
        // what is not finite once more agrees with everything that is not
        return Double.isNaN(largest) ? Double.POSITIVE_INFINITY : largest;
    }

    /** The bound, that the rule keeps it, and the frontier: of its rules a search fixes fewer digits than of what was minimised. */
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
            // the other search ended at a share as near as its gap needed; the proof of the rule uses the file's share
            boolean own = model.game().hedgeOf() == GameSpec.HedgeOf.TODAY && one.share() == says.share();
            boolean share = close(one.share(), other.share(), own ? FRONTIER_DIGITS : DIGITS);
            add(name + ".share", one.share(), other.share(), share);
            add(name + ".honest", one.honest(), other.honest(), close(one.honest(), other.honest(), FRONTIER_DIGITS));
            add(name + ".moved", one.moved(), other.moved(), close(one.moved(), other.moved(), FRONTIER_DIGITS));
            boolean t = close(one.pullThrough(), other.pullThrough(), FRONTIER_DIGITS);
            add(name + ".pullThrough", one.pullThrough(), other.pullThrough(), t);
            if (model.game().hedgeOf() == GameSpec.HedgeOf.TODAY) {
                // gaps of another search, see isOfOlderHedge
                continue;
            }
            // the same search ends at the same gap, another at one as good as it was asked for
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

    /** How much worse than the best rules a balanced one is: what the best ones lose, and the excess over it. */
    private void balance(Solution.Hedged.Balance says, Solution.Hedged.Balance is) {
        add("hedge.balance.units", says.units().name(), is.units().name());
        digits("hedge.balance.honestBest", says.honestBest(), is.honestBest());
        digits("hedge.balance.movedBest", says.movedBest(), is.movedBest());
        double digits = DIGITS * Math.max(is.regret(), says.units() == Program.Excess.Kind.PROPORTION ? 1 : 0);
        add("hedge.balance.regret", says.regret(), is.regret(), Math.abs(says.regret() - is.regret()) <= digits);
        // how far the proof is from closing: the same search ends as near
        double open = says.regretBound() - says.regret();
        double isOpen = is.regretBound() - is.regret();
        double factor = RESIDUAL_FACTOR * RESIDUAL_FACTOR;
        boolean alike = isOpen <= Math.max(factor * open, digits) && open <= Math.max(factor * isOpen, digits);
        add("hedge.balance.regretBound", says.regretBound(), is.regretBound(), alike);
    }

    /** The interval, and what is said of its ends beside the losses there. */
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
            // a difference of losses has the digits of these
            double rounding = DIGITS * Math.max(is.low().objective(), is.high().objective());
            double met = Math.abs(says.regret().met() - is.regret().met());
            double most = Math.abs(says.regret().most() - is.regret().most());
            add("between.regret.met", says.regret().met(), is.regret().met(), met <= rounding);
            add("between.regret.most", says.regret().most(), is.regret().most(), most <= rounding);
            digits("between.regret.gamma", says.regret().gamma(), is.regret().gamma());
        }
    }

    /** What the rule without limits promises and really loses, that it is proven there, and that the model's rule is no worse. */
    private void limited() {
        if (model.limited().isEmpty() || found.limited().isEmpty()) {
            return;
        }
        StackelbergModel.Limited says = model.limited().get();
        StackelbergModel.Limited is = found.limited().get();
        optimality("limited.unlimited", says.unlimited(), says.unlimited().certified(), is.unlimited());
        add("limited.heldBefore", says.heldBefore(), is.heldBefore());
        add("limited.held", says.held(), is.held());
        // with a ridge what is minimised is more than the loss
        boolean notWorse = Double.isNaN(is.real())
                || found.game().ridge() > 0
                || found.losses().anticipated() <= is.real() * (1 + DIGITS);
        add("limited.notWorse", true, notWorse);
    }

    private void provenance(Sample sample) {
        StackelbergModel.Provenance from = model.provenance();
        add("provenance.rows", from.rows(), (long) sample.size());
        Map<String, Integer> filled = from.prepared().filled();
        // files of before do not say what was filled in
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
        // a file of version 1 has its game read off its columns, in other words than it was declared in
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

    /** Limits with their numbers in one way: files of before have b>=0.0 and b<=1.0E7 for b>=0 and b<=10000000. */
    private static String numbersWritten(String limits) {
        return limits == null
                ? null
                : BOUND.matcher(limits).replaceAll(bound -> String.valueOf(Double.parseDouble(bound.group()) + 0.0));
    }

    /** Sets are told in any order. */
    private static List<String> names(String list) {
        return list == null
                ? List.of()
                : Stream.of(list.split(",", -1)).sorted().toList();
    }

    /** The wish was declared with statistics and is kept with their values. */
    private void wish(Sample sample, String declared) {
        if (declared == null) {
            return;
        }
        String kept = model.game().wish();
        double[] z = sample.z();
        try {
            Sample.Wished wished = training.wished(declared);
            double[] again = wished.z();
            double largest = 0;
            double difference = 0;
            for (int i = 0; i < z.length; i++) {
                largest = Math.max(largest, Math.abs(z[i]));
                difference = Math.max(difference, Math.abs(z[i] - again[i]));
            }
            add("game.wish", kept, wished.rule().text(), difference <= DIGITS * largest);
        } catch (DataException e) {
            add("game.wish", kept, declared, false);
        }
    }

    /** Warnings and notes of this version that a file of this version does not give; others may have been added by hand. */
    private void warnings() {
        if (!Version.current().equals(model.provenance().version())) {
            return;
        }
        given("warnings", found.warnings(), model.warnings());
        given("notes", found.notes(), model.notes());
        // nobody adds what an answer means by hand
        model.notes().stream()
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
     * The same code, words and counts; other numbers to a tenth, because some depend on rounding errors. A file of an earlier version has no codes.
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
                // files of before do not look at a block that is not scaled
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
        // columns of numbers alone may not have been looked at one by one
        for (int k = 0; k < says.features().size(); k++) {
            feature(says.features().get(k), is.features().get(k), block, bare);
        }
    }

    /**
     * @param block whether the means are not known, as in files of before that were fitted to a block
     * @param bare whether nothing is subtracted from columns, as from those of a block
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
            // beside an immutable constant any shift is the same game, and a block keeps none
            boolean unshifted = bare && column.shift() == 0 && found.game().intercept() == GameSpec.Intercept.IMMUTABLE;
            // a shift is a mean, as exact as the numbers it is of
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
