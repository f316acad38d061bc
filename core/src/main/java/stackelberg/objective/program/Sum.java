package stackelberg.objective.program;

/** A sum with a compensation for the rounding of its additions: accurate to its last digits for any number of terms. */
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
