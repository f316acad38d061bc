package stackelberg.cli.answer;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What a key of an answer holds, where the page shows it too; other keys say it as {@code @param} of their record. The JSON reference prints both. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@interface Meaning {
    String value();
}
