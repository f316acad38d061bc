package stackelberg.cli.answer;

import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The {@code @param} texts of records, read from the Javadoc of their sources: what the JSON reference says of each key. */
final class RecordComments {
    private static final List<Path> SOURCES = List.of(
            Path.of("src/main/java/stackelberg/cli/answer"), Path.of("../core/src/main/java/stackelberg/model"));

    /** By binary name of the record and component. */
    private static final Map<String, Map<String, String>> TEXTS = read();

    private RecordComments() {}

    /** The text of a component; null if it has none. */
    static String of(Class<?> record, String component) {
        return TEXTS.getOrDefault(record.getName(), Map.of()).get(component);
    }

    private static Map<String, Map<String, String>> read() {
        Map<String, Map<String, String>> texts = new HashMap<>();
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            var task = (JavacTask) compiler.getTask(
                    null, files, null, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(sources()));
            DocTrees comments = DocTrees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                new Records(comments, texts).scan(unit, unit.getPackageName() + ".");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return texts;
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (Path folder : SOURCES) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        return sources;
    }

    /** Visits classes with the binary name of what is around each. */
    private static final class Records extends TreePathScanner<Void, String> {
        private final DocTrees comments;
        private final Map<String, Map<String, String>> texts;

        Records(DocTrees comments, Map<String, Map<String, String>> texts) {
            this.comments = comments;
            this.texts = texts;
        }

        @Override
        public Void visitClass(ClassTree tree, String around) {
            String name = around + tree.getSimpleName();
            texts.put(name, params(getCurrentPath()));
            return super.visitClass(tree, name + "$");
        }

        private Map<String, String> params(TreePath path) {
            var comment = comments.getDocCommentTree(path);
            return comment == null
                    ? Map.of()
                    : comment.getBlockTags().stream()
                            .filter(tag -> tag.getKind() == DocTree.Kind.PARAM)
                            .map(ParamTree.class::cast)
                            .collect(Collectors.toMap(tag -> tag.getName().toString(), Records::text));
        }

        /** In Markdown, on one line. */
        private static String text(ParamTree tag) {
            String text = tag.getDescription().stream().map(DocTree::toString).collect(Collectors.joining());
            return text.replaceAll("\\s+", " ").replaceAll("\\{@(?:code|link) ([^}]*)\\}", "`$1`");
        }
    }
}
