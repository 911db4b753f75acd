package dev.policysync.inspect;

/// The result of a request to the API server.
public sealed interface ProbeResult<T> {
  record Got<T>(T value) implements ProbeResult<T> {}

  /// The object does not exist.
  record Absent<T>() implements ProbeResult<T> {}

  /// The permission is missing.
  ///
  /// @param reason what was requested, and the permission to add
  record Forbidden<T>(String reason) implements ProbeResult<T> {}

  /// There was no response, or an unusable one.
  ///
  /// @param reason what was requested, what the response was and what to do
  record Failed<T>(String reason) implements ProbeResult<T> {}
}
