package dev.policysync.plan.managedfields;

/// One entry of `metadata.managedFields`: which fields one manager set by one way of writing.
///
/// @param manager who: `kyverno-policy-sync`, `kubectl-edit`
/// @param operation `Apply` for server-side apply, `Update` for everything else
/// @param apiVersion at which version: `kyverno.io/v1`
/// @param subresource `status` where that was written, else empty
/// @param fields which fields
public record ManagedFields(
    String manager, String operation, String apiVersion, String subresource, FieldSet fields) {
  /// The object itself is no field: an entry that names it would read as owning everything.
  public ManagedFields {
    fields = new FieldSet(false, fields.children());
  }

  /// Whether it is the entry that an apply of that manager makes.
  boolean appliedBy(String name) {
    return manager.equals(name) && operation.equals("Apply") && subresource.isEmpty();
  }

  /// Whether both are what one manager set by one way of writing, at one version.
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
