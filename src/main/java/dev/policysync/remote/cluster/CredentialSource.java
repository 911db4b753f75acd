package dev.policysync.remote.cluster;

import dev.policysync.sync.execution.TimeBudget;
import java.io.IOException;

/// Gets the credentials for requests, if that may take longer than a request may: a plugin may ask
/// the user to log in.
@FunctionalInterface
interface CredentialSource {
  CredentialSource IMMEDIATE = _ -> {};

  /// Waits until there are valid credentials.
  ///
  /// @throws IOException if there are none; no request is sent without them
  void await(TimeBudget timeBudget) throws IOException;
}
