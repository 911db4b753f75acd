package dev.policysync.convert.podsecurity;

import dev.policysync.base.Value;
import dev.policysync.convert.expression.Untranslatable;
import java.util.regex.Pattern;

/// The release of Kubernetes whose Pod Security Standards a rule asks for: `v1.29`, `latest`.
///
/// Kyverno uses the newest version of each check that is not newer than this release, or the oldest
/// one if all are newer. So a check that is newer than the release applies, too.
///
/// Source: Kyverno 1.19, `evaluatePSS`, and the versions that its API admits.
record Release(int minor) {
  private static final Pattern WRITTEN = Pattern.compile("v1\\.(19|2\\d|3[0-2])");

  static Release of(Value.Mapping podSecurity) {
    var written = podSecurity.text("version").orElse("");
    if (podSecurity.field("version").isEmpty() || written.equals("latest")) {
      return new Release(Integer.MAX_VALUE);
    }
    var matcher = WRITTEN.matcher(written);
    if (!matcher.matches()) {
      throw Untranslatable.field(
          podSecurity,
          "version",
          "an unknown version of podSecurity",
          "write latest, or one of v1.19 to v1.32");
    }
    return new Release(Integer.parseInt(matcher.group(1)));
  }

  boolean isAtLeast(int other) {
    return minor >= other;
  }
}
