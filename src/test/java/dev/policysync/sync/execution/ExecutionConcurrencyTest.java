package dev.policysync.sync.execution;

import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.desired;
import static dev.policysync.plan.PlanFixtures.version;
import static dev.policysync.policy.PolicyFixtures.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.policysync.plan.Action;
import dev.policysync.plan.Failure;
import dev.policysync.plan.PlanDraft;
import dev.policysync.plan.PolicyDecider;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Who writes at the same time as whom (promise 6).
class ExecutionConcurrencyTest {
  private final ScriptedPolicyStore store = new ScriptedPolicyStore();

  @Test
  void beginsAStageOnlyWhenTheOneBeforeHasEnded() {
    var events = Collections.synchronizedList(new ArrayList<String>());
    var stages =
        List.of(
            PolicyKind.GLOBAL_CONTEXT_ENTRY,
            PolicyKind.CLUSTER_POLICY,
            PolicyKind.VALIDATING_ADMISSION_POLICY_BINDING);
    var bothIn = new Meetings(2);
    store.during(action -> {
      var stage = action.id().kind().role() + action.getClass().getSimpleName();
      events.add("begin " + stage);
      bothIn.meet(stage);
      events.add("end " + stage);
    });
    var actions = new ArrayList<Action>();
    for (var kind : stages) {
      actions.add(create(kind, "a"));
      actions.add(create(kind, "b"));
    }
    for (var kind : stages) {
      actions.add(remove(kind, "y"));
      actions.add(remove(kind, "z"));
    }

    run(4, actions);

    var expected = new ArrayList<String>();
    for (var stage :
        List.of(
            "CONTEXTCreate",
            "POLICYCreate",
            "BINDINGCreate",
            "BINDINGRemove",
            "POLICYRemove",
            "CONTEXTRemove")) {
      expected.addAll(List.of("begin " + stage, "begin " + stage, "end " + stage, "end " + stage));
    }
    assertThat(events).containsExactlyElementsOf(expected);
  }

  @Test
  void writesAsManyAtATimeAsItMayAndNoMore() {
    var threads = ConcurrentHashMap.<Thread>newKeySet();
    var threeIn = new CountDownLatch(3);
    store.during(_ -> {
      threads.add(Thread.currentThread());
      threeIn.countDown();
      await(threeIn);
    });
    var actions = new ArrayList<Action>();
    for (var name : List.of("a", "b", "c", "d", "e", "f", "g", "h")) {
      actions.add(create(PolicyKind.CLUSTER_POLICY, name));
    }

    var outcomes = run(3, actions);

    assertThat(outcomes).hasSize(8);
    assertThat(threads).hasSize(3);
  }

  @Test
  void takesWritesThatBreakOffTogetherForOneFailureOfTheServer() {
    var broken = List.of("a", "b", "c", "d");
    var allUnderWay = new CountDownLatch(broken.size());
    var lastEnded = new CountDownLatch(1);
    store.during(action -> {
      var name = action.id().name();
      if (broken.contains(name)) {
        allUnderWay.countDown();
        await(allUnderWay);
        throw new ClusterUnavailable(
            new Failure(Failure.Cause.UNREACHABLE, "the connection was interrupted"));
      }
      // So that no success comes between the failures and the last write.
      if (!name.equals("h")) {
        await(lastEnded);
      }
    });
    var actions = new ArrayList<Action>();
    for (var name : List.of("a", "b", "c", "d", "e", "f", "g", "h")) {
      actions.add(create(PolicyKind.CLUSTER_POLICY, name));
    }

    var outcomes =
        run(
            4,
            actions,
            name -> {
              if (name.equals("h")) {
                lastEnded.countDown();
              }
            });

    assertThat(outcomes.subList(0, 4)).allMatch(Outcome.Failed.class::isInstance);
    assertThat(outcomes.subList(4, 8)).allMatch(Outcome.Done.class::isInstance);
  }

  @Test
  void answersInTheOrderOfThePlanWhoeverEndsFirst() {
    var secondEnded = new CountDownLatch(1);
    store.during(action -> {
      if (action.id().name().equals("a")) {
        await(secondEnded);
      } else {
        secondEnded.countDown();
      }
    });

    var outcomes =
        run(
            2,
            List.of(
                create(PolicyKind.CLUSTER_POLICY, "a"), create(PolicyKind.CLUSTER_POLICY, "b")));

    assertThat(outcomes)
        .extracting(outcome -> outcome.action().id().name())
        .containsExactly("a", "b");
  }

  /// Promise 14: what waits for the writes under way is told to end, and so are they.
  @Test
  void endsAtOnceWhenItIsInterrupted() {
    var never = new CountDownLatch(1);
    store.during(_ -> await(never));
    Thread.currentThread().interrupt();

    assertThatIllegalStateException()
        .isThrownBy(() -> run(1, List.of(create(PolicyKind.CLUSTER_POLICY, "a"))))
        .withMessage("interrupted while waiting for a write");

    assertThat(Thread.interrupted()).as("the sign is passed on").isTrue();
  }

  private List<Outcome> run(int concurrency, List<Action> actions) {
    return run(concurrency, actions, _ -> {});
  }

  /// @param ended gets the name of each policy when it is done with
  private List<Outcome> run(int concurrency, List<Action> actions, Consumer<String> ended) {
    var plan = new PlanDraft().actions(actions).plan();
    var progress =
        new Progress() {
          @Override
          public void step(String what) {}

          @Override
          public void finished(Outcome outcome, int done, int of) {
            ended.accept(outcome.action().id().name());
          }
        };
    return new Execution(
            store,
            new PolicyDecider(RULES),
            WriteMode.LIVE,
            concurrency,
            new FakeStrictnessCheck(),
            _ -> true,
            progress)
        .run(plan, FailureHistory.NONE, Optional::empty, _ -> {});
  }

  private static Action create(PolicyKind kind, String name) {
    return new Action.Create(desired(policy(PolicyId.of(kind, name))));
  }

  private static Action remove(PolicyKind kind, String name) {
    var id = PolicyId.of(kind, name);
    return new Action.Remove(id, version(id), Set.of());
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(3, TimeUnit.MINUTES)) {
        throw new IllegalStateException("the others never came: " + latch);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /// Lets nobody go on before so many have come to the same place.
  private static final class Meetings {
    private final int size;
    private final Map<String, CountDownLatch> places = new ConcurrentHashMap<>();

    Meetings(int size) {
      this.size = size;
    }

    void meet(String place) {
      var latch = places.computeIfAbsent(place, _ -> new CountDownLatch(size));
      latch.countDown();
      await(latch);
    }
  }
}
