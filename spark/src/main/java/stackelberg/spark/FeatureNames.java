package stackelberg.spark;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.ml.attribute.Attribute;
import org.apache.spark.ml.attribute.AttributeGroup;
import org.apache.spark.sql.types.StructField;
import stackelberg.data.Table;

/** The names of the entries of a feature vector. */
final class FeatureNames {
    private FeatureNames() {}

    /**
     * The names in the column's ML attributes, as a VectorAssembler writes them, if all entries have different names; otherwise 1, 2, 3, ...
     *
     * @param taken names of columns with another role, such as the label or the wish
     */
    static List<String> of(StructField column, int size, List<String> taken) {
        AttributeGroup group = AttributeGroup.fromStructField(column);
        Attribute[] attributes =
                group.attributes().isDefined() ? group.attributes().get() : new Attribute[0];
        List<String> names = Arrays.stream(attributes)
                .filter(attribute -> attribute.name().isDefined())
                .map(attribute -> attribute.name().get())
                .toList();
        Set<String> distinct = new HashSet<>(names);
        taken.forEach(distinct::remove);
        return distinct.size() == size && names.size() == size ? names : Table.positions(size);
    }
}
