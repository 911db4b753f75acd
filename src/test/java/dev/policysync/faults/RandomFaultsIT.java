package dev.policysync.faults;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.faults.CutProxy.Breaks;
import dev.policysync.harness.Agent;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.Rounds;
import dev.policysync.testcluster.Sandbox;
import dev.policysync.testcluster.Shrinker;
import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Many runs of the built agent while the network and both servers fail at random, with a feed that
/// changes before each.
///
/// The seed is the same each time, so that a failure tells of a change and not of luck:
/// `-Dpolicysync.faults.seed=…` plays another one, `-Dpolicysync.faults.runs=…` and `make torture`
/// play longer. Runs that fail are shrunk to few of them, each drawn by its number, which
/// `-Dpolicysync.faults.only=3,9` plays again; as a run writes several policies at once, not always
/// with the same end.
class RandomFaultsIT extends FaultyEnvironment {
  private static final Duration TIMEOUT = Duration.ofSeconds(12);

  /// Of a hundred requests; most runs should get somewhere.
  private static final List<Integer> ROUGHNESS = List.of(2, 4, 8, 15, 40);

  private final Map<String, String> told = new ConcurrentHashMap<>();
  private Sandbox sandbox;
  private CutProxy cuts;
  private int disturbed;
  private int failed;
  private int removed;
  private Duration timeout = TIMEOUT;

  @BeforeEach
  void prepare(Sandbox sandbox) throws IOException {
    this.sandbox = sandbox;
    cuts = new CutProxy(cluster.url().port());
    insights.atEachStatusTaken((_, body) -> {
      var status = Documents.json(body);
      told.put(
          status.text("policyName").orElseThrow(),
          status.text("action").orElseThrow() + " " + status.text("status").orElseThrow());
    });
    timeout = TimeLimits.scaled(TIMEOUT);
    agent
        .with("TIMEOUT", timeout.toMillis() + "ms")
        .with("LOCK_WAIT", "2s")
        .with("MAX_REMOVALS", "1000");
  }

  @AfterEach
  void passNothingOn() {
    cuts.close();
  }

  private void startOver() {
    beforeApi.becomes(FaultSchedule.CALM);
    beforeCluster.becomes(FaultSchedule.CALM);
    sandbox.close();
    cluster.admin().delete(LEASE);
    othersHaveTheirs();
    told.clear();
  }

  /// Policies that no run may touch: one that is nobody's, one whose name the feed wants, and one
  /// of ours that is to stay.
  private void othersHaveTheirs() {
    var kept = clusterPolicy("kept", "Audit");
    insights.expects(kept);
    through(beforeCluster.port());
    assertThat(agent.run().exitCode()).isZero();
    patch(
        "clusterpolicies",
        "kept",
        "[{\"op\": \"add\", \"path\": \"/metadata/annotations/policysync.dev~1prune\","
            + " \"value\": \"disabled\"}]");
    create("clusterpolicies", clusterPolicy("theirs", "Enforce"));
    create("clusterpolicies", clusterPolicy(FaultFeed.TAKEN, "Enforce"));
  }

  @Test
  void endInTimeWithASummaryHarmNothingAndHealOnce() {
    var seed = Long.getLong("policysync.faults.seed", 20_261_121);
    var runs = Integer.getInteger("policysync.faults.runs", Rounds.of(16, 200));
    System.out.printf(
        "faults: -Dpolicysync.faults.seed=%d -Dpolicysync.faults.runs=%d%n", seed, runs);
    var only = System.getProperty("policysync.faults.only");
    var numbers =
        only == null
            ? IntStream.rangeClosed(1, runs).boxed().toList()
            : Stream.of(only.split(",")).map(Integer::valueOf).toList();
    var found = play(seed, runs, numbers);
    if (found.isPresent()) {
      throw shrunk(seed, runs, found.get());
    }
    if (only == null) {
      // Else the weather was too fine, or so bad that nothing could be seen.
      assertThat(List.of(disturbed, failed, removed)).allMatch(count -> count >= runs / 8);
      assertThat(failed).isLessThanOrEqualTo(runs * 3 / 4);
    }
  }

  /// How some runs failed.
  ///
  /// @param runs up to the one that failed
  private record Failed(List<Integer> runs, Throwable why) {
    /// Which promise it was: where it was asked for.
    String where() {
      return Stream.of(why.getStackTrace())
          .filter(frame -> frame.getClassName().startsWith("dev.policysync."))
          .map(StackTraceElement::getMethodName)
          .findFirst()
          .orElse("");
    }
  }

  private Optional<Failed> play(long seed, int runs, List<Integer> numbers) {
    startOver();
    var others = PolicySnapshot.of(cluster.admin());
    var calmEvery = Math.min(40, runs / 2);
    for (int i = 0; i < numbers.size(); i++) {
      var run = numbers.get(i);
      var random = new SplittableRandom(seed * 1_000_003 + run);
      var faultFeed = FaultFeed.any(random);
      // Never the same as one before: that would be an old feed, which is not written at once.
      insights.expects(faultFeed.yaml() + "\n# run " + run + "\n");
      rough(random);
      try {
        play("seed %d, run %d".formatted(seed, run), faultFeed, others);
        if (run % calmEvery == 0 || i == numbers.size() - 1) {
          calm("seed %d, after run %d".formatted(seed, run), faultFeed, others);
        }
      } catch (AssertionError | RuntimeException e) {
        return Optional.of(new Failed(numbers.subList(0, i + 1), e));
      } catch (IOException e) {
        throw new UncheckedIOException("the agent cannot be started", e);
      }
    }
    return Optional.empty();
  }

