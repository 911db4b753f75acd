package dev.policysync.inspect;

import java.time.Duration;

/// Reports the difference between our clock and another one with a precision of one second.
final class ClockSkew {
  private ClockSkew() {}

  /// @param whose the owner of the other clock: `the API server's`
  /// @param most the largest difference without a warning
  static CheckResult judge(
      String subject, String whose, Duration ahead, Duration most, String fix) {
    var seconds = Math.round(ahead.abs().toMillis() / 1000.0);
    var found =
        seconds <= 1
            ? "the local clock agrees with " + whose
            : "the local clock is "
                + seconds
                + " s "
                + (ahead.isNegative() ? "behind " : "ahead of ")
                + whose;
    return ahead.abs().compareTo(most) > 0
        ? CheckResult.warning(subject, found, fix)
        : CheckResult.ok(subject, found);
  }
}
