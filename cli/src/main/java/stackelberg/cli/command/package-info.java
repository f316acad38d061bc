/** One class for each command: its options, what it calls, and the answer it prints. */
@NullMarked
package stackelberg.cli.command;

import org.jspecify.annotations.NullMarked;
