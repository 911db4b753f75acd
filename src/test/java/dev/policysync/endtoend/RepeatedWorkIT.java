package dev.policysync.endtoend;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static dev.policysync.harness.Feeds.policy;
import static dev.policysync.harness.Feeds.validatingPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.harness.Feeds;
import dev.policysync.testcluster.AuditLog;
import java.io.IOException;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;

/// What a run does once that could be done more often without anybody seeing it but by the clock:
/// calls of the built program counted by the JVM.
class RepeatedWorkIT extends EndToEnd {
  @Test
  void parsesNoPolicyOfAFirstSyncASecondTime() throws IOException {
    insights.expects(
        Feeds.of(
            clusterPolicy("a", "Audit"), policy(namespace, "b"), validatingPolicy("c"), other(1)));

    var feeds = calls("dev.policysync.policy.feed.FeedReader::parse", 4);

    assertThat(feeds).as("the feed, which is the same under the Lease").isOne();
  }

  @Test
  void sendsEachWriteOfADiffOnceAndReadsEachObjectOnce() {
    insights.expects(Feeds.of(clusterPolicy("changed", "Audit"), validatingPolicy("same")));
    agent.run();
    insights.expects(
        Feeds.of(
            clusterPolicy("changed", "Enforce"),
            validatingPolicy("same"),
            clusterPolicy("new", "Audit")));
    var log = cluster.auditLog();

    var run = agent.run("diff");

    assertThat(run.stdout())
        .contains("+ ClusterPolicy/new ")
        .contains("tightens: rule has-team: Audit → Enforce");
    assertThat(log.entries())
        .filteredOn(entry -> entry.verb().equals("patch") || entry.verb().equals("create"))
        .extracting(AuditLog.Entry::name)
        .containsExactlyInAnyOrder("changed", "new");
    assertThat(log.entries())
        .filteredOn(entry -> entry.verb().equals("get"))
        .extracting(AuditLog.Entry::name)
        .filteredOn("changed"::equals)
        .hasSize(1);
  }

  /// How often a first sync of so many policies calls that.
  private long calls(String method, int policies) throws IOException {
    var file = folder.resolve("calls.jfr");
    var run =
        agent
            .withJavaOption(
                "-XX:StartFlightRecording:method-timing=" + method + ",filename=" + file)
            .run();
    assertThat(run.summary().text("summary").orElseThrow())
        .as(run.all())
        .startsWith("Applied " + policies + ",");
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals("jdk.MethodTiming"))
        .mapToLong(event -> event.getLong("invocations"))
        .max()
        .orElseThrow();
  }

  /// One of 3 KB.
  private static String other(int number) {
    return clusterPolicy("other-" + number, "Audit").replace("Names a team", "x".repeat(2500));
  }
}
