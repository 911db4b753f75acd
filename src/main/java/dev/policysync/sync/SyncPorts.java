package dev.policysync.sync;

import dev.policysync.policy.feed.PolicySource;
import dev.policysync.sync.analysis.ExecutionSource;
import dev.policysync.sync.analysis.PolicyLinter;
import dev.policysync.sync.analysis.ViolationSource;
import dev.policysync.sync.execution.PolicyStore;
import dev.policysync.sync.succession.Conversions;
import java.util.Optional;

/// The connections of a run to other systems.
///
/// @param statuses sends the status of each policy; empty if the policies come from files
/// @param events publishes Events
/// @param linter checks new and changed policies
/// @param violations reads which workloads currently violate a policy
/// @param execution reads whether Kyverno executes policies
/// @param conversions what to do about policies that Kyverno 1.20 no longer executes
public record SyncPorts(
    PolicySource source,
    PolicyStore store,
    SyncLock lock,
    RunStateStore runState,
    Optional<StatusSink> statuses,
    EventSink events,
    PolicyLinter linter,
    ViolationSource violations,
    ExecutionSource execution,
    Conversions conversions) {
  public SyncPorts(
      PolicySource source,
      PolicyStore store,
      SyncLock lock,
      RunStateStore memory,
      Optional<StatusSink> statuses,
      EventSink events) {
    this(
        source,
        store,
        lock,
        memory,
        statuses,
        events,
        PolicyLinter.NONE,
        ViolationSource.UNKNOWN,
        ExecutionSource.UNKNOWN,
        new Conversions.Off());
  }
}
