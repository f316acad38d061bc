/**
 * Reads tables from files and databases, and writes files completely or not at all.
 *
 * <p>{@link stackelberg.data.io.DataFile} reads a {@link stackelberg.data.Table} from a file of any format, chosen by the suffix; a new format needs a reader
 * in this package and its suffix there. {@link stackelberg.data.io.Database} reads a table from the result of a query. Readers know tables and matrices, not
 * games.
 *
 * <pre>{@code
 * Workers workers = Workers.of(2);
 * Table people = DataFile.read(Path.of("people.csv"), workers); // .tsv, .csv.gz, .svm, .npy and - too
 * DataFile.Options zipCodes = DataFile.Options.DEFAULT.withCategorical(Set.of("zip"));
 * Table coded = DataFile.read(Path.of("people.csv"), zipCodes, workers);
 * Table loans = Database.at("jdbc:postgresql://localhost/bank").read("select * from loans", DataFile.Options.DEFAULT, workers);
 * Table arrays = DataFile.arrays(Path.of("X.npy"), Path.of("y.npy"), Path.of("z.npy"), workers);
 * Matrix x = arrays.block().orElseThrow().matrix(); // mapped from the file, columns "1", "2", ...
 * double[] y = arrays.numeric(DataFile.TRUTH).values();
 * double[] z = arrays.numeric(DataFile.WISH).values();
 * }</pre>
 */
@org.jspecify.annotations.NullMarked
package stackelberg.data.io;
