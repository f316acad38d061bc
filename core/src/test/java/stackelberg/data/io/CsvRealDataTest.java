package stackelberg.data.io;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stackelberg.RealData;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Column;
import stackelberg.data.Table;
import stackelberg.linalg.Workers;

class CsvRealDataTest {
    /** The hashes are those of the uncompressed files. */
    @ParameterizedTest
    @CsvSource({
        "wine.csv, 1599, 12, quality, eed1f222f07f0ff48153f437bffd97d2a8cc60d3158bc458ed14b0a271f9cd3f",
        "insurance.csv, 1338, 7, charges, 388eff679557d08ac19f463d025de5e0b4adc482537c8456d19934d78621fd47",
        "building.csv, 372, 109, V-10, 5d015a823a35039913bdf37c69878ea8e7bde484189aff177dbf6769e81fad83",
        "blog.csv.gz, 52397, 281, 281, f3cc953ea9913361be6d3bae2c393eef73eab57b1cb8e5bf8a22f1e5eb5dd05f"
    })
    void realFilesHaveTheirKnownShapesAndHashes(String file, int rows, int columns, String last, String sha256) {
        Table table = CsvReader.read(RealData.file(file), DataFile.Options.DEFAULT, Workers.of(2));
        assertThat(table.rows()).isEqualTo(rows);
        assertThat(table.names()).hasSize(columns).endsWith(last);
        assertThat(table.source().orElseThrow().sha256()).isEqualTo(sha256);
        for (Column column : table.columns()) {
            for (int i = 0; i < rows; i++) {
                if (column.isMissing(i)) {
                    assertThat(column.isMissing(i))
                            .as("%s in %s", column.name(), table.where(i))
                            .isFalse();
                }
            }
        }
    }

    @Test
    void insuranceHasThreeCategoricalColumns() {
        Table table = CsvReader.read(RealData.file("insurance.csv"), DataFile.Options.DEFAULT, Workers.of(1));
        assertThat(table.columns())
                .filteredOn(CategoricalColumn.class::isInstance)
                .extracting(Column::name)
                .containsExactly("sex", "smoker", "region");
        assertThat(((CategoricalColumn) table.column("region")).levels())
                .containsExactly("northeast", "northwest", "southeast", "southwest");
    }
}
