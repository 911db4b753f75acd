package dev.policysync.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.KyvernoVersion;
import dev.policysync.testcluster.Documents;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// The schemas that the program has, made by `dev/schemas`.
class KyvernoSchemasTest {
  private final KyvernoSchemas schemas = KyvernoSchemas.bundled();

  @ParameterizedTest
  @CsvSource({
    "1.13.0, 1.13",
    "1.14.4, 1.14",
    "1.15.9, 1.15",
    "1.16.2, 1.17",
    "1.17.0, 1.17",
    "1.18.2, 1.18",
    "1.19.0, 1.19",
    "1.20.0, 1.19",
    "2.0.0, 1.19"
  })
  void areThoseOfTheMinorOrTheNextOne(String release, String by) {
    assertThat(schemas.schemaReleaseFor(KyvernoVersion.parse(release)))
        .isEqualTo(KyvernoVersion.parse(by));
  }

  @Test
  void areNoneForWhatIsOlder() {
    assertThat(schemas.schemaReleaseFor(KyvernoVersion.parse("1.12.7"))).isEmpty();
  }

  @Test
  void areTheNewestWithoutARelease() {
    assertThat(schemas.schemaReleaseFor(Optional.empty())).contains(schemas.newest());
  }

  @ParameterizedTest
  @EnumSource
  void haveAllKindsOfKyverno(PolicyKind kind) {
    assertThat(schemas.servedVersions(schemas.newest(), kind).isEmpty()).isEqualTo(kind.builtIn());
    assertThat(kind.versions())
        .allMatch(
            version -> kind.builtIn() || !schemas.servedVersions(schemas.newest(), kind).isEmpty());
  }

  @Test
  void knowWhatCameWhen() {
    var release = KyvernoVersion.parse("1.14").orElseThrow();

    assertThat(schemas.servedVersions(release, PolicyKind.VALIDATING_POLICY))
        .containsExactly("v1alpha1");
    assertThat(schemas.servedVersions(release, PolicyKind.MUTATING_POLICY)).isEmpty();
  }

  @Test
  void sayWhatIsWrongAndWhere() {
    var policy =
        Documents.yaml(
            """
            spec:
              background: "yes"
              rules:
              - name: first
                match: {any: [{resources: {kinds: Pod}}]}
                validate: {mesage: a, failureAction: Block, pattern: {any: {thing: goes}}}
            """);

    assertThat(violations(policy))
        .extracting(Violation::path, Violation::message)
        .containsExactlyInAnyOrder(
            tuple(List.of("spec", "background"), "not of the type boolean"),
            tuple(
                List.of("spec", "rules", "[0]", "match", "any", "[0]", "resources", "kinds"),
                "not of the type array"),
            tuple(
                List.of("spec", "rules", "[0]", "validate"),
                "unknown field \"mesage\"; did you mean \"message\"?"),
            tuple(
                List.of("spec", "rules", "[0]", "validate", "failureAction"),
                "not one of the values Audit, Enforce"));
  }

  @Test
  void takeAFieldWithoutAValueForNone() {
    assertThat(
            violations(
                Documents.yaml(
                    "spec: {background: null, rules: [{name: a, match: {any: null}, context: }]}")))
        .isEmpty();
  }

  private Stream<Violation> violations(Value.Mapping manifest) {
    return schemas.violations(schemas.newest(), PolicyKind.CLUSTER_POLICY, "v1", manifest);
  }
}
