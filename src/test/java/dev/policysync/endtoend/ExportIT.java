package dev.policysync.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.PolicyReader;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.KindExamples;
import dev.policysync.testcluster.Kubectl;
import dev.policysync.testcluster.RawApi;
import dev.policysync.testcluster.Sandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// A backup and the way back, by the whole program on a real API server.
class ExportIT extends EndToEnd {
  private static final Path EXAMPLES = Path.of("examples", "policies");

  /// What YAML 1.1, YAML 1.2, Go or a person may take for something else.
  private static final List<String> ODD_TEXTS =
      List.of(
          "",
          " ",
          "~",
          "null",
          "true",
          "Yes",
          "off",
          "y",
          "0o17",
          "017",
          "0x1F",
          "1_000",
          "1e3",
          ".5",
          "-.inf",
          ".nan",
          "12:30:45",
          "2024-01-01",
          "=",
          "<<",
          "08",
          "- a",
          "a: b",
          "a #b",
          "#c",
          "{{ request.object }}",
          "&x",
          "*x",
          "!x",
          "%x",
          "@x",
          "`x",
          "|",
          ">",
          "'",
          "\"",
          "\\",
          "one\ntwo\n",
          "one\n\n\ntwo",
          " indented\nnot\n",
          "trailing \nspace",
          "\n",
          "\ttab",
          "a\r\nb",
          "---\n---",
          "zero\u200bwidth",
          "\u00a0",
          "\u0085",
          "\ud83d\ude00",
          "\ufeffx");

  @Test
  void bringsEveryKindBackAsItWas() throws IOException {
    insights.expects(ofEveryKind());
    assertThat(agent.run().exitCode()).isZero();
    var before = specs();
    var export = agent.run("export");
    var backup = Files.writeString(folder.resolve("backup.yaml"), export.stdout());
    leaveNothingIn(before);
    var gone = specs();

    var restored = agent.run("sync", "--from", backup.toString());

    assertThat(export.exitCode()).as(export.all()).isZero();
    assertThat(before).hasSize(PolicyKind.all().size());
    assertThat(gone).isEmpty();
    assertThat(restored.exitCode()).as(restored.all()).isZero();
    assertThat(specs()).isEqualTo(before);
    var log = cluster.auditLog();
    var second = agent.run("sync", "--from", backup.toString());
    assertThat(second.summary().fields())
        .containsEntry("unchanged", Value.Numeric.of(before.size()));
    assertThat(log.writes()).isEmpty();
  }

  /// Why filled-in defaults may stay in the export: whoever goes back to the feed gets its marks
  /// anew, and no policy says anything else than before.
  @Test
  void changesNoSpecWhereTheFeedComesBackAfterIt() throws IOException {
    insights.expects(ofEveryKind());
    agent.run();
    var backup = Files.writeString(folder.resolve("backup.yaml"), agent.run("export").stdout());
    leaveNothingIn(specs());
    assertThat(agent.run("sync", "--from", backup.toString()).exitCode()).isZero();
    var restored = generations();

    var back = agent.run();

    assertThat(back.exitCode()).as(back.all()).isZero();
    assertThat(generations()).isEqualTo(restored);
    assertThat(texts(agent.run(), "updated")).isEmpty();
  }

  @Test
  void bringsTheExamplesBackAsTheyWere() throws IOException {
    createNamespacesOfTheExamples();
    assertThat(settle("sync", "--from", EXAMPLES.toString()).exitCode()).isZero();
    var before = specs();
    var export = agent.run("export");
    leaveNothingIn(before);
    var asApplied = export.stdout().replaceAll("(?m)^ *example\\.com/aged: .*\n", "");
    var backup = Files.writeString(folder.resolve("backup.yaml"), asApplied);

    var restored = settle("sync", "--from", backup.toString());

    assertThat(restored.exitCode()).as(restored.all()).isZero();
    assertThat(before).hasSizeGreaterThan(20);
    assertThat(specs()).isEqualTo(before);
  }

