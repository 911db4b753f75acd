package dev.policysync.plan.managedfields;

import dev.policysync.base.Value;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/// Times in an object's metadata, by the API server's clock.
public final class WriteTime {
  private WriteTime() {}

  /// When our fields of it changed last. What another agent applied with kubectl has no entry of
  /// ours; it is as old as the object.
  ///
  /// @param metadata of the object
  public static Optional<Instant> ofOurs(Value.Mapping metadata) {
    return metadata.mappings("managedFields").stream()
        .filter(entry -> entry.text("manager").orElse("").equals(FieldOwnership.MANAGER))
        .filter(entry -> entry.text("subresource").orElse("").isEmpty())
        .map(entry -> in(entry, "time"))
        .flatMap(Optional::stream)
        .max(Instant::compareTo)
        .or(() -> in(metadata, "creationTimestamp"));
  }

  /// The time in a field, if there is one.
  public static Optional<Instant> in(Value.Mapping fields, String name) {
    try {
      return fields.text(name).map(Instant::parse);
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }
}
