/**
 * The search for the best rule where people can go only so far: no sphere problem and nothing proven, but the exact loss of any rule, its exact
 * gradient, and descents from many rules.
 */
package stackelberg.objective.limited;
