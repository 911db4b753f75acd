package dev.policysync.plan;

/// One object in one state: the preconditions of a write.
///
/// @param uid `metadata.uid`; an object that was created again has another uid
/// @param resourceVersion `metadata.resourceVersion`; changes with every write
public record ObjectVersion(String uid, String resourceVersion) {}
