package dev.policysync.lint;

import dev.policysync.policy.Position;
import java.util.List;
import java.util.Optional;

/// Takes down what a rule finds in a policy.
public final class Finder {
  private final Hazard hazard;
  private final Subject policy;
  private final Optional<KyvernoVersion> version;
  private final List<Finding> findings;

  Finder(Hazard hazard, Subject policy, Optional<KyvernoVersion> version, List<Finding> findings) {
    this.hazard = hazard;
    this.policy = policy;
    this.version = version;
    this.findings = findings;
  }

  /// Whether the cluster's Kyverno may be one of these releases; without knowing it, it may.
  public boolean mayBe(Versions versions) {
    return version.map(versions::include).orElse(true);
  }

  /// The hazard is here.
  ///
  /// @param message what is wrong, in a sentence that begins with a small letter or a name
  public void at(Node node, String message) {
    at(node, hazard.severity(), message, hazard.fix());
  }

  /// It is in this text, at the character of that index.
  public void at(Node node, int index, String message) {
    add(node, node.position(index), hazard.severity(), message, hazard.fix());
  }

  /// It is here, with a way out of its own.
  public void at(Node node, String message, String fix) {
    at(node, hazard.severity(), message, fix);
  }

  /// It is here, more or less bad than usual.
  public void at(Node node, Severity severity, String message) {
    at(node, severity, message, hazard.fix());
  }

  /// It is here, more or less bad than usual, with a way out of its own.
  public void at(Node node, Severity severity, String message, String fix) {
    add(node, node.position(), severity, message, fix);
  }

  private void add(Node node, Position position, Severity severity, String message, String fix) {
    findings.add(
        new Finding(
            hazard,
            severity,
            Optional.of(policy.id()),
            policy.id().toString(),
            position,
            node.path(),
            message,
            fix));
  }
}
