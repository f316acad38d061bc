/**
 * Files: one entry point that picks the reader by the suffix, and files that are written whole or not at all.
 *
 * <p>{@link stackelberg.data.io.DataFile} gives a {@link stackelberg.data.Table} whatever the format. To add a format is to add a reader here and
 * its suffix there. {@link stackelberg.data.io.Database} gives one too, from what a query gives. Readers know tables and matrices, and nothing of what is done with them.
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
package stackelberg.data.io;
