package dev.policysync.policy.kyverno;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.Documents;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What Kyverno's controllers say of a policy in its status, as Kyverno 1.19 writes it.
class NotReadyTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{status: {conditions: [{type: Ready, status: 'True', message: Ready}]}}",
        "{status: {ready: true}}",
        "{spec: {admission: false}, status: {conditions: [{type: Ready, status: 'False'}]}}",
        "{status: {validatingadmissionpolicy: {generated: true}}}"
      })
  void isNothingOfAClusterPolicyThatIsExecuted(String object) {
    assertThat(of(PolicyKind.CLUSTER_POLICY, object)).isEmpty();
  }

  @Test
  void saysWhatKyvernoSaysAndSinceWhen() {
    var notReady =
        of(
            PolicyKind.CLUSTER_POLICY,
            """
            status:
              conditions:
              - {type: Other, status: "True", message: not this}
              - {type: Ready, status: "False", reason: Failed, message: Not Ready,
                 lastTransitionTime: "2026-11-20T09:30:00Z"}
            """);

    assertThat(notReady)
        .contains(
            new NotReady(
                "Kyverno reports: Not Ready", Optional.of(Instant.parse("2026-11-20T09:30:00Z"))));
  }

  @Test
  void saysWhichConditionsOfACelPolicyFail() {
    var notReady =
        of(
            PolicyKind.VALIDATING_POLICY,
            """
            status:
              conditionStatus:
                ready: false
                conditions:
                - {type: WebhookConfigured, status: "False", message: Policy is not configured.,
                   lastTransitionTime: "2026-11-20T09:30:00Z"}
                - {type: RBACPermissionsGranted, status: "True", message: fine}
            """);

    assertThat(notReady)
        .hasValueSatisfying(found -> {
          assertThat(found.reason()).isEqualTo("Kyverno reports: Policy is not configured.");
          assertThat(found.since()).contains(Instant.parse("2026-11-20T09:30:00Z"));
        });
  }

  @Test
  void isThereWhereKyvernoSaysNothing() {
    var silent = Optional.of(new NotReady("Kyverno has not reported on it", Optional.empty()));

    assertThat(of(PolicyKind.CLUSTER_POLICY, "{}")).isEqualTo(silent);
    assertThat(of(PolicyKind.MUTATING_POLICY, "{}")).isEqualTo(silent);
    assertThat(of(PolicyKind.VALIDATING_POLICY, "{status: {conditionStatus: {ready: true}}}"))
        .isEmpty();
  }

  @Test
  void isNothingOfKindsThatKyvernoNeverReportsOn() {
    for (var kind :
        new PolicyKind[] {
          PolicyKind.DELETING_POLICY,
          PolicyKind.CLEANUP_POLICY,
          PolicyKind.CEL_EXCEPTION,
          PolicyKind.GLOBAL_CONTEXT_ENTRY,
          PolicyKind.VALIDATING_ADMISSION_POLICY
        }) {
      assertThat(of(kind, "{}")).as(kind.toString()).isEmpty();
    }
  }

  private static Optional<NotReady> of(PolicyKind kind, String object) {
    return NotReady.of(kind, Documents.yaml(object));
  }
}
