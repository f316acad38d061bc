package stackelberg.data;

/**
 * How one column is to be encoded.
 *
 * @param column the column
 * @param scaling how its encoded columns are scaled
 * @param dropFirstLevel whether a categorical column loses its first level, which then is the base; no effect on a numeric one
 */
public record FeatureChoice(String column, Scaling scaling, boolean dropFirstLevel) {}
