package dev.policysync.sync;

import java.util.List;
import java.util.function.Supplier;

/// Sends the statuses of changed or failed policies to the remote API. No method throws: a failure
/// to send must not change what is done to the cluster.
public interface StatusSink {
  StatusSink NONE =
      _ ->
          new Transmission() {
            @Override
            public void send(PolicyStatus status, Supplier<String> body) {}

            @Override
            public List<PolicyStatus> end() {
              return List.of();
            }
          };

  /// Begins the statuses of one run.
  ///
  /// @param atMost the maximum number of statuses
  Transmission begin(int atMost);

  interface Transmission {
    /// Queues a status without waiting for it. May be called by several threads at once.
    ///
    /// @param body the manifest as it was applied, or the identity of a removed object; created
    ///   when the status is sent
    void send(PolicyStatus status, Supplier<String> body);

    /// Waits for the statuses that are still being sent. No status may be queued afterwards.
    ///
    /// @return the statuses that the API did not accept, in the order of [#send]
    List<PolicyStatus> end();
  }
}
