package stackelberg.cli.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** The operating system's Chromium without a window, for looking at reports; nothing is downloaded. */
public final class Browser implements AutoCloseable {
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");

    /** Kept here because the logging framework drops loggers without a reference: it warns of every Chromium newer than itself. */
    private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

    private final Path profile;
    private final ChromeDriver driver;

    private Browser(Path profile, ChromeDriver driver) {
        this.profile = profile;
        this.driver = driver;
    }

    public static boolean isInstalled() {
        return Files.isExecutable(CHROMIUM) && Files.isExecutable(DRIVER);
    }

    /** What to tell somebody who has none. */
    public static String missing() {
        return "No " + CHROMIUM + " with " + DRIVER + ", so the report was not tested in a browser."
                + " Maybe install Debian's packages chromium and chromium-driver.";
    }

    public static Browser open() {
        SELENIUM.setLevel(Level.SEVERE);
        try {
            Path profile = Files.createTempDirectory("browser");
            LoggingPreferences logs = new LoggingPreferences();
            logs.enable(LogType.BROWSER, Level.ALL);
            logs.enable(LogType.PERFORMANCE, Level.ALL);
            ChromeOptions options = new ChromeOptions();
            options.setBinary(CHROMIUM.toFile());
            options.addArguments(
                    "--headless=new",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-quic",
                    "--no-first-run",
                    "--disable-background-networking",
                    "--disable-component-update",
                    "--disable-sync",
                    "--hide-scrollbars",
                    "--user-data-dir=" + profile);
            options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
            ChromeDriverService service = new ChromeDriverService.Builder()
                    .usingDriverExecutable(DRIVER.toFile())
                    .usingAnyFreePort()
                    .build();
            return new Browser(profile, new ChromeDriver(service, options));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Opens a report and waits until its charts are drawn. */
    public void show(Path report) {
        driver.get(report.toAbsolutePath().toUri().toString());
        waitFor("return document.documentElement.dataset.ready === 'true'");
    }

    public void waitFor(String condition) {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (!Boolean.TRUE.equals(run(condition))) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("After 20 seconds still not so: " + condition);
            }
            Thread.onSpinWait();
        }
    }

    /** Runs JavaScript in the page; numbers come as Long or Double, arrays as lists. */
    public Object run(String script, Object... arguments) {
        return ((JavascriptExecutor) driver).executeScript(script, arguments);
    }

    /** The element that a CSS selector finds. */
    public WebElement find(String selector) {
        return driver.findElement(org.openqa.selenium.By.cssSelector(selector));
    }

    public void size(int width, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    }

    public void dark(boolean dark) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "media",
                        "",
                        "features",
                        List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    }

    /** What the visible part of the page looks like, as a PNG file. */
    public byte[] screenshot() {
        return driver.getScreenshotAs(org.openqa.selenium.OutputType.BYTES);
    }

    /** The page on A4 paper, as a PDF file. */
    public byte[] print() {
        Object data = driver.executeCdpCommand(
                        "Page.printToPDF",
                        Map.of(
                                "paperWidth", 8.27,
                                "paperHeight", 11.69,
                                "printBackground", false))
                .get("data");
        return java.util.Base64.getDecoder().decode((String) data);
    }

    /** Messages of the console since they were last asked for. */
    public List<String> console() {
        return log(LogType.BROWSER);
    }

    /** Events of the network and the page since they were last asked for, as JSON. */
    public List<String> events() {
        return log(LogType.PERFORMANCE);
    }

    private List<String> log(String type) {
        return driver.manage().logs().get(type).getAll().stream()
                .map(LogEntry::getMessage)
                .toList();
    }

    @Override
    public void close() {
        driver.quit();
        try (Stream<Path> files = Files.walk(profile)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            // the browser's last process may still be writing; the system clears its temporary folder
            profile.toFile().deleteOnExit();
        }
    }
}
