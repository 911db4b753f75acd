package dev.policysync.policy.feed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.yaml.YamlText;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What makes a single document of the feed a policy, or not.
class ManifestValidationTest {
  private static final String SOUND =
      """
      apiVersion: kyverno.io/v1
      kind: ClusterPolicy
      metadata:
        name: team-label
        labels: {app: "1"}
      spec: {rules: []}
      """;

  @ParameterizedTest
  @EnumSource(PolicyKind.class)
  void takesEveryKindOfTheTableInEachOfItsVersions(PolicyKind kind) {
    for (var version : kind.versions()) {
      var expectedPolicies =
          read(
              "apiVersion: "
                  + kind.group()
                  + "/"
                  + version
                  + "\nkind: "
                  + kind.kind()
                  + "\nmetadata: {name: a"
                  + (kind.namespaced() ? ", namespace: shop" : "")
                  + "}\nspec: {}\n");
      assertThat(expectedPolicies.policies())
          .extracting(policy -> policy.id().kind())
          .containsExactly(kind);
    }
  }

  @Test
  void leavesItToTheApplyWhichVersionIsUsed() {
    assertThat(read(SOUND.replace("/v1", "/v3alpha12")).complete()).isTrue();
    assertThat(reason(SOUND.replace("/v1", "/one")))
        .isEqualTo("line 1, column 13: apiVersion has no version, e.g. v1 or v2beta1");
  }

  @Test
  void refusesKindsThatAreNotInTheTable() {
    assertThat(
            reason(
                """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: admin}
                roleRef: {}
                """))
        .isEqualTo(
            "line 1, column 1: ClusterRoleBinding (rbac.authorization.k8s.io/v1) is not a"
                + " supported kind");
    assertThat(reason("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {}\n"))
        .isEqualTo("line 1, column 1: ConfigMap (v1) is not a supported kind");
  }

  @Test
  void tellsTheGroupOfAKindThatIsWrittenWithAnother() {
    assertThat(reason(SOUND.replace("kyverno.io/v1", "policies.kyverno.io/v1")))
        .isEqualTo(
            "line 1, column 1: ClusterPolicy (policies.kyverno.io/v1) is not a supported kind;"
                + " the API group of ClusterPolicy is kyverno.io");
    assertThat(reason("apiVersion: v1\nkind: PolicyException\nmetadata: {name: a}\n"))
        .endsWith("; the API group of PolicyException is kyverno.io or policies.kyverno.io");
  }

