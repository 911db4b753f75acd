package dev.policysync.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.KindExamples;
import dev.policysync.testcluster.RawApi;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A version that is taken out of a CRD while somebody still owns fields at it: the API server then
/// fails every server-side apply of the object, until a write that is none
/// (kubernetes/kubernetes#111937).
class RemovedVersionIT extends EndToEnd {
  /// Each kind that has an older version, and the one that will be gone.
  private static final Map<PolicyKind, String> OLDER =
      PolicyKind.all().stream()
          .filter(kind -> !kind.group().equals("admissionregistration.k8s.io"))
          .collect(
              Collectors.toMap(
                  kind -> kind, kind -> kind.group().equals("kyverno.io") ? "v2beta1" : "v1beta1"));

  private List<Policy> policies;

  @BeforeEach
  void onePolicyOfEachKind() {
    policies = OLDER.keySet().stream().map(kind -> KindExamples.of(kind, namespace)).toList();
    expects(policies);
  }

  @AfterEach
  void serveAllVersionsAgain() {
    cluster.installCustomResources();
  }

  @Test
  void costsOneRepairWhereEverythingWasOwnedAtIt() {
    serveOldVersions();
    assertThat(changes(agent.run())).hasSameSizeAs(policies).allMatch(made -> made.endsWith("new"));
    kyvernoWritesAtOldVersions();
    cluster.installCustomResources();
    removeOldVersions();

    var preview = agent.run("--dry-run");
    var first = agent.run();

    assertThat(preview.exitCode()).as(preview.all()).isZero();
    assertThat(changes(preview)).containsExactlyInAnyOrderElementsOf(changes(first));
    assertThat(first.exitCode()).as(first.all()).isZero();
    assertThat(texts(first, "failed")).isEmpty();
    for (var policy : policies) {
      var live = read(policy);
      if (appliedAtOlder(policy)) {
        assertThat(changes(first)).contains("updated " + policy.id() + " changed");
        assertThat(versionsIn(live)).as(policy.id().toString()).containsExactly(best(policy));
      }
      assertThat(live.mapping("metadata").mapping("labels").text("kyverno")).contains("was-here");
    }
    assertInSync();
    assertRepairsDrift();
  }

  @Test
  void costsNothingUntilSomethingIsToBeWritten() {
    // What is written at v2beta1 to the two others loses defaults of v1, which is drift.
    policies = policies.stream().filter(RemovedVersionIT::appliedAtOlder).toList();
    expects(policies);
    agent.run();
    kyvernoWritesAtOldVersions();
    assertInSync();
    removeOldVersions();

    assertInSync();
    expects(policies.stream().map(policy -> annotated(policy, "changed")).toList());
    var changed = agent.run();

    assertThat(changed.exitCode()).as(changed.all()).isZero();
    assertThat(changes(changed))
        .containsExactlyInAnyOrderElementsOf(
            policies.stream().map(policy -> "updated " + policy.id() + " changed").toList());
    for (var policy : policies) {
      assertThat(versionsIn(read(policy))).as(policy.id().toString()).containsExactly(best(policy));
      assertThat(managersOf(read(policy))).contains("kyverno", "kyverno-policy-sync");
    }
    assertInSync();
    assertRepairsDrift();
  }

  /// As before an upgrade; what is always applied at v1 was so then, too.
  private void serveOldVersions() {
    OLDER.forEach((kind, version) -> {
      if (kind.versions().contains(version)) {
        cluster.serve(resource(kind), Set.of(version));
      }
    });
  }

  private void removeOldVersions() {
    for (var kind : OLDER.keySet()) {
      cluster.keepOnly(resource(kind), kind.versions().getFirst());
    }
  }

  private void kyvernoWritesAtOldVersions() {
    for (var policy : policies) {
      var kind = policy.id().kind();
      var label = Documents.yaml("{metadata: {labels: {kyverno: was-here}}}");
      cluster
          .admin()
          .merge(RawApi.path(policy.id(), older(kind)) + "?fieldManager=kyverno", label)
          .ok();
    }
  }

  private void assertInSync() {
    var log = cluster.auditLog();

    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(changes(run)).isEmpty();
    assertThat(log.writes()).isEmpty();
  }

  private void assertRepairsDrift() {
    for (var policy : policies) {
      var label = "/metadata/labels/policysync.dev~1managed";
      cluster
          .admin()
          .jsonPatch(
              path(policy) + "?fieldManager=kubectl-edit",
              "[{\"op\": \"replace\", \"path\": \"" + label + "\", \"value\": \"false\"}]")
          .ok();
    }

    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(changes(run))
        .containsExactlyInAnyOrderElementsOf(
            policies.stream().map(policy -> "updated " + policy.id() + " drifted").toList());
    assertInSync();
  }

  private void expects(List<Policy> expected) {
    insights.expects(
        expected.stream()
            .map(policy -> CanonicalJson.write(policy.content()))
            .collect(Collectors.joining("\n---\n")));
  }

  private static boolean appliedAtOlder(Policy policy) {
    var kind = policy.id().kind();
    return kind.versions().contains(older(kind));
  }

  private static String older(PolicyKind kind) {
    return Objects.requireNonNull(OLDER.get(kind));
  }

  private static Policy annotated(Policy policy, String note) {
    var metadata = policy.content().mapping("metadata");
    var annotations = metadata.mapping("annotations").with("note", note);
    return Documents.policy(
        policy.content().with("metadata", metadata.with("annotations", annotations)));
  }

  private Value.Mapping read(Policy policy) {
    return cluster.admin().get(path(policy)).ok();
  }

  private static String path(Policy policy) {
    return RawApi.path(policy.id(), policy.id().kind().versions().getFirst());
  }

  private static String best(Policy policy) {
    var kind = policy.id().kind();
    return kind.group() + "/" + kind.versions().getFirst();
  }

  private static String resource(PolicyKind kind) {
    return kind.plural() + "." + kind.group();
  }

  private static Set<String> versionsIn(Value.Mapping object) {
    return inManagedFields(object, "apiVersion");
  }

  private static Set<String> managersOf(Value.Mapping object) {
    return inManagedFields(object, "manager");
  }

  private static Set<String> inManagedFields(Value.Mapping object, String field) {
    return object.mapping("metadata").items("managedFields").stream()
        .map(entry -> ((Value.Mapping) entry).text(field).orElse(""))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
