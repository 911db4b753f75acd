package dev.policysync.policy.feed;

import dev.policysync.policy.Manifest;
import java.util.List;

/// Where the expected policies come from: the remote API, files, or standard input.
public interface PolicySource {
  /// Reads everything there is, complete or not at all. A run that writes reads again under the
  /// Lease, so what can be read only once has to be remembered.
  ///
  /// @throws FeedProblem if what came back cannot be trusted; nothing may be written then
  List<Manifest> read();
}
