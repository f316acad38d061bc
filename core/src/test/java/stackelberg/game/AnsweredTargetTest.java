package stackelberg.game;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.game.GameSpec.Answers;

class AnsweredTargetTest {
    private static Table texts(String... values) {
        return Table.of(CategoricalColumn.of("answer", values));
    }

    private static Table numbers(double... values) {
        return Table.of(NumericColumn.of("answer", values));
    }

    private static Answers settled(Answers said, Table rows) {
        return new AnsweredTarget(rows, "answer").settled(said);
    }

    private static double[] truths(Answers said, Table rows) {
        return new AnsweredTarget(rows, "answer").truths(said);
    }

    @Test
    void zeroIsNoAndOneIsYes() {
        Answers answers = settled(Answers.UNSAID, numbers(0, 1, 1));
        assertThat(answers).isEqualTo(new Answers("1", "0"));
        assertThat(truths(answers, numbers(1, 1, 0))).containsExactly(1, 1, 0);
    }

    @Test
    void theLargerOfTwoNumbersIsYes() {
        Answers answers = settled(Answers.UNSAID, numbers(2, 1.5, 2));
        assertThat(truths(answers, numbers(1.5, 2))).containsExactly(0, 1);
    }

    @ParameterizedTest
    @CsvSource({"no,yes,yes", "Yes,No,Yes", "TRUE,FALSE,TRUE", "good,bad,good", "y,n,y", "paid,default,paid"})
    void anAffirmativeTextIsYesOtherwiseTheLaterInTheAlphabet(String one, String other, String yes) {
        Answers answers = settled(Answers.UNSAID, texts(one, other, one));
        assertThat(answers.yes()).isEqualTo(yes);
        assertThat(answers.no()).isEqualTo(yes.equals(one) ? other : one);
    }

    @Test
    void theDeclaredAnswerIsYesAndEveryOtherValueIsNo() {
        Answers answers = settled(new Answers("b", null), texts("a", "b", "c"));
        assertThat(truths(answers, texts("c", "b", "d"))).containsExactly(0, 1, 0);
        Answers two = settled(new Answers("b", null), texts("a", "b"));
        assertThatThrownBy(() -> truths(two, texts("a", "c")))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("row 2")
                .hasMessageContaining("'c' is neither 'b' nor 'a'");
    }

    @Test
    void aComparisonDeclaresWhichNumbersAreYes() {
        Answers answers = settled(new Answers(">=6", null), numbers(5, 6, 7));
        assertThat(truths(answers, numbers(5.9, 6, 3, 8))).containsExactly(0, 1, 0, 1);
        assertThat(truths(new Answers("< 6", null), numbers(5.9, 6))).containsExactly(1, 0);
        assertThatThrownBy(() -> truths(answers, texts("a", "b"))).hasMessageContaining("holds texts");
    }

    /** Of texts, what reads like a comparison is a text. */
    @Test
    void aTextThatReadsLikeAComparisonIsAText() {
        Answers named = settled(new Answers("<30", null), texts("NO", "<30", ">30", "<30"));
        assertThat(truths(named, texts("NO", "<30", ">30"))).containsExactly(0, 1, 0);
        Answers two = settled(Answers.UNSAID, texts("<30", ">=30", "<30"));
        assertThat(two).isEqualTo(new Answers(">=30", "<30"));
        assertThat(truths(two, texts("<30", ">=30"))).containsExactly(0, 1);
        assertThat(truths(two, texts("<30", "<30"))).containsExactly(0, 0);
        assertThat(two.inWords()).isEqualTo("'>=30' is a yes, '<30' a no");
    }

    @Test
    void aTargetWithoutExactlyTwoAnswersIsRefusedByName() {
        assertThatThrownBy(() -> settled(Answers.UNSAID, numbers(1, 1)))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("'1' in every row");
        assertThatThrownBy(() -> settled(Answers.UNSAID, numbers(1, 2, 3)))
                .hasMessageContaining("more than two values")
                .hasMessageContaining("yes(\">=6\")");
        assertThatThrownBy(() -> settled(new Answers("x", null), texts("a", "b")))
                .hasMessageContaining("Every row of the target 'answer' is a no");
        assertThatThrownBy(() -> settled(new Answers(">0", null), numbers(1, 2)))
                .hasMessageContaining("is a yes");
    }
}
