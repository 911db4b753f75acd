package dev.policysync.cluster.policy;

import dev.policysync.json.Value;
import dev.policysync.managedfields.FieldOwnership;
import dev.policysync.plan.live.LiveStatus;
import dev.policysync.plan.live.LiveStatus.Pause;
import dev.policysync.plan.live.LiveStatus.Readiness;
import dev.policysync.plan.ownership.OwnershipAnnotations;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads from an object's metadata since when it is in a state that should not last. Most objects
/// are in none, and share one answer.
final class LiveStatusReader {
  private static final String PAUSED_FIELD = "f:" + OwnershipAnnotations.RECONCILE;

  private LiveStatusReader() {}

  /// @param readiness what the API server's table says of it
  /// @param annotations those of it by which it is judged
  static LiveStatus of(
      Readiness readiness, Value.Mapping metadata, Map<String, String> annotations) {
    var deleted = time(metadata, "deletionTimestamp");
    var paused =
        OwnershipAnnotations.DISABLED.equals(annotations.get(OwnershipAnnotations.RECONCILE));
    if (readiness != Readiness.NOT_READY && deleted.isEmpty() && !paused) {
      return readiness == Readiness.READY ? LiveStatus.READY : LiveStatus.NONE;
    }
    var entries = metadata.mappings("managedFields");
    return new LiveStatus(
        readiness,
        readiness == Readiness.NOT_READY ? applied(entries, metadata) : Optional.empty(),
        deleted,
        paused ? Optional.of(pause(entries)) : Optional.empty());
  }

  /// What another agent applied with kubectl has no entry of ours; it is as old as the object.
  private static Optional<Instant> applied(List<Value.Mapping> entries, Value.Mapping metadata) {
    return entries.stream()
        .filter(entry -> entry.text("manager").orElse("").equals(FieldOwnership.MANAGER))
        .filter(entry -> entry.text("subresource").orElse("").isEmpty())
        .map(entry -> time(entry, "time"))
        .flatMap(Optional::stream)
        .max(Instant::compareTo)
        .or(() -> time(metadata, "creationTimestamp"));
  }

  private static Pause pause(List<Value.Mapping> entries) {
    return entries.stream()
        .filter(LiveStatusReader::ownsPause)
        .findFirst()
        .map(entry -> new Pause(entry.text("manager"), time(entry, "time")))
        .orElseGet(() -> new Pause(Optional.empty(), Optional.empty()));
  }

  /// An entry's fields are a tree, or were left as its text.
  private static boolean ownsPause(Value.Mapping entry) {
    return entry
            .mapping(FieldsV1.FIELDS)
            .mapping("f:metadata")
            .mapping("f:annotations")
            .field(PAUSED_FIELD)
            .isPresent()
        || entry.text(FieldsV1.FIELDS).orElse("").contains('"' + PAUSED_FIELD + '"');
  }

  private static Optional<Instant> time(Value.Mapping fields, String name) {
    try {
      return fields.text(name).map(Instant::parse);
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }
}
