package dev.policysync.sync.execution;

import dev.policysync.base.Value;
import dev.policysync.plan.Action;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Listing;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.SortedMap;
import java.util.function.Consumer;

/// A cluster's policies, some of whose answers a test decides: in memory, or on an API server.
public interface DisturbedStore extends PolicyStore, OtherWriters {
  /// Every object, less what the server keeps for itself.
  SortedMap<PolicyId, Value.Mapping> contents();

  /// Refuses every apply and removal of that policy from now on.
  void refuse(PolicyId id, Failure failure);

  /// Refuses nothing of that policy any more.
  void allow(PolicyId id);

  /// Makes a kind's listing something other than its objects.
  void list(PolicyKind kind, Listing listing);

  /// Makes a kind's listing its objects again.
  void list(PolicyKind kind);

  /// Lets something happen between a judgement and the write that follows from it.
  void beforeEachWrite(Consumer<Action> happens);
}
