package stackelberg.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import stackelberg.certificate.Certificate;
import stackelberg.data.Encoding;
import stackelberg.data.Message;
import stackelberg.game.GameSpec;
import stackelberg.game.GameSpec.Today;
import stackelberg.game.PublishedRule;
import stackelberg.game.Setting;
import stackelberg.game.Settings;
import stackelberg.game.World;
import stackelberg.objective.Solution;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.type.TypeFactory;

/**
 * The JSON layout of a model file, separate from the classes of the model so that these can change without changing the
 * file.
 */
record ModelLayout(
        double gamma,
        double intercept,
        List<StackelbergModel.Term> terms,
        Encoding encoding,
        Game game,
        double pullThrough,
        double[] r,
        Solution.Hedged hedge,
        Limited limited,
        Solution.Between between,
        Optimality optimality,
        StackelbergModel.Losses losses,
        StackelbergModel.SolverRecord solver,
        StackelbergModel.Provenance provenance,
        List<Report> warnings,
        List<Report> notes,
        Sure standardErrors) {
    /**
     * The declared game: a key for each {@link Setting} that is stored, in their order, and the coefficient of a
     * manipulable intercept.
     *
     * @param values the stored values by key
     */
    @JsonDeserialize(using = GameReader.class)
    record Game(Map<String, Object> values) {
        static final String INTERCEPT_COEFFICIENT = "interceptCoefficient";

        static Game of(GameSpec spec, double interceptCoefficient) {
            Map<String, Object> values = new LinkedHashMap<>();
            for (Setting<?> setting : Settings.all()) {
                if (setting.fileKey() != null) {
                    Object value = spec.inFile(setting);
                    values.put(setting.fileKey(), value instanceof Today today ? InForce.of(today) : value);
                }
            }
            values.put(INTERCEPT_COEFFICIENT, interceptCoefficient);
            return new Game(values);
        }

        /** Returns the keys and values as one flat JSON object. */
        @JsonValue
        Map<String, Object> inFile() {
            return values;
        }

        /** Returns the stored value of a setting, or null if there is none. */
        Object of(Setting<?> setting) {
            return values.get(setting.fileKey());
        }

        double interceptCoefficient() {
            return (Double) values.get(INTERCEPT_COEFFICIENT);
        }

        GameSpec spec(double gamma) {
            GameSpec.Builder game = GameSpec.builder().set(Settings.GAMMA, gamma);
            for (Setting<?> setting : Settings.all()) {
                Object value = setting.fileKey() == null ? null : of(setting);
                if (value != null) {
                    game.setFromFile(setting, value instanceof InForce today ? today.value() : value);
                }
            }
            return game.build();
        }
    }

    /** Reads a game key by key, each with the type of its setting. */
    static final class GameReader extends ValueDeserializer<Game> {
        private static final Map<String, Setting<?>> BY_KEY = new LinkedHashMap<>();

        static {
            for (Setting<?> setting : Settings.all()) {
                if (setting.fileKey() != null) {
                    BY_KEY.put(setting.fileKey(), setting);
                }
            }
        }

        @Override
        public Game deserialize(JsonParser json, DeserializationContext context) {
            if (!json.isExpectedStartObjectToken()) {
                return (Game) context.handleUnexpectedToken(context.constructType(Game.class), json);
            }
            Map<String, Object> values = new LinkedHashMap<>();
            for (String key = json.nextName(); key != null; key = json.nextName()) {
                json.nextToken();
                if (!BY_KEY.containsKey(key) && !key.equals(Game.INTERCEPT_COEFFICIENT)) {
                    throw UnrecognizedPropertyException.from(json, Game.class, key, List.copyOf(BY_KEY.keySet()));
                }
                try {
                    JavaType type = type(BY_KEY.get(key), context.getTypeFactory());
                    values.put(key, json.currentToken() == JsonToken.VALUE_NULL ? null : context.readValue(json, type));
                } catch (JacksonException e) {
                    throw e.prependPath(Game.class, key);
                }
            }
            requireKeys(values, json);
            return new Game(values);
        }

        private static void requireKeys(Map<String, Object> values, JsonParser json) {
            Stream.concat(BY_KEY.keySet().stream(), Stream.of(Game.INTERCEPT_COEFFICIENT))
                    .filter(key -> !values.containsKey(key))
                    .findFirst()
                    .ifPresent(key -> {
                        throw MismatchedInputException.from(json, Object.class, "missing")
                                .prependPath(Game.class, key);
                    });
        }

        /**
         * @param setting null for the coefficient of the intercept
         */
        private static JavaType type(Setting<?> setting, TypeFactory types) {
            if (setting == null) {
                return types.constructType(Double.class);
            }
            Class<?> type = setting == Settings.TODAY ? InForce.class : setting.fileType();
            if (type == Map.class) {
                return types.constructMapType(LinkedHashMap.class, String.class, Double.class);
            }
            if (type == List.class) {
                return types.constructCollectionType(List.class, String.class);
            }
            return type == Set.class
                    ? types.constructCollectionType(LinkedHashSet.class, String.class)
                    : types.constructType(type);
        }
    }

    /** Today's rule; null if the file has none. */
    record InForce(Today.Kind kind, String source, double intercept, Map<String, Double> coefficients) {
        static InForce of(Today today) {
            return today.known()
                    ? new InForce(
                            today.kind(),
                            today.source(),
                            today.rule().intercept(),
                            today.rule().coefficients())
                    : null;
        }

        Today value() {
            return new Today(kind, new PublishedRule(Today.NAME, intercept, coefficients), source);
        }
    }

    /** The certificate in plain values. */
    record Optimality(
            double objective,
            double multiplier,
            double residual,
            double curvature,
            double gapBound,
            double relativeGap,
            Certificate.Proof proof,
            boolean unique,
            boolean finite,
            Certificate.Finiteness finiteness,
            boolean certified,
            double tolerance) {
        static Optimality of(StackelbergModel.Optimality o) {
            return new Optimality(
                    o.objective(),
                    o.multiplier(),
                    o.bound().residual(),
                    o.bound().curvature(),
                    o.gapBound(),
                    o.relativeGap(),
                    o.proof(),
                    o.unique(),
                    o.finite(),
                    o.finiteness(),
                    o.certified(),
                    o.tolerance());
        }

        StackelbergModel.Optimality value() {
            var bound = new Certificate.Bound(multiplier, residual, curvature, gapBound);
            return new StackelbergModel.Optimality(objective, bound, relativeGap, tolerance, proof, unique, finiteness);
        }
    }

    /** A warning or a note with its settings in braces. Files of earlier versions have the text without a code. */
    record Report(String code, String text) {
        @JsonCreator
        Report {}

        @JsonCreator
        static Report of(String text) {
            return new Report("", text);
        }
    }

    /** What is known of the best rule without limits; null for a game without limits. */
    record Limited(
            Optimality unlimited, double promised, double real, int heldBefore, int held, double earned, int starts) {
        static Limited of(StackelbergModel.Limited limited) {
            return new Limited(
                    Optimality.of(limited.unlimited()),
                    limited.promised(),
                    limited.real(),
                    limited.heldBefore(),
                    limited.held(),
                    limited.earned(),
                    limited.starts());
        }

        StackelbergModel.Limited value() {
            return new StackelbergModel.Limited(unlimited.value(), promised, real, heldBefore, held, earned, starts);
        }
    }

    /** Standard errors with coefficients in the order of the terms; null if none were asked for. */
    record Sure(
            String method,
            int people,
            int parameters,
            double totalSquares,
            StandardErrors.Intervals intervals,
            String reason) {
        static Sure of(StandardErrors errors) {
            return new Sure(
                    errors.method().inWords(),
                    errors.people(),
                    errors.parameters(),
                    errors.totalSquares(),
                    errors.intervals(),
                    errors.reason());
        }

        StandardErrors value() {
            return new StandardErrors(
                    StandardErrors.Method.of(method), people, parameters, totalSquares, intervals, reason);
        }
    }

    /** Returns the layout of a model, for writing it. */
    static ModelLayout of(StackelbergModel model) {
        return new ModelLayout(
                model.gamma(),
                model.intercept(),
                model.terms(),
                model.encoding(),
                Game.of(model.game(), model.interceptCoefficient()),
                model.pullThrough(),
                model.r(),
                model.hedged().orElse(null),
                model.limited().map(Limited::of).orElse(null),
                model.between().orElse(null),
                Optimality.of(model.optimality()),
                model.losses(),
                model.solver(),
                model.provenance(),
                reports(model.warnings()),
                reports(model.notes()),
                model.standardErrors().map(Sure::of).orElse(null));
    }

    private static List<Report> reports(List<Message> messages) {
        return messages.stream()
                .map(message -> new Report(message.code(), message.inFile()))
                .toList();
    }

    private static List<Message> messages(List<Report> reports) {
        return reports.stream()
                .map(report -> Message.fromFile(report.code(), report.text()))
                .toList();
    }

    /** Returns the model; {@link ModelCheck} has checked the parts. */
    StackelbergModel model() {
        double[] costs = terms.stream()
                .mapToDouble(term -> term.manipulable() ? term.cost() : Double.POSITIVE_INFINITY)
                .toArray();
        double[] coefficients =
                terms.stream().mapToDouble(StackelbergModel.Term::coefficient).toArray();
        return new StackelbergModel(
                new World(game.spec(gamma), encoding, costs),
                new StackelbergModel.Answer(
                        intercept,
                        coefficients,
                        game.interceptCoefficient(),
                        pullThrough,
                        r,
                        hedge,
                        limited == null ? null : limited.value(),
                        between),
                optimality.value(),
                new StackelbergModel.Background(
                        solver,
                        losses,
                        provenance,
                        messages(warnings),
                        messages(notes),
                        standardErrors == null ? null : standardErrors.value()),
                optimality.certified);
    }

    /**
     * Returns the settings that a file of an earlier version does not store, derived from its encoding and terms:
     * features, immutable columns and costs have their exact values, though not the words in which they were declared.
     */
    static Map<String, Object> unsaid(
            List<StackelbergModel.Term> terms, Encoding encoding, Map<String, String> options) {
        Set<String> immutable = new LinkedHashSet<>();
        Map<String, Double> costs = new LinkedHashMap<>();
        boolean allLevels = false;
        int j = 0;
        for (Encoding.Feature feature : encoding.features()) {
            for (int k = 0; k < feature.columns().size() && j < terms.size(); k++, j++) {
                StackelbergModel.Term term = terms.get(j);
                if (!term.manipulable()) {
                    immutable.add(feature.column());
                    allLevels |= feature.categorical()
                            && feature.columns().size() == feature.levels().size();
                } else if (term.cost() != 1) {
                    costs.put(term.name(), term.cost());
                }
            }
        }
        Map<String, Object> unsaid = new LinkedHashMap<>();
        unsaid.put("group", options.get("group"));
        unsaid.put(
                "features",
                encoding.features().stream().map(Encoding.Feature::column).toList());
        unsaid.put("ignore", List.of());
        unsaid.put("immutable", immutable);
        unsaid.put("costs", costs);
        unsaid.put("costUnits", GameSpec.CostUnits.SCALED);
        unsaid.put("scaling", options.getOrDefault("scale", "standard").toUpperCase(Locale.ROOT));
        unsaid.put("missing", encoding.missing());
        unsaid.put("fullOneHot", allLevels);
        return unsaid;
    }
}
