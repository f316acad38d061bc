package stackelberg.objective.program;

/** A sum that keeps what its additions round off: known to its last digits whatever the number of terms. */
final class Sum {
    private double sum;
    private double rest;

    void add(double term) {
        double next = sum + term;
        rest += Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum;
        sum = next;
    }

    double value() {
        return sum + rest;
    }
}
