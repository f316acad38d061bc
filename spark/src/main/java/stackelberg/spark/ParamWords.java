package stackelberg.spark;

import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import stackelberg.data.DataException;
import stackelberg.data.Message;
import stackelberg.game.Setting;
import stackelberg.game.Settings;

/** Words messages of the library as Spark's users write settings: {@code setRidge(0.1)} where the library has {@code ridge(0.1)}, {@code setTol(...)} for the tolerance. */
final class ParamWords implements Message.Wording {
    private static final ParamWords WORDS = new ParamWords();

    /** The settings of a game that have a param, and its name. */
    static final Map<Setting<?>, String> PARAMS = Map.ofEntries(
            Map.entry(Settings.TARGET, "labelCol"),
            Map.entry(Settings.WISH, "wish"),
            Map.entry(Settings.WEIGHT, "weightCol"),
            Map.entry(Settings.FEATURES, "featuresCol"),
            Map.entry(Settings.GAMMA, "gamma"),
            Map.entry(Settings.HEDGE, "hedge"),
            Map.entry(Settings.IMMUTABLE, "immutableFeatures"),
            Map.entry(Settings.COST, "costs"),
            Map.entry(Settings.EFFECT, "effects"),
            Map.entry(Settings.WISH_NOISE, "wishNoise"),
            Map.entry(Settings.RIDGE, "ridge"),
            Map.entry(Settings.INTERCEPT, "fitIntercept"));

    private ParamWords() {}

    /** {@inheritDoc} A setting without a param keeps the library's name. */
    @Override
    public String of(Message.Choice choice) {
        String name = choice.setting().equals("tolerance") ? "tol" : choice.setting();
        for (Setting<?> setting : Settings.all()) {
            if (setting.name().equals(name)) {
                String param = PARAMS.get(setting);
                if (param == null) {
                    return choice.inJava();
                }
                name = param;
            }
        }
        return "set" + Character.toUpperCase(name.charAt(0)) + name.substring(1)
                + switch (choice.kind()) {
                    case ANY -> "(...)";
                    case NUMBER -> "(" + choice.value() + ")";
                    case WORD -> "(\"" + choice.value().toLowerCase(Locale.ROOT) + "\")";
                    case TEXT -> "(\"" + choice.value() + "\")";
                };
    }

    /** A param, for a message. */
    static Message.Choice param(String name) {
        return Message.Choice.any(name);
    }

    /** The refusal of a param. A value of the message may be a {@link Message.Choice}. */
    static Message.Refused refused(String code, String sentence, @Nullable Object... values) {
        return new Message.Refused(worded(Message.of(code, sentence, values)));
    }

    /** The refusal of rows that cannot be used. */
    static DataException unusable(String code, String sentence, @Nullable Object... values) {
        return new DataException(worded(Message.of(code, sentence, values)));
    }

    /** Runs work of the library, whose refusals then name params. */
    static <T> T worded(Supplier<T> work) {
        try {
            return work.get();
        } catch (Message.Refused e) {
            throw new Message.Refused(worded(e.asMessage()), e);
        } catch (DataException e) {
            throw new DataException(worded(e.asMessage()), e);
        }
    }

    private static Message worded(Message message) {
        return Message.plain(message.code(), message.text(WORDS));
    }
}
