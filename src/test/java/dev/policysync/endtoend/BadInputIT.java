package dev.policysync.endtoend;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Whatever the API sends, nothing is lost: each case begins with two policies in the cluster and
/// ends with the same two, untouched where the feed is no feed at all.
class BadInputIT extends EndToEnd {
  private static final String KEPT =
      Feeds.of(clusterPolicy("kept-1", "Audit"), clusterPolicy("kept-2", "Audit"));

  @BeforeEach
  void twoPoliciesAreInForce() {
    insights.expects(KEPT);
    assertThat(agent.run().exitCode()).isZero();
    audit = cluster.auditLog();
  }

  @Test
  void aWrongTokenChangesNothing() {
    var run = agent.with("FAIRWINDS_TOKEN", "not-the-token").run();

    assertRefused(run, "401");
    assertThat(run.all()).contains("FAIRWINDS_TOKEN").doesNotContain("not-the-token");
  }

  @Test
  void aWebPageChangesNothing() {
    insights.answers(
        aResponse()
            .withStatus(200)
            .withHeader("Content-Type", "text/html")
            .withBody("<!DOCTYPE html><html><body>Sign in</body></html>"));

    assertRefused(agent.run(), "web page");
  }

  @Test
  void aWebPageThatCallsItselfYamlChangesNothing() {
    insights.expects("<!DOCTYPE html>\n<html><body>Sign in</body></html>\n");

    assertRefused(agent.run(), "polic");
  }

  @Test
  void aJsonErrorChangesNothing() {
    insights.expects("{\"message\": \"not found\"}");

    assertRefused(agent.run(), "polic");
  }

  @Test
  void anAnswerWithoutContentChangesNothing() {
    insights.answers(aResponse().withStatus(204));

    assertRefused(agent.run(), "204");
  }

  @Test
  void aRedirectToNowhereChangesNothing() {
    insights.answers(aResponse().withStatus(302));

    assertRefused(agent.run(), "302");
  }

  @Test
  void anAnswerThatSaysNothingRemovesNothing() {
    for (var nothing : List.of("", " \n\t\n", "---\n---\n", "# no policies today\n")) {
      insights.expects(nothing);

      var run = agent.run();

      assertThat(run.exitCode()).as(run.all()).isEqualTo(3);
      assertThat(policiesIn(run, "withheld"))
          .containsExactly("ClusterPolicy/kept-1", "ClusterPolicy/kept-2");
      assertKept();
    }
  }

  @Test
  void aPolicyWhoseNamespaceTheFeedForgetsStaysWhereItIs() {
    var nameless = clusterPolicy("team", "Audit").replace("kind: ClusterPolicy", "kind: Policy");
    var named = nameless.replace("name: team\n", "name: team\n  namespace: " + namespace + "\n");
    insights.expects(Feeds.of(KEPT, named));
    agent.run();
    insights.expects(Feeds.of(KEPT, nameless));

    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(texts(run, "removed")).isEmpty();
    assertThat(exists(namespace, "policies", "team")).isTrue();
    assertThat(exists("default", "policies", "team")).isTrue();
    assertThat(texts(run, "warnings").toString())
        .contains("the feed names no namespace", "without metadata.namespace, which may be this");
  }

  @Test
  void aListIsReadAsItsItems() {
    var items = KEPT.replaceAll("(?m)^", "    ").replaceAll(" {4}---\n", "  -\n");
    insights.expects("apiVersion: v1\nkind: List\nitems:\n  -\n" + items);

    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(run.summary().fields()).containsEntry("unchanged", Value.Numeric.of(2));
    assertThat(audit.writes()).isEmpty();
  }

  @Test
  void aDocumentThatDoesNotNameItsPolicyRemovesNothing() {
    insights.expects(Feeds.of(KEPT, clusterPolicy("123", "Audit").replace(" 123", " '123'")));
    agent.run();
    for (var metadata :
        List.of("metadata: {name: 123}\n", "metadata: {}\n", "metadata: []\n", "")) {
      insights.expects(
          Feeds.of(
              KEPT, "apiVersion: kyverno.io/v1\nkind: ClusterPolicy\n" + metadata + "spec: {}\n"));

      var run = agent.run();

      assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
      assertThat(policiesIn(run, "withheld")).containsExactly("ClusterPolicy/123");
      assertThat(exists("clusterpolicies", "123")).isTrue();
    }
  }

