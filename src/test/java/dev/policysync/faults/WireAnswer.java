package dev.policysync.faults;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import okio.Buffer;
import okio.ByteString;

/// An answer, to be sent whole or as badly as wanted.
///
/// @param headers those that do not say how long the body is: `Content-Type: application/json`
record WireAnswer(int status, List<String> headers, ByteString body) {
  /// A Status object of the API server; the remote API's answers are not looked into.
  static WireAnswer status(int status, Optional<Integer> retryAfter, String message) {
    var body =
        "{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"status\": \"Failure\", \"message\": \"%s\", \"code\": %d}"
            .formatted(message, status);
    var type = "Content-Type: application/json";
    return new WireAnswer(
        status,
        retryAfter.map(seconds -> List.of(type, "Retry-After: " + seconds)).orElse(List.of(type)),
        ByteString.encodeUtf8(body));
  }

  /// Sends all of it, so that the connection is of use for the next one.
  ///
  /// @return that it is
  boolean writeTo(OutputStream out) throws IOException {
    send(out, new Buffer().write(head(length())).write(body));
    return true;
  }

  void writeHalfTo(OutputStream out, boolean chunked) throws IOException {
    var half = body.substring(0, body.size() / 2);
    send(
        out,
        chunked
            ? new Buffer()
                .write(head("Transfer-Encoding: chunked"))
                .writeUtf8(Integer.toHexString(half.size()) + "\r\n")
                .write(half)
                .writeUtf8("\r\n")
            : new Buffer().write(head(length())).write(half));
  }

  /// A byte of the body a second, until the peer has enough of it.
  void dripTo(OutputStream out, CountDownLatch end) throws IOException, InterruptedException {
    out.write(head(length()));
    for (var next : body.toByteArray()) {
      out.write(next);
      out.flush();
      if (end.await(1, TimeUnit.SECONDS)) {
        return;
      }
    }
  }

  /// All at once: what comes second is held back by the kernel for 40 ms.
  private static void send(OutputStream out, Buffer answer) throws IOException {
    out.write(answer.readByteArray());
    out.flush();
  }

  private String length() {
    return "Content-Length: " + body.size();
  }

  private byte[] head(String length) {
    return ("HTTP/1.1 "
            + status
            + " it is\r\n"
            + String.join("\r\n", headers)
            + "\r\n"
            + length
            + "\r\n\r\n")
        .getBytes(ISO_8859_1);
  }
}
