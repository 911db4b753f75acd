package dev.policysync.plan;

/// The source of an applied policy, recorded in the annotation `policysync.dev/source`:
/// `acme/prod-1` (organization and cluster), or `local` for files. An agent does not change the
/// policies of another source (promise 2).
public record SourceName(String text) {
  /// The source of policies from files, if no organization and cluster are set.
  public static final SourceName LOCAL = new SourceName("local");

  public static SourceName of(String organization, String cluster) {
    return new SourceName(organization + "/" + cluster);
  }

  @Override
  public String toString() {
    return text;
  }
}
