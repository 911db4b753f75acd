package dev.policysync.plan.managedfields;

import dev.policysync.base.Value;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/// Reads times from an object's metadata, by the API server's clock.
public final class WriteTime {
  private WriteTime() {}

  /// Returns when our fields of the object last changed. A policy that was applied with kubectl has
  /// no entry of ours; the creation time of the object counts then.
  ///
  /// @param metadata the metadata of the object
  public static Optional<Instant> ofOurs(Value.Mapping metadata) {
    return metadata.mappings("managedFields").stream()
        .filter(entry -> entry.text("manager").orElse("").equals(FieldOwnership.MANAGER))
        .filter(entry -> entry.text("subresource").orElse("").isEmpty())
        .map(entry -> in(entry, "time"))
        .flatMap(Optional::stream)
        .max(Instant::compareTo)
        .or(() -> in(metadata, "creationTimestamp"));
  }

  public static Optional<Instant> in(Value.Mapping fields, String name) {
    try {
      return fields.text(name).map(Instant::parse);
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }
}
