package dev.policysync.plan;

import static dev.policysync.plan.PlanFixtures.applied;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.policy.PolicyId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// What holds for any feed and any cluster, in a thousand of them.
class PlannerPropertiesTest {
  private static final int WORLDS = 1_000;

  @Test
  void plansNothingOnceItsPlanWasCarriedOut() {
    forEachWorld(world -> {
      var plan = world.plan();

      var again =
          new Planner(world.rules())
              .plan(world.expected(), afterwards(world, plan), PlanContext.NONE);

      // What was created counts as owned, so a percentage may allow what it withheld before.
      var withheld = plan.pending().withheld().stream().map(Plan.Withheld::id).toList();
      assertThat(again.actions()).extracting(Action::id).isSubsetOf(withheld);
    });
  }

  @Test
  void plansTheSameInWhateverOrderItIsTold() {
    forEachWorld(world -> {
      var plan = world.plan();

      var shuffled =
          new Planner(world.rules())
              .plan(world.shuffledExpected(), world.shuffledActual(), PlanContext.NONE);

      assertThat(shuffled).isEqualTo(plan);
    });
  }

  @Test
  void plansTheSameWithWhatAnEarlierPlanKnows() {
    forEachWorld(world -> {
      var planner = new Planner(world.rules());
      var earlier = world.plan();
      for (var actualPolicies : List.of(world.actual(), afterwards(world, earlier))) {

        var plan =
            planner.plan(world.expected(), actualPolicies, PlanContext.NONE, earlier.actions());

        assertThat(plan)
            .isEqualTo(planner.plan(world.expected(), actualPolicies, PlanContext.NONE));
      }
    });
  }

  @Test
  void createsOnlyWhereNothingIs() {
    forEachWorld(world -> {
      var plan = world.plan();

      assertThat(plan.actions())
          .allSatisfy(action ->
              assertThat(world.byId().containsKey(action.id()))
                  .isEqualTo(!(action instanceof Action.Create)));
    });
  }

  @Test
  void touchesNothingThatIsNotItsOwn() {
    forEachWorld(world -> {
      var plan = world.plan();

      for (var action : plan.actions()) {
        var there = world.byId().get(action.id());
        if (there != null) {
          var ours =
              OwnershipVerdict.of(there, world.rules().source()) instanceof OwnershipVerdict.Ours;
          var adopted =
              world.rules().adoption() == Adoption.ALWAYS
                  && action instanceof Action.Update
                  && !there.controlled();
          assertThat(ours || adopted).as("%s of %s", action, there).isTrue();
          assertThat(there.terminating()).as("%s of %s", action, there).isFalse();
        }
      }
    });
  }

  @Test
  void removesNothingAfterABadFeedOrAListingThatFailed() {
    forEachWorld(world -> {
      var plan = world.plan();

      if (!world.expected().complete()
          || !plan.problems().unlistable().isEmpty()
          || world.expected().policies().isEmpty()) {
        assertThat(removals(plan)).isEmpty();
      }
    });
  }

  @Test
  void removesNothingThatIsExpected() {
    forEachWorld(world -> {
      var plan = world.plan();

      assertThat(removals(plan)).filteredOn(world.expectedIds()::contains).isEmpty();
    });
  }

  @Test
  void neverRemovesMoreThanTheBudget() {
    forEachWorld(world -> {
      var plan = world.plan();

      var owned =
          world.byId().values().stream()
              .filter(live ->
                  OwnershipVerdict.of(live, world.rules().source())
                      instanceof OwnershipVerdict.Ours)
              .count();
      assertThat(world.rules().removals().allows(removals(plan).size(), (int) owned)).isTrue();
    });
  }

  @Test
  void neverRemovesMoreThanTheBudgetOverADayOfShrinkingFeeds() {
    var mostRemoved = 0;
    for (long seed = 0; seed < 10; seed++) {
      mostRemoved = Math.max(mostRemoved, ShrinkingFeedSimulation.play(seed));
    }

    assertThat(mostRemoved).as("removals within the budget go on").isGreaterThan(10);
  }

  @Test
  void hasOneAnswerForEveryExpectedPolicy() {
    forEachWorld(world -> {
      var plan = world.plan();

      var answers = new ArrayList<PolicyId>(plan.unchanged());
      plan.actions().stream()
          .filter(Action.Write.class::isInstance)
          .forEach(action -> answers.add(action.id()));
      plan.problems().conflicts().forEach(conflict -> answers.add(conflict.id()));
      plan.problems().rejected().forEach(rejected -> rejected.id().ifPresent(answers::add));
      assertThat(answers).containsExactlyInAnyOrderElementsOf(world.expectedIds());
    });
  }

  @Test
  void meetsEveryKindOfAnswer() {
    var seen = new HashSet<String>();

    forEachWorld(world -> {
      var plan = world.plan();
      plan.actions().forEach(action -> seen.add(action.cause().toString()));
      plan.unchanged().forEach(_ -> seen.add("unchanged"));
      plan.problems()
          .rejected()
          .forEach(rejected -> seen.add(rejected.failure().cause().toString()));
      plan.problems().conflicts().forEach(_ -> seen.add("conflict"));
      plan.pending().withheld().forEach(withheld -> seen.add(withheld.guard().name()));
      plan.retained().kept().forEach(_ -> seen.add("kept"));
    });

    assertThat(seen)
        .containsExactlyInAnyOrder(
            "new",
            "changed",
            "drifted",
            "adopted",
            "gone from feed",
            "unchanged",
            "UNREADABLE",
            "KIND_ABSENT",
            "FORBIDDEN",
            "TERMINATING",
            "conflict",
            "EMPTY_FEED",
            "OVER_BUDGET",
            "FEED_INCOMPLETE",
            "CLUSTER_INCOMPLETE",
            "SUCCESSOR_STUCK",
            "kept");
  }

  private static void forEachWorld(Consumer<RandomWorld> property) {
    for (long seed = 0; seed < WORLDS; seed++) {
      try {
        property.accept(new RandomWorld(seed));
      } catch (AssertionError e) {
        throw new AssertionError("in the world of seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  private static ActualPolicies afterwards(RandomWorld world, Plan plan) {
    var live = new HashMap<>(world.byId());
    for (var action : plan.actions()) {
      switch (action) {
        case Action.Write write -> live.put(write.id(), applied(write.desired()));
        case Action.Remove removal -> live.remove(removal.id());
      }
    }
    return world.actual(live.values());
  }

  private static List<PolicyId> removals(Plan plan) {
    return plan.actions().stream().filter(Action.Remove.class::isInstance).map(Action::id).toList();
  }
}
