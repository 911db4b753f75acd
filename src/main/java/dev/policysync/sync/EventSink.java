package dev.policysync.sync;

import java.util.List;
import java.util.Optional;

/// Writes what happened to policies as Events of the cluster.
public interface EventSink {
  /// Writes no Events.
  EventSink NONE = _ -> Optional.empty();

  /// Writes the Events as far as that is possible; never throws.
  ///
  /// @return why some were not written, if so
  Optional<String> publish(List<PolicyEvent> events);
}
