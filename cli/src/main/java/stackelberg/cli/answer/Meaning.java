package stackelberg.cli.answer;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The description of a key of an answer that the page shows too; other keys are described by the {@code @param} lines of their record. The JSON reference
 * prints both.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@interface Meaning {
    String value();
}
