package dev.policysync.inspect;

import java.time.Duration;

/// How far our clock is from another one that tells whole seconds.
final class ClockSkew {
  private ClockSkew() {}

  /// @param whose `the API server's`
  /// @param most from where on someone should look
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
