package dev.policysync.plan;

import dev.policysync.plan.managedfields.FieldOwnership;
import dev.policysync.plan.managedfields.OwnershipRecord;
import dev.policysync.policy.PolicyId;
import java.util.Map;
import java.util.Optional;

/// A policy in the cluster, by its metadata alone: everything the planner judges by.
///
/// @param generation counts the changes of what it says, metadata and status aside
/// @param controlled whether it has an ownerReference: another object made it and answers for it
/// @param terminating whether its removal was asked for already and waits for a finalizer
/// @param annotations those by which it is judged, see
///   [dev.policysync.policy.OwnershipAnnotations#ON_POLICIES]
/// @param record its managed fields, not looked into yet; empty where it carries no mark of ours,
///   since nobody asks then
/// @param liveStatus what else the API server tells of it
/// @param content what its labels and annotations say of its content, see
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
  /// One of which nothing else is told.
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

  /// Who owns what of it; read anew each time.
  public FieldOwnership ownership() {
    return record.read();
  }

  /// An annotation's value.
  public Optional<String> annotation(String name) {
    return Optional.ofNullable(annotations.get(name));
  }
}
