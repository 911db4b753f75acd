package dev.policysync.plan;

/// Which object, in which state: the preconditions of a write.
///
/// @param uid `metadata.uid`; a re-created object has another
/// @param resourceVersion `metadata.resourceVersion`; any write since gives another
public record ObjectVersion(String uid, String resourceVersion) {}
