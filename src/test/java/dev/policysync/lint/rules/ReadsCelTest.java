package dev.policysync.lint.rules;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.policysync.lint.KyvernoSchemas;
import dev.policysync.lint.LintMode;
import dev.policysync.lint.Linter;
import dev.policysync.lint.Rule.Trait;
import dev.policysync.lint.expression.JmesPath;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.Policy;
import dev.policysync.policy.feed.PolicyReader;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/// The parser of CEL costs half a second and its libraries; no run of a sync pays that but one that
/// writes and was asked to withhold what has an error.
class ReadsCelTest {
  private static final String BROKEN =
      """
      apiVersion: policies.kyverno.io/v1
      kind: ValidatingPolicy
      metadata:
        name: limits
        annotations:
          policysync.dev/lint-ignore: "PS033: frozen until January"
      spec:
        matchConditions:
          - name: frozen
            expression: "false"
        validations:
          - expression: has(object.spec.limits
      """;

  private final Linter linter = new Linter(Catalogue.rules(), Optional.empty());

  @Test
  void lintReadsCel() {
    var lintResult = linter.judge(PolicyReader.readLocated(manifests()));

    assertThat(lintResult.findings())
        .extracting(lintFinding -> lintFinding.hazard().id())
        .contains("PS020")
        .doesNotContain("PS090");
    assertThat(lintResult.suppressed())
        .extracting(suppressed -> suppressed.lintFinding().hazard().id())
        .contains("PS033");
  }

  @Test
  void syncLeavesItOutAndKnowsItsIdsNevertheless() {
    var policies = PolicyReader.read(manifests()).policies();

    var lintResult =
        linter.judge(policies, policies.stream().map(Policy::id).collect(toSet()), LintMode.WARN);

    assertThat(lintResult.findings())
        .extracting(lintFinding -> lintFinding.hazard().id())
        .doesNotContain("PS020", "PS033", "PS090");
    assertThat(lintResult.suppressed())
        .extracting(suppressed -> suppressed.lintFinding().hazard().id())
        .doesNotContain("PS033");
  }

  @Test
  void syncReadsItWhereAnErrorWithholds() {
    var policies = PolicyReader.read(manifests()).policies();

    var lintResult =
        linter.judge(policies, policies.stream().map(Policy::id).collect(toSet()), LintMode.BLOCK);

    assertThat(lintResult.findings())
        .extracting(lintFinding -> lintFinding.hazard().id())
        .contains("PS020")
        .doesNotContain("PS090");
    assertThat(lintResult.suppressed())
        .extracting(suppressed -> suppressed.lintFinding().hazard().id())
        .contains("PS033");
  }

  @Test
  void everyRuleThatReadsCelSaysSo() {
    assertThat(
            using(used ->
                used.getPackageName().equals("dev.policysync.lint.expression")
                    && !used.isEquivalentTo(JmesPath.class)))
        .containsExactly(CelRules.class.getName());
    assertThat(CelRules.rules()).allMatch(rule -> rule.has(Trait.READS_CEL));
  }

  @Test
  void whateverNeedsALibraryThatNoSyncLoadsSaysSo() {
    assertThat(
            using(used ->
                used.isEquivalentTo(KyvernoSchemas.class) || used.isEquivalentTo(JmesPath.class)))
        .containsExactly(LintOnly.class.getName());
    assertThat(LintOnly.rules()).allMatch(rule -> rule.has(Trait.LINT_ONLY));
  }

  /// The classes of rules that use such a class.
  private static Set<String> using(Predicate<JavaClass> library) {
    return new ClassFileImporter()
        .importPackagesOf(Catalogue.class).stream()
            .filter(rules ->
                rules.getDirectDependenciesFromSelf().stream()
                    .map(Dependency::getTargetClass)
                    .anyMatch(library))
            .map(JavaClass::getName)
            .filter(name -> !name.endsWith("Test"))
            .collect(toSet());
  }

  @Test
  void noSyncJudgesBySchemasOrReadsJmesPath() {
    var misspelt =
        """
        apiVersion: kyverno.io/v1
        kind: ClusterPolicy
        metadata: {name: misspelt}
        spec:
          rules:
            - name: first
              match: {any: [{resources: {kinds: [Pod]}}]}
              validate: {mesage: "{{ a[ }}", failureAction: Audit, pattern: {a: b}}
        """;
    var policies =
        PolicyReader.read(List.of(new Manifest("a.yaml", misspelt.getBytes(UTF_8)))).policies();

    var lintResult =
        linter.judge(policies, policies.stream().map(Policy::id).collect(toSet()), LintMode.BLOCK);

    assertThat(lintResult.findings())
        .extracting(lintFinding -> lintFinding.hazard().id())
        .contains("PS050")
        .doesNotContain("PS041", "PS051");
  }

  private static List<Manifest> manifests() {
    return List.of(new Manifest("limits.yaml", BROKEN.getBytes(UTF_8)));
  }
}
