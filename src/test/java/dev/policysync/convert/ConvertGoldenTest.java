package dev.policysync.convert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.base.yaml.YamlText;
import dev.policysync.cli.Golden;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.Linter;
import dev.policysync.lint.rules.Catalogue;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.feed.PolicyReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// What becomes of each policy in `src/test/resources/convert`. Whether that judges the same is for
/// `ConvertedVerdictsIT`.
class ConvertGoldenTest {
  @TestFactory
  Stream<DynamicTest> successorsAreAsExpected() {
    return ConvertedPolicies.files().stream()
        .map(file ->
            DynamicTest.dynamicTest(
                name(file),
                () -> {
                  var conversions = ConvertedPolicies.of(file);

                  assertThat(conversions).allMatch(Conversion::converted);
                  Golden.assertEqual("convert-" + name(file) + ".txt", text(conversions));
                }));
  }

  @TestFactory
  Stream<DynamicTest> refusalsAreAsExpected() {
    return ConvertedPolicies.refused().stream()
        .map(file ->
            DynamicTest.dynamicTest(
                name(file),
                () -> {
                  var conversions = ConvertedPolicies.of(file);

                  assertThat(conversions).noneMatch(Conversion::converted);
                  Golden.assertEqual(
                      "convert-refused-" + name(file) + ".txt", refusals(conversions));
                }));
  }

  /// Lint reads CEL, and knows the schemas of the custom resources.
  @Test
  void lintFindsNoErrorInASuccessor() {
    var all =
        ConvertedPolicies.files().stream()
            .flatMap(file -> ConvertedPolicies.of(file).stream())
            .toList();
    var manifest = new Manifest("converted", text(all).getBytes(StandardCharsets.UTF_8));

    var findings =
        new Linter(Catalogue.rules(), Optional.empty())
            .judge(PolicyReader.readLocated(List.of(manifest)))
            .findings();

    assertThat(findings)
        .filteredOn(finding -> finding.lintSeverity() == LintSeverity.ERROR)
        .isEmpty();
  }

  @Test
  void everyRunGivesTheSameNames() {
    for (var file : ConvertedPolicies.files()) {
      assertThat(names(file)).isEqualTo(names(file)).doesNotHaveDuplicates();
      assertThat(names(file)).allMatch(name -> name.length() <= 63);
    }
  }

  private static List<String> names(Path file) {
    return ConvertedPolicies.of(file).stream()
        .flatMap(conversion -> conversion.successors().stream())
        .map(Conversion.Successor::name)
        .toList();
  }

  private static String text(List<Conversion> conversions) {
    return conversions.stream()
        .flatMap(conversion -> conversion.successors().stream())
        .map(Conversion.Successor::manifest)
        .map((Value.Mapping manifest) -> "---\n" + YamlText.write(manifest))
        .collect(Collectors.joining());
  }

  private static String refusals(List<Conversion> conversions) {
    return conversions.stream()
        .flatMap(conversion -> conversion.refusals().stream())
        .map(refusal ->
            refusal.position().line()
                + ":"
                + refusal.position().column()
                + " "
                + refusal.policy()
                + " "
                + refusal.rule()
                + ": "
                + refusal.what()
                + ": "
                + refusal.advice()
                + "\n")
        .collect(Collectors.joining());
  }

  private static String name(Path file) {
    return file.getFileName().toString().replace(".yaml", "");
  }
}
