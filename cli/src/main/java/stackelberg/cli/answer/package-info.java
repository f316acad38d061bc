/**
 * The answers of the commands. Each command has one record that implements {@link stackelberg.cli.answer.Result}: its components, documented by
 * {@link stackelberg.cli.answer.Meaning}, are the JSON document, and its {@link stackelberg.cli.answer.Answer} is what people read, in the terminal, on the page and in
 * notebooks. Sentences that several answers share stand in the classes called {@code ...Words}.
 */
@NullMarked
package stackelberg.cli.answer;

import org.jspecify.annotations.NullMarked;
