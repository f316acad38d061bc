package stackelberg.solver.krylov;

import stackelberg.linalg.DenseMatrix;
import stackelberg.sphere.Evaluation;

/** Sphere problems that share one operator A and its start vectors, and therefore one Krylov space. */
interface ProblemSet {
    int count();

    /** The order n of A. */
    int order();

    /** out = A V: one pass over the data. */
    void times(DenseMatrix v, DenseMatrix out);

    /** An upper bound of ||A||, for rounding. */
    double operatorNorm();

    double[][] starts();

    /** For each start vector the size that its rounding is relative to. */
    double[] startNorms();

    /** Whether H >= 0 and f >= 0 for every problem. */
    boolean isGram();

    /** Whether the problems have a coordinate of their own beside the space, so that an empty space has a point. */
    boolean hasBorder();

    /**
     * The global minimiser of problem {@code index} within the space.
     *
     * @param shift what to add to g, in Ritz coordinates and then the border's, if there is one
     */
    Projected project(int index, Ritz ritz, double[] shift);

    /** The unit vector of the sphere for a point of the space. */
    double[] point(double[] top, double border);

    /** f and its half gradient from the data, in one pass with as many vectors as there are points. */
    Evaluation[] evaluate(int[] indices, double[][] r);

    /**
     * The same from A times the part of r in the space: no pass, but f only to a rounding of p.
     *
     * @param image A r, without the border
     */
    Evaluation evaluateFromImage(int index, double[] r, double[] image);

    double p();

    double roundingScale(int index);

    /** How far the true f(r) may lie above the computed one. */
    double objectiveRounding(int index, double[] r, double objective);
}
