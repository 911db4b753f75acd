package dev.policysync.plan;

/// One object in one state: the preconditions of a write.
///
/// @param uid `metadata.uid`; a re-created object has another
/// @param resourceVersion `metadata.resourceVersion`; changes with every write
public record ObjectVersion(String uid, String resourceVersion) {}
