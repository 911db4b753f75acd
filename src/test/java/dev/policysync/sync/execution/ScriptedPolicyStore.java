package dev.policysync.sync.execution;

import dev.policysync.base.Value;
import dev.policysync.plan.Action;
import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.Failure;
import dev.policysync.plan.LivePolicy;
import dev.policysync.policy.PolicyId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/// A store that answers writes as it was told to, with `Done` where it was told nothing, and
/// remembers them. It has no state that writes change.
public final class ScriptedPolicyStore implements PolicyStore {
  /// Every write in the order in which it began: `apply ClusterPolicy/a`, `remove Policy/shop/b at
  /// 7`, with `dry-run` before it where it was one.
  public final List<String> writes = Collections.synchronizedList(new ArrayList<>());

  private final Map<PolicyId, Deque<Written>> answers = new ConcurrentHashMap<>();
  private final Map<PolicyId, LivePolicy> live = new ConcurrentHashMap<>();
  private final Map<PolicyId, Failure> hidden = new ConcurrentHashMap<>();
  private final Deque<ActualPolicies> lists = new ArrayDeque<>();
  private Consumer<Action> during = _ -> {};
  private Function<PolicyId, Optional<Value.Mapping>> says = _ -> Optional.of(Value.Mapping.EMPTY);

  /// Lists that cluster; of several the last one for ever.
  public ScriptedPolicyStore listing(ActualPolicies... actual) {
    lists.addAll(List.of(actual));
    return this;
  }

  /// Answers writes of that policy so, one after the other.
  public ScriptedPolicyStore answering(PolicyId id, Written... written) {
    answers.put(id, new ArrayDeque<>(List.of(written)));
    return this;
  }

  /// Finds that policy when it is read again.
  ScriptedPolicyStore finding(LivePolicy policy) {
    live.put(policy.id(), policy);
    return this;
  }

  /// Cannot find that policy when it is read again, for that reason.
  ScriptedPolicyStore hiding(PolicyId id, Failure failure) {
    hidden.put(id, failure);
    return this;
  }

  /// Answers with that who reads a policy whole; if it was told nothing, with one that says nothing
  /// and so blocks nothing.
  public ScriptedPolicyStore saying(Function<PolicyId, Optional<Value.Mapping>> what) {
    says = what;
    return this;
  }

  /// Does that in the middle of each write.
  public ScriptedPolicyStore during(Consumer<Action> what) {
    during = what;
    return this;
  }

  @Override
  public ActualPolicies list() {
    return lists.size() > 1 ? lists.removeFirst() : lists.getFirst();
  }

  @Override
  public Optional<LivePolicy> find(PolicyId id) {
    var failure = hidden.get(id);
    if (failure != null) {
      throw new ClusterUnavailable(failure);
    }
    return Optional.ofNullable(live.get(id));
  }

  @Override
  public Written apply(Action.Write write, WriteMode writeMode) {
    var version = write.seen().map(seen -> " at " + seen.resourceVersion()).orElse("");
    return answer(write, writeMode, "apply " + write.id() + version);
  }

  @Override
  public Written remove(Action.Remove removal, WriteMode writeMode) {
    return answer(
        removal, writeMode, "remove " + removal.id() + " at " + removal.was().resourceVersion());
  }

  @Override
  public Optional<Value.Mapping> read(PolicyId id) {
    return says.apply(id);
  }

  @Override
  public Preview preview(Action.Write write) {
    return new Preview(Value.Mapping.EMPTY, write.desired().manifest());
  }

  private Written answer(Action action, WriteMode writeMode, String what) {
    writes.add(writeMode == WriteMode.DRY_RUN ? "dry-run " + what : what);
    during.accept(action);
    var scripted = answers.getOrDefault(action.id(), new ArrayDeque<>());
    return scripted.isEmpty() ? new Written.Done(List.of()) : scripted.removeFirst();
  }
}
