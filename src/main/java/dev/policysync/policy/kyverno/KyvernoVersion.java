package dev.policysync.policy.kyverno;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;

/// A release of Kyverno: `1.18.2`.
public record KyvernoVersion(int major, int minor, int patch)
    implements Comparable<KyvernoVersion> {
  private static final Pattern FORM =
      Pattern.compile("v?(\\d{1,4})\\.(\\d{1,4})(?:\\.(\\d{1,4}))?(?:[-+].*)?");

  /// The first release that executes no policies of kyverno.io (kyverno/kyverno#17701).
  private static final KyvernoVersion WITHOUT_LEGACY_KINDS = new KyvernoVersion(1, 20, 0);

  private static final Comparator<KyvernoVersion> ORDER =
      Comparator.comparingInt(KyvernoVersion::major)
          .thenComparingInt(KyvernoVersion::minor)
          .thenComparingInt(KyvernoVersion::patch);

  /// Parses `1.18.2`, `v1.18.2` or `1.18`, which is the first release of that minor version. Text
  /// after a hyphen or a plus is ignored.
  public static Optional<KyvernoVersion> parse(String text) {
    var matcher = FORM.matcher(text.strip());
    if (!matcher.matches()) {
      return Optional.empty();
    }
    var patch = matcher.group(3);
    return Optional.of(
        new KyvernoVersion(
            Integer.parseInt(matcher.group(1)),
            Integer.parseInt(matcher.group(2)),
            patch == null ? 0 : Integer.parseInt(patch)));
  }

  /// Parses a version of the catalogue of hazards.
  static KyvernoVersion of(String text) {
    return parse(text)
        .orElseThrow(() -> new IllegalArgumentException("invalid Kyverno version: " + text));
  }

  /// Returns whether this release executes the policies of kyverno.io; context entries stay.
  public boolean executesLegacyKinds() {
    return compareTo(WITHOUT_LEGACY_KINDS) < 0;
  }

  @Override
  public int compareTo(KyvernoVersion other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return major + "." + minor + "." + patch;
  }
}
