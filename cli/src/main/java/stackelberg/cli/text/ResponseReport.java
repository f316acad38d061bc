package stackelberg.cli.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import stackelberg.cli.answer.LossAnswer;
import stackelberg.cli.answer.ModelAnswer;
import stackelberg.cli.answer.Numbers;
import stackelberg.cli.answer.PersonId;
import stackelberg.cli.answer.PopulationAnswer;
import stackelberg.cli.answer.ResponseAnswer;
import stackelberg.data.Column;
import stackelberg.data.Table;
import stackelberg.game.Loss;
import stackelberg.game.Population;
import stackelberg.game.Sample;
import stackelberg.game.World;
import stackelberg.model.response.Responses;
import stackelberg.model.response.Responses.FeatureMoves;
import stackelberg.model.response.YesOrNo;

/** What people do about a rule, summed up: as text and for JSON. */
public final class ResponseReport {
    private static final int FEATURES_SHOWN = 10;
    private static final int MOVES_SHOWN = 3;

    private final World world;
    private final List<Population.Group> kinds;
    private final Responses responses;
    private final Table rows;
    private final Optional<Column> id;
    private final IntFunction<String> labels;
    private final Map<String, int[]> groups;
    private final String groupColumn;
    private final List<FeatureMoves> features;
    private final int[] outOfRange;
    private final int[] furthest;
    private final Loss loss;
    private final double cutoff;

