package stackelberg.cli.text;

import java.util.Map;
import stackelberg.cli.answer.JsonText;
import stackelberg.cli.answer.ModelAnswer;
import stackelberg.data.Encoding;
import stackelberg.game.World;
import stackelberg.model.StackelbergModel;

/** Answers as JSON with stable keys; what is not a finite number is null. */
public final class Json {
    private Json() {}

    public static String write(Map<String, Object> object) {
        return JsonText.of(object);
    }

    /** The number, null if it is infinite or not a number. */
    public static Double finite(double value) {
        return Double.isFinite(value) ? value : null;
    }

    /** The share of the gap that who faces today's rule would close; null where that is not known. */
    static Double gammaShare(World world) {
        return finite(world.gammaShare().orElse(Double.NaN));
    }

    static ModelAnswer of(StackelbergModel model) {
        return ModelAnswer.of(model);
    }

    /** What missing values were filled in: by column, how many and with what. */
    public static Map<String, ModelAnswer.Filled> filled(Encoding encoding, Map<String, Integer> counts) {
        return ModelAnswer.Filled.of(encoding, counts);
    }
}
