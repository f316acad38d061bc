/**
 * The conic programs of the literature, SOCP and SDP, solved by interior-point methods that use their structure; and the SDP as a file for other solvers.
 */
@org.jspecify.annotations.NullMarked
package stackelberg.solver.published.conic;