  @Test
  void requiresWhatNamesAPolicy() {
    assertThat(reason(SOUND.replace("kind: ClusterPolicy\n", "")))
        .isEqualTo("line 1, column 1: kind is missing");
    assertThat(reason(SOUND.replace("kyverno.io/v1", "1")))
        .isEqualTo("line 1, column 13: apiVersion is not a string; quote it");
    assertThat(reason(SOUND.replace("ClusterPolicy", "[a]")))
        .isEqualTo("line 2, column 7: kind is not a string; quote it");
    assertThat(reason(SOUND.replace("  name: team-label\n", "")))
        .isEqualTo("line 4, column 3: metadata.name is missing");
    assertThat(reason(SOUND.replace("team-label", "''")))
        .isEqualTo("line 4, column 3: metadata.name is missing");
    assertThat(reason(SOUND.replace("team-label", "123")))
        .isEqualTo("line 4, column 9: metadata.name is not a string; quote it");
    assertThat(reason(SOUND.replace("name: team-label", "generateName: team-")))
        .isEqualTo(
            "line 4, column 17: metadata.generateName would create a new policy in every run;"
                + " set metadata.name");
    assertThat(reason("apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nspec: {}\n"))
        .isEqualTo("line 1, column 1: metadata is missing");
    assertThat(reason("apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: x\nspec: {}\n"))
        .isEqualTo("line 3, column 11: metadata is not a mapping");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Team",
        "team_label",
        "-team",
        "team-",
        "team..label",
        ".team",
        "team/label",
        "ä",
        "a b",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa."
            + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
            + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      })
  void refusesNamesThatKubernetesRefuses(String name) {
    assertThat(reason(SOUND.replace("team-label", "'" + name + "'")))
        .isEqualTo(
            "line 4, column 9: metadata.name is not a valid Kubernetes name: use lower-case"
                + " letters, digits, '-' and '.' only");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "0", "team-label.v2", "a.b.c", "1-2"})
  void takesNamesThatKubernetesTakes(String name) {
    assertThat(read(SOUND.replace("team-label", "'" + name + "'")).complete()).isTrue();
  }

  @Test
  void namespaceIsThereIfTheKindHasOneAndElseIsDroppedByTheApiServer() {
    var clusterScoped = read(SOUND.replace("  name:", "  namespace: shop\n  name:"));
    assertThat(clusterScoped.complete()).isTrue();
    assertThat(clusterScoped.policies().getFirst().id().namespace()).isEmpty();
    assertThat(read(SOUND.replace("  name:", "  namespace: ''\n  name:")).complete()).isTrue();

    var namespaced = SOUND.replace("ClusterPolicy", "Policy");
    assertThat(reason(namespaced)).isEqualTo("line 4, column 3: metadata.namespace is missing");
    assertThat(reason(namespaced.replace("  name:", "  namespace: a.b\n  name:")))
        .isEqualTo(
            "line 4, column 14: metadata.namespace is not a valid namespace name: use lower-case"
                + " letters, digits and '-' only");
  }

  @Test
  void requiresASpec() {
    assertThat(reason(SOUND.replace("spec: {rules: []}", "")))
        .isEqualTo("line 1, column 1: spec is missing");
    assertThat(reason(SOUND.replace("{rules: []}", "")))
        .isEqualTo("line 1, column 1: spec is missing");
    assertThat(reason(SOUND.replace("{rules: []}", "text")))
        .isEqualTo("line 6, column 7: spec is not a mapping");
  }

  @Test
  void labelsAndAnnotationsAreStrings() {
    assertThat(reason(SOUND.replace("\"1\"", "1")))
        .isEqualTo("line 5, column 17: metadata.labels has a value that is not a string; quote it");
    assertThat(reason(SOUND.replace("labels: {app: \"1\"}", "annotations: {a: x, b: yes}")))
        .isEqualTo(
            "line 5, column 26: metadata.annotations has a value that is not a string; quote it");
    assertThat(reason(SOUND.replace("{app: \"1\"}", "{app: x, b: }")))
        .isEqualTo("line 5, column 22: metadata.labels has a value that is not a string; quote it");
    assertThat(reason(SOUND.replace("{app: \"1\"}", "[a]")))
        .isEqualTo("line 5, column 11: metadata.labels is not a mapping");
    assertThat(read(SOUND.replace("{app: \"1\"}", "")).complete()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpol-a", "vpol-a-binding", "mpol-a"})
  void leavesTheNamesOfWhatKyvernoGeneratesToKyverno(String name) {
    var generated =
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicyBinding
        metadata: {name: %s}
        spec: {}
        """
            .formatted(name);

    assertThat(reason(generated))
        .isEqualTo(
            "line 3, column 18: the prefixes cpol-, vpol- and mpol- are reserved for objects"
                + " generated by Kyverno; choose another name");
    assertThat(read(SOUND.replace("team-label", name)).complete()).isTrue();
  }

  @Test
  void tellsAllThatIsWrongWithADocumentAtOnce() {
    assertThat(reason("apiVersion: kyverno.io/v1\nkind: Policy\nmetadata: {name: A}\n"))
        .isEqualTo(
            "line 3, column 18: metadata.name is not a valid Kubernetes name: use lower-case"
                + " letters, digits, '-' and '.' only; metadata.namespace is missing; spec is"
                + " missing");
  }

  @Test
  void namesWhatItRefusesAsFarAsItCan() {
    var withoutSpec = read(SOUND.replace("spec: {rules: []}", ""));
    var wrongName = read(SOUND.replace("team-label", "Team"));
    var wrongKind = read(SOUND.replace("ClusterPolicy", "ConfigMap"));

    assertThat(withoutSpec.unreadable().getFirst().id())
        .contains(PolicyId.of(PolicyKind.CLUSTER_POLICY, "team-label"));
    assertThat(wrongName.unreadable().getFirst())
        .extracting(UnreadableDocument::id, UnreadableDocument::name)
        .containsExactly(Optional.empty(), Optional.of("Team"));
    assertThat(wrongKind.unreadable().getFirst())
        .extracting(UnreadableDocument::id, UnreadableDocument::name)
        .containsExactly(Optional.empty(), Optional.of("team-label"));
  }

  @Test
  void dropsWhatOnlyTheServerMaySet() {
    var exported =
        """
        apiVersion: kyverno.io/v1
        kind: ClusterPolicy
        metadata:
          annotations:
            kubectl.kubernetes.io/last-applied-configuration: "{}"
          creationTimestamp: "2026-01-01T00:00:00Z"
          deletionGracePeriodSeconds: 0
          deletionTimestamp: "2026-01-01T00:00:00Z"
          finalizers: [a]
          generation: 3
          labels: {}
          managedFields: []
          name: team-label
          ownerReferences: []
          resourceVersion: "7"
          selfLink: /x
          uid: u
        spec: {rules: [{status: kept, uid: kept}]}
        status: {ready: true}
        """;

    assertThat(read(exported).policies())
        .extracting(policy -> CanonicalJson.write(policy.content()))
        .containsExactly(
            "{\"apiVersion\":\"kyverno.io/v1\",\"kind\":\"ClusterPolicy\","
                + "\"metadata\":{\"name\":\"team-label\"},"
                + "\"spec\":{\"rules\":[{\"status\":\"kept\",\"uid\":\"kept\"}]}}");
  }

  @Test
  void keepsTheRestInItsOrder() {
    var policy =
        read("""
        kind: ClusterPolicy
        spec: {z: 1, a: 2}
        metadata:
          annotations: {note: x, kubectl.kubernetes.io/last-applied-configuration: "{}"}
          name: team-label
        apiVersion: kyverno.io/v1
        extra: kept
        """)
            .policies()
            .getFirst();

    assertThat(YamlText.write(policy.content()))
        .isEqualTo(
            """
            kind: ClusterPolicy
            spec:
              z: 1
              a: 2
            metadata:
              annotations:
                note: x
              name: team-label
            apiVersion: kyverno.io/v1
            extra: kept
            """);
  }

  private static ExpectedPolicies read(String document) {
    return PolicyReader.read(List.of(new Manifest("feed", document.getBytes(UTF_8))));
  }

  /// What is wrong with a document, beside a sound one so that the feed is one.
  private static String reason(String document) {
    var feed = document + "---\n" + SOUND.replace("team-label", "sound");
    var expectedPolicies = read(feed);
    assertThat(expectedPolicies.policies()).hasSize(1);
    assertThat(expectedPolicies.unreadable()).hasSize(1);
    var problem = expectedPolicies.unreadable().getFirst();
    return problem.positions().getFirst().toString().replace("feed, document 1, ", "")
        + ": "
        + problem.reason();
  }
}
