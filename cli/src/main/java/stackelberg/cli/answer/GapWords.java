package stackelberg.cli.answer;

/** The wording of the share of the gap (between the score people have and the score they want) that people close by moving. */
public final class GapWords {
    /** The name of the gap. */
    public static final String GAP = " of the gap to the score they want";

    private GapWords() {}

    /** Returns the words as in "close 30% of the gap to the score they want". */
    public static String close(double share) {
        return close(Numbers.percent(share));
    }

    /** Returns the words for a share given as text: a formatted number, or a placeholder. */
    public static String close(String share) {
        return "close " + share + GAP;
    }

    /** Returns the words in the conditional, for a declared share under a rule that is not in force. */
    static String wouldClose(double share) {
        return "would " + close(Numbers.share(share));
    }
}
