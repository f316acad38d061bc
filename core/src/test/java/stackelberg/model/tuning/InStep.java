package stackelberg.model.tuning;

/** The route for many columns, for data that would not be sent along it. */
public final class InStep {
    private InStep() {}

    public static Tuning run(CrossValidation validation, FoldData data) {
        return validation.inStep(data);
    }
}
