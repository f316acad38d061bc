/** Makes the tables and figures of the benchmarks from the rows of results alone, beside the published numbers. */
@NullMarked
package stackelberg.bench.report;

import org.jspecify.annotations.NullMarked;
