package dev.policysync;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.util.Map.entry;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
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

/// The table of packages in `ARCHITECTURE.md` tells what the code does: who uses whom, and which
/// libraries. A package there stands for itself alone, not for those below it.
class ArchitectureTest {
  private static final String ROOT = "dev.policysync";

  /// The root's name in the table; it joins adapters to commands, so it may use all.
  private static final String OF_ROOT = "root";

  private static final List<String> FEATURES =
      List.of("sync", "report", "lint", "convert", "check", "export");
  private static final List<String> ADAPTERS = List.of("insights", "cluster", "pushgateway");

  /// More classes than anybody keeps in mind; the catalogue of lint's rules is a list.
  private static final int MOST_CLASSES = 24;

  private static final String CATALOGUE = "lint.rules";

  /// What the table calls a library, and its packages.
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

  private static final JavaClasses ALL = new ClassFileImporter().importPackagesOf(Main.class);
  private static final JavaClasses CLASSES = ALL.that(areIn("main"));
  private static final Map<String, Row> TABLE = table();

  /// What the table says of a package.
  private record Row(Set<String> uses, Set<String> libraries) {}

  @Test
  void packagesAreThoseOfTheTable() {
    assertThat(perPackage(_ -> Stream.of("")).keySet())
        .containsExactlyInAnyOrderElementsOf(TABLE.keySet());
  }

  @Test
  void packagesUseWhatTheTableSaysAndNothingElse() {
    var used =
        perPackage(type ->
            dependencies(type)
                .filter(name -> isOurs(name))
                .map(ArchitectureTest::packageOf)
                .filter(other -> !other.equals(packageOf(type.getPackageName()))));
    used.remove(OF_ROOT);
    var told = new TreeMap<String, Set<String>>();
    TABLE.forEach((name, row) -> told.put(name, row.uses()));
    told.remove(OF_ROOT);

    assertThat(used).isEqualTo(told);
  }

  @Test
  void librariesAreUsedWhereTheTableSaysAndNowhereElse() {
    var used = perPackage(type -> dependencies(type).flatMap(name -> libraries(name).stream()));
    var told = new TreeMap<String, Set<String>>();
    TABLE.forEach((name, row) -> told.put(name, row.libraries()));

    assertThat(used).isEqualTo(told);
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
  void packagesFormNoCycle() {
    var left = new TreeMap<String, Set<String>>();
    TABLE.forEach((name, row) -> left.put(name, new TreeSet<>(row.uses())));
    left.remove(OF_ROOT);
    while (left.entrySet().removeIf(row -> row.getValue().isEmpty())) {
      left.values().forEach(uses -> uses.retainAll(left.keySet()));
    }

    assertThat(left).as("packages that use each other").isEmpty();
  }

  @Test
  void packagesHoldNoMoreThanCanBeKeptInMind() {
    var sizes =
        CLASSES.stream()
            .filter(JavaClass::isTopLevelClass)
            .filter(type -> !type.getSimpleName().equals("package-info"))
            .collect(groupingBy(type -> packageOf(type.getPackageName()), counting()));
    sizes.remove(CATALOGUE);

    assertThat(sizes).allSatisfy((_, size) -> assertThat(size).isLessThanOrEqualTo(MOST_CLASSES));
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
  void featuresDoNotSeeEachOther() {
    for (var feature : FEATURES) {
      for (var other : FEATURES) {
        if (!feature.equals(other)) {
          checkSeparate(feature, other);
        }
      }
    }
  }

  @Test
  void noFeatureSeesAnAdapterTheSettingsOrTheCommandLine() {
    for (var feature : FEATURES) {
      for (var outer : List.of("insights", "cluster", "pushgateway", "http", "settings", "cli")) {
        checkSeparate(feature, outer);
      }
    }
  }

  @Test
  void onlyTheRootJoinsAdaptersToCommands() {
    for (var adapter : ADAPTERS) {
      checkSeparate("cli", adapter);
      checkSeparate(adapter, "cli");
      checkSeparate(adapter, "settings");
    }
    checkSeparate("insights", "cluster");
    checkSeparate("cluster", "insights");
  }

  @Test
  void settingsTakeNothingFromHttpButTheSecret() {
    noClasses()
        .that()
        .resideInAPackage(pattern("settings"))
        .should()
        .dependOnClassesThat(resideInAPackage(pattern("http")).and(simplyNamedOtherThan("Secret")))
        .check(CLASSES);
  }

  @Test
  void onlyMainAndTheWatchdogEndTheProcess() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(Main.class.getName())
        .and()
        .doNotHaveFullyQualifiedName(ShutdownWatchdog.class.getName())
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
    for (var pure : List.of("plan", "managedfields", "diff", "impact", "kyverno")) {
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

  private static DescribedPredicate<JavaClass> simplyNamedOtherThan(String name) {
    return DescribedPredicate.describe(
        "not named " + name, type -> !type.getSimpleName().equals(name));
  }

  /// The package of that name with what is below it.
  private static String pattern(String name) {
    return ROOT + "." + name + "..";
  }

  private static Map<String, Set<String>> perPackage(Function<JavaClass, Stream<String>> what) {
    var all = new TreeMap<String, Set<String>>();
    for (var type : CLASSES) {
      var found = all.computeIfAbsent(packageOf(type.getPackageName()), _ -> new TreeSet<>());
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

  private static String packageOf(String name) {
    return name.equals(ROOT) ? OF_ROOT : name.substring(ROOT.length() + 1);
  }

  private static List<String> libraries(String name) {
    return LIBRARIES.entrySet().stream()
        .filter(library ->
            library.getValue().stream()
                .anyMatch(in -> name.equals(in) || name.startsWith(in + ".")))
        .map(Map.Entry::getKey)
        .toList();
  }

  /// The rows that begin with a package: `| name | what it is | uses | libraries |`.
  private static Map<String, Row> table() {
    var rows = new LinkedHashMap<String, Row>();
    var row = Pattern.compile("^\\| `?([a-z.]+)`? \\| [^|]* \\| ([^|]*) \\| ([^|]*) \\|$");
    try (var lines = Files.lines(Path.of("ARCHITECTURE.md"))) {
      lines
          .dropWhile(line -> !line.equals("## Packages"))
          .map(row::matcher)
          .filter(match -> match.matches() && !match.group(1).equals("package"))
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