    public ResponseReport(
            World world, Responses responses, Table rows, Optional<String> groupColumn, int top, double cutoff) {
        this.world = world;
        this.loss = world.spec().loss();
        this.cutoff = cutoff;
        this.kinds = world.spec().mixed() ? PopulationWords.groups(responses.population()) : List.of();
        this.responses = responses;
        this.rows = rows;
        this.id = world.id(rows);
        this.labels = world.labels(rows);
        this.groupColumn = groupColumn.orElse(null);
        this.groups = groupColumn.map(column -> rows.groups(column)).orElse(Map.of());
        this.features = responses.features();
        this.outOfRange = responses.movesOutOfRange();
        double[] distances = distances();
        this.furthest = IntStream.range(0, responses.size())
                .boxed()
                .sorted(Comparator.comparingDouble((Integer i) -> -distances[i]))
                .limit(Math.max(0, top))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    public String text() {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                differ()
                        ? "%,d people. With %s they close %s of the gap to their wish on average (pull-through %s).%n"
                        : "%,d people. With %s everybody closes %s of the gap to its wish"
                                + (loss.isLogistic() ? ", in log-odds" : "") + " (pull-through %s).%n",
                responses.size(),
                PopulationWords.of(world),
                Numbers.percent(responses.pullThrough()),
                Numbers.pullThrough(responses.pullThrough())));
        if (world.spec().hasEffects() && responses.size() > 0) {
            text.append(real()).append('\n');
        }
        text.append(
                truthful()
                        ? "Who is truthful is not known: averages are expected values, moves are those of people who move.\n\n"
                        : "\n");
        text.append(new TextTable()
                .add("on average", "before", "wish", "after", "cost")
                .add(averages("everybody", everybody())));
        if (!kinds.isEmpty()) {
            TextTable table = new TextTable().add("by population", "before", "wish", "after", "cost");
            kinds.forEach(kind -> table.add(averages(PopulationWords.counted(kind), kind)));
            text.append('\n').append(table);
        }
        if (!groups.isEmpty()) {
            TextTable table = new TextTable().add("by " + groupColumn, "before", "wish", "after", "cost");
            groups.forEach((name, members) ->
                    table.add(averages(String.format(Locale.ROOT, "%s (%,d)", name, members.length), members)));
            text.append('\n').append(table);
        }
        crossingWords().ifPresent(words -> text.append('\n').append(words).append('\n'));
        appendFeatures(text);
        stoppedWords(everybody()).ifPresent(words -> text.append(words).append('\n'));
        if (world.spec().hasEffects() && responses.size() > 0) {
            text.append('\n').append(EffectWords.table(world, responses));
        }
        appendFurthest(text);
        return text.toString();
    }

    /** What of it is real. */
    private String real() {
        return EffectWords.sentence(responses.earned(), responses.gamed())
                + String.format(
                        Locale.ROOT,
                        " On average %s really rises by %s; of %,d people it moves towards their wish for %,d.",
                        world.target(),
                        Numbers.number(EffectWords.improvement(responses)),
                        responses.size(),
                        EffectWords.improving(responses));
    }

    /** Those who respond alike, by what they are called. */
    public Map<String, Population.Group> kinds() {
        return PopulationWords.named(kinds);
    }

    public String asked() {
        return String.format(
                Locale.ROOT,
                world.spec().mixed()
                        ? "What do %,d people do about the rule for %s, with %s?"
                        : "What do %,d people do about the rule for %s, if moving costs %s?",
                responses.size(),
                world.target(),
                PopulationWords.of(world));
    }

    /** The answer, a sentence at a time. */
    public List<String> sentences() {
        String most = features.stream()
                .max(Comparator.comparingDouble(FeatureMoves::meanScaled))
                .map(f -> String.format(
                        Locale.ROOT,
                        "What %s most is %s: by %s on average, %s in scaled units.",
                        truthful() ? "those who move change" : "they move",
                        f.name(),
                        Numbers.number(f.meanMove()),
                        Numbers.number(f.meanScaled())))
                .orElse("There is nothing they can move.");
        List<String> sentences = new ArrayList<>(List.of(
                String.format(
                        Locale.ROOT,
                        differ()
                                ? "They close %s of the gap to their wish, on average."
                                : "Everybody closes %s of the gap to its wish"
                                        + (loss.isLogistic() ? ", in log-odds." : "."),
                        Numbers.percent(responses.pullThrough())),
                String.format(
                        Locale.ROOT,
                        "On average they are predicted %s before and %s after, and wish for %s.",
                        Numbers.number(mean(everybody(), this::prediction)),
                        Numbers.number(mean(everybody(), this::expectedAfter)),
                        Numbers.number(mean(everybody(), this::wish))),
                most));
        crossingWords().ifPresent(sentences::add);
        stoppedWords(everybody()).ifPresent(sentences::add);
        return sentences;
    }

    /** Whether people close different parts of the gap to their wish. */
    private boolean differ() {
        return world.spec().mixed() || responses.isLimited();
    }

    /** Whom limits stop; empty where none are declared. */
    private Optional<String> stoppedWords(int[] members) {
        if (!responses.hasLimits()) {
            return Optional.empty();
        }
        long held = IntStream.of(members)
                .filter(i -> responses.stops(i) > 0 || responses.isStuck(i))
                .count();
        return Optional.of(
                held == 0
                        ? "The limits hold back nobody."
                        : String.format(
                                Locale.ROOT,
                                "The limits hold back %s%s: a limit stops %,d with at least one feature, and %,d %s stuck and stay%s as"
                                        + " they are, although they wish otherwise.",
                                LimitWords.ofPeople(held, members.length),
                                truthful() ? " if they move" : "",
                                peopleStopped(members),
                                peopleStuck(members),
                                peopleStuck(members) == 1 ? "is" : "are",
                                peopleStuck(members) == 1 ? "s" : ""));
    }

    private long peopleStopped(int[] members) {
        return IntStream.of(members).filter(i -> responses.stops(i) > 0).count();
    }

    private long peopleStuck(int[] members) {
        return IntStream.of(members).filter(responses::isStuck).count();
    }

    private void appendFeatures(StringBuilder text) {
        List<String> header =
                new ArrayList<>(List.of("moves", "mean size", "in sd", "largest", "leave range", "turn negative"));
        if (responses.hasLimits()) {
            header.add("stopped");
        }
        TextTable table = new TextTable().add(header.toArray(String[]::new));
        features.stream()
                .sorted(Comparator.comparingDouble(FeatureMoves::meanScaled).reversed())
                .limit(FEATURES_SHOWN)
                .forEach(f -> {
                    List<String> cells = new ArrayList<>(List.of(
                            f.name(),
                            Numbers.number(f.meanMove()),
                            Numbers.number(f.meanScaled()),
                            Numbers.number(f.largest()),
                            String.valueOf(f.leaveRange()),
                            String.valueOf(f.turnNegative())));
                    if (responses.hasLimits()) {
                        cells.add(String.valueOf(f.stopped()));
                    }
                    table.add(cells.toArray(String[]::new));
                });
        text.append('\n').append(table);
        if (features.size() > FEATURES_SHOWN) {
            text.append(String.format(Locale.ROOT, "  ... and %,d more%n", features.size() - FEATURES_SHOWN));
        }
    }

    private void appendFurthest(StringBuilder text) {
        if (furthest.length == 0) {
            return;
        }
        TextTable table = new TextTable(5)
                .add(truthful() ? "furthest, if they move" : "furthest", "before", "wish", "after", "cost", "moves");
        for (int i : furthest) {
            table.add(
                    labels.apply(i),
                    Numbers.number(prediction(i)),
                    Numbers.number(wish(i)),
                    Numbers.number(after(i)),
                    Numbers.number(responses.cost(i)),
                    largestMoves(i));
        }
        text.append('\n').append(table);
    }

    /** How far everybody moves, in scaled units: where gammas differ, those who go furthest need not pay most. */
    private double[] distances() {
        int[] movable = responses.movable();
        double[] distances = new double[responses.size()];
        for (int i = 0; i < distances.length; i++) {
            double squares = 0;
            for (int j : movable) {
                double scaled = responses.scaledMove(i, j);
                squares += scaled * scaled;
            }
            distances[i] = Math.sqrt(squares);
        }
        return distances;
    }

    private String largestMoves(int i) {
        List<String> moves = new ArrayList<>();
        byScaledSize(i).limit(MOVES_SHOWN).forEach(j -> {
            double move = responses.move(i, j);
            moves.add(responses.name(j)
                    + (move < 0 ? " " : " +")
                    + Numbers.number(move)
                    + (responses.isStopped(i, j) ? " (limit)" : ""));
        });
        return String.join(", ", moves);
    }

    private java.util.stream.Stream<Integer> byScaledSize(int i) {
        return IntStream.of(responses.movable())
                .boxed()
                .sorted(Comparator.comparingDouble((Integer j) -> -Math.abs(responses.scaledMove(i, j))));
    }

    private String[] averages(String name, int[] members) {
        return new String[] {
            name,
            Numbers.number(mean(members, this::prediction)),
            Numbers.number(mean(members, this::wish)),
            Numbers.number(mean(members, this::expectedAfter)),
            Numbers.number(mean(members, responses::expectedCost))
        };
    }

    /** Of people known to be of that kind. */
    private String[] averages(String name, Population.Group kind) {
        return new String[] {
            name,
            Numbers.number(mean(kind.people(), this::prediction)),
            Numbers.number(mean(kind.people(), this::wish)),
            Numbers.number(mean(kind.people(), after(kind))),
            Numbers.number(mean(kind.people(), cost(kind)))
        };
    }

    private IntToDoubleFunction after(Population.Group kind) {
        return kind.truthful() ? this::prediction : this::after;
    }

    private IntToDoubleFunction cost(Population.Group kind) {
        return kind.truthful() ? i -> 0 : responses::cost;
    }

    private boolean truthful() {
        return world.spec().truthfulShare() > 0;
    }

    /** What people read of a score: itself, or its probability. */
    private double prediction(int i) {
        return loss.prediction(responses.prediction(i));
    }

    private double wish(int i) {
        return LossWords.wish(loss, responses.wish(i));
    }

    private double after(int i) {
        return loss.prediction(responses.after(i));
    }

    private double expectedAfter(int i) {
        return loss.prediction(responses.expectedAfter(i));
    }

    private boolean isYes(double score) {
        return YesOrNo.isYes(score, cutoff);
    }

    /** How many of these people the cut-off takes for a yes, before and after they move. */
    private record PredictedYes(long before, long after, long onlyAfter, long onlyBefore) {}

    private PredictedYes predictedYes(int[] members) {
        long[] counts = new long[4];
        for (int i : members) {
            boolean before = isYes(responses.prediction(i));
            boolean after = isYes(responses.after(i));
            counts[0] += before ? 1 : 0;
            counts[1] += after ? 1 : 0;
            counts[2] += after && !before ? 1 : 0;
            counts[3] += before && !after ? 1 : 0;
        }
        return new PredictedYes(counts[0], counts[1], counts[2], counts[3]);
    }

    /** Who crosses the cut-off; empty where there is none. */
    private Optional<String> crossingWords() {
        if (!loss.isLogistic()) {
            return Optional.empty();
        }
        PredictedYes yes = predictedYes(everybody());
        return Optional.of(String.format(
                Locale.ROOT,
                "At the cut-off %s, %,d of %,d people are predicted %s as they are and %,d once they have moved: %,d only because they"
                        + " move and %,d no longer.",
                Numbers.plain(cutoff),
                yes.before,
                responses.size(),
                LossAnswer.event(world.spec()),
                yes.after,
                yes.onlyAfter,
                yes.onlyBefore));
    }

    private static double mean(int[] members, IntToDoubleFunction value) {
        return IntStream.of(members).mapToDouble(value).average().orElse(Double.NaN);
    }

    private int[] everybody() {
        return IntStream.range(0, responses.size()).toArray();
    }

    private long peopleOutOfRange(int[] members) {
        return IntStream.of(members).filter(i -> outOfRange[i] > 0).count();
    }

    /** Without limits moves know no bounds, so it is said how many people end where nobody was seen. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        Sample.outOfRangeWarning(peopleOutOfRange(everybody()), responses.size(), truthful(), responses.hasLimits())
                .ifPresent(warnings::add);
        List<String> negative = features.stream()
                .filter(f -> f.turnNegative() > 0)
                .sorted(Comparator.comparingInt(FeatureMoves::turnNegative).reversed())
                .map(f -> String.format(Locale.ROOT, "%s (%,d people)", f.name(), f.turnNegative()))
                .toList();
        if (!negative.isEmpty()) {
            int shown = Math.min(FEATURES_SHOWN, negative.size());
            warnings.add("Would turn negative: " + String.join(", ", negative.subList(0, shown))
                    + (negative.size() > shown ? " and " + (negative.size() - shown) + " more" : "") + ".");
        }
        return warnings;
    }

    public ResponseAnswer answer() {
        List<ResponseAnswer.Group> byGroup = new ArrayList<>();
        groups.forEach((name, members) -> byGroup.add(new ResponseAnswer.Group(name, answer(members))));
        return new ResponseAnswer(
                world.gamma(),
                responses.pullThrough(),
                LossAnswer.of(world.spec(), cutoff),
                world.spec().hasEffects() ? effects() : null,
                PopulationAnswer.of(world.spec()),
                answer(everybody()),
                world.spec().mixed() ? kinds.stream().map(this::answer).toList() : null,
                features.stream()
                        .map(f -> ResponseAnswer.Feature.of(f, responses.hasLimits()))
                        .toList(),
                byGroup,
                IntStream.of(furthest).mapToObj(this::person).toList(),
                ModelAnswer.Filled.of(world.encoding(), world.filled(rows)),
                warnings());
    }

    private ResponseAnswer.Effects effects() {
        boolean anybody = responses.size() > 0;
        Map<String, Double> improvements = EffectWords.improvements(responses);
        return new ResponseAnswer.Effects(
                world.spec().effects(),
                anybody ? responses.earned() : Double.NaN,
                anybody ? responses.gamed() : Double.NaN,
                EffectWords.improvement(responses),
                EffectWords.improving(responses),
                world.incentives(responses.rule()).stream()
                        .map(one -> ResponseAnswer.Incentive.of(one, improvements.get(one.name())))
                        .toList());
    }

    private ResponseAnswer.Averages answer(int[] members) {
        return new ResponseAnswer.Averages(
                members.length,
                mean(members, this::prediction),
                mean(members, this::wish),
                mean(members, this::expectedAfter),
                mean(members, responses::expectedCost),
                loss.isLogistic() ? scores(members) : null,
                peopleOutOfRange(members),
                limited(members));
    }

    private ResponseAnswer.Scores scores(int[] members) {
        PredictedYes yes = predictedYes(members);
        return new ResponseAnswer.Scores(
                mean(members, responses::prediction),
                mean(members, responses::expectedAfter),
                yes.before,
                yes.after,
                yes.onlyAfter,
                yes.onlyBefore);
    }

    private ResponseAnswer.Limited limited(int[] members) {
        return responses.hasLimits() ? new ResponseAnswer.Limited(peopleStopped(members), peopleStuck(members)) : null;
    }

    private ResponseAnswer.OfPopulation answer(Population.Group kind) {
        int[] members = kind.people();
        int[] moving = kind.truthful() ? new int[0] : members;
        return new ResponseAnswer.OfPopulation(
                PopulationWords.answer(kind),
                new ResponseAnswer.Averages(
                        members.length,
                        mean(members, this::prediction),
                        mean(members, this::wish),
                        mean(members, after(kind)),
                        mean(members, cost(kind)),
                        null,
                        peopleOutOfRange(moving),
                        limited(moving)));
    }

    private ResponseAnswer.Person person(int i) {
        boolean limits = responses.hasLimits();
        Map<String, Double> moves = new LinkedHashMap<>();
        byScaledSize(i).forEach(j -> moves.put(responses.name(j), responses.move(i, j)));
        return new ResponseAnswer.Person(
                PersonId.of(id, i),
                rows.rowNumber(i),
                prediction(i),
                wish(i),
                expectedAfter(i),
                !loss.isLogistic()
                        ? null
                        : new ResponseAnswer.Score(
                                responses.prediction(i),
                                responses.expectedAfter(i),
                                isYes(responses.prediction(i)),
                                isYes(responses.after(i))),
                responses.expectedCost(i),
                truthful() ? new ResponseAnswer.IfMoving(after(i), responses.cost(i)) : null,
                moves,
                limits
                        ? IntStream.of(responses.movable())
                                .filter(j -> responses.isStopped(i, j))
                                .mapToObj(responses::name)
                                .toList()
                        : null,
                limits ? responses.isStuck(i) : null);
    }
}
