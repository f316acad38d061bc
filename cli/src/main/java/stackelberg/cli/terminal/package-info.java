/**
 * The terminal and the process around a command: exit codes, error messages, progress, signals, output files, and the conversation of {@code serve}.
 *
 * <p>Nothing here knows a particular command or the mathematics.
 */
@NullMarked
package stackelberg.cli.terminal;

import org.jspecify.annotations.NullMarked;
