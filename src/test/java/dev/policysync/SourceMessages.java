package dev.policysync;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/// Finds the texts in the sources of the program, with `…` for their variable parts. The sources
/// are parsed, not compiled.
final class SourceMessages {
  private static final Path SOURCES = Path.of("src/main/java/dev/policysync");
  private static final String VARIABLE = "…";

  private static final Pattern TAKES_MESSAGES =
      Pattern.compile(
          "(new (Failure|FeedProblem|YamlProblem|Known|Guard|StopReason|Kept|Conflict|Withheld)"
              + "|FailedAttempt\\.of|CheckResult\\.(failure|warning)|violate|refuse|problems\\.add"
              + "|rawSettings\\.problem|(?s:.*)\\.log)#\\d+");

  private SourceMessages() {}

  /// A text of the program: a string literal, or a concatenation of them.
  ///
  /// @param file relative to the root package: `plan/Guard.java`
  /// @param call what it is an argument of, and which: `new Failure#1`, `CheckResult.ok#1`; empty
  ///   for none
  /// @param text `the token in … is expired`
  record Message(String file, long line, String call, String text) {
    /// Returns whether the text has words enough to be a message, or a part of one: three, or two
    /// if it is given to a call that only takes messages.
    boolean isSentence() {
      var words =
          Arrays.stream(text.split("[\\s…]+")).filter(word -> word.matches(".*\\p{L}.*")).count();
      return words >= (TAKES_MESSAGES.matcher(call).matches() ? 2 : 3);
    }

    /// Returns what a reader would search for: the first clause of at least 15 characters without a
    /// variable part, or else the longest one.
    String searched() {
      var parts = constantParts(text);
      return parts.stream()
          .filter(part -> part.length() >= 15)
          .findFirst()
          .or(() -> parts.stream().max(Comparator.comparingInt(String::length)))
          .orElse("");
    }

    @Override
    public String toString() {
      return SOURCES.resolve(file) + ":" + line + ": " + text;
    }
  }

  /// Splits a text into its clauses without a variable part.
  static List<String> constantParts(String text) {
    return Arrays.stream(text.split("…|;|, e\\.g\\. | \\(|%[.0-9]*[sdf]"))
        .map(SourceMessages::plain)
        .filter(part -> !part.isEmpty())
        .toList();
  }

  private static String plain(String part) {
    return part.replaceAll("\\s+", " ").replaceAll("^[\\s:,.(]+|[\\s:,.(]+$", "");
  }

  /// Returns all texts.
  static List<Message> all() {
    var compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
    try (var manager = compiler.getStandardFileManager(null, null, null);
        Stream<Path> tree = Files.walk(SOURCES)) {
      var files = tree.filter(file -> file.toString().endsWith(".java")).sorted().toList();
      var task =
          (JavacTask)
              compiler.getTask(
                  null,
                  manager,
                  null,
                  List.of("-proc:none"),
                  null,
                  manager.getJavaFileObjectsFromPaths(files));
      var positions = Trees.instance(task).getSourcePositions();
      var messages = new ArrayList<Message>();
      for (var unit : task.parse()) {
        new Scanner(unit, positions, messages).scan(new TreePath(unit), null);
      }
      return messages;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the sources", e);
    }
  }

  private static final class Scanner extends TreePathScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final List<Message> messages;
    private final String file;

    Scanner(CompilationUnitTree unit, SourcePositions positions, List<Message> messages) {
      this.unit = unit;
      this.positions = positions;
      this.messages = messages;
      this.file = SOURCES.relativize(Path.of(unit.getSourceFile().getName())).toString();
    }

    @Override
    public Void visitAnnotation(AnnotationTree annotation, Void unused) {
      return null;
    }

    @Override
    public Void visitLiteral(LiteralTree literal, Void unused) {
      if (literal.getValue() instanceof String text) {
        add(literal, text);
      }
      return null;
    }

    @Override
    public Void visitBinary(BinaryTree binary, Void unused) {
      if (!isSum(binary) || !joined(binary).matches("(?s).*[^…\\s].*")) {
        return super.visitBinary(binary, null);
      }
      add(binary, joined(binary));
      scanVariables(binary);
      return null;
    }

    /// Visits the parts that are no literals; a part may contain texts of its own.
    private void scanVariables(ExpressionTree part) {
      switch (part) {
        case BinaryTree sum when isSum(sum) -> {
          scanVariables(sum.getLeftOperand());
          scanVariables(sum.getRightOperand());
        }
        case ParenthesizedTree inner -> scanVariables(inner.getExpression());
        case LiteralTree _ -> {}
        default -> scan(part, null);
      }
    }

    private static boolean isSum(BinaryTree binary) {
      return binary.getKind() == Tree.Kind.PLUS;
    }

    private static String joined(ExpressionTree part) {
      return switch (part) {
        case BinaryTree sum when isSum(sum) ->
            joined(sum.getLeftOperand()) + joined(sum.getRightOperand());
        case ParenthesizedTree inner -> joined(inner.getExpression());
        case LiteralTree literal when literal.getValue() instanceof String text -> text;
        case LiteralTree literal when literal.getValue() instanceof Character character ->
            character.toString();
        default -> VARIABLE;
      };
    }

    private void add(Tree tree, String text) {
      var line = unit.getLineMap().getLineNumber(positions.getStartPosition(unit, tree));
      messages.add(new Message(file, line, call(), text));
    }

    private String call() {
      var inner = getCurrentPath();
      for (var path = inner.getParentPath(); path != null; path = path.getParentPath()) {
        switch (path.getLeaf()) {
          case NewClassTree made -> {
            return "new " + made.getIdentifier() + argument(made.getArguments(), inner);
          }
          case MethodInvocationTree called -> {
            var method = called.getMethodSelect().toString().replaceAll("\\s+", " ");
            return method + argument(called.getArguments(), inner);
          }
          default -> inner = path;
        }
      }
      return "";
    }

    private static String argument(List<? extends ExpressionTree> arguments, TreePath inner) {
      return "#" + arguments.indexOf(inner.getLeaf());
    }
  }
}
