package dev.policysync.plan;

import dev.policysync.plan.managedfields.FieldOwnership;
import dev.policysync.plan.managedfields.OwnershipRecord;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.PolicyId;
import java.util.Map;
import java.util.Optional;

/// A policy in the cluster, described by its metadata alone: everything that the planner needs.
///
/// @param generation increases with each change of the content, not of metadata and status
/// @param controlled whether the policy has an ownerReference: another object created it and
///   manages it
/// @param terminating whether the policy is being deleted and waits for a finalizer
/// @param annotations the annotations that the planner needs, see
///   [dev.policysync.policy.OwnershipAnnotations#ON_POLICIES]
/// @param record the managed fields, not parsed yet; empty if the policy has no owned-by
///   annotation, because they are not needed then
/// @param liveStatus other facts from the API server
/// @param content the labels and annotations that are part of the content, see
///   [dev.policysync.policy.OwnershipAnnotations#content]
public record LivePolicy(
    PolicyId id,
    ObjectVersion objectVersion,
    long generation,
    boolean controlled,
    boolean terminating,
    Map<String, String> annotations,
    OwnershipRecord record,
    LiveStatus liveStatus,
    String content) {
  /// Creates a policy without status and content.
  public LivePolicy(
      PolicyId id,
      ObjectVersion objectVersion,
      long generation,
      boolean controlled,
      boolean terminating,
      Map<String, String> annotations,
      OwnershipRecord record) {
    this(
        id,
        objectVersion,
        generation,
        controlled,
        terminating,
        annotations,
        record,
        LiveStatus.NONE,
        "");
  }

  public LivePolicy {
    annotations = Map.copyOf(annotations);
  }

  /// Returns which manager owns which fields; parsed anew at each call.
  public FieldOwnership ownership() {
    return record.read();
  }

  public Optional<String> annotation(String name) {
    return Optional.ofNullable(annotations.get(name));
  }

  /// Returns whether Kyverno may execute the policy, as far as a list shows.
  public boolean isReady() {
    return !liveStatus.readiness().isMissing() && !terminating;
  }

  /// Returns whether we, or an agent of another source, signed this very object: a copy has the
  /// original's signature.
  boolean isSigned() {
    return annotation(OwnershipAnnotations.APPLIED)
        .filter(signature -> signature.startsWith(id.key() + "@"))
        .isPresent();
  }
}
