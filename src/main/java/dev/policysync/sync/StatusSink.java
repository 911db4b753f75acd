package dev.policysync.sync;

import java.util.List;
import java.util.function.Supplier;

/// Whom to tell how each changed or failed policy fared: the remote API. Nothing of it ever throws:
/// a status that could not be sent must not change what is done to the cluster.
public interface StatusSink {
  /// Nobody wants to know.
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

  /// Begins to tell it how one run went.
  ///
  /// @param atMost how many statuses there may be
  Transmission begin(int atMost);

  /// The statuses of one run on their way.
  interface Transmission {
    /// Hands one over, and does not wait for it. May be called by several threads at once.
    ///
    /// @param body the manifest as it was applied, or as much of it as names the removed object;
    ///   made when the status is sent
    void send(PolicyStatus status, Supplier<String> body);

    /// Waits for those that are still on their way; no other one follows.
    ///
    /// @return those that were not taken, in the order in which they were handed over
    List<PolicyStatus> end();
  }
}
