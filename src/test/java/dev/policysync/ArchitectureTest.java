package dev.policysync;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/// Holds the table of packages in `ARCHITECTURE.md`: who may use whom, and which libraries.
class ArchitectureTest {
  private static final String ROOT = "dev.policysync";
  private static final List<String> FEATURES = List.of("sync", "report", "lint", "check", "export");
  private static final List<String> ADAPTERS = List.of("insights", "cluster");

  /// Each package's own packages, beside itself; the root may use all.
  private static final Map<String, List<String>> USES =
      Map.ofEntries(
          entry("yaml", List.of()),
          entry("http", List.of()),
          entry("policy", List.of("yaml")),
          entry("ownership", List.of("yaml")),
          entry("plan", List.of("yaml", "policy", "ownership")),
          entry("impact", List.of("yaml", "policy")),
          entry("difference", List.of("yaml", "plan", "impact")),
          entry("sync", List.of("yaml", "policy", "plan", "impact", "difference")),
          entry("report", List.of("yaml", "policy")),
          entry("view", List.of("policy", "report")),
          entry("lint", List.of("yaml", "policy")),
          entry("lint.cel", List.of()),
          entry("lint.rules", List.of("yaml", "policy", "lint")),
          entry("check", List.of("yaml", "policy")),
          entry("export", List.of("yaml", "policy", "plan")),
          entry("insights", List.of("yaml", "policy", "sync", "report", "check", "http")),
          entry(
              "cluster",
              List.of(
                  "yaml",
                  "policy",
                  "ownership",
                  "plan",
                  "sync",
                  "report",
                  "check",
                  "export",
                  "http")),
          entry("settings", List.of("plan", "sync", "report", "lint", "check", "http")));

  /// Beside the features that it shows, what the command line is made from.
  private static final List<String> CLI_USES =
      List.of(
          "yaml",
          "policy",
          "plan",
          "impact",
          "difference",
          "sync",
          "report",
          "view",
          "lint",
          "check",
          "export",
          "settings");

  /// Each library's packages and who may use it; the root is `Main` and what joins adapters.
  private static final Map<String, List<String>> LIBRARIES =
      Map.ofEntries(
          entry("org.yaml.snakeyaml", List.of("yaml")),
          entry("dev.cel", List.of("lint.cel")),
          entry("com.google.common", List.of("lint.cel")), // the lists in the answers of dev.cel
          entry("io.kubernetes.client", List.of("cluster")),
          entry("io.github.resilience4j", List.of("insights")),
          entry("okhttp3", List.of("insights", "cluster", "http")),
          entry("okio", List.of("insights", "cluster", "http")),
          entry(
              "com.fasterxml.jackson",
              List.of("yaml", "report", "view", "insights", "cluster", "cli")),
          entry("picocli", List.of("cli", "")),
          entry("ch.qos.logback", List.of("cli")),
          entry("net.logstash.logback", List.of("cli")),
          entry("org.slf4j", List.of("sync", "report", "insights", "cluster", "http", "cli", "")));

  private static final JavaClasses ALL = new ClassFileImporter().importPackagesOf(Main.class);
  private static final JavaClasses CLASSES = ALL.that(areIn("main"));

  @Test
  void isAllThere() {
    assertThat(packages())
        .contains(
            "yaml",
            "policy",
            "ownership",
            "plan",
            "difference",
            "sync",
            "http",
            "insights",
            "cluster");
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
  void everyPackageIsInTheTable() {
    assertThat(packages())
        .allMatch(name -> name.isEmpty() || name.equals("cli") || USES.containsKey(name));
  }

  @Test
  void packagesUseOnlyWhatTheTableSays() {
    USES.forEach(ArchitectureTest::checkUses);
    checkUses("cli", CLI_USES);
  }

  @Test
  void librariesStayWhereTheTableHasThem() {
    LIBRARIES.forEach((library, users) ->
        noClasses()
            .that(resideInAPackage(ROOT + ".."))
            .and()
            .resideOutsideOfPackages(
                users.stream().map(ArchitectureTest::pattern).toArray(String[]::new))
            .should()
            .dependOnClassesThat()
            .resideInAPackage(library + "..")
            .as(library + " is used only in " + users)
            .allowEmptyShould(true)
            .check(CLASSES));
  }

  @Test
  void nothingUsesALibraryThatTheTableDoesNotName() {
    var known = new ArrayList<>(List.of("java..", "javax..", ROOT + "..", "org.jspecify.."));
    LIBRARIES.keySet().forEach(library -> known.add(library + ".."));
    known.add(""); // primitives and their arrays
    classes()
        .that(resideInAPackage(ROOT + ".."))
        .should()
        .onlyDependOnClassesThat(resideInAnyPackage(known.toArray(String[]::new)))
        .check(CLASSES);
  }

  @Test
  void thereAreNoCycles() {
    slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(CLASSES);
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
      for (var outer : List.of("insights", "cluster", "http", "settings", "cli")) {
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
  void onlyMainAndTheEndingEndTheProcess() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(ROOT + ".Main")
        .and()
        .doNotHaveFullyQualifiedName(ROOT + ".Ending")
        .should()
        .callMethod(System.class, "exit", int.class)
        .orShould()
        .callMethod(Runtime.class, "halt", int.class)
        .check(CLASSES);
  }

  @Test
  void planningHasNoClockNoLogAndNoRandomness() {
    noClasses()
        .that()
        .resideInAnyPackage(
            pattern("plan"), pattern("ownership"), pattern("difference"), pattern("impact"))
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

  private static void checkUses(String name, List<String> others) {
    var allowed = new ArrayList<>(List.of(pattern(name)));
    others.forEach(other -> allowed.add(pattern(other)));
    noClasses()
        .that()
        .resideInAPackage(pattern(name))
        .should()
        .dependOnClassesThat(
            resideInAPackage(ROOT + "..")
                .and(not(resideInAnyPackage(allowed.toArray(String[]::new)))))
        .as(name + " uses nothing of ours but " + others)
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  private static void checkSeparate(String one, String other) {
    noClasses()
        .that()
        .resideInAPackage(pattern(one))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(pattern(other))
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  private static DescribedPredicate<JavaClass> simplyNamedOtherThan(String name) {
    return DescribedPredicate.describe(
        "not named " + name, type -> !type.getSimpleName().equals(name));
  }

  /// The package of that name with what may be below it; the root without.
  private static String pattern(String name) {
    return name.isEmpty() ? ROOT : ROOT + "." + name + "..";
  }

  private static Set<String> packages() {
    return CLASSES.stream()
        .map(type -> type.getPackageName())
        .map(name -> name.equals(ROOT) ? "" : name.substring(ROOT.length() + 1))
        .collect(toSet());
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
