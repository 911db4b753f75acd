package dev.policysync.survival;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.endtoend.EndToEnd;
import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.testcluster.RawApi;
import dev.policysync.testcluster.Rounds;
import dev.policysync.testcluster.Sandbox;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Agents that all start at once, over and over, while the feed changes and somebody else edits a
/// policy under each one's hands: there is always something to write, and never more than one who
/// does.
///
/// There is no sequence to shrink: every round is the same, and which agent is first is the
/// machine's to say. The audit log of the one round that failed is all there is to know.
class CrowdIT extends EndToEnd {
  private Sandbox sandbox;

  @BeforeEach
  void enter(Sandbox sandbox) {
    this.sandbox = sandbox;
  }

  @ParameterizedTest
  @MethodSource("crowds")
  void neverHasTwoWritersAtOnce(int agents, int rounds) throws Exception {
    var crowd = new IdentifiedAgents(sandbox, insights, folder);
    var all = new ArrayList<Agent>();
    for (int i = 0; i < agents; i++) {
      all.add(crowd.named("agent" + i));
    }
    var several = 0;
    for (int round = 0; round < rounds; round++) {
      insights.expects(feed(round));
      var log = cluster.auditLog();

      List<Agent.Run> runs;
      try (var _ = new Editor(cluster.admin(), "edited")) {
        runs = together(all);
      }

      var leaseHoldings = LeaseHoldings.in(log.events());
      assertThat(leaseHoldings.wrongWrites()).isEmpty();
      assertThat(leaseHoldings.takeOvers()).isEmpty();
      assertThat(runs).allSatisfy(run -> assertThat(run.exitCode()).as(run.all()).isZero());
      assertThat(exists("clusterpolicies", "round" + round)).isTrue();
      assertThat(exists("clusterpolicies", "round" + (round - 1))).isFalse();
      several += leaseHoldings.writers().size() > 1 ? 1 : 0;
    }
    all.getFirst().run();
    assertThat(all.getFirst().run("diff", "--exit-code").exitCode()).isZero();
    assertThat(several).as("rounds in which several wrote, one after the other").isPositive();
  }

  static Stream<Arguments> crowds() {
    return Stream.of(Arguments.of(2, Rounds.of(8, 40)), Arguments.of(5, Rounds.of(3, 10)));
  }

  private static List<Agent.Run> together(List<Agent> agents) throws IOException {
    var processes = new ArrayList<Process>();
    for (var agent : agents) {
      processes.add(agent.start());
    }
    var runs = new ArrayList<Agent.Run>();
    for (var process : processes) {
      runs.add(Agent.ended(process));
    }
    return runs;
  }

  /// One policy comes with each round and goes with the next, two change, one is edited meanwhile.
  private static String feed(int round) {
    var action = round % 2 == 0 ? "Audit" : "Enforce";
    return Feeds.of(
        IntStream.range(0, 4)
            .mapToObj(i ->
                switch (i) {
                  case 0 -> clusterPolicy("round" + round, "Audit");
                  case 1 -> clusterPolicy("edited", "Audit");
                  default -> clusterPolicy("changing" + i, action);
                })
            .toArray(String[]::new));
  }

  /// Somebody who edits a policy whenever the Lease has changed hands: each holder finds something
  /// to put right, and none is kept from it for ever.
  private static final class Editor implements AutoCloseable {
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final RawApi admin;
    private final String path;
    private String holder = "";
    private boolean background;

    Editor(RawApi admin, String name) {
      this.admin = admin;
      this.path = "/apis/kyverno.io/v1/clusterpolicies/" + name + "?fieldManager=kubectl-edit";
      var _ = thread.scheduleWithFixedDelay(this::look, 0, 20, TimeUnit.MILLISECONDS);
    }

    private void look() {
      var now = admin.get(LEASE).body().mapping("spec").text("holderIdentity").orElse("");
      if (!now.equals(holder)) {
        holder = now;
        edit();
      }
    }

    private void edit() {
      background = !background;
      admin.jsonPatch(
          path,
          "[{\"op\": \"replace\", \"path\": \"/spec/background\", \"value\": %b}]"
              .formatted(background));
    }

    @Override
    public void close() {
      thread.close();
    }
  }
}
