package dev.policysync.remote.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.policysync.base.Value;
import dev.policysync.testcluster.Documents;
import org.junit.jupiter.api.Test;

class SensitiveTextsTest {
  private final SensitiveTexts texts =
      SensitiveTexts.of(
          Documents.yaml(
              """
              apiVersion: kyverno.io/v1
              kind: ClusterPolicy
              metadata:
                name: disallow-latest-tag
                labels: {owner: team-sparrow-and-friends}
                annotations:
                  policies.kyverno.io/description: Never use the tag latest anywhere.
                  policysync.dev/applied: ClusterPolicy.kyverno.io/disallow-latest-tag@sha256:2c26b46b
              spec:
                rules:
                  - name: only-digests
                    deny: [{key: "{{ request.object.metadata.labels.stage }}", value: short}]
                    seen: [disallow-latest-tag is the name, 123456789012345]
              """));

  @Test
  void hidesATextOfTheSpecWholeOrInPart() {
    assertThat(texts.hide("bad: {{ request.object.metadata.labels.stage }}!")).isEqualTo("bad: …!");
    assertThat(texts.hide("bad variable 'request.object.metadata'")).isEqualTo("bad variable '…'");
  }

  @Test
  void hidesTheValuesOfLabelsAndAnnotations() {
    assertThat(texts.hide("a team-sparrow-and-friends b, Never use the tag c"))
        .isEqualTo("a … b, …c");
  }

  @Test
  void leavesTheNamesOfRulesAndOfTheKindsThatItIsAbout() {
    var texts =
        SensitiveTexts.of(
            Documents.yaml(
                """
                spec:
                  rules:
                    - name: no-privileged-containers
                      match: {any: [{resources: {kinds: [batch/v1/CronJob], names: [billing-database]}}]}
                  matchConstraints:
                    resourceRules: [{apiGroups: [rbac.authorization.k8s.io], resources: [clusterrolebindings]}]
                """));

    assertThat(texts.hide("rule no-privileged-containers: may not delete batch/v1/CronJob"))
        .isEqualTo("rule no-privileged-containers: may not delete batch/v1/CronJob");
    assertThat(texts.hide("missing: get rbac.authorization.k8s.io, clusterrolebindings"))
        .isEqualTo("missing: get rbac.authorization.k8s.io, clusterrolebindings");
    assertThat(texts.hide("not billing-database")).isEqualTo("not …");
  }

  @Test
  void hidesWhatOnlyHasTheNameOfSuchAField() {
    var texts =
        SensitiveTexts.of(
            Documents.yaml(
                """
                metadata: {labels: {kind: label-called-kind}}
                spec:
                  rules:
                    - name: copies-a-secret
                      generate:
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: Role
                        data: {stringData: {kind: hunter2-hunter2, resources: [also-quite-secret]}}
                      validate: {pattern: {rules: [{name: name-in-a-pattern}]}}
                  variables: [{name: a, expression: the-expression}]
                """));

    assertThat(texts.hide("label-called-kind, hunter2-hunter2, also-quite-secret"))
        .isEqualTo("…, …, …");
    assertThat(texts.hide("name-in-a-pattern, the-expression")).isEqualTo("…, …");
    assertThat(texts.hide("copies-a-secret: may not create rbac.authorization.k8s.io/v1/Role"))
        .isEqualTo("copies-a-secret: may not create rbac.authorization.k8s.io/v1/Role");
  }

  @Test
  void hidesNothingThatIsShorterThanTwelveCharacters() {
    assertThat(texts.hide("value short, and the tag latest")).isEqualTo("value short, and…");
    assertThat(texts.hide("value short, the tag too")).isEqualTo("value short, the tag too");
  }

  @Test
  void leavesThePolicysNameAndKind() {
    var message = "ClusterPolicy.kyverno.io \"disallow-latest-tag\" is invalid";

    assertThat(texts.hide(message)).isEqualTo(message);
  }

  @Test
  void leavesThePathOfAField() {
    var message = "metadata.labels.stage: Invalid value: …: it is no label";

    assertThat(texts.hide(message)).isEqualTo(message);
    assertThat(texts.hide("object.metadata.labels.stage is missing")).isEqualTo("…is missing");
  }

  @Test
  void leavesAMessageThatSaysNothingOfThePolicy() {
    var message = "admission webhook \"x\" denied the request: not on a Friday";

    assertThat(texts.hide(message)).isEqualTo(message);
    assertThat(texts.hide("")).isEmpty();
  }

  @Test
  void copesWithALargePolicy() {
    var large =
        SensitiveTexts.of(
            new Value.Mapping(
                java.util.Map.of("spec", new Value.Text("abcdefghij".repeat(150_000)))));

    assertThatCode(() -> large.hide("abcdefghij".repeat(1_600))).doesNotThrowAnyException();
  }
}
