package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * The pages say what the program does: their commands print what the pages show, their links lead somewhere, and the reference of commands is
 * what {@code --help} prints.
 *
 * <p>{@code -Dstackelberg.update=true} writes outputs and reference into the pages instead of comparing them.
 */
class DocumentsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path COMMANDS = ROOT.resolve("docs/reference/commands.md");
    private static final boolean UPDATE = Boolean.getBoolean("stackelberg.update");

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```|`[^`\n]*`");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");
    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z0-9-]*");
    private static final Pattern SHELL = Pattern.compile("(?ms)^```sh\n.+?^```|^ {4}\\S[^\n]*");
    private static final Pattern PROGRAM = Pattern.compile("(?m)^ *(?:\\./)?stackelberg (?=[a-z])([^\n]+)");
    private static final Pattern NAMED = Pattern.compile("<a id=\"([^\"]+)\">");

    private static final Pattern WORD = Pattern.compile("\\S+");
    private static final Pattern GENERATED = Pattern.compile("(?s)<!-- generated .*?<!-- end of the generated");

    @TempDir
    Path folder;

    static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT, 5)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .map(ROOT::relativize)
                    .filter(file -> Stream.of("target", "results", ".git", ".venv")
                            .noneMatch(name -> containsFolder(file, name)))
                    .sorted()
                    .toList();
        }
    }

    private static boolean containsFolder(Path file, String name) {
        for (Path part : file) {
            if (part.toString().equals(name)) {
                return true;
            }
        }
        return false;
    }

    private static List<Path> consolePages(boolean howTo) throws IOException {
        return pages().stream()
                .filter(page -> page.startsWith("docs/how-to") == howTo)
                .filter(page -> ConsolePage.isConsole(Samples.read(ROOT.resolve(page))))
                .toList();
    }

    static List<Path> firstPages() throws IOException {
        return consolePages(false);
    }

    static List<Path> howTos() throws IOException {
        return consolePages(true);
    }

    @ParameterizedTest
    @MethodSource("firstPages")
    void theCommandsOfReadmeAndTutorialPrintWhatTheyShow(Path page) throws IOException {
        checkOrUpdate(page);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("howTos")
    void theCommandsOfAHowToPrintWhatItShows(Path page) throws IOException {
        checkOrUpdate(page);
    }

    private void checkOrUpdate(Path page) throws IOException {
        String text = Samples.read(ROOT.resolve(page));
        try (ConsolePage console = new ConsolePage(folder)) {
            console.write(text);
            if (UPDATE) {
                Files.writeString(ROOT.resolve(page), console.updated(text));
            } else {
                console.check(text);
            }
        }
    }

    /** The largest number of words of a page, or of all pages of a folder together. */
    @ParameterizedTest
    @CsvSource(textBlock = """
                    README.md, 900
                    CHANGELOG.md, 2000
                    docs/tutorial.md, 1800
                    docs/solvers.md, 2500
                    docs/notation.md, 2500
                    docs/reproduction.md, 2500
                    docs/benchmarks.md, 2500
                    docs/decisions, 4000
                    """)
    void aPageIsShortEnoughToBeRead(Path page, long limit) throws IOException {
        assertThat(words(pages().stream().filter(one -> one.startsWith(page)).toList()))
                .as("words of %s", page)
                .isBetween(1L, limit);
    }

    @Test
    void aHowToHasAtMost900Words() throws IOException {
        assertThat(pages())
                .filteredOn(page -> page.startsWith("docs/how-to"))
                .hasSizeGreaterThan(15)
                .allSatisfy(page -> assertThat(words(List.of(page))).isLessThanOrEqualTo(900));
    }

    @Test
    void allPagesWrittenByHandHaveAtMost45000WordsTogether() throws IOException {
        assertThat(words(pages())).isBetween(20_000L, 45_000L);
    }

    /** The words that are written by hand. Generated pages say so at their beginning, generated parts of pages are marked. */
    private static long words(List<Path> some) {
        return some.stream()
                .map(page -> Samples.read(ROOT.resolve(page)))
                .filter(text -> !text.contains("This page is generated"))
                .flatMap(text ->
                        WORD.matcher(GENERATED.matcher(text).replaceAll("")).results())
                .count();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyRelativeLinkLeadsToAFileAndAHeading(Path page) throws IOException {
        List<String> broken = new ArrayList<>();
        for (MatchResult link : LINK.matcher(
                        CODE.matcher(Samples.read(ROOT.resolve(page))).replaceAll(""))
                .results()
                .toList()) {
            String[] target = link.group(1).split("#", 2);
            if (target[0].contains(":")) {
                continue;
            }
            Path file = target[0].isEmpty()
                    ? ROOT.resolve(page)
                    : ROOT.resolve(page).resolveSibling(target[0]);
            boolean found = Files.exists(file)
                    && (target.length == 1 || anchors(Samples.read(file)).contains(target[1]));
            if (!found) {
                broken.add(link.group(1));
            }
        }
        assertThat(broken).isEmpty();
    }

    /** The anchors that GitHub gives to headings, and those that are named. */
    private static Set<String> anchors(String page) {
        Set<String> anchors = new HashSet<>();
        HEADING.matcher(page)
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .strip()
                        .replace(' ', '-'))
                .forEach(anchors::add);
        NAMED.matcher(page).results().map(name -> name.group(1)).forEach(anchors::add);
        return anchors;
    }

    @Test
    void theReferenceOfCommandsIsWhatHelpPrints() throws IOException {
        StringBuilder text = new StringBuilder("""
                # Commands

                What `stackelberg COMMAND --help` prints. This page is generated: `mvn -Pfull -pl cli -am test -Dtest=DocumentsTest -Dstackelberg.update=true -Dsurefire.failIfNoSpecifiedTests=false`.
                """);
        describe(Main.commandLine(), "", text);
        if (UPDATE) {
            Files.createDirectories(COMMANDS.getParent());
            Files.writeString(COMMANDS, text);
        }
        assertThat(Samples.read(COMMANDS))
                .as("%s differs from --help: run this test with -Dstackelberg.update=true and read the diff", COMMANDS)
                .isEqualTo(text.toString());
    }

    private static void describe(CommandLine command, String name, StringBuilder text) {
        command.getSubcommands().forEach((word, subcommand) -> {
            String whole = (name + " " + word).strip();
            if (!word.equals("help")) {
                String help = subcommand.getUsageMessage();
                text.append("\n## ")
                        .append(whole)
                        .append("\n\n```\n")
                        .append(help)
                        .append("```\n");
                describe(subcommand, whole, text);
            }
        });
    }

    /** The page about Spark names options of spark-submit. */
    static List<Path> pagesAboutCommands() throws IOException {
        return pages().stream()
                .filter(page -> page.equals(Path.of("README.md"))
                        || page.equals(Path.of("docs/tutorial.md"))
                        || page.startsWith("docs/how-to") && !page.endsWith("spark.md")
                        || page.startsWith("docs/reference"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("pagesAboutCommands")
    void everyOptionThatAPageNamesExists(Path page) {
        assertThat(options(Samples.read(COMMANDS))).containsAll(options(Samples.read(ROOT.resolve(page))));
    }

    private static Set<String> options(String page) {
        return OPTION.matcher(page).results().map(MatchResult::group).collect(Collectors.toSet());
    }

    /** Commands that no console block runs, because they need a server, a cluster or large files: in blocks of the shell and in indented lines. */
    @ParameterizedTest
    @MethodSource("pages")
    void everyCommandThatIsOnlyShownCanBeParsed(Path page) {
        String text = Samples.read(ROOT.resolve(page)).replace("\\\n", " ");
        String shown = SHELL.matcher(text).results().map(MatchResult::group).collect(Collectors.joining("\n"));

        for (MatchResult command : PROGRAM.matcher(shown).results().toList()) {
            String[] words = ConsolePage.arguments(command.group(1).replaceFirst("\\s#.*", ""))
                    .toArray(String[]::new);
            assertThatCode(() -> Main.commandLine().parseArgs(words))
                    .as(command.group())
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void linesLeftOutStandForAnyLines() {
        List<String> printed = List.of("a", "b 1", "c", "d", "e");

        assertThat(ConsolePage.agree(printed, printed)).isTrue();
        assertThat(ConsolePage.agree(List.of("a", "b 1"), printed)).isFalse();
        assertThat(ConsolePage.agree(List.of("a", "[...]", "c", "[...]", "e"), printed))
                .isTrue();
        assertThat(ConsolePage.agree(List.of("[...]", "d", "[...]"), printed)).isTrue();
        assertThat(ConsolePage.agree(List.of("a", "[...]", "d"), printed)).isFalse();
        assertThat(ConsolePage.agree(List.of("a", "[...]", "x", "[...]"), printed))
                .isFalse();
        assertThat(ConsolePage.agree(List.of("b 1", "[...]"), printed)).isFalse();
        assertThat(ConsolePage.select(List.of("[...]", "b 7", "c", "[...]"), printed))
                .containsExactly("[...]", "b 1", "c", "[...]");
        assertThat(ConsolePage.agree(List.of("a", "b 1", "c", "d", "e", "f"), printed))
                .isFalse();
        assertThat(ConsolePage.select(List.of("?"), printed)).isEqualTo(printed);
    }
}
