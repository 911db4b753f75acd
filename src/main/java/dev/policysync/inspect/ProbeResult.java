package dev.policysync.inspect;

/// What came of a request to the API server.
public sealed interface ProbeResult<T> {
  /// It answered.
  record Got<T>(T value) implements ProbeResult<T> {}

  /// There is no such object.
  record Absent<T>() implements ProbeResult<T> {}

  /// We may not ask.
  ///
  /// @param reason what was asked, and the permission to add
  record Forbidden<T>(String reason) implements ProbeResult<T> {}

  /// No answer, or one that says nothing.
  ///
  /// @param reason what was asked, what came back, and what to do
  record Failed<T>(String reason) implements ProbeResult<T> {}
}
