/** The command line: {@link stackelberg.cli.Main} lists the commands. */
@NullMarked
package stackelberg.cli;

import org.jspecify.annotations.NullMarked;
