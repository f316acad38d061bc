/**
 * The conic programs of the literature, SOCP and SDP, by interior-point methods that use their structure, and the SDP as a file for other solvers.
 */
package stackelberg.solver.published.conic;
