package dev.policysync.lint;

import dev.policysync.policy.Position;
import dev.policysync.policy.kyverno.AffectedVersions;
import dev.policysync.policy.kyverno.KyvernoVersion;
import java.util.List;
import java.util.Optional;

/// Takes down what a rule finds in a policy.
public final class LintFindingSink {
  private final Hazard hazard;
  private final LintedPolicy policy;
  private final Optional<KyvernoVersion> version;
  private final List<LintFinding> findings;

  LintFindingSink(
      Hazard hazard,
      LintedPolicy policy,
      Optional<KyvernoVersion> version,
      List<LintFinding> findings) {
    this.hazard = hazard;
    this.policy = policy;
    this.version = version;
    this.findings = findings;
  }

  /// Whether the cluster's Kyverno may be one of these releases; without knowing it, it may.
  public boolean mayBe(AffectedVersions affectedVersions) {
    return version.map(affectedVersions::include).orElse(true);
  }

  /// The release that the policies are judged for, if one is given.
  public Optional<KyvernoVersion> release() {
    return version;
  }

  /// The hazard is here.
  ///
  /// @param message what is wrong, in a sentence that begins with a small letter or a name
  public void at(Node node, String message) {
    at(node, hazard.lintSeverity(), message, hazard.fix());
  }

  /// It is in this text, at the character of that index.
  public void at(Node node, int index, String message) {
    add(node, node.position(index), hazard.lintSeverity(), message, hazard.fix());
  }

  /// It is here, with a way out of its own.
  public void at(Node node, String message, String fix) {
    at(node, hazard.lintSeverity(), message, fix);
  }

  /// It is here, more or less bad than usual.
  public void at(Node node, LintSeverity lintSeverity, String message) {
    at(node, lintSeverity, message, hazard.fix());
  }

  /// It is here, more or less bad than usual, with a way out of its own.
  public void at(Node node, LintSeverity lintSeverity, String message, String fix) {
    add(node, node.position(), lintSeverity, message, fix);
  }

  private void add(
      Node node, Position position, LintSeverity lintSeverity, String message, String fix) {
    findings.add(
        new LintFinding(
            hazard,
            lintSeverity,
            Optional.of(policy.id()),
            policy.id().toString(),
            position,
            node.path(),
            message,
            fix));
  }
}
