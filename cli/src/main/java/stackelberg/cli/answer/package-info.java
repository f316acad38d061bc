/**
 * What the commands answer: one record per command, which {@code --json} prints as it is and from which the JSON reference is made. Each component
 * says in its {@link stackelberg.cli.answer.Meaning} what it holds.
 */
package stackelberg.cli.answer;
