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

  /// Returns the digest of a value's canonical form: equal values have equal digests.
  public static Digest of(Value value) {
    return of(CanonicalJson.write(value).getBytes(UTF_8));
  }

  public static Digest of(byte[] bytes) {
    return ofSha256(sha256().digest(bytes));
  }

  /// Returns a digest that was computed elsewhere.
  public static Digest ofSha256(byte[] sha256) {
    return new Digest(PREFIX + HexFormat.of().formatHex(sha256));
  }

  /// Returns the digest of a feed's bytes; the names of its streams do not matter. For a single
  /// stream it is what `sha256sum` prints. For several streams, the length of each is part of the
  /// digest, so moving bytes from one stream to the next changes the digest.
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

  public static Builder builder() {
    return new Builder();
  }

  /// A digest of many texts in their order. The length of each text is part of the digest, so
  /// moving characters from one text to the next changes the digest.
  public static final class Builder {
    private final MessageDigest sha256 = sha256();

    private Builder() {}

    public void add(String fact) {
      var bytes = fact.getBytes(UTF_8);
      sha256.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
      sha256.update(bytes);
    }

    /// Returns the digest of all texts; no text can be added after that.
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
