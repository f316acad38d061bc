package stackelberg.cli.answer;

/** How much of the gap between their score and the score they want people close: the one wording of this share, in every answer. */
public final class GapWords {
    /** The name of the gap. */
    static final String GAP = " of the gap to the score they want";

    private GapWords() {}

    /** As in "close 30% of the gap to the score they want". */
    public static String close(double share) {
        return close(Numbers.percent(share));
    }

    /** The same for a share that is formatted already, or for a placeholder. */
    public static String close(String share) {
        return "close " + share + GAP;
    }

    /** The same in the conditional, for a declared share under a rule that is not in force. */
    static String wouldClose(double share) {
        return "would " + close(Numbers.share(share));
    }
}
