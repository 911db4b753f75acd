package dev.policysync.realkyverno;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.app.Rehearsals;
import dev.policysync.convert.Conversion;
import dev.policysync.convert.Converter;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Rehearsal;
import dev.policysync.policy.Rehearsal.Comparison;
import dev.policysync.policy.Rehearsal.Found;
import dev.policysync.policy.Rehearsal.Successor;
import dev.policysync.policy.feed.PolicyReader;
import dev.policysync.sync.analysis.RehearsalSource;
import dev.policysync.sync.analysis.RehearsalSource.Result;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.RawApi;
import dev.policysync.testcluster.TimeLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/// What real reports tell of a policy and of what `convert` makes of it, both in the cluster.
class RehearsalReportsIT extends WithReports {
  private Conversion policyAndSuccessors(String kind, String metadata, String where) {
    var manifest =
        """
        apiVersion: kyverno.io/v1
        kind: %2$s
        metadata: {name: rehearsed-%1$s%3$s}
        spec:
          rules:
            - name: has-team
              match: {any: [{resources: {kinds: [Pod]%4$s}}]}
              validate:
                failureAction: Audit
                message: set the label team
                pattern: {metadata: {labels: {team: "?*"}}}
            - name: team-is-known
              match: {any: [{resources: {kinds: [Pod]%4$s}}]}
              preconditions:
                all:
                  - {key: "{{ request.object.metadata.labels.team || '' }}", operator: NotEquals, value: ""}
              validate:
                failureAction: Audit
                message: use a team that is known
                deny:
                  conditions:
                    any:
                      - {key: "{{ request.object.metadata.labels.team }}", operator: NotEquals, value: shop}
        """
            .formatted(namespace, kind, metadata, where);
    var policy =
        PolicyReader.readLocated(List.of(new Manifest("rehearsed.yaml", manifest.getBytes(UTF_8))))
            .policies()
            .getFirst();
    var conversion = new Converter().convert(policy);
    assertThat(conversion.refusals()).isEmpty();
    cluster.admin().post(RawApi.collection(policy.id(), "v1"), policy.content()).ok();
    for (var successor : conversion.successors()) {
      cluster.admin().post(RawApi.collection(successor.id(), "v1"), successor.manifest()).ok();
    }
    return conversion;
  }

  @Test
  void tellWhetherASuccessorSaysTheSame() {
    var conversion = policyAndSuccessors("ClusterPolicy", "", ", namespaces: [" + namespace + "]");
    // Three Pods, two Deployments and a ReplicaSet, of which one Pod and one Deployment have a
    // team.
    await(conversion, Function.identity(), new Comparison(6, Found.NONE, Found.NONE));

    // Kyverno scans again what a policy judges that has changed, also where the verdicts stay.
    says(conversion.policy().id(), "name a team");
    await(conversion, Function.identity(), new Comparison(6, Found.NONE, Found.NONE));

    neverFails(
        PolicyId.of(PolicyKind.VALIDATING_POLICY, successorOf(conversion, "has-team").name()));

    var fail = " (rule has-team: fail, its successor: pass)";
    await(
        conversion,
        Comparison::differing,
        new Found(
            4,
            List.of(
                "Deployment/" + namespace + "/cart" + fail,
                "Pod/" + namespace + "/bare" + fail,
                "Pod/" + namespace + "/cart-7d9f8c6b5-x2k4q" + fail,
                "ReplicaSet/" + namespace + "/cart-7d9f8c6b5" + fail)));
  }

  @Test
  void tellTheSameOfAPolicyInANamespace() {
    var conversion = policyAndSuccessors("Policy", ", namespace: " + namespace, "");

    await(conversion, Function.identity(), new Comparison(6, Found.NONE, Found.NONE));
  }

  @Test
  void tellNothingToWhomTheyAreForbidden() {
    var conversion = policyAndSuccessors("ClusterPolicy", "", ", namespaces: [" + namespace + "]");
    var stranger = cluster.serviceAccountToken(namespace, "stranger");

    var result =
        Rehearsals.reported(cluster.connect(stranger), folder).of(List.of(rehearsal(conversion)));

    assertThat(result)
        .isInstanceOfSatisfying(
            Result.Unavailable.class,
            unavailable -> assertThat(unavailable.why()).contains("HTTP 403"));
  }

  private <T> void await(Conversion conversion, Function<Comparison, T> part, T expected) {
    var source = Rehearsals.reported(cluster.connect(cluster.adminToken()), folder);
    Awaitility.await(expected.toString())
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () -> assertThat(part.apply(compared(conversion, source))).isEqualTo(expected));
  }

  private Comparison compared(Conversion conversion, RehearsalSource source) {
    return switch (source.of(List.of(rehearsal(conversion)))) {
      case Result.Unavailable(var why) -> throw new AssertionError(why);
      case Result.Reported(Map<PolicyId, Comparison> rehearsals, var latest) -> {
        assertThat(latest).as("when the newest result was made").isPresent();
        assertThat(rehearsals).containsOnlyKeys(conversion.policy().id());
        yield rehearsals.values().iterator().next();
      }
    };
  }

  private Rehearsal rehearsal(Conversion conversion) {
    return new Rehearsal(
        conversion.policy().id(),
        since(conversion.policy().id()),
        conversion.successors().stream()
            .map(
                successor -> new Successor(successor.id(), since(successor.id()), successor.rule()))
            .toList());
  }

  private Instant since(PolicyId id) {
    var changed =
        cluster
            .admin()
            .get(RawApi.path(id, "v1"))
            .ok()
            .mapping("metadata")
            .mappings("managedFields")
            .stream()
            .filter(fields -> fields.field("subresource").isEmpty())
            .map(fields -> Instant.parse(fields.text("time").orElseThrow()))
            .max(Comparator.naturalOrder());
    return changed.orElseThrow();
  }

  private static Conversion.Successor successorOf(Conversion conversion, String rule) {
    return conversion.successors().stream()
        .filter(successor -> successor.rule().equals(rule))
        .findFirst()
        .orElseThrow();
  }

  private void says(PolicyId legacy, String message) {
    cluster
        .admin()
        .jsonPatch(
            RawApi.path(legacy, "v1"),
            """
            [{"op": "replace", "path": "/spec/rules/0/validate/message", "value": "%s"}]
            """
                .formatted(message))
        .ok();
  }

  private void neverFails(PolicyId id) {
    var patch = Documents.yaml("spec: {validations: [{expression: 'true'}]}");
    cluster.admin().merge(RawApi.path(id, "v1"), patch).ok();
  }
}
