package dev.policysync.policy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// A SHA-256 digest as text: `sha256:2c26b46b…` with 64 lower-case hexadecimal digits.
public record Digest(String text) {
  private static final String PREFIX = "sha256:";

  public Digest {
    if (!text.matches("sha256:[0-9a-f]{64}")) {
      throw new IllegalArgumentException("not a digest: " + text);
    }
  }

  /// The digest of a value's canonical form: equal values have equal digests.
  public static Digest of(Value value) {
    return of(CanonicalJson.write(value).getBytes(UTF_8));
  }

  /// The digest of these bytes.
  public static Digest of(byte[] bytes) {
    try {
      var sha256 = MessageDigest.getInstance("SHA-256").digest(bytes);
      return new Digest(PREFIX + HexFormat.of().formatHex(sha256));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256, this one has not", e);
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
