package stackelberg.cli.answer;

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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Column;
import stackelberg.data.Message;
import stackelberg.data.Table;
import stackelberg.estimate.Loss;
import stackelberg.game.Population;
import stackelberg.game.Sample;
import stackelberg.game.World;
import stackelberg.model.response.Responses;
import stackelberg.model.response.Responses.FeatureMoves;
import stackelberg.model.response.YesOrNo;

/** How people respond to a rule: the result of {@code respond}. */
public final class ResponseReport implements Result {
    private static final int FEATURES_SHOWN = 10;
    private static final int MOVES_SHOWN = 3;

    private final World world;
    private final List<Population.Group> kinds;
    private final Responses responses;
    private final Table rows;
    private final Optional<Column> id;
    private final IntFunction<String> labels;
    private final Map<String, int[]> groups;
    private final @Nullable String groupColumn;
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

    @Override
    public Answer answer() {
        Answer.Builder answer = Answer.builder();
        answer.say(
                "%,d people. With %s, %s (pull-through %s).",
                responses.size(),
                PopulationWords.of(world),
                closed("they"),
                Numbers.pullThrough(responses.pullThrough()));
        boolean effects = world.spec().hasEffects() && responses.size() > 0;
        if (effects) {
            answer.say(
                    "%s%s For %4$,d of %3$,d people it moves towards the score they want.",
                    EffectWords.sentence(responses.earned(), responses.gamed()),
                    EffectWords.rises(world.spec().chosenTarget(), EffectWords.improvement(responses)),
                    responses.size(),
                    EffectWords.improving(responses));
        }
        if (truthful()) {
            answer.say(
                    "It is not known who is truthful: averages are expected values, and moves are those of people who move.");
        }
        answer.section()
                .block(table("on average").row(averages("all people", all())).build())
                .section();
        if (!kinds.isEmpty()) {
            Answer.TableBuilder table = table("by population");
            kinds.forEach(kind -> table.row(averages(PopulationWords.counted(kind), kind)));
            answer.block(table.build()).section();
        }
        if (!groups.isEmpty()) {
            Answer.TableBuilder table = table("by " + groupColumn);
            groups.forEach((name, members) ->
                    table.row(averages(String.format(Locale.ROOT, "%s (%,d)", name, members.length), members)));
            answer.block(table.build()).section();
        }
        answer.say(crossingWords()).section().block(featureTable()).say(stoppedWords(all()));
        if (effects) {
            answer.section().block(EffectWords.table(world, responses));
        }
        answer.section();
        if (furthest.length > 0) {
            answer.block(furthestTable());
        }
        return answer.warnings(warnings()).build();
    }

    private static Answer.TableBuilder table(String what) {
        return Answer.table(what, "before", "wish", "after", "cost");
    }

    /** The sentence about the share of the gap that people close, to be continued: it has no full stop. */
    private String closed(String who) {
        return who + " " + GapWords.close(responses.pullThrough()) + (loss.isLogistic() ? ", in log-odds" : "")
                + (differ() ? ", on average" : "");
    }

    /** The groups of people who respond alike, by name. */
    public Map<String, Population.Group> kinds() {
        return PopulationWords.named(kinds);
    }

    public String asked() {
        return String.format(
                Locale.ROOT,
                world.spec().mixed()
                        ? "How do %,d people respond to the rule for %s, with %s?"
                        : "How do %,d people respond to the rule for %s, if moving costs %s?",
                responses.size(),
                world.spec().chosenTarget(),
                PopulationWords.of(world));
    }

    /** The sentences of the answer. */
    public List<String> sentences() {
        String most = features.stream()
                .max(Comparator.comparingDouble(FeatureMoves::meanScaled))
                .map(f -> String.format(
                        Locale.ROOT,
                        "%s change %s most: by %s on average, which is %s in scaled units.",
                        truthful() ? "Those who move" : "They",
                        f.name(),
                        Numbers.number(f.meanMove()),
                        Numbers.number(f.meanScaled())))
                .orElse("They cannot change anything.");
        List<String> sentences = new ArrayList<>(List.of(
                closed("They") + ".",
                String.format(
                        Locale.ROOT,
                        "Their mean prediction is %s before the move and %s after it; the mean score they want is %s.",
                        Numbers.number(mean(all(), this::prediction)),
                        Numbers.number(mean(all(), this::expectedAfter)),
                        Numbers.number(mean(all(), this::wish))),
                most));
        crossingWords().ifPresent(sentences::add);
        stoppedWords(all()).ifPresent(sentences::add);
        return sentences;
    }

    /** Whether the share of the gap that people close differs between people. */
    private boolean differ() {
        return world.spec().mixed() || responses.isLimited();
    }

    /** The sentence about people held back by limits; empty without limits. */
    private Optional<String> stoppedWords(int[] members) {
        if (!responses.hasLimits()) {
            return Optional.empty();
        }
        long held = IntStream.of(members)
                .filter(i -> responses.stops(i) > 0 || responses.isStuck(i))
                .count();
        return Optional.of(LimitWords.heldBack(
                held, members.length, peopleStopped(members), peopleStuck(members), truthful() ? " if they move" : ""));
    }

