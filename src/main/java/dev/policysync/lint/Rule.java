package dev.policysync.lint;

/// Finds one hazard. Pure, without memory, and with an answer for whatever a manifest may hold: a
/// field of the wrong type is for the API server to refuse.
public interface Rule {
  /// What it finds.
  Hazard hazard();

  /// Whether it reads CEL. To load the parser costs 0.3 to 0.5 s of CPU, as much as a whole sync,
  /// and the expressions of thirty policies another 0.06 s; so a sync asks such a rule only where
  /// an error withholds (`LINT=block`), of the policies that it writes, and `lint` asks always.
  default boolean readsCel() {
    return false;
  }

  /// Whether it needs a library that no sync loads (JSON Schema, JMESPath): there the API server
  /// and Kyverno judge.
  default boolean lintOnly() {
    return false;
  }

  /// Whether `lint` tells it once a run, with the number of policies, instead of at each of them:
  /// what many policies have and what is dealt with for all of them at once. Errors are told each.
  default boolean oncePerRun() {
    return false;
  }

  /// Judges one policy among all.
  void judge(LintedPolicy policy, PolicySet all, LintFindingSink found);
}
