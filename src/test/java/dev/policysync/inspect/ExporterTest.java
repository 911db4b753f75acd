package dev.policysync.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.base.yaml.YamlText;
import dev.policysync.plan.SourceName;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.Documents;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExporterTest {
  private static final SourceName ACME = SourceName.of("acme", "prod-1");
  private static final Map<String, String> OWNED =
      Map.of(OwnershipAnnotations.OWNED_BY, OwnershipAnnotations.OWNER);
  private static final Value.Mapping OBJECT = Documents.yaml("{metadata: {name: a}, spec: {}}");

  private final FakeFullPolicies policies = new FakeFullPolicies();

  @Test
  void leavesOutWhatOnlyTheServerSaysAndWhatARunKeepsBooksBy() {
    policies.with(
        id("team-label"),
        OWNED,
        Documents.yaml(
            """
            apiVersion: kyverno.io/v1
            kind: ClusterPolicy
            metadata:
              annotations:
                insights.fairwinds.com/owned-by: Fairwinds Insights
                kubectl.kubernetes.io/last-applied-configuration: "{}"
                policies.kyverno.io/title: Names a team
                policysync.dev/applied: ClusterPolicy.kyverno.io/team-label@sha256:0
                policysync.dev/prune: disabled
                policysync.dev/source: acme/prod-1
              creationTimestamp: "2026-11-21T10:00:00Z"
              generation: 3
              labels: {policysync.dev/managed: "true"}
              managedFields: [{manager: kyverno-policy-sync}]
              name: team-label
              resourceVersion: "17"
              uid: 1234
            spec:
              background: true
              rules: []
            status: {ready: true}
            """));

    assertThat(YamlText.write(whole(ExportSelection.OURS, ACME).policies().getFirst().manifest()))
        .isEqualTo(
            """
            apiVersion: kyverno.io/v1
            kind: ClusterPolicy
            metadata:
              name: team-label
              annotations:
                insights.fairwinds.com/owned-by: Fairwinds Insights
                policies.kyverno.io/title: Names a team
                policysync.dev/prune: disabled
            spec:
              background: true
              rules: []
            """);
  }

  @Test
  void saysTheKindOfAnItemThatDoesNot() {
    policies.with(PolicyId.of(PolicyKind.VALIDATING_ADMISSION_POLICY, "a"), OWNED, OBJECT);

    var manifest = whole(ExportSelection.OURS, ACME).policies().getFirst().manifest();

    assertThat(manifest.text("apiVersion")).contains("admissionregistration.k8s.io/v1");
    assertThat(manifest.text("kind")).contains("ValidatingAdmissionPolicy");
  }

  @Test
  void takesOursAloneAndSaysWhatItLeftOut() {
    policies
        .with(id("ours"), OWNED, OBJECT)
        .with(id("theirs"), Map.of(), OBJECT)
        .with(
            id("copy"),
            with(OwnershipAnnotations.APPLIED, "ClusterPolicy.kyverno.io/ours@sha256:0"),
            OBJECT)
        .with(id("staging"), with(OwnershipAnnotations.SOURCE, "acme/staging"), OBJECT)
        .with(
            id("rehearsing"),
            with(OwnershipAnnotations.REHEARSES, "ClusterPolicy.kyverno.io/ours"),
            OBJECT)
        .with(id("generated"), OWNED, OBJECT, true, false)
        .with(id("going"), OWNED, OBJECT, false, true);

    var whole = whole(ExportSelection.OURS, ACME);

    assertThat(whole.policies()).extracting(Export.Exported::id).containsExactly(id("ours"));
    assertThat(whole.leftOut())
        .isEqualTo(
            Map.of(
                ExclusionReason.NOT_OURS, 1,
                ExclusionReason.COPY, 1,
                ExclusionReason.OTHER_SOURCE, 1,
                ExclusionReason.REHEARSING, 1,
                ExclusionReason.GENERATED, 1,
                ExclusionReason.TERMINATING, 1));
  }

  @Test
  void takesACopyOfWhatRehearses() {
    policies.with(
        id("copy"),
        Map.of(
            OwnershipAnnotations.OWNED_BY,
            OwnershipAnnotations.OWNER,
            OwnershipAnnotations.APPLIED,
            "ClusterPolicy.kyverno.io/made@sha256:0",
            OwnershipAnnotations.REHEARSES,
            "ClusterPolicy.kyverno.io/ours"),
        OBJECT);

    assertThat(whole(ExportSelection.ALL, ACME).policies()).hasSize(1);
  }

  @Test
  void takesOursOfWhateverSourceWhereNoneIsNamed() {
    policies.with(id("staging"), with(OwnershipAnnotations.SOURCE, "acme/staging"), OBJECT);

    assertThat(whole(ExportSelection.OURS, SourceName.LOCAL).policies()).hasSize(1);
  }

  @Test
  void takesAllButWhatIsMadeByAnotherObjectOrBeingDeleted() {
    policies
        .with(id("theirs"), Map.of(), OBJECT)
        .with(
            id("copy"),
            with(OwnershipAnnotations.APPLIED, "ClusterPolicy.kyverno.io/ours@sha256:0"),
            OBJECT)
        .with(id("generated"), Map.of(), OBJECT, true, false)
        .with(id("going"), Map.of(), OBJECT, false, true);

    var whole = whole(ExportSelection.ALL, ACME);

    assertThat(whole.policies())
        .extracting(Export.Exported::id)
        .containsExactly(id("copy"), id("theirs"));
    assertThat(whole.leftOut())
        .isEqualTo(Map.of(ExclusionReason.GENERATED, 1, ExclusionReason.TERMINATING, 1));
  }

  @Test
  void isNoneWhereSomethingCannotBeRead() {
    policies.with(id("ours"), OWNED, OBJECT).failing("list Policy.kyverno.io: HTTP 403");

    var export = new Exporter(policies, ExportSelection.OURS, ACME).run();

    assertThat(export)
        .isInstanceOfSatisfying(
            Export.Failed.class,
            failed ->
                assertThat(failed.failures())
                    .singleElement()
                    .satisfies(failure ->
                        assertThat(failure.reason())
                            .isEqualTo("list Policy.kyverno.io: HTTP 403")));
  }

  private static PolicyId id(String name) {
    return PolicyId.of(PolicyKind.CLUSTER_POLICY, name);
  }

  private static Map<String, String> with(String annotation, String value) {
    return Map.of(OwnershipAnnotations.OWNED_BY, OwnershipAnnotations.OWNER, annotation, value);
  }

  private Export.Whole whole(ExportSelection exportSelection, SourceName source) {
    return (Export.Whole) new Exporter(policies, exportSelection, source).run();
  }
}
