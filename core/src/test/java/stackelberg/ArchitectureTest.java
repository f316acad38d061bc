package stackelberg;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.GeneralCodingRules;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import stackelberg.linalg.Workers;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.Reduction.RemoteRows;

/** The way data -> estimate -> game -> sphere -> solver -> certificate -> objective -> model, where nothing flows back: who must not know whom. */
class ArchitectureTest {
    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("stackelberg");

    /** Package -> what it must not know. A package that does not exist yet breaks no rule. */
    private static final Map<String, List<String>> MUST_NOT_KNOW = Map.of(
            "linalg", List.of("data", "estimate", "game", "sphere", "solver", "certificate", "objective", "model"),
            "data", List.of("estimate", "game", "sphere", "solver", "certificate", "objective", "model"),
            "estimate", List.of("game", "sphere", "solver", "certificate", "objective", "model"),
            "game", List.of("sphere", "solver", "certificate", "objective", "model"),
            "sphere", List.of("data", "solver", "certificate", "objective", "model"),
            "certificate", List.of("data", "estimate", "game", "solver", "objective", "model"),
            "solver", List.of("data", "estimate", "game", "objective", "model"),
            "objective", List.of("model"));

    static List<String> packages() {
        return MUST_NOT_KNOW.keySet().stream().sorted().toList();
    }

    @ParameterizedTest
    @MethodSource("packages")
    void packageKnowsNothingOfWhatComesAfterIt(String name) {
        String[] forbidden =
                MUST_NOT_KNOW.get(name).stream().map(ArchitectureTest::tree).toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage(tree(name))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(forbidden)
                .allowEmptyShould(true)
                .check(CORE);
    }

    /** Sums over rows that are kept elsewhere come as the game's own; everything else passes through a reduction. */
    @Test
    void onlyTheReductionKnowsBothGameAndSphere() {
        classes()
                .that()
                .resideInAPackage(tree("sphere"))
                .and()
                .areNotAssignableTo(Reduction.class)
                .and()
                .doNotBelongToAnyOf(RemoteRows.class)
                .and()
                .doNotHaveFullyQualifiedName("stackelberg.sphere.RemoteFamily")
                .should()
                .onlyDependOnClassesThat()
                .resideOutsideOfPackage(tree("game"))
                .check(CORE);
    }

    @Test
    void onlyLinalgTouchesNativeCode() {
        noClasses()
                .that()
                .resideOutsideOfPackage(tree("linalg"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.bytedeco..")
                .check(CORE);
    }

    /** A library that counts processors by itself ignores the number of threads it was asked to use. */
    @Test
    void nothingInCoreChoosesItsThreads() {
        noClasses().should().callMethod(Workers.class, "available").check(CORE);
    }

    @Test
    void nothingInCorePrints() {
        GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(CORE);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("stackelberg.(**)").should().beFreeOfCycles().check(CORE);
    }

    /** A mistyped package name would make every rule above hold for nothing. */
    @Test
    void theRulesAreAboutPackagesThatExist() {
        for (String name :
                Arrays.asList("linalg", "estimate", "game", "sphere", "solver", "certificate", "objective")) {
            assertThat(CORE.stream().anyMatch(c -> c.getPackageName().startsWith("stackelberg." + name)))
                    .as(name)
                    .isTrue();
        }
    }

    private static String tree(String name) {
        return "stackelberg." + name + "..";
    }
}
