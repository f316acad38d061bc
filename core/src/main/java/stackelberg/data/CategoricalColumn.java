package stackelberg.data;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/** A column of categories: row i holds levels.get(code(i)); code -1 marks a missing value. */
public final class CategoricalColumn implements Column {
    private final String name;
    private final int[] codes;
    private final List<String> levels;
    private final boolean declared;

    /** Keeps the array: for readers, which give it away. */
    public CategoricalColumn(String name, int[] codes, List<String> levels) {
        this(name, codes, levels, false);
    }

    /** The same, where {@code declared} tells that somebody said that these are categories, whatever they look like. */
    public CategoricalColumn(String name, int[] codes, List<String> levels, boolean declared) {
        this.name = name;
        this.codes = codes;
        this.levels = List.copyOf(levels);
        this.declared = declared;
    }

    /** A column of the given texts, null for a missing one; the levels are the distinct texts in {@link #levelOrder}. */
    public static CategoricalColumn of(String name, String... texts) {
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
            codes[i] = texts[i] == null ? -1 : Objects.requireNonNull(codeOf.get(texts[i]));
        }
        return new CategoricalColumn(name, codes, levels);
    }

    /** By value if all levels are numbers (so that 2 comes before 10), otherwise alphabetical: never by the order of the rows. */
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

    /** The index of the row's level, -1 if it is missing. */
    public int code(int row) {
        return codes[row];
    }

    public List<String> levels() {
        return levels;
    }

    /** Whether somebody said that these are categories, so that nobody asks whether they are names or dates. */
    public boolean declared() {
        return declared;
    }

    /** The row's level, null if it is missing. */
    public String level(int row) {
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
