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
import stackelberg.game.Hedge;
import stackelberg.model.response.Retraining;
import stackelberg.solver.auto.Solvers;

/** Converts options whose value is one of several words, and lists these for help and shell completion. */
public abstract class Words<T> implements ITypeConverter<T>, Iterable<String> {
    private final Map<String, T> meanings = new LinkedHashMap<>();

    /** Converts a word to the constant of that name; words are lower case. */
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

    /** Reads a hedge: a word or a percentage. */
    public static final class OfHedge implements ITypeConverter<Hedge> {
        @Override
        public Hedge convert(String text) {
            try {
                return Hedge.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    static final class OfSolver extends Words<String> {
        OfSolver() {
            Solvers.names().forEach(name -> add(name, name));
        }
    }
}
