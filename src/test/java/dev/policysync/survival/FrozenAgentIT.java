package dev.policysync.survival;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.endtoend.EndToEnd;
import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.harness.TestAuthority;
import dev.policysync.testcluster.AuditLog;
import dev.policysync.testcluster.Sandbox;
import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Agents that stand still for longer than their Lease holds, in the middle of a write, and then go
/// on. They are stopped by SIGSTOP, and the minute is a real one.
class FrozenAgentIT extends EndToEnd {
  private static final int MANY = 6;

  @Test
  void writesNothingMoreAfterItsLease(Sandbox sandbox) throws Exception {
    insights.expects(
        Feeds.of(
            IntStream.range(0, MANY)
                .mapToObj(i -> clusterPolicy("new-" + i, "Audit"))
                .toArray(String[]::new)));
    var identifiedAgents = new IdentifiedAgents(sandbox, insights, folder);
    try (var alone =
            new Frozen(identifiedAgents.named("alone").with("NAMESPACE", namespace), false);
        var overtaken = new Frozen(identifiedAgents.named("overtaken"), true)) {
      alone.freeze();
      overtaken.freeze();

      var other = identifiedAgents.named("other").run();

      var one = alone.goOn();
      var another = overtaken.goOn();
      assertThat(other.exitCode()).as(other.all()).isZero();
      assertThat(texts(other, "applied")).containsExactly("new-3", "new-4", "new-5");
      assertGaveUp(one, "new-2", "new-3", "new-4", "new-5");
      assertGaveUp(another, "new-3", "new-4", "new-5");
      assertThat(alone.writes()).as("it got no answer to the second").isEqualTo(2);
      assertThat(overtaken.writes()).isEqualTo(2);
      assertThat(written("alone")).containsExactly("new-0");
      assertThat(written("overtaken")).containsExactly("new-1", "new-2");
    }
  }

  /// Whether the answer of the write under way is still waited for after such a time is not fixed.
  private static void assertGaveUp(Agent.Run run, String... names) {
    assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
    assertThat(policiesIn(run, "notAttempted"))
        .containsExactlyElementsOf(Stream.of(names).map("ClusterPolicy/"::concat).toList());
    assertThat(run.summary().items("notAttempted"))
        .allSatisfy(note -> assertThat(note.toString()).contains("the Lease was lost"));
  }

  private List<String> written(String account) {
    return audit.writes().stream()
        .filter(entry -> entry.resource().startsWith("clusterpolicies"))
        .filter(entry -> entry.user().endsWith(":" + account))
        .map(AuditLog.Entry::name)
        .toList();
  }

  /// An agent that is stopped at its second write to a policy.
  private final class Frozen implements AutoCloseable {
    private final Agent agent;
    private final boolean answered;
    private final InterceptingProxy interceptingProxy;
    private final AtomicInteger writes = new AtomicInteger();
    private final CompletableFuture<Process> process = new CompletableFuture<>();
    private final CountDownLatch frozen = new CountDownLatch(1);

    /// @param answered whether that write is answered while the agent stands still; else its
    ///   connection breaks
    Frozen(Agent agent, boolean answered) throws IOException {
      this.answered = answered;
      this.interceptingProxy = InterceptingProxy.before(cluster, this::lets);
      this.agent =
          agent
              .through(interceptingProxy.port(), TestAuthority.shared().pem())
              .with("CONCURRENCY", "1");
    }

    private boolean lets(InterceptingProxy.Passage passage) {
      if (!passage.ofAPolicy() || writes.incrementAndGet() != 2) {
        return true;
      }
      signal("STOP");
      frozen.countDown();
      return answered;
    }

    void freeze() throws Exception {
      process.complete(agent.start());
      assertThat(frozen.await(TimeLimits.WAIT.toSeconds(), TimeUnit.SECONDS))
          .as("its second write")
          .isTrue();
    }

    Agent.Run goOn() throws IOException {
      signal("CONT");
      return Agent.ended(process.join());
    }

    /// How often it tried to write a policy.
    int writes() {
      return writes.get();
    }

    private void signal(String name) {
      Signals.send(process.join(), name);
    }

    @Override
    public void close() {
      if (process.isDone()) {
        process.join().destroyForcibly();
      }
      interceptingProxy.close();
    }
  }
}