    private long peopleStopped(int[] members) {
        return IntStream.of(members).filter(i -> responses.stops(i) > 0).count();
    }

    private long peopleStuck(int[] members) {
        return IntStream.of(members).filter(responses::isStuck).count();
    }

    private Answer.Table featureTable() {
        List<String> header =
                new ArrayList<>(List.of("moves", "mean size", "in sd", "largest", "leave range", "turn negative"));
        if (responses.hasLimits()) {
            header.add("stopped");
        }
        Answer.TableBuilder table = Answer.table(header);
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
                    table.row(cells);
                });
        if (features.size() > FEATURES_SHOWN) {
            table.remark("... and %,d more", features.size() - FEATURES_SHOWN);
        }
        return table.build();
    }

    private Answer.Table furthestTable() {
        Answer.TableBuilder table = Answer.table(
                        truthful() ? "furthest, if they move" : "furthest", "before", "wish", "after", "cost", "moves")
                .text(5);
        for (int i : furthest) {
            table.row(
                    labels.apply(i),
                    Numbers.number(prediction(i)),
                    Numbers.number(wish(i)),
                    Numbers.number(after(i)),
                    Numbers.number(responses.cost(i)),
                    largestMoves(i));
        }
        return table.build();
    }

    /** The distance that each person moves, in scaled units; if gammas differ, the longest moves need not be the most expensive ones. */
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

    private Stream<Integer> byScaledSize(int i) {
        return IntStream.of(responses.movable())
                .boxed()
                .sorted(Comparator.comparingDouble((Integer j) -> -Math.abs(responses.scaledMove(i, j))));
    }

    private List<String> averages(String name, int[] members) {
        return averages(name, members, this::expectedAfter, responses::expectedCost);
    }

    /** The averages over the members of a population. */
    private List<String> averages(String name, Population.Group kind) {
        return averages(name, kind.people(), after(kind), cost(kind));
    }

    private List<String> averages(String name, int[] members, IntToDoubleFunction after, IntToDoubleFunction cost) {
        return List.of(
                name,
                Numbers.number(mean(members, this::prediction)),
                Numbers.number(mean(members, this::wish)),
                Numbers.number(mean(members, after)),
                Numbers.number(mean(members, cost)));
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

    /** The score as it is printed: as a probability with logistic loss, otherwise as it is. */
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

    /** How many of these people are predicted a yes, before and after they move. */
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

    /** The sentence about people who cross the cut-off; empty if there is no cut-off. */
    private Optional<String> crossingWords() {
        if (!loss.isLogistic()) {
            return Optional.empty();
        }
        PredictedYes yes = predictedYes(all());
        return Optional.of(String.format(
                Locale.ROOT,
                "At the cut-off %s, %,d of %,d people are predicted %s before the move and %,d after it: %,d only because they"
                        + " move, and %,d no longer.",
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

    private int[] all() {
        return IntStream.range(0, responses.size()).toArray();
    }

    private long peopleOutOfRange(int[] members) {
        return IntStream.of(members).filter(i -> outOfRange[i] > 0).count();
    }

    /** Without limits on moves, people can end outside the range of the training data. */
    public List<Message> warnings() {
        List<Message> warnings = new ArrayList<>();
        Sample.outOfRangeWarning(peopleOutOfRange(all()), responses.size(), truthful(), responses.hasLimits())
                .ifPresent(warnings::add);
        List<String> negative = features.stream()
                .filter(f -> f.turnNegative() > 0)
                .sorted(Comparator.comparingInt(FeatureMoves::turnNegative).reversed())
                .map(f -> String.format(Locale.ROOT, "%s (%,d people)", f.name(), f.turnNegative()))
                .toList();
        if (!negative.isEmpty()) {
            int shown = Math.min(FEATURES_SHOWN, negative.size());
            warnings.add(Message.of(
                    "would-turn-negative",
                    "Would turn negative: {}{}.",
                    String.join(", ", negative.subList(0, shown)),
                    negative.size() > shown ? " and " + (negative.size() - shown) + " more" : ""));
        }
        return warnings;
    }

    @Override
    public ResponseAnswer json() {
        List<ResponseAnswer.Group> byGroup = new ArrayList<>();
        groups.forEach((name, members) -> byGroup.add(new ResponseAnswer.Group(name, answer(members))));
        return new ResponseAnswer(
                world.gamma(),
                responses.pullThrough(),
                LossAnswer.of(world.spec(), cutoff),
                world.spec().hasEffects() ? effects() : null,
                PopulationAnswer.of(world.spec()),
                answer(all()),
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
                        .map(one -> ResponseAnswer.Incentive.of(one, improvements.getOrDefault(one.name(), 0.0)))
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

    private ResponseAnswer.@Nullable Limited limited(int[] members) {
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