  private AssertionError shrunk(long seed, int runs, Failed found) {
    System.out.printf("faults: broke in run %d: %s%n", found.runs().getLast(), found.where());
    var shortest = new AtomicReference<>(found);
    Shrinker.shrink(
        found.runs(),
        some -> {
          var again = play(seed, runs, some).filter(other -> other.where().equals(found.where()));
          again.ifPresent(shortest::set);
          return again.isPresent();
        });
    var least = shortest.get();
    return new AssertionError(
        "of %d runs %d are enough, -Dpolicysync.faults.seed=%d -Dpolicysync.faults.runs=%d"
                .formatted(found.runs().size(), least.runs().size(), seed, runs)
            + " -Dpolicysync.faults.only="
            + least.runs().stream().map(String::valueOf).collect(joining(","))
            + ": "
            + least.why().getMessage(),
        least.why());
  }

  private void count(Agent.Run run) {
    disturbed += beforeCluster.story().isEmpty() ? 0 : 1;
    failed += run.exitCode() == 1 ? 1 : 0;
    removed += texts(run, "removed").isEmpty() ? 0 : 1;
  }

  private void rough(SplittableRandom random) {
    random.nextInt();
    var percent = ROUGHNESS.get(random.nextInt(ROUGHNESS.size()));
    beforeApi.becomes(FaultSchedule.rough(random.nextLong(), percent));
    beforeCluster.becomes(FaultSchedule.rough(random.nextLong(), percent));
    cuts.becomes(new Breaks(random.nextLong(), 50));
    through(random.nextInt(4) == 0 ? cuts.port() : beforeCluster.port());
  }

  private void through(int port) {
    agent.with("KUBERNETES_SERVICE_PORT", Integer.toString(port));
  }

  private void play(String which, FaultFeed faultFeed, PolicySnapshot others) throws IOException {
    aLeaseDurationPasses();
    var before = PolicySnapshot.of(cluster.admin());
    var began = System.nanoTime();

    var run = Agent.ended(agent.start());

    var took = Duration.ofNanos(System.nanoTime() - began);
    var after = PolicySnapshot.of(cluster.admin());
    var story =
        which
            + "\n"
            + String.join("\n", beforeApi.story())
            + "\n"
            + String.join("\n", beforeCluster.story())
            + "\n"
            + run.all();
    count(run);
    assertThat(took).as(story).isLessThan(timeout.plus(TimeLimits.scaled(GRACE)));
    new FaultRunInvariants(story, run, faultFeed, before, after).hold();
    for (var name : List.of("kept", "theirs", FaultFeed.TAKEN)) {
      assertThat(after.policies().get(name)).as(story).isEqualTo(others.policies().get(name));
    }
  }

  /// One run without faults brings everything to where it should be and tells the API all that it
  /// does not know; another one has nothing left to do.
  private void calm(String which, FaultFeed faultFeed, PolicySnapshot others) throws IOException {
    beforeApi.becomes(FaultSchedule.CALM);
    beforeCluster.becomes(FaultSchedule.CALM);
    through(beforeCluster.port());
    play(which, faultFeed, others);
    var log = cluster.auditLog();

    var run = agent.run();

    assertThat(log.writes()).as(which + run.all()).isEmpty();
    assertThat(policiesIn(run, "conflicts")).as(run.all()).containsExactly("ClusterPolicy/taken");
    assertThat(run.exitCode()).as(which + run.all()).isEqualTo(3);
    var now = PolicySnapshot.of(cluster.admin());
    for (var name : faultFeed.forms().keySet()) {
      if (!name.equals(FaultFeed.TAKEN)) {
        assertThat(now.hasInForce(name, faultFeed)).as("%s: %s is in force", which, name).isTrue();
        assertThat(told).as(which).containsEntry(name, "apply success");
      }
    }
    var extra = now.without(others);
    extra.removeAll(faultFeed.forms().keySet());
    assertThat(extra).as(which).isEmpty();
    told.forEach((name, status) -> {
      if (!faultFeed.names(name) && !name.equals("kept")) {
        assertThat(status).as("%s: what was told of %s", which, name).isEqualTo("delete success");
      }
    });
  }

  /// A run whose last words to the Lease were lost holds it for a minute, which nobody waits for
  /// here.
  private void aLeaseDurationPasses() {
    var lease = cluster.admin().get(LEASE);
    var held = lease.body().mapping("spec").text("holderIdentity").filter(who -> !who.isEmpty());
    if (held.isPresent()) {
      var spec = Value.Mapping.EMPTY.with("holderIdentity", "");
      cluster
          .admin()
          .merge(LEASE + "?fieldManager=test", Value.Mapping.EMPTY.with("spec", spec))
          .ok();
    }
  }
}
