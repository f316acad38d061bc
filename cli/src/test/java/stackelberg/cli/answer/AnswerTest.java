package stackelberg.cli.answer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import stackelberg.data.Message;

class AnswerTest {
    private static Answer.TableBuilder table() {
        return Answer.table("rule", "RMSE", "why")
                .text(2)
                .row("today's rule", "11.5", "in force")
                .row(List.of("this rule", "9.25", ""), true)
                .remark("of %,d people", 1000);
    }

    @Test
    void sectionsAreSeparatedByAnEmptyLine() {
        String text = Answer.builder()
                .say("One.")
                .say("Two %d.", 2)
                .section()
                .section()
                .say("Three, 100%.")
                .build()
                .text();

        assertThat(text).isEqualTo("One.\nTwo 2.\n\nThree, 100%.\n");
    }

    @Test
    void numbersAreAlignedToTheRightAndTextToTheLeft() {
        assertThat(Answer.builder().block(table().build()).build().text()).isEqualTo("""
                          rule          RMSE  why
                          today's rule  11.5  in force
                          this rule     9.25
                          of 1,000 people
                        """);
    }

    @Test
    void htmlHasTheSameWordsInParagraphsAndTables() {
        String html = Answer.builder()
                .say("One.")
                .block(table().build())
                .warnings(List.of(Message.plain("test", "Too few rows.")))
                .build()
                .html();

        assertThat(html).isEqualTo("""
                        <div class="answer">
                        <section>
                        <p>One.</p>
                        <table>
                        <thead>
                        <tr><th scope="col" class="text">rule</th><th scope="col" class="number">RMSE</th><th scope="col" class="text">why</th></tr>
                        </thead>
                        <tbody>
                        <tr><th scope="row" class="text">today&#39;s rule</th><td class="number">11.5</td><td class="text">in force</td></tr>
                        <tr class="marked"><th scope="row" class="text">this rule</th><td class="number">9.25</td><td class="text"></td></tr>
                        </tbody>
                        </table>
                        <p class="remark">of 1,000 people</p>
                        </section>
                        <p class="warning">Warning: Too few rows.</p>
                        </div>
                        """);
    }

    @Test
    void htmlEscapesNamesFromTheData() {
        String html = Answer.builder()
                .say("<script>alert('a & b')</script>")
                .block(Answer.table("<b>").row("\"c\"").build())
                .build()
                .html();

        assertThat(html)
                .doesNotContain("<script", "<b>", "'a", "\"c\"")
                .contains("&lt;script&gt;alert(&#39;a &amp; b&#39;)&lt;/script&gt;", "&lt;b&gt;", "&quot;c&quot;");
    }

    @Test
    void namesFromTheDataAddNoLinesToTables() {
        Answer answer = Answer.builder()
                .block(Answer.table("a\nb").row("\u001b[2Jc").build())
                .build();

        assertThat(answer.text()).isEqualTo("  a\\u000ab\n  \\u001b[2Jc\n");
    }

    @Test
    void sectionsOfAnotherAnswerStaySections() {
        Answer inner = Answer.builder()
                .say("Two.")
                .section()
                .say("Three.")
                .build()
                .withWarnings(List.of(Message.plain("test", "W.")));

        Answer outer = Answer.builder().say("One.").sections(inner).say("Four.").build();

        assertThat(outer.text()).isEqualTo("One.\n\nTwo.\n\nThree.\n\nFour.\n");
        assertThat(outer.warnings()).extracting(Message::text).containsExactly("W.");
    }
}
