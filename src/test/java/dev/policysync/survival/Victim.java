package dev.policysync.survival;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.harness.Agent;
import dev.policysync.harness.FakeInsights;
import dev.policysync.harness.TestAuthority;
import dev.policysync.survival.InterceptingProxy.Passage;
import dev.policysync.testcluster.TestCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/// A run that is killed (SIGKILL) right before one of its writes gets through.
public final class Victim implements InterceptingProxy.Gatekeeper {
  private final Predicate<Passage> counts;
  private final int last;
  private final CompletableFuture<Process> process = new CompletableFuture<>();
  private int writes;

  private Victim(Predicate<Passage> counts, int last) {
    this.counts = counts;
    this.last = last;
  }

  /// Before a write to anything, by its number.
  static Victim before(int write) {
    return new Victim(Passage::write, write);
  }

  /// Before a write to a policy, by its number; dry runs count, too.
  public static Victim beforeAPolicy(int write) {
    return new Victim(Passage::ofAPolicy, write);
  }

  @Override
  public synchronized boolean lets(Passage passage) {
    if (counts.test(passage) && writes < last && ++writes == last) {
      process.join().destroyForcibly().onExit().join();
    }
    return writes < last;
  }

  /// Runs it.
  ///
  /// @param folder for what it leaves behind
  /// @param settings beside those that each run has
  /// @return whether there were so many writes
  public boolean killed(
      TestCluster cluster, FakeInsights insights, Path folder, Map<String, String> settings)
      throws IOException {
    try (var front = InterceptingProxy.before(cluster, this);
        var api = InterceptingProxy.before(insights.url(), this)) {
      var agent =
          new Agent(cluster, insights.environment(), folder)
              .through(front.port(), TestAuthority.shared().pem())
              .with("FAIRWINDS_INSIGHTS_HOST", "http://127.0.0.1:" + api.port())
              .with("CONCURRENCY", "1");
      for (var setting : settings.entrySet()) {
        agent = agent.with(setting.getKey(), setting.getValue());
      }
      process.complete(agent.start());
      var run = Agent.ended(process.join());
      assertThat(run.exitCode()).as(run.all()).isIn(0, 128 + 9);
      return run.exitCode() != 0;
    }
  }
}
