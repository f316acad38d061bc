package stackelberg.model;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import stackelberg.certificate.Certificate;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Message;
import stackelberg.data.io.AtomicFile;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.game.Setting;
import stackelberg.game.Settings;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads and writes a model as one JSON file with a format version. A file is written completely or not at all. */
public final class ModelFile {
    /** The value of the first key, {@code format}, of every model file. */
    private static final String FORMAT = "stackelberg-model";

    /**
     * The version that this library writes; it also reads earlier ones. Version 2 added more of the declared game,
     * version 3 the reference of a hedge, version 4 hedges in words.
     */
    private static final int FORMAT_VERSION = 4;

    /** The keys that may be null; an asterisk stands for any index. */
    private static final Set<String> MAY_BE_NULL = new HashSet<>(Set.of(
            "game.answers.no",
            "game.between.leastShare",
            "game.between.mostShare",
            "hedge",
            "hedge.balance",
            "limited",
            "between",
            "between.regret",
            "standardErrors",
            "standardErrors.intervals",
            "standardErrors.intervals.earned",
            "standardErrors.reason",
            "provenance.data",
            "losses.totalWeight",
            "losses.naive",
            "losses.naiveAttacked",
            "losses.meanGap",
            "encoding.features.*.mostFrequentLevel",
            "encoding.features.*.range",
            "encoding.features.*.columns.*.level"));