  @Test
  void saysTheSameTwiceAndNamesNothingOfTheServer() {
    insights.expects(ofEveryKind());
    agent.run();

    var first = agent.run("export");
    var second = agent.run("export");

    assertThat(second.stdout()).isEqualTo(first.stdout());
    assertThat(first.stdout())
        .contains("insights.fairwinds.com/owned-by: Fairwinds Insights")
        .doesNotContain(
            "policysync.dev/applied",
            "policysync.dev/source",
            "policysync.dev/managed",
            "\nstatus:",
            "managedFields",
            "resourceVersion",
            "creationTimestamp",
            "generation:",
            "uid:");
  }

  @Test
  void writesOddTextsSoThatKubectlAndARunReadThemBackEqual() throws IOException {
    var annotations = new LinkedHashMap<String, Value>();
    for (int i = 0; i < ODD_TEXTS.size(); i++) {
      annotations.put("odd-" + i, new Value.Text(ODD_TEXTS.get(i)));
    }
    var policy = Documents.yaml(Feeds.clusterPolicy("odd", "Audit"));
    var metadata = policy.mapping("metadata").with("annotations", new Value.Mapping(annotations));
    cluster
        .admin()
        .post("/apis/kyverno.io/v1/clusterpolicies", policy.with("metadata", metadata))
        .ok();

    var export = agent.run("export", "--all");

    var file = Files.writeString(folder.resolve("odd.yaml"), export.stdout());
    cluster.admin().delete("/apis/kyverno.io/v1/clusterpolicies/odd").ok();
    Kubectl.of(cluster, folder.resolve("home")).run("create", "-f", file.toString()).ok();
    assertThat(annotationsOfOdd()).isEqualTo(annotations);
    cluster.admin().delete("/apis/kyverno.io/v1/clusterpolicies/odd").ok();
    assertThat(agent.run("sync", "--from", file.toString()).exitCode()).isZero();
    assertThat(annotationsOfOdd()).containsAllEntriesOf(annotations);
  }

  private Map<String, Value> annotationsOfOdd() {
    return live("clusterpolicies", "odd").mapping("metadata").mapping("annotations").fields();
  }

  @Test
  void isOneListForKubectlAsJson() throws IOException {
    insights.expects(Feeds.of(Feeds.clusterPolicy("a", "Audit"), Feeds.validatingPolicy("b")));
    agent.run();

    var export = agent.run("export", "-o", "json");

    var file = Files.writeString(folder.resolve("backup.json"), export.stdout());
    var applied =
        Kubectl.of(cluster, folder.resolve("home"))
            .run("apply", "--server-side", "--force-conflicts", "-f", file.toString());
    assertThat(applied.ok()).contains("clusterpolicy.kyverno.io/a", "policies.kyverno.io/b");
    assertThat(ours(export)).extracting(policy -> policy.id().name()).containsExactly("a", "b");
  }

  @Test
  void takesEveryPolicyWithAllButNoneThatAnotherObjectMade() {
    insights.expects(Feeds.clusterPolicy("ours", "Audit"));
    agent.run();
    create("clusterpolicies", Feeds.clusterPolicy("theirs", "Audit"));
    var owner = live("clusterpolicies", "ours").mapping("metadata").text("uid").orElseThrow();
    create(
        "clusterpolicies",
        Feeds.clusterPolicy("generated", "Audit")
            .replace(
                "  annotations:",
                "  ownerReferences: [{apiVersion: kyverno.io/v1, kind: ClusterPolicy, name: ours,"
                    + " uid: "
                    + owner
                    + "}]\n  annotations:"));

    var some = agent.run("export");
    var all = agent.run("export", "--all");

    assertThat(ours(some)).extracting(policy -> policy.id().name()).containsExactly("ours");
    assertThat(ours(all))
        .extracting(policy -> policy.id().name())
        .containsExactly("ours", "theirs");
    assertThat(some.stdout())
        .endsWith("# End of the export: 1 policy (ClusterPolicy.kyverno.io 1)\n");
    assertThat(some.stderr())
        .isEqualTo(
            "Exported 1 policy; excluded: 1 not managed by policy-sync (use --all to export), 1"
                + " generated from another object\n");
  }

