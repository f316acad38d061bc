package stackelberg.data;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A column of categories. Row i holds the level {@code levels().get(code(i))}; code -1 marks a missing value. */
public final class CategoricalColumn implements Column {
    private final String name;
    private final int[] codes;
    private final List<String> levels;
    private final boolean declared;

    /**
     * A column of the given codes. The array is kept, not copied: readers, which call this, do not use it afterwards.
     */
    public CategoricalColumn(String name, int[] codes, List<String> levels) {
        this(name, codes, levels, false);
    }

    /**
     * Makes a column; {@code declared} says that the user declared it to be categorical, even if it looks like numbers,
     * names or dates.
     */
    public CategoricalColumn(String name, int[] codes, List<String> levels, boolean declared) {
        this.name = name;
        this.codes = codes;
        this.levels = List.copyOf(levels);
        this.declared = declared;
    }

    /**
     * A column of the given texts, where null is a missing value; its levels are the distinct texts in {@link
     * #levelOrder}.
     */
    public static CategoricalColumn of(String name, @Nullable String... texts) {
        TreeSet<String> distinct = new TreeSet<>();
        for (String text : texts) {
            if (text != null) {
                distinct.add(text);
            }
        }
        List<String> levels = new ArrayList<>(distinct);
        levels.sort(levelOrder(levels));
        Map<String, Integer> codeOf = new HashMap<>();
        for (String level : levels) {
            codeOf.put(level, codeOf.size());
        }
        int[] codes = new int[texts.length];
        for (int i = 0; i < codes.length; i++) {
            String text = texts[i];
            codes[i] = text == null ? -1 : Objects.requireNonNull(codeOf.get(text));
        }
        return new CategoricalColumn(name, codes, levels);
    }

    /**
     * The order of levels: by value if all of them are numbers (2 before 10), otherwise alphabetical. It does not
     * depend on the order of the rows, so shuffled data give the same base level and the same model.
     */
    public static Comparator<String> levelOrder(List<String> levels) {
        if (levels.stream().allMatch(Numbers::isNumber)) {
            return Comparator.<String>comparingDouble(Numbers::parse).thenComparing(Comparator.naturalOrder());
        }
        return Comparator.naturalOrder();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int rows() {
        return codes.length;
    }

    @Override
    public boolean isMissing(int row) {
        return codes[row] < 0;
    }

    @Override
    public int missing() {
        int count = 0;
        for (int code : codes) {
            count += code < 0 ? 1 : 0;
        }
        return count;
    }

    @Override
    public Optional<String> text(int row) {
        return Optional.ofNullable(level(row));
    }

    /** The index of the row's level in {@link #levels()}, -1 if it is missing. */
    public int code(int row) {
        return codes[row];
    }

    /** The levels, in the order of their codes; some may occur in no row, for example after {@link #select}. */
    public List<String> levels() {
        return levels;
    }

    /**
     * Whether the user declared this column to be categorical; checks for columns that look like names or dates skip it
     * then.
     */
    public boolean declared() {
        return declared;
    }

    /** The row's level, absent if it is missing. */
    public @Nullable String level(int row) {
        return codes[row] < 0 ? null : levels.get(codes[row]);
    }

    @Override
    public CategoricalColumn select(int[] rows) {
        int[] selected = new int[rows.length];
        for (int i = 0; i < rows.length; i++) {
            selected[i] = codes[rows[i]];
        }
        return new CategoricalColumn(name, selected, levels, declared);
    }
}
