package dev.policysync.remote.insights;

import dev.policysync.policy.Digest;
import dev.policysync.policy.feed.FeedLimit;
import java.io.IOException;
import java.util.Optional;
import okhttp3.Protocol;
import okhttp3.Response;
import okio.Buffer;
import okio.HashingSource;
import org.jspecify.annotations.Nullable;

/// The complete body of a feed response; a truncated body is an error.
///
/// A feed has neither an end mark nor a count, and half of a feed may parse as a whole one. So the
/// transport must prove its end: by a length, a last chunk, or the end of an HTTP/2 stream. OkHttp
/// fails if one of these is announced and does not come. This class checks that one is announced.
///
/// @param digest the digest of the complete body
/// @param bytes empty for a large body that may be the known feed: only its digest is kept
@SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
record FeedBody(Digest digest, Optional<byte[]> bytes) {
  private static final int BLOCK = 64 * 1024;

  /// The divisor for the part of the limit that is kept of a body that may be the known feed, as
  /// nearly every body is: 4 MiB with 128 MiB of heap. If a larger body turns out to be another
  /// feed, it is requested again.
  private static final int KEPT = 2;

  /// Reads the body to its end.
  ///
  /// @param limit applies after decompression
  /// @param known whether the feed may be the known one, which need not be kept
  static FeedBody read(Response response, FeedLimit limit, boolean known)
      throws IOException, FailedAttempt {
    requireProvableEnd(response);
    var announced = response.body().contentLength();
    if (!known && announced > limit.bytes()) {
      throw tooLong(limit.exceededBy(announced));
    }
    var hashing = HashingSource.sha256(response.body().source());
    var read = new Buffer();
    var size = 0L;
    for (var more = 0L; more >= 0; more = hashing.read(read, BLOCK)) {
      size += more;
      if (!known && size > limit.bytes()) {
        throw tooLong(limit.exceeded());
      }
      if (known && size > limit.bytes() / KEPT) {
        read.clear();
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
    return new FeedBody(
        digest,
        known && size > limit.bytes() / KEPT
            ? Optional.empty()
            : Optional.of(read.readByteArray()));
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
