/** Tables and figures of the bench: a pure function of its rows, beside the published numbers. */
package stackelberg.bench.report;
