package dev.policysync.realkyverno;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.harness.Feeds;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What Kyverno generates from a policy is Kyverno's: never listed, changed or removed, whatever
/// the agent may do.
class GeneratedPoliciesIT extends WithKyverno {
  private static final String REGISTRATION = "/apis/admissionregistration.k8s.io/v1/";
  private static final Map<String, List<String>> GENERATED =
      Map.of(
          "validatingadmissionpolicies", List.of("cpol-by-rule", "vpol-by-policy"),
          "validatingadmissionpolicybindings",
              List.of("cpol-by-rule-binding", "vpol-by-policy-binding"));

  private static final String BY_RULE =
      """
      apiVersion: kyverno.io/v1
      kind: ClusterPolicy
      metadata: {name: by-rule}
      spec:
        rules:
          - name: has-data
            match: {any: [{resources: {kinds: [ConfigMap]}}]}
            validate:
              failureAction: Audit
              cel:
                generate: true
                expressions: [{expression: has(object.data), message: no data}]
      """;

  private static final String BY_POLICY =
      """
      apiVersion: policies.kyverno.io/v1
      kind: ValidatingPolicy
      metadata: {name: by-policy}
      spec:
        autogen: {validatingAdmissionPolicy: {enabled: true}}
        validationActions: [Audit]
        matchConstraints:
          resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
        validations: [{expression: has(object.data), message: no data}]
      """;

  @Test
  void generatedPoliciesAreNeverListedChangedOrRemoved() {
    insights.expects(Feeds.of(BY_RULE, BY_POLICY));
    agent.with("ADOPT", "always");

    var first = agent.run();
    await("Kyverno to generate policies", this::generated);
    var log = cluster.auditLog();
    var second = agent.run();
    var listed = agent.run("export", "--all");
    insights.expects(BY_POLICY);
    var fewer = agent.run();

    assertThat(texts(first, "applied")).containsExactlyInAnyOrder("by-rule", "by-policy");
    assertThat(second.exitCode()).as(second.all()).isZero();
    assertThat(second.summary().fields()).containsEntry("unchanged", Value.Numeric.of(2));
    assertThat(listed.stdout()).contains("name: by-rule", "name: by-policy");
    assertThat(listed.stdout()).doesNotContain("cpol-by-rule", "vpol-by-policy");
    assertThat(texts(fewer, "removed")).as(fewer.all()).containsExactly("by-rule");
    assertThat(log.writes())
        .filteredOn(write -> write.resource().contains("admission"))
        .as("writes of what Kyverno generated")
        .isEmpty();
  }

  private boolean generated() {
    return GENERATED.entrySet().stream()
        .allMatch(kind ->
            kind.getValue().stream()
                .allMatch(name ->
                    cluster.admin().get(REGISTRATION + kind.getKey() + "/" + name).status()
                        == 200));
  }
}
