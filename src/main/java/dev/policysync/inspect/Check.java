package dev.policysync.inspect;

import java.util.List;
import java.util.Optional;

/// Something to be asked.
///
/// @param subject what it is about, and what its answer says where there is none in time
/// @param after the subject of a question that must not fail, or this one makes no sense
/// @param asking asks; it is called once, on a thread of its own
public record Check(String subject, Optional<String> after, Asking asking) {
  /// Asks and judges.
  public interface Asking {
    /// One answer at least.
    List<CheckResult> ask();
  }

  /// One that stands alone.
  public static Check of(String subject, Asking asking) {
    return new Check(subject, Optional.empty(), asking);
  }

  /// The same, if that other one did not fail.
  public Check after(String other) {
    return new Check(subject, Optional.of(other), asking);
  }
}
