package stackelberg.spark;

import java.io.Serializable;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;

/** The core's model, and its coefficients in the order of the feature vector. Spark serialises it as the text of the model file. */
final class Fitted implements Serializable {
    private static final long serialVersionUID = 1L;

    private final transient StackelbergModel model;
    private final transient Vector coefficients;

    /** @param model a model whose game lists its features in the order of the vector's entries */
    Fitted(StackelbergModel model) {
        this.model = model;
        Map<String, Double> byName = model.coefficients();
        this.coefficients = Vectors.dense(Objects.requireNonNull(model.game().features()).stream()
                .mapToDouble(byName::get)
                .toArray());
    }

    StackelbergModel model() {
        return model;
    }

    Vector coefficients() {
        return coefficients;
    }

    private Object writeReplace() {
        return new Text(ModelFile.toJson(model));
    }

    private record Text(String json) implements Serializable {
        private Object readResolve() {
            return new Fitted(ModelFile.fromJson(json, "a model that Spark has sent"));
        }
    }
}