  @Test
  void printsNothingWhereOneKindMayNotBeListed(Sandbox sandbox) {
    insights.expects(Feeds.clusterPolicy("ours", "Audit"));
    agent.run();
    var kinds =
        PolicyKind.all().stream()
            .filter(kind -> kind != PolicyKind.MUTATING_POLICY)
            .map(kind -> new Sandbox.Rule(kind.group(), List.of(kind.plural()), List.of("list")))
            .toArray(Sandbox.Rule[]::new);

    var export = agent.as(sandbox.tokenOf("reader", kinds)).run("export");

    assertThat(export.exitCode()).isEqualTo(1);
    assertThat(export.stdout()).isEmpty();
    assertThat(export.stderr())
        .contains(
            "nothing was exported",
            "list MutatingPolicy.policies.kyverno.io: HTTP 403",
            "add the verb list on mutatingpolicies.policies.kyverno.io to the agent's ClusterRole");
  }

  @Test
  void printsNothingWhereTheApiServerIsAway() {
    var export = agent.with("KUBERNETES_SERVICE_PORT", "1").run("export");

    assertThat(export.exitCode()).isEqualTo(1);
    assertThat(export.stdout()).isEmpty();
    assertThat(export.stderr()).contains("could not connect");
  }

  @Test
  void needsNoApi() {
    var export =
        agent
            .with("FAIRWINDS_INSIGHTS_HOST", "")
            .with("FAIRWINDS_TOKEN", "")
            .with("FAIRWINDS_ORG", "")
            .with("FAIRWINDS_CLUSTER", "")
            .run("export");

    assertThat(export.exitCode()).as(export.all()).isZero();
    assertThat(export.stdout()).isEqualTo("# End of the export: 0 policies\n");
  }

  private String ofEveryKind() {
    return PolicyKind.all().stream()
        .map(kind -> CanonicalJson.write(KindExamples.of(kind, namespace).content()) + "\n")
        .reduce("", (all, one) -> all + "---\n" + one);
  }

  private static List<Policy> ours(Agent.Run export) {
    return PolicyReader.read(List.of(new Manifest("export", export.stdout().getBytes(UTF_8))))
        .policies();
  }

  private Map<PolicyId, Value> specs() {
    return policies("spec");
  }

  private Map<PolicyId, Value> generations() {
    var generations = new LinkedHashMap<PolicyId, Value>();
    policies("metadata")
        .forEach((id, metadata) ->
            ((Value.Mapping) metadata)
                .field("generation")
                .ifPresent(generation -> generations.put(id, generation)));
    return generations;
  }

  /// A field of each policy that there is.
  private Map<PolicyId, Value> policies(String field) {
    var found = new LinkedHashMap<PolicyId, Value>();
    for (var kind : PolicyKind.all()) {
      var path = "/apis/" + kind.group() + "/" + kind.versions().getFirst() + "/" + kind.plural();
      for (var item : cluster.admin().get(path).ok().items("items")) {
        var object = (Value.Mapping) item;
        var metadata = object.mapping("metadata");
        found.put(
            new PolicyId(kind, metadata.text("namespace"), metadata.text("name").orElseThrow()),
            object.mapping(field));
      }
    }
    return found;
  }

  private void leaveNothingIn(Map<PolicyId, Value> policies) {
    policies
        .keySet()
        .forEach(
            id -> cluster.admin().delete(RawApi.path(id, id.kind().versions().getFirst())).ok());
  }

  private void createNamespacesOfTheExamples() throws IOException {
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      for (var file : files.filter(path -> path.toString().endsWith(".yaml")).toList()) {
        PolicyReader.read(List.of(new Manifest("example", Files.readAllBytes(file))))
            .policies()
            .forEach(policy -> policy.id().namespace().ifPresent(this::createNamespace));
      }
    }
  }
}
