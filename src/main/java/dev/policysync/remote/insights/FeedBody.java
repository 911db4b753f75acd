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

/// The body of an answer, all of it or not at all.
///
/// A feed has neither an end mark nor a count in it, and half of a feed may parse as a whole one.
/// So its end must be proven by the transport: a length, a last chunk, or the end of an HTTP/2
/// stream. OkHttp fails when these are announced and do not come; that they are announced is seen
/// to here.
///
/// @param digest of all of it
/// @param bytes none where those are more than are kept of a feed that may be known
record FeedBody(Digest digest, Optional<YamlBytes> bytes) {
  private static final int BLOCK = 64 * 1024;

  /// What is kept as it came of a feed that is wanted, some 350 policies. A larger one is deflated
  /// while it comes: it is kept until a status was sent of each policy, with the policy's own text,
  /// and would be a good part of the heap.
  private static final long LARGE = 1 << 20;

  /// Which part of the limit is kept while the feed may still be the one that is known, as nearly
  /// every one is: with 128 MiB of heap 4 MiB. A larger one is asked for once more where it is not.
  private static final int KEPT = 4;

  /// @param limit after decompression
  /// @param known whether it may be one that is known, and then need not be kept
  static FeedBody read(Response response, FeedLimit limit, boolean known)
      throws IOException, FailedAttempt {
    requireProvableEnd(response);
    var length = response.body().contentLength();
    if (length > limit.bytes()) {
      throw tooLong(limit.exceededBy(length));
    }
    var source = response.body().source();
    var most = known ? limit.bytes() / KEPT : LARGE;
    // Of what is announced to be larger not even the beginning is kept as it came.
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
    // What came over the wire: of a gzip body the caller's headers no longer tell the length.
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
