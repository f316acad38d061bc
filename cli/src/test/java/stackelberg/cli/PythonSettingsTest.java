package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import stackelberg.game.Setting;
import stackelberg.game.Setting.Kind;
import stackelberg.game.Setting.Scope;
import stackelberg.game.Settings;

/** The Python package reads the settings of the game from a file that is written from their declarations: with {@code -Dstackelberg.update=true}. */
class PythonSettingsTest {
    private static final Path FILE =
            Path.of(System.getProperty("basedir", "."), "..", "python", "stackelberg", "_settings.py");

    @Test
    void theSettingsOfThePythonPackageAreThoseThatAreDeclared() throws IOException {
        String declared = declared();
        if (Boolean.getBoolean("stackelberg.update")) {
            Files.writeString(FILE, declared);
        }
        assertThat(Files.readString(FILE))
                .as("%s differs from stackelberg.game.Settings: run this test with -Dstackelberg.update=true", FILE)
                .isEqualTo(declared);
    }

    private static String declared() {
        String words = Settings.all().stream()
                .filter(setting ->
                        setting.scope() != Scope.NONE && !setting.words().isEmpty())
                .map(setting -> "    \"" + setting.apart('_') + "\": "
                        + tuple(setting.words().keySet().stream().toList()) + ",\n")
                .collect(Collectors.joining());
        return "\"\"\"The settings of the game, written from their declarations (stackelberg.game.Settings) by PythonSettingsTest: not edited by hand.\"\"\"\n\n"
                + "# Parameters that are settings; target and wish have parameters of their own.\n"
                + "SETTINGS = " + names(setting -> setting != Settings.TARGET && setting != Settings.WISH)
                + "  # fmt: skip\n\n"
                + "# What the program takes as one list; others are given once per value.\n"
                + "LISTS = " + names(setting -> setting.kind() == Kind.COLUMNS) + "\n\n"
                + "# What names columns.\n"
                + "COLUMNS = " + names(PythonSettingsTest::namesColumns) + "  # fmt: skip\n\n"
                + "# Options that read a setting from a file.\n"
                + "FILES = "
                + tuple(Settings.all().stream()
                        .filter(setting -> setting.kind() == Kind.NUMBERS_BY_COLUMN)
                        .map(Setting::fileKey)
                        .toList())
                + "\n\n# The words that a setting takes.\nWORDS = {\n" + words + "}  # fmt: skip\n";
    }

    private static boolean namesColumns(Setting<?> setting) {
        return setting != Settings.TARGET
                && List.of(Kind.COLUMN, Kind.COLUMNS, Kind.NUMBERS_BY_COLUMN, Kind.TEXTS)
                        .contains(setting.kind());
    }

    private static String names(Predicate<Setting<?>> which) {
        return tuple(Settings.all().stream()
                .filter(setting -> setting.scope() != Scope.NONE)
                .filter(which)
                .map(setting -> setting.apart('_'))
                .distinct()
                .toList());
    }

    private static String tuple(List<String> names) {
        String list = names.stream().map(name -> "\"" + name + "\"").collect(Collectors.joining(", "));
        return "(" + list + (names.size() == 1 ? ",)" : ")");
    }
}
