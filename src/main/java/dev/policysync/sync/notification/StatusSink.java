package dev.policysync.sync.notification;

import dev.policysync.sync.state.PolicyStatus;
import java.util.List;

/// Whom to tell how each changed or failed policy fared: the remote API.
public interface StatusSink {
  /// Sends them and answers with those that were not taken, in the same order. Never throws: a
  /// status that could not be sent must not change what was done to the cluster.
  List<PolicyStatus> send(List<PolicyStatus> statuses);
}
