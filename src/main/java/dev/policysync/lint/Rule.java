package dev.policysync.lint;

/// Finds one hazard. Pure, without memory, and with an answer for whatever a manifest may hold: a
/// field of the wrong type is for the API server to refuse.
public interface Rule {
  /// What it finds.
  Hazard hazard();

  /// Judges one policy among all.
  void judge(Subject policy, PolicySet all, Finder found);
}
