package stackelberg.game;

import java.util.Set;
import java.util.function.Predicate;

/**
 * The rule in force now, before the game starts: what {@code today} in a wish is everybody's score under, and what gamma as a share is counted by.
 *
 * @param kind where it comes from
 * @param rule in the units of the data; null until it is learned
 * @param source what it is, in words; null until it is learned
 */
public record Today(Kind kind, PublishedRule rule, String source) {
    /** What tables call it. */
    public static final String NAME = "today's rule";

    /** Where the rule comes from. */
    public enum Kind {
        /** Least squares of the truth on the game's columns, or ridge where that is ill-posed. */
        LEARNED,
        /** The same, but those it is learned from are scored by a rule that did not see them. */
        CROSS_FITTED,
        /** It was given. */
        GIVEN
    }

    /** To be learned: the default. */
    public static final Today LEARNED = new Today(Kind.LEARNED, null, null);

    /** To be learned, and to score nobody by what it learned from them. */
    public static final Today CROSS_FITTED = new Today(Kind.CROSS_FITTED, null, null);

    public Today {
        if (kind == Kind.GIVEN && rule == null) {
            throw new IllegalArgumentException("Today's rule is given, but it is null.");
        }
    }

    /**
     * A rule that is known.
     *
     * @param source where it is from, in words
     */
    public static Today given(PublishedRule rule, String source) {
        return new Today(Kind.GIVEN, new PublishedRule(NAME, rule.intercept(), rule.coefficients()), source);
    }

    /** Whether there are coefficients. */
    public boolean known() {
        return rule != null;
    }

    /** This one, once it is learned. */
    Today found(PublishedRule learned, String what) {
        return new Today(kind, learned, what);
    }

    /** To be learned again, from other people; a given rule stays as it is. */
    public Today anew() {
        return kind == Kind.GIVEN ? this : new Today(kind, null, null);
    }

    /** The columns that a given rule's terms may be about, by name. */
    Predicate<String> usedColumns() {
        if (kind != Kind.GIVEN) {
            return column -> false;
        }
        Set<String> terms = rule.coefficients().keySet();
        return column -> terms.contains(column) || terms.stream().anyMatch(term -> term.startsWith(column + "="));
    }
}
