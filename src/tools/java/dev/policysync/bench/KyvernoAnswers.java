package dev.policysync.bench;

import dev.policysync.testcluster.RawApi;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Pattern;

/// What Kyverno's webhook for policies answered, as the API server counted it since it started.
///
/// @param taken policies, dry runs among them
/// @param refused policies
/// @param seconds that all these answers took
record KyvernoAnswers(long taken, long refused, double seconds) {
  private static final Pattern METRIC =
      Pattern.compile(
          "(?m)^apiserver_admission_webhook_admission_duration_seconds_(sum|count)\\{"
              + "name=\"validate-policy\\.kyverno\\.svc\",[^}]*rejected=\"(true|false)\"[^}]*} (\\S+)$");

  /// As of now.
  static KyvernoAnswers soFar(RawApi admin) {
    return in(admin.text("/metrics"));
  }

  /// @param metrics in the text format of Prometheus
  static KyvernoAnswers in(String metrics) {
    var taken = 0L;
    var refused = 0L;
    var seconds = 0.0;
    var found = METRIC.matcher(metrics);
    while (found.find()) {
      var value = Double.parseDouble(found.group(3));
      if (found.group(1).equals("sum")) {
        seconds += value;
      } else if (found.group(2).equals("true")) {
        refused += (long) value;
      } else {
        taken += (long) value;
      }
    }
    return new KyvernoAnswers(taken, refused, seconds);
  }

  /// What was answered in between.
  KyvernoAnswers since(KyvernoAnswers before) {
    return new KyvernoAnswers(
        taken - before.taken, refused - before.refused, seconds - before.seconds);
  }

  /// All of it, one after the other.
  Duration time() {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }

  /// `Kyverno took 300 policies and refused 0, in 95 ms each`.
  String text() {
    var all = taken + refused;
    return all == 0
        ? "Kyverno was not asked"
        : String.format(
            Locale.ROOT,
            "Kyverno took %d policies and refused %d, in %.0f ms each",
            taken,
            refused,
            seconds / all * 1000);
  }
}
