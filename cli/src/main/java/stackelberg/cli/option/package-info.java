/** Groups of options that several commands share, and what they become: a declared game, a table, a solver. */
@NullMarked
package stackelberg.cli.option;

import org.jspecify.annotations.NullMarked;
