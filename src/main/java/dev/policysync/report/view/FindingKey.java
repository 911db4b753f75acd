package dev.policysync.report.view;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.policy.PolicyKind;
import dev.policysync.report.Finding;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// Calculates a number for the identity of a finding: (source, policy, rule, resource). The
/// resource is identified by its uid if there is one, else by kind, namespace and name. For other
/// producers than Kyverno, the message is part of the identity, too (`docs/report.md`).
///
/// The number is 64 bits of a SHA-256 digest: with 600,000 findings, two of them share a number in
/// one of a hundred million reports.
final class FindingKey {
  private final MessageDigest digest;

  FindingKey() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /// Returns the key; never 0.
  long of(Finding finding) {
    var resource = finding.resource();
    return of(
        finding.policy().source(),
        finding.policy().name(),
        finding.rule(),
        resource.uid(),
        resource.kind(),
        resource.namespace(),
        resource.name(),
        finding.resultMessage().text());
  }

  /// Returns the key; never 0.
  long of(EarlierFinding finding) {
    return of(
        finding.source(),
        finding.policy(),
        finding.rule(),
        finding.uid(),
        finding.kind(),
        finding.namespace(),
        finding.name(),
        finding.message());
  }

  private long of(
      String source,
      String policy,
      String rule,
      String uid,
      String kind,
      String namespace,
      String name,
      String message) {
    add(source);
    add(policy);
    add(rule);
    add(uid);
    if (uid.isEmpty()) {
      add(kind);
      add(namespace);
      add(name);
    }
    if (!source.isEmpty() && PolicyKind.byResultSource(source).isEmpty()) {
      add(message);
    }
    var key = ByteBuffer.wrap(digest.digest()).getLong();
    return key == 0 ? 1 : key;
  }

  /// Adds a text with its length, so that different lists of texts never have the same bytes.
  private void add(String text) {
    var bytes = text.getBytes(UTF_8);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
    digest.update(bytes);
  }
}
