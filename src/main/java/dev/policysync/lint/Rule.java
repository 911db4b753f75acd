package dev.policysync.lint;

/// A check for one hazard. A rule has no state, and accepts any manifest: a field of the wrong type
/// is left to the API server to reject.
public interface Rule {
  Hazard hazard();

  /// Returns whether the rule parses CEL. Loading the parser costs 0.3 to 0.5 s of CPU, as much as
  /// a whole sync, and parsing the expressions of thirty policies another 0.06 s. So a sync runs
  /// such a rule only if an error withholds a policy (`LINT=block`), and only on the policies that
  /// it writes. `lint` always runs it.
  default boolean readsCel() {
    return false;
  }

  /// Returns whether the rule needs a library that no sync loads (JSON Schema, JMESPath). In a sync
  /// the API server and Kyverno do this check.
  default boolean lintOnly() {
    return false;
  }

  /// Returns whether `lint` reports a finding once per run, with the number of policies, instead of
  /// at each policy. This is for hazards that many policies have and that are fixed for all of them
  /// at once. Errors are reported at each policy.
  default boolean oncePerRun() {
    return false;
  }

  void judge(LintedPolicy policy, PolicySet all, LintFindingSink found);
}
