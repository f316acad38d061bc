package stackelberg.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rooms of the command line, each of which knows only those after it. */
class ArchitectureTest {
    private static final JavaClasses CLI = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("stackelberg.cli");

    /** Commands take options, some of which ask for pages, which repeat answers in words; the terminal shows whatever it is. */
    private static final List<String> ROOMS = List.of("command", "option", "report", "answer", "terminal");

    /** The maximum number of parameters of a method. */
    private static final int MOST_PARAMETERS = 7;

    static List<Integer> rooms() {
        return IntStream.range(1, ROOMS.size()).boxed().toList();
    }

    @ParameterizedTest
    @MethodSource("rooms")
    void packagesDependInOneDirectionOnly(int room) {
        String[] before = ROOMS.subList(0, room).stream()
                .map(name -> "stackelberg.cli." + name)
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage("stackelberg.cli." + ROOMS.get(room))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(before)
                .check(CLI);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("stackelberg.cli.(*)..").should().beFreeOfCycles().check(CLI);
    }

    @Test
    void everyClassIsInAListedPackage() {
        assertThat(CLI.stream()
                        .filter(c -> c.getPackageName().equals("stackelberg.cli"))
                        .map(JavaClass::getSimpleName))
                .containsExactlyInAnyOrder("Main", "VersionLine", "Rehearsal", "package-info");
    }

    /** Lambdas, which are private, may hold on to more, and an answer has as many components as JSON keys. */
    @Test
    void noMethodHasMoreThanSevenParameters() {
        List<String> many = CLI.stream()
                .flatMap(c -> c.getCodeUnits().stream())
                .filter(unit -> !unit.getModifiers().contains(JavaModifier.PRIVATE))
                .filter(unit -> !unit.getModifiers().contains(JavaModifier.SYNTHETIC))
                .filter(unit -> !(unit.isConstructor()
                        && unit.getOwner().getPackageName().endsWith(".answer")))
                .filter(unit -> unit.getRawParameterTypes().size() > MOST_PARAMETERS)
                .map(JavaCodeUnit::getFullName)
                .toList();

        assertThat(many).isEmpty();
    }

    /** Except answers, which commands hand on without naming their type. */
    @Test
    void publicTypesAreUsedOutsideTheirPackage() {
        List<String> unknown = CLI.stream()
                .filter(c -> c.getModifiers().contains(JavaModifier.PUBLIC) && !c.isNestedClass())
                .filter(c -> c.getDirectDependenciesToSelf().stream()
                        .allMatch(d -> d.getOriginClass().getPackageName().equals(c.getPackageName())))
                .filter(c -> !c.isEquivalentTo(Main.class) && !c.getSimpleName().endsWith("Answer"))
                .map(JavaClass::getName)
                .toList();

        assertThat(unknown).isEmpty();
    }
}
