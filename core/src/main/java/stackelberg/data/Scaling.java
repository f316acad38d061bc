package stackelberg.data;

/** How a feature is scaled: encoded = (raw - shift) / scale. */
public enum Scaling {
    /** To [0, 1]: shift = min, scale = max - min. */
    RANGE,
    /** To mean 0 and standard deviation 1: shift = mean, scale = sqrt(sum (x - mean)^2 / m). */
    STANDARD,
    /** As it is: shift = 0, scale = 1. */
    NONE
}
