/** The Spark ML estimator: sums over distributed rows for the core's own solvers, and Spark's conventions around them. */
package stackelberg.spark;