  @Test
  void aTruncatedAnswerChangesNothing() throws IOException {
    try (var server = new TruncatingServer(KEPT)) {
      var run =
          new Agent(cluster, insights.environment(), folder.resolve("truncated"))
              .with("FAIRWINDS_INSIGHTS_HOST", server.url())
              .run();

      assertRefused(run, "response truncated");
    }
  }

  @Test
  void aBombOfAliasesChangesNothing() {
    var bomb = new StringBuilder("a0: &a0 [x, x]\n");
    for (int i = 1; i <= 10_000; i++) {
      bomb.append("a" + i + ": &a" + i + " [*a" + (i - 1) + ", *a" + (i - 1) + "]\n");
    }
    insights.expects(bomb.toString());

    assertRefused(agent.run(), "polic");
  }

  @Test
  void aBombBesideGoodPoliciesIsOneFailureAndRemovesNothing() {
    var bomb =
        new StringBuilder("apiVersion: kyverno.io/v1\nkind: ClusterPolicy\na0: &a0 [x, x]\n");
    for (int i = 1; i <= 10_000; i++) {
      bomb.append("a" + i + ": &a" + i + " [*a" + (i - 1) + ", *a" + (i - 1) + "]\n");
    }
    insights.expects(Feeds.of(clusterPolicy("fresh", "Audit"), bomb.toString()));

    var run = agent.run();

    assertOneFailureNothingRemoved(run, "document 2");
  }

  @Test
  void aDocumentThatAliasesMakeLongIsOneFailureAndRemovesNothing() {
    var bomb =
        clusterPolicy("bomb", "Audit")
            + "x: &x "
            + "x".repeat(10_000)
            + "\nlist:\n"
            + "- *x\n".repeat(2_000);
    insights.expects(Feeds.of(clusterPolicy("fresh", "Audit"), bomb));

    var run = agent.run();

    assertOneFailureNothingRemoved(run, "aliases (*) add more than 1.5 MiB");
    assertThat(run.summary().items("errors").toString()).contains("document 2");
  }

  @Test
  void aPageOfAListChangesNothing() throws IOException {
    var page =
        """
        apiVersion: kyverno.io/v1
        kind: ClusterPolicyList
        metadata: {continue: abc, remainingItemCount: 1}
        items:
        - metadata: {name: kept-1}
          spec: {}
        """;
    insights.expects(page);
    assertRefused(agent.run(), "is one page of a longer list");

    var file = Files.writeString(folder.resolve("page.yaml"), page);
    assertRefused(agent.run("sync", "--from", file.toString()), "is one page of a longer list");
  }

  @Test
  void aFeedTooLargeForTheHeapChangesNothing() throws IOException {
    var comment = "# nothing but a comment, which is as long as many policies are\n";
    insights.expects(KEPT + comment.repeat(400_000));
    assertRefused(agent.run(), " for a heap of 123.7 MiB; "); // -Xmx128m

    var documents = ("---\n" + comment.repeat(8_000)).repeat(10);
    var file = Files.writeString(folder.resolve("5MiB.yaml"), KEPT + documents);
    assertRefused(
        agent.withJavaOption("-Xmx24m").run("sync", "--from", file.toString()),
        "POLICY_SYNC_JAVA_OPTIONS=-Xmx64m");
    assertRefused(
        agent.withJavaOption("-Xmx64m").run("sync", "--from", file.toString()),
        "POLICY_SYNC_JAVA_OPTIONS=-Xmx128m");
    var run = agent.withJavaOption("-Xmx128m").run("sync", "--from", file.toString());
    assertThat(run.exitCode()).as(run.all()).isZero();
  }

