package dev.policysync.lint;

import dev.policysync.policy.Position;
import dev.policysync.policy.kyverno.AffectedVersions;
import dev.policysync.policy.kyverno.KyvernoVersion;
import java.util.List;
import java.util.Optional;

/// Collects the findings of a rule in a policy.
public final class LintFindingSink {
  private final Hazard hazard;
  private final LintedPolicy policy;
  private final Optional<KyvernoVersion> version;
  private final PolicySet all;
  private final List<LintFinding> findings;

  LintFindingSink(
      Hazard hazard,
      LintedPolicy policy,
      Optional<KyvernoVersion> version,
      PolicySet all,
      List<LintFinding> findings) {
    this.hazard = hazard;
    this.policy = policy;
    this.version = version;
    this.all = all;
    this.findings = findings;
  }

  /// Returns whether the cluster's Kyverno may be one of these releases; true if its release is not
  /// known.
  public boolean mayBeAffected(AffectedVersions affectedVersions) {
    return version.map(affectedVersions::include).orElse(true);
  }

  /// Returns all policies that are linted together.
  public PolicySet all() {
    return all;
  }

  public Optional<KyvernoVersion> kyvernoRelease() {
    return version;
  }

  /// Reports the hazard at a node.
  ///
  /// @param message what is wrong, in a sentence that begins with a small letter or a name
  public void at(Node node, String message) {
    at(node, hazard.lintSeverity(), message, hazard.fix());
  }

  /// Reports the hazard at the character `index` of a string.
  public void at(Node node, int index, String message) {
    add(node, node.position(index), hazard.lintSeverity(), message, hazard.fix());
  }

  public void at(Node node, int index, String message, String fix) {
    add(node, node.position(index), hazard.lintSeverity(), message, fix);
  }

  public void at(Node node, String message, String fix) {
    at(node, hazard.lintSeverity(), message, fix);
  }

  public void at(Node node, LintSeverity lintSeverity, String message) {
    at(node, lintSeverity, message, hazard.fix());
  }

  public void at(Node node, LintSeverity lintSeverity, String message, String fix) {
    add(node, node.position(), lintSeverity, message, fix);
  }

  /// Reports that Kyverno rejects the policy because of a node.
  public void refused(Node node, String message) {
    refused(node, message, hazard.fix());
  }

  public void refused(Node node, String message, String fix) {
    at(node, message + "; Kyverno rejects it", fix);
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
