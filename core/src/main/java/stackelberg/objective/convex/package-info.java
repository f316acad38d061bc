/**
 * Any convex loss on the sphere of the squared one: over its ball the problem is convex, so that Newton finds its minimum, Fenchel's dual bounds it, and the game is solved
 * where that minimum lies on the sphere.
 */
package stackelberg.objective.convex;
