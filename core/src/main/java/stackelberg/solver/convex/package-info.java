/** To come. */
package stackelberg.solver.convex;