  @Test
  void aFeedOfShortDocumentsThatAliasesMakeLongChangesNothing() {
    var documents = new StringBuilder(KEPT);
    for (int i = 0; i < 100; i++) {
      documents
          .append("---\n")
          .append(clusterPolicy("long-" + i, "Audit"))
          .append("x: &x " + "x".repeat(10_000) + "\nlist:\n" + "- *x\n".repeat(150));
    }
    insights.expects(documents.toString());

    assertRefused(agent.run(), "with aliases (*) expanded, the feed exceeds the limit of ");
  }

  @Test
  void aListOfMoreValuesThanTheHeapHasRoomForIsOneFailureAndRemovesNothing() {
    insights.expects(
        Feeds.of(
            clusterPolicy("fresh", "Audit"),
            "apiVersion: v1\nkind: List\nitems: [" + "{},".repeat(1_000_000) + "]\n"));

    assertOneFailureNothingRemoved(agent.run(), "values, too large for the heap");
  }

  @Test
  void aDocumentWithoutKindIsOneFailureAndRemovesNothing() {
    insights.expects(
        Feeds.of(
            clusterPolicy("fresh", "Audit"),
            "apiVersion: kyverno.io/v1\nmetadata: {name: kindless}\nspec: {}\n"));

    assertOneFailureNothingRemoved(agent.run(), "kind");
  }

  @Test
  void anUnsupportedKindIsOneFailureAndRemovesNothing() {
    insights.expects(
        Feeds.of(
            clusterPolicy("fresh", "Audit"),
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: default}\n"));

    assertOneFailureNothingRemoved(agent.run(), "ConfigMap");
    assertThat(cluster.admin().get("/api/v1/namespaces/default/configmaps/settings").status())
        .isEqualTo(404);
  }

  @Test
  void aSchemaErrorFailsThatPolicyAlone() {
    insights.expects(
        Feeds.of(
            clusterPolicy("fresh", "Audit"),
            clusterPolicy("kept-1", "Audit"),
            clusterPolicy("kept-2", "Audit").replace("background: true", "backgruond: true")));

    var run = agent.run();

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(texts(run, "applied")).containsExactly("fresh");
    assertThat(texts(run, "failed")).containsExactly("kept-2");
    assertThat(run.all()).contains("backgruond").contains("ClusterPolicy/kept-2");
    assertThat(audit.entries())
        .filteredOn(entry -> entry.name().equals("kept-2") && entry.verb().equals("patch"))
        .hasSize(1);
    assertKept();
  }

  @Test
  void twoDocumentsOfOnePolicyAreOneFailureAndNeitherIsApplied() {
    insights.expects(
        Feeds.of(
            clusterPolicy("fresh", "Audit"),
            clusterPolicy("kept-1", "Audit"),
            clusterPolicy("kept-1", "Enforce")));

    var run = agent.run();

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(texts(run, "failed")).containsExactly("kept-1");
    assertThat(run.all()).contains("document 2").contains("document 3");
    assertThat(live("clusterpolicies", "kept-1").toString()).doesNotContain("Enforce");
    assertKept();
  }

  private void assertRefused(Agent.Run run, String reason) {
    assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
    assertThat(run.summary().text("msg")).contains("Policy sync failed");
    assertThat(run.summary().items("errors").toString()).contains(reason);
    assertThat(audit.writes()).isEmpty();
    assertKept();
  }

  private void assertOneFailureNothingRemoved(Agent.Run run, String reason) {
    assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
    assertThat(texts(run, "applied")).containsExactly("fresh");
    assertThat(run.summary().items("errors")).hasSize(1);
    assertThat(run.summary().items("errors").toString()).contains(reason);
    assertThat(policiesIn(run, "withheld"))
        .containsExactly("ClusterPolicy/kept-1", "ClusterPolicy/kept-2");
    assertKept();
  }

  private void assertKept() {
    assertThat(
            Map.of(
                "1", exists("clusterpolicies", "kept-1"), "2", exists("clusterpolicies", "kept-2")))
        .containsExactlyInAnyOrderEntriesOf(Map.of("1", true, "2", true));
  }
}
