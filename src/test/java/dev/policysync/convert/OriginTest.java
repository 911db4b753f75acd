package dev.policysync.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What is sure of a field decides whether a condition is converted, so nothing may be called sure
/// that an API server does not check.
class OriginTest {
  @Test
  void aNameHasNoBracesWhereTheApiServerAsksForADnsName() {
    assertThat(at("metadata.name", "Pod").traits()).contains(Term.Trait.BRACELESS);
    assertThat(at("metadata.generateName", "Pod").traits()).contains(Term.Trait.BRACELESS);
  }

  @Test
  void aNameMayHaveBracesInKindsWhoseNamesAreNotChecked() {
    for (var kind :
        Set.of(
            "Role",
            "ClusterRole",
            "RoleBinding",
            "ClusterRoleBinding",
            "CertificateSigningRequest")) {
      assertThat(at("metadata.name", kind).traits()).doesNotContain(Term.Trait.BRACELESS);
      assertThat(at("metadata.name", "Pod", kind).traits()).doesNotContain(Term.Trait.BRACELESS);
    }
  }

  @Test
  void aNameMayHaveBracesWhereTheKindIsUnknown() {
    assertThat(at("metadata.name").traits()).doesNotContain(Term.Trait.BRACELESS);
    assertThat(at("metadata.name", "*").traits()).doesNotContain(Term.Trait.BRACELESS);
    assertThat(at("metadata.name", "Pod*").traits()).doesNotContain(Term.Trait.BRACELESS);
  }

  @Test
  void theNameInAPodTemplateIsNotChecked() {
    assertThat(at("spec.template.metadata.name", "Deployment").traits())
        .contains(Term.Trait.SCALAR)
        .doesNotContain(Term.Trait.BRACELESS);
    assertThat(at("spec.template.metadata.labels.app", "Deployment").traits())
        .contains(Term.Trait.BRACELESS);
  }

  @Test
  void theHostAddressOfAPortIsNotChecked() {
    assertThat(at("spec.containers.ports.hostIP", "Pod").traits())
        .doesNotContain(Term.Trait.BRACELESS);
    assertThat(at("spec.containers.ports.name", "Pod").traits()).contains(Term.Trait.BRACELESS);
  }

  private static Origin at(String path, String... kinds) {
    var origin = Origin.of(Set.of(kinds));
    for (var field : Arrays.asList(path.split("\\."))) {
      origin = origin.field(field);
    }
    return origin;
  }
}
