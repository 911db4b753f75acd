package dev.policysync.policy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/// A SHA-256 digest as text: `sha256:2c26b46b…` with 64 lower-case hexadecimal digits.
public record Digest(String text) {
  private static final String PREFIX = "sha256:";

  public Digest {
    if (text.length() != PREFIX.length() + 64
        || !text.startsWith(PREFIX)
        || !text.chars().skip(PREFIX.length()).allMatch(Digest::isHexDigit)) {
      throw new IllegalArgumentException("not a digest: " + text);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Digest digest && text.equals(digest.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /// The digest of a value's canonical form: equal values have equal digests.
  public static Digest of(Value value) {
    return of(CanonicalJson.write(value).getBytes(UTF_8));
  }

  /// The digest of these bytes.
  public static Digest of(byte[] bytes) {
    return ofSha256(sha256().digest(bytes));
  }

  /// The same where somebody else has computed it.
  public static Digest ofSha256(byte[] sha256) {
    return new Digest(PREFIX + HexFormat.of().formatHex(sha256));
  }

  /// The digest of a feed's bytes, whatever its streams are called. Of a single stream it is what
  /// `sha256sum` prints; of several, each counts with its length, so that moving bytes from one to
  /// the next is a change.
  public static Digest ofAll(List<Manifest> manifests) {
    if (manifests.size() == 1) {
      return of(manifests.getFirst().bytes());
    }
    var sha256 = sha256();
    for (var manifest : manifests) {
      sha256.update(ByteBuffer.allocate(Long.BYTES).putLong(manifest.bytes().length).flip());
      sha256.update(manifest.bytes());
    }
    return ofSha256(sha256.digest());
  }

  /// One to which facts are added one by one.
  public static Builder builder() {
    return new Builder();
  }

  /// A digest of many texts in their order; each counts with its length, so that moving characters
  /// from one to the next is a change.
  public static final class Builder {
    private final MessageDigest sha256 = sha256();

    private Builder() {}

    /// Adds one more.
    public void add(String fact) {
      var bytes = fact.getBytes(UTF_8);
      sha256.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
      sha256.update(bytes);
    }

    /// The digest of all of them; nothing can be added after that.
    public Digest digest() {
      return ofSha256(sha256.digest());
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256, this one has not", e);
    }
  }

  private static boolean isHexDigit(int c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  }

  @Override
  public String toString() {
    return text;
  }
}
