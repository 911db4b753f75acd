package dev.policysync.remote.cluster.policy;

import dev.policysync.base.Value;
import dev.policysync.plan.LiveStatus;
import dev.policysync.plan.LiveStatus.Pause;
import dev.policysync.plan.LiveStatus.Readiness;
import dev.policysync.plan.managedfields.WriteTime;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.PolicyDependency;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads from an object's metadata since when it has been in a temporary state. Most objects are in
/// no such state, and share one instance.
final class LiveStatusReader {
  private static final String PAUSED_FIELD = "f:" + OwnershipAnnotations.RECONCILE;

  private LiveStatusReader() {}

  /// @param readiness the readiness in the API server's table
  /// @param annotations the annotations of the object that decisions depend on
  static LiveStatus of(
      PolicyKind kind,
      Readiness readiness,
      Value.Mapping metadata,
      Map<String, String> annotations) {
    var deleted = WriteTime.in(metadata, "deletionTimestamp");
    var paused =
        OwnershipAnnotations.DISABLED.equals(annotations.get(OwnershipAnnotations.RECONCILE));
    var tellsTime = readiness.isMissing() || PolicyDependency.isShield(kind);
    if (!tellsTime && deleted.isEmpty() && !paused) {
      return readiness == Readiness.READY ? LiveStatus.READY : LiveStatus.NONE;
    }
    var entries = metadata.mappings("managedFields");
    return new LiveStatus(
        readiness,
        tellsTime ? WriteTime.ofOurs(metadata) : Optional.empty(),
        deleted,
        paused ? Optional.of(pause(entries)) : Optional.empty());
  }

  private static Pause pause(List<Value.Mapping> entries) {
    return entries.stream()
        .filter(LiveStatusReader::ownsPause)
        .findFirst()
        .map(entry -> new Pause(entry.text("manager"), WriteTime.in(entry, "time")))
        .orElseGet(() -> new Pause(Optional.empty(), Optional.empty()));
  }

  /// Returns whether an entry owns the annotation `policysync.dev/reconcile`. Its fields are a tree
  /// or text.
  private static boolean ownsPause(Value.Mapping entry) {
    return entry
            .mapping(FieldsV1.FIELDS)
            .mapping("f:metadata")
            .mapping("f:annotations")
            .field(PAUSED_FIELD)
            .isPresent()
        || entry.text(FieldsV1.FIELDS).orElse("").contains('"' + PAUSED_FIELD + '"');
  }
}
