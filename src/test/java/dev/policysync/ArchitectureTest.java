package dev.policysync;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.util.Map.entry;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.policysync.app.Main;
import dev.policysync.cli.Output;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The table of areas in `ARCHITECTURE.md` tells what the code does: which area uses which, and
/// which libraries. An area is a package below the root with all that is in it.
class ArchitectureTest {
  private static final String ROOT = "dev.policysync";

  /// The area that joins adapters to commands, so it may use all others.
  private static final String APP = "app";

  /// The packages of each library, by the library's name in the table.
  private static final Map<String, List<String>> LIBRARIES =
      Map.ofEntries(
          entry("SnakeYAML", List.of("org.yaml.snakeyaml")),
          entry("Jackson's streaming API", List.of("com.fasterxml.jackson")),
          entry("json-schema-validator", List.of("com.networknt.schema")),
          entry("smithy-jmespath", List.of("software.amazon.smithy.jmespath")),
          entry("dev.cel's parser", List.of("dev.cel", "com.google.common")), // its answers' lists
          entry("kubernetes-client-java", List.of("io.kubernetes.client")),
          entry("resilience4j", List.of("io.github.resilience4j")),
          entry("OkHttp", List.of("okhttp3", "okio")),
          entry("picocli", List.of("picocli")),
          entry("logback", List.of("ch.qos.logback", "net.logstash.logback")),
          entry("slf4j", List.of("org.slf4j")));

  private static final JavaClasses ALL = new ClassFileImporter().importPackages(ROOT);
  private static final JavaClasses CLASSES = ALL.that(areIn("main"));
  private static final Map<String, Row> TABLE = table();

  /// One area's row of the table: the areas and the libraries that it uses.
  private record Row(Set<String> uses, Set<String> libraries) {}

  @Test
  void areasAreThoseOfTheTable() {
    assertThat(perArea(_ -> Stream.of("")).keySet())
        .containsExactlyInAnyOrderElementsOf(TABLE.keySet());
  }

  @Test
  void areasUseWhatTheTableSaysAndNothingElse() {
    var used =
        perArea(type ->
            dependencies(type)
                .filter(name -> isOurs(name))
                .map(ArchitectureTest::areaOf)
                .filter(other -> !other.equals(areaOf(type.getPackageName()))));
    used.remove(APP);
    var expected = new TreeMap<String, Set<String>>();
    TABLE.forEach((name, row) -> expected.put(name, row.uses()));
    expected.remove(APP);

    assertThat(used).isEqualTo(expected);
  }

  @Test
  void librariesAreUsedWhereTheTableSaysAndNowhereElse() {
    var used = perArea(type -> dependencies(type).flatMap(name -> libraries(name).stream()));
    var expected = new TreeMap<String, Set<String>>();
    TABLE.forEach((name, row) -> expected.put(name, row.libraries()));

    assertThat(used).isEqualTo(expected);
  }

  @Test
  void nothingUsesALibraryThatTheTableDoesNotName() {
    var known = new ArrayList<>(List.of("java..", "javax..", ROOT + "..", "org.jspecify.."));
    LIBRARIES.values().forEach(names -> names.forEach(name -> known.add(name + "..")));
    known.add(""); // primitives and their arrays
    classes()
        .that(resideInAPackage(ROOT + ".."))
        .should()
        .onlyDependOnClassesThat(
            JavaClass.Predicates.resideInAnyPackage(known.toArray(String[]::new)))
        .check(CLASSES);
  }

  @Test
  void areasFormNoCycle() {
    var uses = new TreeMap<String, Set<String>>();
    TABLE.forEach((name, row) -> uses.put(name, new TreeSet<>(row.uses())));
    uses.remove(APP);

    assertThat(withoutLeaves(uses)).as("areas that use each other").isEmpty();
  }

  @Test
  void packagesFormNoCycle() {
    var uses = new TreeMap<String, Set<String>>();
    for (var type : CLASSES) {
      var from = type.getPackageName();
      dependencies(type)
          .filter(name -> isOurs(name) && !name.equals(from))
          .forEach(name -> uses.computeIfAbsent(from, _ -> new TreeSet<>()).add(name));
    }

    assertThat(withoutLeaves(uses)).as("packages that use each other").isEmpty();
  }

  @Test
  void everyPackageSaysWhatItIs() {
    var undocumented =
        CLASSES.stream()
            .map(type -> Path.of("src/main/java", type.getPackageName().replace('.', '/')))
            .distinct()
            .filter(folder -> Files.notExists(folder.resolve("package-info.java")));

    assertThat(undocumented).isEmpty();
  }

  @Test
  void adaptersDoNotSeeEachOther() {
    checkSeparate("remote.insights", "remote.cluster");
    checkSeparate("remote.cluster", "remote.insights");
    checkSeparate("remote.http", "remote.cluster");
    checkSeparate("remote.http", "remote.insights");
  }

  @Test
  void toolsUseNoTest() {
    noClasses()
        .that(areIn("tools"))
        .should()
        .dependOnClassesThat(areIn("test"))
        .allowEmptyShould(true) // none are there where this test is run alone
        .check(ALL);
  }

