package dev.policysync.inspect;

import java.util.List;
import java.util.Optional;

/// One check of the command `policy-sync check`.
///
/// @param subject what is checked; also the subject of its result if the check times out
/// @param after the subject of the check that must succeed before this one, if any
/// @param run the code of the check; it is called once, on its own thread
public record Check(String subject, Optional<String> after, Asking run) {
  public interface Asking {
    /// Returns at least one result.
    List<CheckResult> ask();
  }

  /// Creates a check that depends on no other.
  public static Check of(String subject, Asking asking) {
    return new Check(subject, Optional.empty(), asking);
  }

  /// Returns this check with a dependency: it is skipped if the other check fails.
  public Check after(String other) {
    return new Check(subject, Optional.of(other), run);
  }
}
