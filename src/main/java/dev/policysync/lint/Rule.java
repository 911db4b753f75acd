package dev.policysync.lint;

import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.Set;

/// A check for one hazard.
public record Rule(Hazard hazard, Check check, Set<Trait> traits) {
  public Rule {
    traits = Set.copyOf(traits);
  }

  /// Reports the hazard where a policy has it. A check has no state, and accepts any manifest: a
  /// field of the wrong type is left to the API server to reject.
  @FunctionalInterface
  public interface Check {
    void judge(LintedPolicy policy, LintFindingSink found);
  }

  /// What the linter has to know of a rule.
  public enum Trait {
    /// The rule parses CEL. Loading the parser costs 0.3 to 0.5 s of CPU, as much as a whole sync,
    /// and parsing the expressions of thirty policies another 0.06 s. So a sync runs such a rule
    /// only if an error withholds a policy (`LINT=block`), and only on the policies that it writes.
    /// `lint` always runs it.
    READS_CEL,
    /// The rule needs a library that no sync loads (JSON Schema, JMESPath). In a sync the API
    /// server and Kyverno do this check, or the sync itself, whatever `LINT` says.
    LINT_ONLY,
    /// `lint` reports a finding once per run, with the number of policies, instead of at each
    /// policy. This is for hazards that many policies have and that are fixed for all of them at
    /// once. Errors are reported at each policy.
    ONCE_PER_RUN
  }

  /// Returns a rule whose findings are errors, unless they set their own severity. Its parameters
  /// are explained at [Hazard].
  public static Rule error(
      String id, String title, String explanation, String fix, Check check, Trait... traits) {
    return of(LintSeverity.ERROR, id, title, explanation, fix, check, traits);
  }

  /// Returns a rule whose findings are warnings, unless they set their own severity.
  public static Rule warning(
      String id, String title, String explanation, String fix, Check check, Trait... traits) {
    return of(LintSeverity.WARNING, id, title, explanation, fix, check, traits);
  }

  /// Returns a rule whose findings are notes, unless they set their own severity.
  public static Rule note(
      String id, String title, String explanation, String fix, Check check, Trait... traits) {
    return of(LintSeverity.NOTE, id, title, explanation, fix, check, traits);
  }

  private static Rule of(
      LintSeverity severity,
      String id,
      String title,
      String explanation,
      String fix,
      Check check,
      Trait... traits) {
    return new Rule(
        new Hazard(id, severity, AffectedVersions.ALL, title, explanation, fix),
        check,
        Set.of(traits));
  }

  /// Returns the same rule for releases of Kyverno since `version` only.
  public Rule since(String version) {
    return new Rule(
        new Hazard(
            hazard.id(),
            hazard.lintSeverity(),
            AffectedVersions.since(version),
            hazard.title(),
            hazard.explanation(),
            hazard.fix()),
        check,
        traits);
  }

  public boolean has(Trait trait) {
    return traits.contains(trait);
  }
}
