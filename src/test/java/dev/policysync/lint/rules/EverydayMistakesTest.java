package dev.policysync.lint.rules;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.lint.LintFinding;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.Linter;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.feed.PolicyReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Mistakes as people make them each day; `realkyverno.LintExamplesIT` has Kyverno 1.19 refuse all
/// of them.
class EverydayMistakesTest {
  private static final Path MISTAKES = Path.of("src/test/resources/mistakes");

  /// The path is where to look, so that none is found for another reason.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          01 | PS041 | spec.rules[0].validate.patern
          02 | PS041 | spec.rules[0].validate.failureAction
          03 | PS043 | spec.rules[0]
          04 | PS043 | spec.rules[0].match.any[0]
          05 | PS042 | spec.rules[0].validate
          06 | PS042 | spec.rules[0].validate.deny
          07 | PS050 | spec.rules[0].validate.pattern.metadata.labels.team
          08 | PS050 | spec.rules[0].validate.pattern.metadata.labels.team
          09 | PS051 | spec.rules[0].validate.deny.conditions.all[0].key
          10 | PS045 | spec.webhookConfiguration.timeoutSeconds
          11 | PS044 | spec.rules[0].preconditions.all[0].operator
          12 | PS039 | spec.rules[0].validate.failureAction
          13 | PS008 | spec.rules[0].exclude.any[0].clusterRoles
          14 | PS009 | spec.rules[0]
          15 | PS009 | spec.rules[1].name
          16 | PS011 | spec.rules[0].generate.kind
          17 | PS052 | spec.rules[0].mutate.patchesJson6902
          18 | PS023 | spec.rules[0].verifyImages[0].failureAction
          19 | PS054 | spec.validations[0].expression
          20 | PS054 | spec.validations[0].expression
          21 | PS020 | spec.validations[0].expression
          22 | PS053 | spec
          23 | PS041 | spec.validationActions[0]
          24 | PS016 | spec.schedule
          """)
  void areErrorsWhereTheyAre(String number, String hazard, String path) throws IOException {
    var found =
        new Linter(Catalogue.rules(), Optional.empty())
            .judge(PolicyReader.readLocated(mistake(number)));

    assertThat(found.findings())
        .filteredOn(finding -> finding.lintSeverity() == LintSeverity.ERROR)
        .filteredOn(finding -> finding.hazard().id().equals(hazard))
        .extracting(LintFinding::path)
        .containsOnlyOnce(path);
  }

  /// No file has it: it is one of a length.
  @Test
  void aPolicyIsLargerThanEtcdStores() {
    for (var more : List.of(false, true)) {
      var text =
          """
          apiVersion: kyverno.io/v1
          kind: ClusterPolicy
          metadata: {name: large}
          spec: {rules: [{name: a, match: {resources: {kinds: [Pod]}}, validate: {message: %s, pattern: {}}}]}
          """
              .formatted("x".repeat(more ? 1_600_000 : 1_500_000));

      var found =
          new Linter(Catalogue.rules(), Optional.empty())
              .judge(
                  PolicyReader.readLocated(List.of(new Manifest("large", text.getBytes(UTF_8)))));

      assertThat(found.findings().stream().map(LintFinding::message))
          .as("%d bytes", text.length())
          .filteredOn(message -> message.startsWith("the policy has 1.5 MiB, and etcd stores"))
          .hasSize(more ? 1 : 0);
    }
  }

  @Test
  void areAsManyAsTheTableHas() throws IOException {
    try (Stream<Path> files = Files.list(MISTAKES)) {
      assertThat(files).hasSize(24);
    }
  }

  private static List<Manifest> mistake(String number) throws IOException {
    try (Stream<Path> files = Files.list(MISTAKES)) {
      var file =
          files
              .filter(path -> path.getFileName().toString().startsWith(number))
              .findFirst()
              .orElseThrow();
      return List.of(new Manifest(file.toString(), Files.readAllBytes(file)));
    }
  }
}
