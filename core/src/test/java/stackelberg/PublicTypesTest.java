package stackelberg;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What is public, by name: a new public type is a decision, and shows as a line of {@code public-types.txt}.
 *
 * <p>There is no module-info, because EJML's jars have no module names and a module that requires them cannot be published (decision 03).
 */
class PublicTypesTest {
    /** What belongs to one other type is nested in it; who needs one more looks for one to nest or to hide first. */
    private static final int MOST = 88;

    private static final int MOST_PARAMETERS = 7;

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("stackelberg");

    private static boolean isPublic(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(PublicTypesTest::isPublic).orElse(true);
    }

    @Test
    void thePublicTypesAreThoseOnTheList() throws IOException {
        List<String> found = CORE.stream()
                .filter(type -> type.isTopLevelClass() && isPublic(type))
                .map(JavaClass::getName)
                .filter(name -> !name.endsWith("package-info"))
                .sorted()
                .toList();
        List<String> listed = new String(
                        PublicTypesTest.class
                                .getResourceAsStream("public-types.txt")
                                .readAllBytes(),
                        StandardCharsets.UTF_8)
                .lines()
                .toList();

        assertThat(found)
                .as(
                        "A new public type: hide it, nest it in the type that it belongs to, or add its line to public-types.txt")
                .containsExactlyElementsOf(listed);
        assertThat(found).hasSizeLessThanOrEqualTo(MOST);
    }

    @Test
    void noPublicSignatureHasMoreThanSevenParameters() {
        List<String> tooLong = CORE.stream()
                .filter(PublicTypesTest::isPublic)
                .flatMap(type -> type.getCodeUnits().stream())
                .filter(unit -> unit.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(unit -> unit.getRawParameterTypes().size() > MOST_PARAMETERS)
                .map(JavaCodeUnit::getFullName)
                .toList();

        assertThat(tooLong).isEmpty();
    }
}
