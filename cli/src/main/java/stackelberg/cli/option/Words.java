package stackelberg.cli.option;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;
import stackelberg.data.Encoding;
import stackelberg.data.Missing;
import stackelberg.data.Scaling;
import stackelberg.game.GameSpec;
import stackelberg.game.Loss;
import stackelberg.model.response.Retraining;
import stackelberg.solver.auto.Solvers;

/** The words an option takes: what they mean, and the list for help and shell completion. */
public abstract class Words<T> implements ITypeConverter<T>, Iterable<String> {
    private final Map<String, T> meanings = new LinkedHashMap<>();

    /** Every constant by its name in lower case. */
    protected final void addAll(T[] constants) {
        for (T constant : constants) {
            add(constant.toString().toLowerCase(Locale.ROOT), constant);
        }
    }

    protected final void add(String word, T meaning) {
        meanings.put(word, meaning);
    }

    @Override
    public T convert(String word) {
        T meaning = meanings.get(word.toLowerCase(Locale.ROOT));
        if (meaning == null) {
            throw new TypeConversionException("\"" + word + "\" is not one of " + String.join(", ", meanings.keySet()));
        }
        return meaning;
    }

    @Override
    public Iterator<String> iterator() {
        return List.copyOf(meanings.keySet()).iterator();
    }

    static final class OfScaling extends Words<Scaling> {
        OfScaling() {
            addAll(Scaling.values());
        }
    }

    static final class OfIntercept extends Words<GameSpec.Intercept> {
        OfIntercept() {
            addAll(GameSpec.Intercept.values());
        }
    }

    static final class OfSide extends Words<GameSpec.Side> {
        OfSide() {
            addAll(GameSpec.Side.values());
        }
    }

    static final class OfWishUnits extends Words<GameSpec.WishUnits> {
        OfWishUnits() {
            addAll(GameSpec.WishUnits.values());
        }
    }

    /** Two words, and one with a number behind it. */
    static final class OfLoss extends Words<Loss> {
        OfLoss() {
            add("squared", Loss.SQUARED);
            add("logistic", Loss.LOGISTIC);
        }

        @Override
        public Loss convert(String word) {
            try {
                return Loss.of(word);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    static final class OfMissing extends Words<Missing> {
        OfMissing() {
            addAll(Missing.values());
        }
    }

    public static final class OfUnknownLevel extends Words<Encoding.UnknownLevel> {
        OfUnknownLevel() {
            addAll(Encoding.UnknownLevel.values());
        }
    }

    /** Where a round of retraining starts. */
    public static final class OfMemory extends Words<Retraining.Memory> {
        OfMemory() {
            addAll(Retraining.Memory.values());
        }
    }

    /** The one word among file names. */
    static final String CROSS_FITTED = "cross-fitted";

    static final class OfToday extends Words<String> {
        OfToday() {
            add(CROSS_FITTED, CROSS_FITTED);
        }
    }

    static final class OfCostUnits extends Words<GameSpec.CostUnits> {
        OfCostUnits() {
            add("sd", GameSpec.CostUnits.SCALED);
            add("raw", GameSpec.CostUnits.RAW);
        }
    }

    static final class OfSolver extends Words<String> {
        OfSolver() {
            Solvers.names().forEach(name -> add(name, name));
        }
    }
}
