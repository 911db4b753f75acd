package dev.policysync.realkyverno;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.convert.Conversion;
import dev.policysync.convert.Converter;
import dev.policysync.json.CanonicalJson;
import dev.policysync.json.Value;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.feed.PolicyReader;
import dev.policysync.testcluster.RawApi;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A policy for some namespaces, and what `convert` writes of it, block the same in a real Kyverno:
/// whose command line does not tell what is blocked from what is only reported.
class ConvertedPoliciesIT extends WithKyverno {
  private static final String RULES =
      """
        rules:
        - name: team
          match: {any: [{resources: {kinds: [Pod], operations: [CREATE]}}]}
          validate: {message: set the label team, pattern: {metadata: {labels: {team: "?*"}}}}
      """;

  @Test
  void blocksWhereTheActionOfTheNamespaceIsEnforce() {
    assertBlocksAlike(
        """
        apiVersion: kyverno.io/v1
        kind: ClusterPolicy
        metadata: {name: by-namespace}
        spec:
          validationFailureAction: Audit
          validationFailureActionOverrides: [{action: Enforce, namespaces: [%s]}]
        """
                .formatted(namespace)
            + RULES);
  }

  @Test
  void blocksInTheNamespaceOfThePolicy() {
    assertBlocksAlike(
        """
        apiVersion: kyverno.io/v1
        kind: Policy
        metadata: {name: namespaced, namespace: %s}
        spec:
          validationFailureAction: Enforce
        """
                .formatted(namespace)
            + RULES);
  }

  @Test
  void exemptsWhatTheExceptionExempts() {
    var conversions =
        conversions(
            """
            apiVersion: kyverno.io/v2
            kind: PolicyException
            metadata: {name: tools, namespace: %s}
            spec:
              exceptions: [{policyName: with-exception, ruleNames: [team]}]
              match: {any: [{resources: {kinds: [Pod], namespaces: [%s]}}]}
              conditions:
                all:
                  - {key: "{{ request.object.metadata.labels.tool || '' }}", operator: Equals, value: "yes"}
            ---
            apiVersion: kyverno.io/v1
            kind: ClusterPolicy
            metadata: {name: with-exception}
            spec:
              validationFailureAction: Enforce
            """
                    .formatted(namespace, namespace)
                + RULES);

    conversions.forEach(
        conversion -> apply(conversion.policy().id(), conversion.policy().content()));
    assertExempts();
    conversions.forEach(conversion -> cluster.admin().delete(path(conversion.policy().id())).ok());
    await("the policy to be gone", () -> tries("any").status() == 201);

    conversions.stream()
        .flatMap(conversion -> conversion.successors().stream())
        .forEach(successor -> apply(successor.id(), successor.manifest()));
    assertExempts();
  }

  private void assertExempts() {
    await("a pod to be refused", () -> in(namespace, "").status() == 400);
    await("a pod to be exempted", () -> in(namespace, "tool: \"yes\"").status() == 201);
    assertThat(in(namespace, "tool: \"no\"").status()).isEqualTo(400);
  }

  private void assertBlocksAlike(String policy) {
    var other = namespace + "-b";
    createNamespace(other);
    var conversion = conversions(policy).getFirst();

    var legacy = conversion.policy();
    apply(legacy.id(), legacy.content());
    assertBlocksIn(namespace, other);
    cluster.admin().delete(path(legacy.id())).ok();
    await("the policy to be gone", () -> tries("any").status() == 201);

    conversion.successors().forEach(successor -> apply(successor.id(), successor.manifest()));
    assertBlocksIn(namespace, other);
  }

  private void assertBlocksIn(String blocked, String other) {
    await("a pod to be refused in " + blocked, () -> in(blocked, "").status() == 400);
    assertThat(in(blocked, "team: shop").status()).isEqualTo(201);
    assertThat(in(other, "").status()).isEqualTo(201);
  }

  private RawApi.Reply in(String namespace, String labels) {
    return cluster
        .admin()
        .post("/api/v1/namespaces/" + namespace + "/pods?dryRun=All", pod("any", labels));
  }

  private void apply(PolicyId id, Value.Mapping manifest) {
    cluster
        .admin()
        .apply(path(id) + "?fieldManager=test&force=true", CanonicalJson.write(manifest))
        .ok();
    awaitReady(id);
  }

  private static String path(PolicyId id) {
    return RawApi.path(id, id.kind().versions().getFirst());
  }

  private static List<Conversion> conversions(String policies) {
    var manifest = new Manifest("policies", policies.getBytes(StandardCharsets.UTF_8));
    var conversions =
        new Converter().convert(PolicyReader.readLocated(List.of(manifest)).policies());
    assertThat(conversions).flatMap(Conversion::refusals).isEmpty();
    return conversions;
  }
}
