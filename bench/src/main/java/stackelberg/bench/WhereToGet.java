package stackelberg.bench;

/** Where the paper's four public data sets are found, with the SHA-256 of each file. */
final class WhereToGet {
    private WhereToGet() {}

    /** The source of a data set, as a message for users who lack its file. */
    static String of(String data) {
        String source =
                switch (data) {
                    case "wine" ->
                        "wine.csv is winequality-red.csv of the UCI repository's Wine Quality (Cortez et al. 2009), SHA-256"
                                + " eed1f222f07f0ff48153f437bffd97d2a8cc60d3158bc458ed14b0a271f9cd3f";
                    case "insurance" ->
                        "insurance.csv is Kaggle's Medical Cost Personal Datasets (mirichoi0218/insurance), SHA-256"
                                + " 388eff679557d08ac19f463d025de5e0b4adc482537c8456d19934d78621fd47";
                    case "building" ->
                        "building.csv is the UCI repository's Residential Building (Rafiei and Adeli 2016), the sheet saved as CSV with"
                                + " columns named V-1, V-2, ..., SHA-256"
                                + " 5d015a823a35039913bdf37c69878ea8e7bde484189aff177dbf6769e81fad83";
                    default ->
                        "blog.csv.gz is blogData_train.csv of the UCI repository's BlogFeedback (Buza 2014), compressed; SHA-256 of the"
                                + " uncompressed file f3cc953ea9913361be6d3bae2c393eef73eab57b1cb8e5bf8a22f1e5eb5dd05f";
                };
        return source + ".\nMaybe put it into a folder and name the folder with --data, or in STACKELBERG_DATA.";
    }
}
