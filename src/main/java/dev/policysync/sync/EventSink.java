package dev.policysync.sync;

import java.util.List;
import java.util.Optional;

/// Publishes what happened to policies as Events in the cluster.
public interface EventSink {
  EventSink NONE = _ -> Optional.empty();

  /// Publishes as many Events as possible; never throws.
  ///
  /// @return why some Events could not be published, if any
  Optional<String> publish(List<PolicyEvent> events);
}
