package dev.policysync.remote.insights;

import dev.policysync.base.DeflatedBytes;
import dev.policysync.base.yaml.YamlBytes;
import dev.policysync.policy.Digest;
import dev.policysync.policy.feed.FeedLimit;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import okhttp3.Protocol;
import okhttp3.Response;
import okio.Buffer;
import okio.BufferedSource;
import okio.HashingSource;
import org.jspecify.annotations.Nullable;

/// The complete body of a feed response; a truncated body is an error.
///
/// A feed has neither an end mark nor a count, and half of a feed may parse as a whole one. So the
/// transport must prove its end: by a length, a last chunk, or the end of an HTTP/2 stream. OkHttp
/// fails if one of these is announced and does not come. This class checks that one is announced.
///
/// @param digest the digest of the whole body
/// @param bytes empty if the feed may be the known one and is larger than the part kept in memory
record FeedBody(Digest digest, Optional<YamlBytes> bytes) {
  private static final int BLOCK = 64 * 1024;

  /// A feed larger than this, some 350 policies, is deflated while it arrives. It stays in memory
  /// until a status with the policy's own text was sent for each policy, and would be a good part
  /// of the heap.
  private static final long LARGE = 1 << 20;

  /// A possibly known feed is kept up to the limit divided by this: 4 MiB with 128 MiB of heap.
  /// Nearly every feed is the known one. A larger feed that turns out not to be known is requested
  /// again.
  private static final int KEPT = 4;

  /// Reads the body to its end.
  ///
  /// @param limit applies after decompression
  /// @param known whether the feed may be the known one, which need not be kept
  static FeedBody read(Response response, FeedLimit limit, boolean known)
      throws IOException, FailedAttempt {
    requireProvableEnd(response);
    var length = response.body().contentLength();
    if (length > limit.bytes()) {
      throw tooLong(limit.exceededBy(length));
    }
    var source = response.body().source();
    var most = known ? limit.bytes() / KEPT : LARGE;
    // If the announced length is larger, not even the beginning is kept uncompressed.
    var kept = length > most ? 0 : most;
    return 0 <= length && length <= kept
        ? of(exactly((int) length, source))
        : toItsEnd(source, length, limit, kept, known);
  }

  private static void requireProvableEnd(Response response) throws FailedAttempt {
    var encoding = response.header("Content-Encoding", "identity");
    if (!"identity".equalsIgnoreCase(encoding)) {
      throw FailedAttempt.of(
          "returned 200 with a compression that was not requested; check the proxy",
          RetryDecision.NEVER);
    }
    if (response.protocol() == Protocol.HTTP_2) {
      return;
    }
    // The network response, because after gzip decoding the caller's headers no longer show the
    // length.
    var wire = response.networkResponse() == null ? response : response.networkResponse();
    var chunked = "chunked".equalsIgnoreCase(wire.header("Transfer-Encoding", ""));
    if (!chunked && !isLength(wire.header("Content-Length", ""))) {
      throw FailedAttempt.of(
          "returned 200 with a body of unknown length, so truncation cannot be detected; check"
              + " the proxy",
          RetryDecision.NEVER);
    }
  }

  private static byte[] exactly(int length, BufferedSource source)
      throws IOException, FailedAttempt {
    var bytes = new byte[length];
    source.readFully(bytes);
    if (!source.exhausted()) {
      throw FailedAttempt.of(
          "returned more data than announced in Content-Length", RetryDecision.SOON);
    }
    return bytes;
  }

  private static FeedBody toItsEnd(
      BufferedSource source, long announced, FeedLimit limit, long kept, boolean known)
      throws IOException, FailedAttempt {
    var hashing = HashingSource.sha256(source);
    var read = new Buffer();
    var size = 0L;
    try (var deflated = new DeflatedBytes()) {
      var beyond = known ? OutputStream.nullOutputStream() : deflated;
      for (var more = 0L; more >= 0; more = hashing.read(read, BLOCK)) {
        size += more;
        if (size > limit.bytes()) {
          throw tooLong(limit.exceeded());
        }
        if (size > kept) {
          read.writeTo(beyond);
        }
      }
      if (announced >= 0 && announced != size) {
        throw FailedAttempt.of(
            "returned "
                + size
                + " bytes instead of the "
                + announced
                + " announced in Content-Length",
            RetryDecision.SOON);
      }
      var digest = Digest.ofSha256(hashing.hash().toByteArray());
      if (size <= kept) {
        return new FeedBody(digest, Optional.of(new YamlBytes.Plain(read.readByteArray())));
      }
      return new FeedBody(
          digest, known ? Optional.empty() : Optional.of(new YamlBytes.Deflated(deflated)));
    }
  }

  private static FeedBody of(byte[] bytes) {
    return new FeedBody(Digest.of(bytes), Optional.of(new YamlBytes.Plain(bytes)));
  }

  private static FailedAttempt tooLong(String what) {
    return FailedAttempt.of(what + ", or check FAIRWINDS_INSIGHTS_HOST", RetryDecision.NEVER);
  }

  private static boolean isLength(@Nullable String value) {
    try {
      return value != null && Long.parseLong(value) >= 0;
    } catch (NumberFormatException _) {
      return false;
    }
  }
}
