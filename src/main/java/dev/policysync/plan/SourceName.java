package dev.policysync.plan;

import java.util.Optional;

/// The source of an applied policy, recorded in the annotation `policysync.dev/source`:
/// `acme/prod-1` (organization and cluster), or `local` for files. An agent does not change the
/// policies of another source (promise 2).
public record SourceName(String text) {
  /// The source of policies from files, if no organization and cluster are set.
  public static final SourceName LOCAL = new SourceName("local");

  public static SourceName of(String organization, String cluster) {
    return new SourceName(organization + "/" + cluster);
  }

  /// Returns the organization; empty for files.
  public Optional<String> organization() {
    return part(text.substring(0, Math.max(0, text.indexOf('/'))));
  }

  /// Returns the cluster's name in the API; empty for files.
  public Optional<String> cluster() {
    return part(text.contains("/") ? text.substring(text.indexOf('/') + 1) : "");
  }

  private static Optional<String> part(String part) {
    return Optional.of(part).filter(name -> !name.isEmpty());
  }

  @Override
  public String toString() {
    return text;
  }
}
