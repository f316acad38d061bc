package stackelberg.spark;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.ml.util.DefaultParamsReadable;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.SparkSession;
import stackelberg.game.Hedge;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;

/** A saved model: Spark's own metadata with the params, and beside them the core's model file. */
final class ModelFiles {
    private ModelFiles() {}

    private static Path modelFile(String path) {
        return new Path(path, "model.json");
    }

    private static FileSystem fileSystem(Path file, SparkSession session) throws IOException {
        return file.getFileSystem(session.sparkContext().hadoopConfiguration());
    }

    /** Loads a saved object and refuses one of another kind, which Spark's own reader would return. */
    static <T> T load(MLReader<?> reader, String path, Class<T> kind) {
        Object read = reader.load(path);
        if (!kind.isInstance(read)) {
            throw ParamWords.refused(
                    "saved-as-another-kind",
                    "'{}' holds a {}, not a {}.\nMaybe load it with the class that saved it.",
                    path,
                    read.getClass().getSimpleName(),
                    kind.getSimpleName());
        }
        return kind.cast(read);
    }

    /** Writes the params by Spark's own writer, then the model file beside them. */
    static final class Writer extends MLWriter {
        private final MLWriter params;
        private final StackelbergModel model;

        Writer(MLWriter params, StackelbergModel model) {
            this.params = params;
            this.model = model;
        }

        @Override
        public void saveImpl(String path) {
            Path file = modelFile(path);
            try {
                params.session(sparkSession()).save(path);
                try (OutputStream out = fileSystem(file, sparkSession()).create(file)) {
                    out.write(ModelFile.toJson(model).getBytes(StandardCharsets.UTF_8));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Reads the params by Spark's own reader, then the model file, or the Parquet row that earlier versions wrote. */
    static final class Reader extends MLReader<StackelbergRegressionModel> {
        @Override
        public StackelbergRegressionModel load(String path) {
            MLReader<?> reader = new DefaultParamsReadable<StackelbergRegressionModel>() {}.read()
                    .session(sparkSession());
            StackelbergRegressionModel params = ModelFiles.load(reader, path, StackelbergRegressionModel.class);
            Path file = modelFile(path);
            try {
                FileSystem files = fileSystem(file, sparkSession());
                if (!files.exists(file)) {
                    // older than hedges
                    params.set(params.hedge(), Hedge.NONE.toString());
                    return params.with(ParquetModel.read(sparkSession(), path, params));
                }
                try (InputStream in = files.open(file)) {
                    String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                    StackelbergModel model = ModelFile.fromJson(text, file.toString());
                    SparkGame.require(model.game(), file.toString());
                    return params.with(model);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
