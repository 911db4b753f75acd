package dev.policysync.plan;

import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.applied;
import static dev.policysync.plan.PlanFixtures.cluster;
import static dev.policysync.plan.PlanFixtures.unlistable;
import static dev.policysync.plan.PlanFixtures.with;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static dev.policysync.policy.PolicyFixtures.feed;
import static dev.policysync.policy.PolicyFixtures.unreadable;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.testcluster.Shrinker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// Two days of runs over feeds that shrink at random, recover, grow and are sometimes not known to
/// the end, with a memory from run to run and nobody who approves anything.
///
/// What the budget allows is worked out here by the moment of each removal, not by slots of time.
final class ShrinkingFeedSimulation {
  private static final Instant BEGIN = Instant.parse("2026-11-20T09:30:00Z");
  private static final Duration DAY = Duration.ofHours(24);

  private static final List<Integer> RUNS = IntStream.range(0, 300).boxed().toList();

  private final long seed;
  private final Planner planner = new Planner(RULES);
  private final Map<PolicyId, LivePolicy> live = new TreeMap<>();
  private final List<Removal> done = new ArrayList<>();
  private final List<Policy> published = new ArrayList<>();
  private RemovalHistory history = RemovalHistory.NONE;
  private Instant now = BEGIN;
  private int names;
  private Random random;

  private ShrinkingFeedSimulation(long seed) {
    this.seed = seed;
    this.random = of(-1);
  }

  /// @param owned how many policies were owned when that run began
  private record Removal(Instant at, int owned) {}

  /// Plays all of them, and if the budget does not hold, finds the few that show it.
  ///
  /// @return how many policies were removed in all
  static int play(long seed) {
    var days = new ShrinkingFeedSimulation(seed);
    var broken = days.broken(RUNS);
    if (broken.isPresent()) {
      var few =
          Shrinker.shrink(RUNS, some -> new ShrinkingFeedSimulation(seed).broken(some).isPresent());
      var why = new ShrinkingFeedSimulation(seed).broken(few).orElseThrow();
      throw new AssertionError(
          "runs %s of the days of seed %d: %s".formatted(few, seed, why.getMessage()), why);
    }
    return days.done.size();
  }

  private Optional<AssertionError> broken(List<Integer> runs) {
    try {
      play(runs);
      return Optional.empty();
    } catch (AssertionError e) {
      return Optional.of(e);
    }
  }

  /// Each run draws for itself, so that some can be played without the rest. Neighbours are to draw
  /// nothing alike.
  private Random of(int run) {
    return new Random((seed * 1_000_003 + run) * 0x9E3779B97F4A7C15L);
  }

  private void play(List<Integer> runs) {
    grow(5 + random.nextInt(60));
    published.forEach(policy -> live.put(policy.id(), applied(policy)));
    for (var run : runs) {
      random = of(run);
      now = now.plus(Duration.ofMinutes(random.nextInt(20)));
      publish();
      run();
      holds();
    }
  }

  private void publish() {
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> shrink(1);
      case 3 -> shrink(1 + random.nextInt(8));
      case 4 -> grow(random.nextInt(4));
      case 5 -> {
        published.clear();
        live.keySet().forEach(id -> published.add(clusterPolicy(id.name())));
      }
      default -> {
        // The same once more.
      }
    }
  }

  private void grow(int by) {
    for (int i = 0; i < by; i++) {
      published.add(clusterPolicy("p" + names++));
    }
  }

  private void shrink(int by) {
    for (int i = 0; i < by && !published.isEmpty(); i++) {
      published.remove(random.nextInt(published.size()));
    }
  }

  private void run() {
    var owned = live.size();
    var planContext =
        new PlanContext(history.at(now), DriftHistory.NONE, Optional.empty(), Set.of());
    var plan = planner.plan(expected(), actual(), planContext);
    var asked = (int) plan.actions().stream().filter(Action.Remove.class::isInstance).count();
    history = history.at(now).with(plan.note(), now).removing(asked, plan.note(), now);
    for (var action : plan.actions()) {
      switch (action) {
        case Action.Write write -> live.put(write.id(), applied(write.desired()));
        case Action.Remove removal -> {
          live.remove(removal.id());
          done.add(new Removal(now, owned));
        }
      }
    }
  }

  private ExpectedPolicies expected() {
    return random.nextInt(12) == 0 ? feed(published, unreadable()) : feed(published);
  }

  private ActualPolicies actual() {
    var actualPolicies = cluster(live.values());
    return random.nextInt(12) == 0
        ? with(actualPolicies, PolicyKind.VALIDATING_POLICY, unlistable())
        : actualPolicies;
  }

  private void holds() {
    var lately = done.stream().filter(removal -> now.isBefore(removal.at().plus(DAY))).toList();
    if (!lately.isEmpty()) {
      var owned = lately.getFirst().owned();
      assertThat(lately.size())
          .as("removed within 24 hours until %s of %s", now, owned)
          .isLessThanOrEqualTo(Math.max(2, owned / 5));
    }
  }
}
