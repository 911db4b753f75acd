package dev.policysync.sync.notification;

import java.util.List;
import java.util.Optional;

/// Whom to tell what happened in words: the cluster's own events.
public interface EventSink {
  /// Nobody wants to know.
  EventSink NONE = _ -> Optional.empty();

  /// Tells them, as far as that is possible; never throws.
  ///
  /// @return why not all of them could be told, if so
  Optional<String> tell(List<PolicyEvent> events);
}
