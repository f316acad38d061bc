package stackelberg.cli.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Pictures of reports for the documentation: {@code Screenshots OUT_DIR REPORT.html...} writes OUT_DIR/REPORT.png, the first screen of each. */
public final class Screenshots {
    private static final int WIDTH = 1200;
    private static final int HEIGHT = 980;

    private Screenshots() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length < 2) {
            throw new IllegalArgumentException("Usage: Screenshots OUT_DIR REPORT.html...");
        }
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        try (Browser browser = Browser.open()) {
            browser.size(WIDTH, HEIGHT);
            for (int i = 1; i < arguments.length; i++) {
                Path report = Path.of(arguments[i]);
                browser.show(report);
                String name = report.getFileName().toString().replaceFirst("\\.html$", ".png");
                Files.write(folder.resolve(name), browser.screenshot());
            }
        }
    }
}
