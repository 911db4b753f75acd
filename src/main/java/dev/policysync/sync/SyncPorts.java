package dev.policysync.sync;

import dev.policysync.policy.feed.PolicySource;
import dev.policysync.sync.analysis.ExecutionSource;
import dev.policysync.sync.analysis.PolicyLinter;
import dev.policysync.sync.analysis.ViolationSource;
import dev.policysync.sync.execution.PolicyStore;
import dev.policysync.sync.succession.Conversions;
import java.util.Optional;

/// Everything outside that a run speaks to.
///
/// @param statuses whom to tell how each policy fared; nobody where the policies come from files
/// @param events whom to tell what happened in words
/// @param linter whom to ask about new and changed policies
/// @param violations whom to ask who breaks a policy now
/// @param execution whom to ask if policies are executed
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
  /// Nobody is asked about policies, about who breaks them, or what becomes of them.
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
