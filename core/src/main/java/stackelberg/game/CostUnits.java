package stackelberg.game;

/** In which units a move is measured when it is paid for. */
public enum CostUnits {
    /** In scaled units: with standard scaling, a move by one standard deviation of any feature costs gamma times its cost. */
    SCALED,
    /** In the units of the data. */
    RAW
}
