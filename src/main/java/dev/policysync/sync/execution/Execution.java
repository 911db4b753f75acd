package dev.policysync.sync.execution;

import dev.policysync.base.Parallel;
import dev.policysync.plan.Action;
import dev.policysync.plan.ActionOrder;
import dev.policysync.plan.Approval;
import dev.policysync.plan.Plan;
import dev.policysync.plan.PolicyDecider;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Executes a plan: stage after stage, with the policies of a stage written concurrently, and
/// removals last and only if no temporary failure came before (promise 5).
///
/// @param concurrency the number of policies that are written at the same time
/// @param strictnessCheck evaluates a write that differs from the plan, or needs a shield
/// @param approvals uses up an approval and returns whether it still existed; not called in a dry
///   run
public record Execution(
    PolicyStore store,
    PolicyDecider policyDecider,
    WriteMode writeMode,
    int concurrency,
    StrictnessCheck strictnessCheck,
    Predicate<Approval> approvals,
    Progress progress) {

  /// Executes the plan; the outcomes are in the order of its actions.
  ///
  /// @param lasting failures that removals no longer wait for
  /// @param stop called before every write
  /// @param ended receives the outcome of each action, once for each and from several threads at
  ///   once
  public List<Outcome> run(
      Plan plan,
      FailureHistory lasting,
      Supplier<Optional<StopReason>> stop,
      Consumer<Outcome> ended) {
    var earlier = EarlierOutcomes.none(plan, lasting);
    if (plan.actions().isEmpty()) {
      return earlier.outcomes();
    }
    Predicate<Approval> use = writeMode == WriteMode.DRY_RUN ? _ -> true : approvals;
    var attempt =
        new ActionAttempt(plan, store, policyDecider, writeMode, strictnessCheck, stop, use);
    var finished = new AtomicInteger();
    try (var threads = Parallel.threads(Math.min(concurrency, plan.actions().size()))) {
      for (var stage : stages(plan).values()) {
        var before = earlier;
        var pending = new ArrayList<Future<Outcome>>();
        for (var action : stage) {
          Callable<Outcome> task =
              () -> {
                var outcome = attempt.of(action, before);
                ended.accept(outcome);
                progress.finished(outcome, finished.incrementAndGet(), plan.actions().size());
                return outcome;
              };
          pending.add(threads.submit(task));
        }
        earlier =
            earlier.plusStage(
                pending.stream()
                    .map(work -> Parallel.result(work, "waiting for a write"))
                    .toList());
      }
    }
    return earlier.outcomes();
  }

  private static Map<Integer, List<Action>> stages(Plan plan) {
    var stages = new LinkedHashMap<Integer, List<Action>>();
    for (var action : plan.actions()) {
      stages.computeIfAbsent(ActionOrder.stage(action), _ -> new ArrayList<>()).add(action);
    }
    return stages;
  }
}
