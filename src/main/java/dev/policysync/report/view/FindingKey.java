package dev.policysync.report.view;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.policy.PolicyKind;
import dev.policysync.report.Finding;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// The identity of a finding as a number: (source, policy, rule, resource), the resource by its uid
/// where there is one, else by kind, namespace and name; of another producer than Kyverno with the
/// message (`docs/report.md`).
///
/// 64 bits of SHA-256: among 600,000 findings two share a number once in a hundred million reports.
final class FindingKey {
  private final MessageDigest digest;

  FindingKey() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /// Never 0.
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

  /// Never 0.
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
    if (!source.isEmpty() && PolicyKind.reporting(source).isEmpty()) {
      add(message);
    }
    var key = ByteBuffer.wrap(digest.digest()).getLong();
    return key == 0 ? 1 : key;
  }

  /// With its length, so that no two lists of texts are the same bytes.
  private void add(String text) {
    var bytes = text.getBytes(UTF_8);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
    digest.update(bytes);
  }
}
