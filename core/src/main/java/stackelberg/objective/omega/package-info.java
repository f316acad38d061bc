/**
 * The search for the best rule where not everybody responds alike: branch and bound over omega, a sphere problem at every omega, a bound that is a
 * proof. It knows the sphere; the game itself enters through its rows and weights only.
 */
package stackelberg.objective.omega;
