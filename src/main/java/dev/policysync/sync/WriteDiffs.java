package dev.policysync.sync;

import dev.policysync.base.Value;
import dev.policysync.plan.Action;
import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.PolicyDiff;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.PolicyStore;
import dev.policysync.sync.execution.WriteMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// A store for a dry run that also records what each write would change, field by field. The API
/// server and its webhooks evaluate each write only once, for the outcome and for the changes, and
/// an object that was read to evaluate the impact of a write is not read again.
final class WriteDiffs implements PolicyStore {
  private final PolicyStore store;
  private final Map<PolicyId, Value.Mapping> read = new ConcurrentHashMap<>();
  private final Map<PolicyId, PolicyDiff> diffs = new ConcurrentHashMap<>();

  WriteDiffs(PolicyStore store) {
    this.store = store;
  }

  Map<PolicyId, PolicyDiff> of(List<Outcome> outcomes) {
    var changes = new LinkedHashMap<PolicyId, PolicyDiff>();
    for (var outcome : outcomes) {
      var diff = diffs.get(outcome.action().id());
      if (outcome instanceof Outcome.Done(Action.Write write, _) && diff != null) {
        changes.put(write.id(), diff);
      }
    }
    return changes;
  }

  @Override
  public Written apply(Action.Write write, WriteMode writeMode) {
    if (writeMode == WriteMode.LIVE) {
      return store.apply(write, writeMode);
    }
    var dryRun = store.dryRun(write, Optional.ofNullable(read.remove(write.id())));
    dryRun
        .preview()
        .ifPresent(it -> diffs.put(write.id(), PolicyDiff.between(it.before(), it.after())));
    return dryRun.written();
  }

  /// Reads the object and keeps it without its managed fields, which make up half of its size and
  /// are not compared.
  @Override
  public Optional<Value.Mapping> read(PolicyId id) {
    var found = store.read(id);
    found.ifPresent(object -> {
      var metadata = object.mapping("metadata").without("managedFields");
      read.put(id, object.with("metadata", metadata));
    });
    return found;
  }

  @Override
  public ActualPolicies list() {
    return store.list();
  }

  @Override
  public Optional<LivePolicy> find(PolicyId id) {
    return store.find(id);
  }

  @Override
  public Written remove(Action.Remove removal, WriteMode writeMode) {
    return store.remove(removal, writeMode);
  }

  @Override
  public Preview preview(Action.Write write) {
    return store.preview(write);
  }
}
