package dev.policysync.check;

import java.time.Duration;

/// How far our clock is from another one that tells whole seconds.
final class Skew {
  private Skew() {}

  /// @param whose `the API server's`
  /// @param most from where on someone should look
  static Answer judge(String subject, String whose, Duration ahead, Duration most, String fix) {
    var seconds = Math.round(ahead.abs().toMillis() / 1000.0);
    var found =
        seconds <= 1
            ? "our clock agrees with " + whose
            : "our clock is "
                + seconds
                + " s "
                + (ahead.isNegative() ? "behind " : "ahead of ")
                + whose;
    return ahead.abs().compareTo(most) > 0
        ? Answer.warning(subject, found, fix)
        : Answer.ok(subject, found);
  }
}
