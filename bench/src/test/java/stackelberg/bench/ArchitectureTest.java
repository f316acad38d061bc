package stackelberg.bench;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs make rows, and the report knows rows only. */
class ArchitectureTest {
    private static final JavaClasses BENCH = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("stackelberg.bench");

    /** The maximum number of parameters of a method. */
    private static final int MOST_PARAMETERS = 7;

    @Test
    void runsDoNotDependOnTheReport() {
        noClasses()
                .that()
                .resideInAPackage("stackelberg.bench")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("stackelberg.bench.report")
                .check(BENCH);
    }

    @Test
    void theReportDependsOnRowsAndTracesOnly() {
        assertThat(BENCH.stream()
                        .filter(c -> c.getPackageName().equals("stackelberg.bench.report"))
                        .flatMap(c -> c.getDirectDependenciesFromSelf().stream())
                        .map(d -> d.getTargetClass().getBaseComponentType())
                        .filter(c -> c.getPackageName().equals("stackelberg.bench"))
                        .map(ArchitectureTest::outermost)
                        .distinct())
                .containsExactlyInAnyOrder("Row", "TracePoint");
    }

    private static String outermost(JavaClass any) {
        return any.getEnclosingClass().map(ArchitectureTest::outermost).orElse(any.getSimpleName());
    }

    /** Lambdas, which are private, may hold on to more. */
    @Test
    void noMethodHasMoreThanSevenParameters() {
        List<String> many = BENCH.stream()
                .flatMap(c -> c.getCodeUnits().stream())
                .filter(unit -> !unit.getModifiers().contains(JavaModifier.PRIVATE))
                .filter(unit -> !unit.getModifiers().contains(JavaModifier.SYNTHETIC))
                .filter(unit -> unit.getRawParameterTypes().size() > MOST_PARAMETERS)
                .map(JavaCodeUnit::getFullName)
                .toList();

        assertThat(many).isEmpty();
    }

    /** What the command line and the report need; everything else is the bench's own. */
    @Test
    void onlyListedTypesArePublic() {
        assertThat(BENCH.stream()
                        .filter(c -> c.getModifiers().contains(JavaModifier.PUBLIC) && !c.isNestedClass())
                        .map(JavaClass::getSimpleName))
                .containsExactlyInAnyOrder(
                        "BenchReport",
                        "Experiment",
                        "Experiments",
                        "Profile",
                        "RealData",
                        "Results",
                        "Row",
                        "RunLimits",
                        "Runner",
                        "TracePoint");
    }
}
