package stackelberg.certificate;

/** What is known about a point of the sphere. */
public enum Proof {
    /** The gap bound is rigorous and the multiplier's side of the spectrum is known. */
    PROVEN,
    /** Nothing speaks against the point, but that H + lambda I has no negative eigenvalue is only an estimate. */
    ESTIMATED,
    /** A better point is in hand: this one is not the global minimiser. */
    REFUTED
}