  @Test
  void onlyMainAndTheWatchdogEndTheProcess() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(Main.class.getName())
        .and()
        .doNotHaveFullyQualifiedName(ROOT + ".app.ShutdownWatchdog")
        .should()
        .callMethod(System.class, "exit", int.class)
        .orShould()
        .callMethod(Runtime.class, "halt", int.class)
        .check(CLASSES);
  }

  /// What a command prints goes through `cli.Output`, which escapes what acts on a terminal.
  @Test
  void nothingButTheOutputPrints() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(Main.class.getName())
        .and()
        .doNotHaveFullyQualifiedName(Output.class.getName())
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(PrintStream.class, FileOutputStream.class, FileDescriptor.class)
        .orShould()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .check(CLASSES);
  }

  /// A document keeps its line breaks, so only formats that quote the texts of others are one.
  @Test
  void onlyFormatsThatQuotePrintDocuments() {
    var printers =
        CLASSES.stream()
            .filter(type ->
                type.getMethodCallsFromSelf().stream()
                    .filter(call -> call.getTargetOwner().isEquivalentTo(Output.class))
                    .anyMatch(call ->
                        call.getName().startsWith("document")
                            || (call.getName().equals("prepare")
                                && call.getTarget()
                                    .getRawParameterTypes()
                                    .getFirst()
                                    .isEquivalentTo(String.class))))
            .map(JavaClass::getSimpleName);

    assertThat(printers)
        .containsExactlyInAnyOrder(
            "Main", // help
            "CheckCommand",
            "ConvertCommand",
            "ExportCommand",
            "FindingsOutput",
            "LintCommand",
            "Output",
            "ReportSummaryOutput",
            "StatusCommand",
            "SyncCommand");
  }

  @Test
  void planningHasNoClockNoLogAndNoRandomness() {
    for (var pure : List.of("plan", "policy.kyverno")) {
      noClasses()
          .that()
          .resideInAPackage(pattern(pure))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.slf4j..", "java.net..", "java.io..", "java.nio..")
          .orShould()
          .dependOnClassesThat()
          .belongToAnyOf(Random.class, ThreadLocalRandom.class, UUID.class, Clock.class)
          .orShould()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .check(CLASSES);
    }
  }

  private static void checkSeparate(String one, String other) {
    noClasses()
        .that()
        .resideInAPackage(pattern(one))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(pattern(other))
        .check(CLASSES);
  }

  /// The rows that are left after those that use no other row are taken out again and again: those
  /// of cycles, and those that use them.
  private static Map<String, Set<String>> withoutLeaves(Map<String, Set<String>> uses) {
    uses.values().forEach(names -> names.retainAll(uses.keySet()));
    while (uses.entrySet().removeIf(row -> row.getValue().isEmpty())) {
      uses.values().forEach(names -> names.retainAll(uses.keySet()));
    }
    return uses;
  }

  /// The package of that name with what is below it.
  private static String pattern(String name) {
    return ROOT + "." + name + "..";
  }

  private static Map<String, Set<String>> perArea(Function<JavaClass, Stream<String>> what) {
    var all = new TreeMap<String, Set<String>>();
    for (var type : CLASSES) {
      var found = all.computeIfAbsent(areaOf(type.getPackageName()), _ -> new TreeSet<>());
      what.apply(type).forEach(found::add);
    }
    return all;
  }

  /// The packages of all that a class uses.
  private static Stream<String> dependencies(JavaClass type) {
    return type.getDirectDependenciesFromSelf().stream()
        .map(dependency -> dependency.getTargetClass().getBaseComponentType().getPackageName());
  }

  private static boolean isOurs(String name) {
    return name.equals(ROOT) || name.startsWith(ROOT + ".");
  }

  private static String areaOf(String name) {
    return name.substring(ROOT.length() + 1).replaceFirst("\\..*", "");
  }

  private static List<String> libraries(String name) {
    return LIBRARIES.entrySet().stream()
        .filter(library ->
            library.getValue().stream()
                .anyMatch(in -> name.equals(in) || name.startsWith(in + ".")))
        .map(Map.Entry::getKey)
        .toList();
  }

  /// The rows that begin with an area: `| area | what it is | uses | libraries |`.
  private static Map<String, Row> table() {
    var rows = new LinkedHashMap<String, Row>();
    var row = Pattern.compile("^\\| `([a-z]+)` \\| [^|]* \\| ([^|]*) \\| ([^|]*) \\|$");
    try (var lines = Files.lines(Path.of("ARCHITECTURE.md"))) {
      lines
          .dropWhile(line -> !line.equals("## Areas"))
          .map(row::matcher)
          .filter(match -> match.matches())
          .forEach(match ->
              rows.put(match.group(1), new Row(names(match.group(2)), names(match.group(3)))));
    } catch (IOException e) {
      throw new UncheckedIOException("the table cannot be read", e);
    }
    return rows;
  }

  private static Set<String> names(String cell) {
    return Stream.of(cell.replace("`", "").split(", "))
        .map(String::strip)
        .filter(name -> !name.equals("–"))
        .collect(toCollection(TreeSet::new));
  }

  /// Classes whose source is in that folder of `src`.
  private static DescribedPredicate<JavaClass> areIn(String folder) {
    return DescribedPredicate.describe(
        "are in src/" + folder,
        type -> {
          var outermost = type.getName().replaceFirst("\\$.*", "").replace('.', '/');
          return Files.exists(Path.of("src", folder, "java", outermost + ".java"));
        });
  }
}