    static {
        for (Setting<?> setting : Settings.all()) {
            if (setting.mayBeNullInFile()) {
                MAY_BE_NULL.add("game." + setting.fileKey());
            }
        }
    }

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            // an empty text is neither a number nor null
            .withCoercionConfigDefaults(c -> c.setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail))
            .build();

    /** The number of characters of a wrong value that a message shows. */
    private static final int LONGEST_VALUE = 60;

    private ModelFile() {}

    public static void save(StackelbergModel model, Path file) {
        AtomicFile.write(file, toJson(model).getBytes(StandardCharsets.UTF_8));
    }

    /** Reads a model file; throws, saying where and why, if it is not a model that this version can read. */
    public static StackelbergModel load(Path file) {
        String text;
        try {
            text = Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new DataException(
                    Message.of(
                            "model-file-missing",
                            "There is no model file '{}'.\n" + "Maybe the path is misspelt.",
                            file),
                    e);
        } catch (CharacterCodingException e) {
            throw notJson(file.toString());
        } catch (IOException e) {
            throw new DataException(
                    Message.of(
                            "model-file-unreadable", "The model file '{}' cannot be read: {}.", file, e.getMessage()),
                    e);
        }
        return fromJson(text, file.toString());
    }

    /** Returns the text of a model file, for callers that store it elsewhere. */
    public static String toJson(StackelbergModel model) {
        ObjectNode root = JSON.createObjectNode();
        root.put("format", FORMAT);
        root.put("formatVersion", FORMAT_VERSION);
        root.setAll((ObjectNode) JSON.valueToTree(ModelLayout.of(model)));
        return JSON.writeValueAsString(root) + "\n";
    }

    /**
     * @param name the name of the text in messages, such as its file
     */
    public static StackelbergModel fromJson(String text, String name) {
        if (!text.isBlank() && !text.stripLeading().startsWith("{")) {
            throw notJson(name);
        }
        JsonNode root;
        try {
            root = JSON.readTree(text);
        } catch (StreamConstraintsException e) {
            throw new DataException(
                    Message.of(
                            "not-a-model",
                            "'{}' is not a Stackelberg model: {}\n"
                                    + "Maybe it is another JSON file; models are written by fit -o.",
                            name,
                            where(e, "it is nested too deeply, or a number or text is too long")),
                    e);
        } catch (JacksonException e) {
            throw new DataException(
                    Message.of(
                            "model-file-cut-off",
                            "'{}' is not a whole JSON file: {}\n"
                                    + "Maybe it was cut off while it was copied: copy it again, or fit the model again.",
                            name,
                            where(e, "it breaks off or makes no sense")),
                    e);
        }
        if (!(root instanceof ObjectNode object)
                || !FORMAT.equals(object.path("format").asString(""))) {
            throw DataException.of(
                    "not-a-model",
                    "'{}' is not a Stackelberg model: its \"format\" is not \"{}\".\n"
                            + "Maybe it is another JSON file; models are written by fit -o.",
                    name,
                    FORMAT);
        }
        int version = object.path("formatVersion").asInt(-1);
        if (version < 1 || version > FORMAT_VERSION) {
            throw DataException.of(
                    "model-version",
                    "'{}' has format version {}; this is Stackelberg {}, which reads versions 1 to {}.\n"
                            + "Maybe update Stackelberg, or fit the model again.",
                    name,
                    object.path("formatVersion"),
                    StackelbergModel.libraryVersion(),
                    FORMAT_VERSION);
        }
        if (version < 4 && object.path("game") instanceof ObjectNode game) {
            completeHedge(game, version);
        }
        requireValues(object, "", name);
        object.remove("format");
        object.remove("formatVersion");
        ModelLayout layout;
        try {
            if (version < 2) {
                complete(object);
            }
            completeKeys(object);
            layout = JSON.treeToValue(object, ModelLayout.class);
        } catch (JacksonException e) {
            throw new DataException(
                    Message.of(
                            "model-damaged",
                            "'{}' is damaged: {}\n" + "Maybe it was edited by hand: fit the model again.",
                            name,
                            misread(e, object)),
                    e);
        }
        ModelCheck.requireSense(layout, name);
        try {
            return layout.model();
        } catch (IllegalArgumentException e) {
            throw new DataException(
                    Message.of(
                            "model-damaged",
                            "'{}' is damaged: {}\n" + "Maybe it was edited by hand: fit the model again.",
                            name,
                            e.getMessage()),
                    e);
        }
    }

    /** Adds to a file of an earlier version the settings that it lacks or stores in other places. */
    private static void complete(ObjectNode object) {
        boolean whole =
                object.path("terms").isArray() && object.path("encoding").isObject();
        if (!whole || !(object.path("game") instanceof ObjectNode game)) {
            return;
        }
        List<StackelbergModel.Term> terms =
                List.of(JSON.treeToValue(object.path("terms"), StackelbergModel.Term[].class));
        Encoding encoding = JSON.treeToValue(object.path("encoding"), Encoding.class);
        Map<String, String> options = new LinkedHashMap<>();
        object.path("provenance")
                .path("options")
                .properties()
                .forEach(
                        option -> options.put(option.getKey(), option.getValue().asString("")));
        ObjectNode unsaid = JSON.valueToTree(ModelLayout.unsaid(terms, encoding, options));
        unsaid.properties().stream()
                .filter(part -> !game.has(part.getKey()))
                .forEach(part -> game.set(part.getKey(), part.getValue()));
    }

    /**
     * Adds what earlier files leave out about a hedge: that there is none, and, from version 2 files, that it is
     * measured from today's rule.
     */
    private static void completeHedge(ObjectNode game, int version) {
        boolean declared = game.path(Settings.HEDGE.fileKey()).isNumber();
        if (version < 3) {
            GameSpec.HedgeOf of = declared ? GameSpec.HedgeOf.TODAY : GameSpec.HedgeOf.BEST;
            game.put(Settings.HEDGE_OF.fileKey(), of.name());
        }
        if (game.path(Settings.HEDGE.fileKey()).isNull() || !game.has(Settings.HEDGE.fileKey())) {
            game.put(Settings.HEDGE.fileKey(), Hedge.NONE.toString());
        }
    }

    /** Adds the keys of later versions, with the value null. */
    private static void completeKeys(ObjectNode object) {
        if (!object.has("notes")) {
            object.putArray("notes");
        }
        if (object.path("game") instanceof ObjectNode game) {
            for (Setting<?> setting : Settings.all()) {
                if (setting.fileKey() != null && !setting.isInEveryFile()) {
                    game.putIfAbsent(setting.fileKey(), JSON.valueToTree(setting.defaultInFile()));
                }
            }
        }
        if (object.at("/solver/seconds") instanceof ObjectNode seconds) {
            seconds.putIfAbsent("judge", JsonNodeFactory.instance.numberNode(0.0));
        }
        object.putIfAbsent("hedge", JSON.nullNode());
        object.putIfAbsent("limited", JSON.nullNode());
        object.putIfAbsent("between", JSON.nullNode());
        object.putIfAbsent("standardErrors", JSON.nullNode());
        if (object.path("hedge") instanceof ObjectNode hedge) {
            hedge.putIfAbsent("balance", JSON.nullNode());
        }
        if (object.path("limited") instanceof ObjectNode limited) {
            limited.putIfAbsent("earned", JsonNodeFactory.instance.numberNode(0.0));
        }
        if (object.path("provenance") instanceof ObjectNode provenance && !provenance.has("prepared")) {
            provenance.set("prepared", JSON.valueToTree(StackelbergModel.Prepared.NOTHING));
        }
        if (object.path("losses") instanceof ObjectNode losses) {
            losses.putIfAbsent("totalWeight", JSON.nullNode());
            losses.putIfAbsent("meanGap", JSON.nullNode());
        }
        if (object.path("optimality") instanceof ObjectNode optimality && !optimality.has("finiteness")) {
            // when only two verdicts existed, "finite" covered both
            boolean finite = optimality.path("finite").asBoolean(true);
            optimality.put("finiteness", (finite ? Certificate.Finiteness.FINITE : Certificate.Finiteness.NONE).name());
        }
    }

    /** Refuses null where the library never writes it. */
    private static void requireValues(JsonNode node, String path, String name) {
        for (Map.Entry<String, JsonNode> part : node.properties()) {
            String here = path + part.getKey();
            if (part.getValue().isNull() && !MAY_BE_NULL.contains(here.replaceAll("\\.[0-9]+\\.", ".*."))) {
                throw isNull(here, name);
            }
            requireValues(part.getValue(), path + part.getKey() + ".", name);
        }
        if (node.isArray()) {
            for (int k = 0; k < node.size(); k++) {
                if (node.get(k).isNull()) {
                    throw isNull(path + (k + 1), name);
                }
                requireValues(node.get(k), path + (k + 1) + ".", name);
            }
        }
    }

    private static DataException isNull(String path, String name) {
        return DataException.of(
                "model-damaged",
                "'{}' is damaged: \"{}\" is null.\n" + "Maybe it was edited by hand: fit the model again.",
                name,
                path);
    }

    private static DataException notJson(String name) {
        return DataException.of(
                "not-a-model",
                "'{}' is not a Stackelberg model: it is not JSON.\n"
                        + "Maybe it holds data; models are written by fit -o.",
                name);
    }

    /** Describes where a text stops being JSON. */
    private static String where(JacksonException e, String what) {
        return e.getLocation() == null
                ? what + "."
                : what + " at line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr() + ".";
    }

    /** Names the key that could not be read and what is wrong with it. */
    private static String misread(JacksonException e, JsonNode root) {
        List<String> path = new ArrayList<>();
        JsonNode at = root;
        for (JacksonException.Reference step : e.getPath()) {
            boolean named = step.getPropertyName() != null;
            path.add(named ? step.getPropertyName() : String.valueOf(step.getIndex() + 1));
            at = named ? at.path(step.getPropertyName()) : at.path(step.getIndex());
        }
        String key = "\"" + String.join(".", path) + "\"";
        if (e instanceof UnrecognizedPropertyException) {
            return key + " is no key of a model.";
        }
        if (at.isMissingNode()) {
            return key + " is missing.";
        }
        String text = at.isContainer() ? at.isArray() ? "a list" : "an object" : at.toString();
        String value = text.length() > LONGEST_VALUE ? text.substring(0, LONGEST_VALUE) + "..." : text;
        return key + " is " + value + "; it must be "
                + expected(e instanceof MismatchedInputException misread ? misread.getTargetType() : null) + ".";
    }

    /** Describes the values that a key of this type can have. */
    private static String expected(Class<?> type) {
        if (type == null) {
            return "what fit writes there";
        }
        if (type.isEnum()) {
            return "one of "
                    + Stream.of(type.getEnumConstants()).map(Object::toString).collect(Collectors.joining(", "));
        }
        if (type == boolean.class || type == Boolean.class) {
            return "true or false";
        }
        if (type == String.class) {
            return "a text";
        }
        if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
            return type == double.class || type == Double.class ? "a number" : "a whole number";
        }
        return type.isArray() || Collection.class.isAssignableFrom(type) ? "a list" : "an object";
    }
}
