package dev.policysync.plan;

/// Which source an applied policy came from, kept in its annotation `policysync.dev/source`:
/// `acme/prod-1` (organization and cluster), or `local` for files. An agent leaves alone what
/// another source applied (promise 2).
public record SourceName(String text) {
  /// The source of policies that came from files, with no organization and cluster given.
  public static final SourceName LOCAL = new SourceName("local");

  /// The name of an organization's cluster.
  public static SourceName of(String organization, String cluster) {
    return new SourceName(organization + "/" + cluster);
  }

  @Override
  public String toString() {
    return text;
  }
}
