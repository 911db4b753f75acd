package dev.policysync.plan.managedfields;

/// One entry of `metadata.managedFields`: the fields that one manager set by one way of writing.
///
/// @param manager the field manager: `kyverno-policy-sync`, `kubectl-edit`
/// @param operation `Apply` for server-side apply, `Update` for everything else
/// @param apiVersion the version of the write: `kyverno.io/v1`
/// @param subresource `status` for a write of the status, else empty
/// @param fields the owned fields
public record ManagedFields(
    String manager, String operation, String apiVersion, String subresource, FieldSet fields) {
  /// Drops the path of the object itself, which is not a field: an entry with that path would mean
  /// that everything is owned.
  public ManagedFields {
    fields = new FieldSet(false, fields.children());
  }

  /// Returns whether this is the entry of a server-side apply by this manager.
  boolean appliedBy(String name) {
    return manager.equals(name) && operation.equals("Apply") && subresource.isEmpty();
  }

  /// Returns whether both entries have the same manager, operation, version and subresource.
  boolean writtenLike(ManagedFields other) {
    return withFields(FieldSet.NONE).equals(other.withFields(FieldSet.NONE));
  }

  ManagedFields withFields(FieldSet changed) {
    return new ManagedFields(manager, operation, apiVersion, subresource, changed);
  }

  ManagedFields at(String version) {
    return new ManagedFields(manager, operation, version, subresource, fields);
  }
}
