package dev.policysync.lint;

/// Finds one hazard. Pure, without memory, and with an answer for whatever a manifest may hold: a
/// field of the wrong type is for the API server to refuse.
public interface Rule {
  /// What it finds.
  Hazard hazard();

  /// Whether only `lint` asks, never a sync: what it needs costs more to load than a sync may take.
  default boolean offlineOnly() {
    return false;
  }

  /// Judges one policy among all.
  void judge(Subject policy, PolicySet all, Finder found);
}
