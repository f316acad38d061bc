/**
 * Runs the experiments of the paper and our own: solvers and estimators on synthetic and real games, with the time, memory and certificate of each run.
 *
 * <p>{@link stackelberg.bench.Runner} makes the runs that are missing, {@link stackelberg.bench.Results} stores their rows, and {@code report} makes tables and
 * figures of the rows.
 */
@NullMarked
package stackelberg.bench;

import org.jspecify.annotations.NullMarked;
