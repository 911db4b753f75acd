package dev.policysync.report.view;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/// The page's Content Security Policy. It allows the page's own script and style sheet and no
/// network requests. A script in the text of a report would not run even if escaping failed
/// (<https://www.w3.org/TR/CSP3/>).
final class ContentSecurityPolicy {
  private ContentSecurityPolicy() {}

  static String of(String script, String style) {
    return "default-src 'none'; script-src '%s'; style-src '%s'; base-uri 'none'; form-action 'none'"
        .formatted(hash(script), hash(style));
  }

  private static String hash(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return "sha256-" + Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is not available", e);
    }
  }
}
