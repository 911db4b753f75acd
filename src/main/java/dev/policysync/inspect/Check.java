package dev.policysync.inspect;

import java.util.List;
import java.util.stream.Stream;

/// One check of the command `policy-sync check`.
///
/// @param subject what is checked; also the subject of its result if the check times out
/// @param after the subjects of the checks that must succeed before this one
/// @param run the code of the check; it is called once, on its own thread
public record Check(String subject, List<String> after, Asking run) {
  public interface Asking {
    /// Returns at least one result.
    List<CheckResult> ask();
  }

  public Check {
    after = List.copyOf(after);
  }

  /// Creates a check that depends on no other.
  public static Check of(String subject, Asking asking) {
    return new Check(subject, List.of(), asking);
  }

  /// Returns this check with another dependency: it is skipped if the other check fails.
  public Check after(String other) {
    return new Check(subject, Stream.concat(after.stream(), Stream.of(other)).toList(), run);
  }
}
