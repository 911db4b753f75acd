package dev.policysync.remote.cluster;

import dev.policysync.sync.execution.TimeBudget;
import java.io.IOException;

/// Gets the credentials that requests are sent with, where that takes longer than a request may: a
/// plugin may ask a person to log in.
@FunctionalInterface
public interface CredentialSource {
  /// Credentials that are known from the start.
  CredentialSource IMMEDIATE = _ -> {};

  /// Waits until there are credentials that have not expired.
  ///
  /// @throws IOException if there are none to be had; the run goes on as nobody else
  void await(TimeBudget timeBudget) throws IOException;
}
