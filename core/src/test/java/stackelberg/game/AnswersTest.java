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

class AnswersTest {
    private static Table texts(String... values) {
        return Table.of(CategoricalColumn.of("answer", values));
    }

    private static Table numbers(double... values) {
        return Table.of(NumericColumn.of("answer", values));
    }

    @Test
    void zeroAndOneAreAsTheyAre() {
        Answers answers = Answers.UNSAID.settled(numbers(0, 1, 1), "answer");
        assertThat(answers).isEqualTo(new Answers("1", "0"));
        assertThat(answers.of(numbers(1, 1, 0), "answer")).containsExactly(1, 1, 0);
    }

    @Test
    void ofTwoNumbersTheLargerIsYes() {
        Answers answers = Answers.UNSAID.settled(numbers(2, 1.5, 2), "answer");
        assertThat(answers.of(numbers(1.5, 2), "answer")).containsExactly(0, 1);
    }

    @ParameterizedTest
    @CsvSource({"no,yes,yes", "Yes,No,Yes", "TRUE,FALSE,TRUE", "good,bad,good", "y,n,y", "paid,default,paid"})
    void ofTwoTextsTheOneThatReadsLikeYesOrComesLaterIs(String one, String other, String yes) {
        Answers answers = Answers.UNSAID.settled(texts(one, other, one), "answer");
        assertThat(answers.yes()).isEqualTo(yes);
        assertThat(answers.no()).isEqualTo(yes.equals(one) ? other : one);
    }

    @Test
    void whatIsSaidCountsAndEveryOtherValueIsNo() {
        Answers answers = new Answers("b", null).settled(texts("a", "b", "c"), "answer");
        assertThat(answers.of(texts("c", "b", "d"), "answer")).containsExactly(0, 1, 0);
        Answers two = new Answers("b", null).settled(texts("a", "b"), "answer");
        assertThatThrownBy(() -> two.of(texts("a", "c"), "answer"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("row 2")
                .hasMessageContaining("'c' is neither 'b' nor 'a'");
    }

    @Test
    void numbersAreCompared() {
        Answers answers = new Answers(">=6", null).settled(numbers(5, 6, 7), "answer");
        assertThat(answers.of(numbers(5.9, 6, 3, 8), "answer")).containsExactly(0, 1, 0, 1);
        assertThat(new Answers("< 6", null).of(numbers(5.9, 6), "answer")).containsExactly(1, 0);
        assertThatThrownBy(() -> answers.of(texts("a", "b"), "answer")).hasMessageContaining("holds texts");
    }

    /** Of texts, what reads like a comparison is a text. */
    @Test
    void aTextThatReadsLikeAComparisonIsAText() {
        Answers named = new Answers("<30", null).settled(texts("NO", "<30", ">30", "<30"), "answer");
        assertThat(named.of(texts("NO", "<30", ">30"), "answer")).containsExactly(0, 1, 0);
        Answers two = Answers.UNSAID.settled(texts("<30", ">=30", "<30"), "answer");
        assertThat(two).isEqualTo(new Answers(">=30", "<30"));
        assertThat(two.of(texts("<30", ">=30"), "answer")).containsExactly(0, 1);
        assertThat(two.of(texts("<30", "<30"), "answer")).containsExactly(0, 0);
        assertThat(two.inWords()).isEqualTo("'>=30' is a yes, '<30' a no");
    }

    @Test
    void oneAnswerOrTooManyAreRefusedByName() {
        assertThatThrownBy(() -> Answers.UNSAID.settled(numbers(1, 1), "answer"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("'1' in every row");
        assertThatThrownBy(() -> Answers.UNSAID.settled(numbers(1, 2, 3), "answer"))
                .hasMessageContaining("more than two values")
                .hasMessageContaining("yes(\">=6\")");
        assertThatThrownBy(() -> new Answers("x", null).settled(texts("a", "b"), "answer"))
                .hasMessageContaining("Every row of the target 'answer' is a no");
        assertThatThrownBy(() -> new Answers(">0", null).settled(numbers(1, 2), "answer"))
                .hasMessageContaining("is a yes");
    }
}
