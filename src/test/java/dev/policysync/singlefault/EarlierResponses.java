package dev.policysync.singlefault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.ByteString;

/// What the API server has answered, by what it was asked.
final class EarlierResponses {
  /// A list's own version, which changes with every write to anything.
  private static final Pattern REVISION =
      Pattern.compile("\"metadata\":\\{\"resourceVersion\":\"\\d+\"");

  private final Map<String, List<Response>> given = new HashMap<>();

  /// The same response, read to its end and noted.
  synchronized Response noting(Response response) throws IOException {
    var whole = with(response.body().byteString(), response);
    given.computeIfAbsent(question(whole.request()), _ -> new ArrayList<>()).add(whole);
    return copy(whole);
  }

  /// The last response to the same request that says something else.
  synchronized Optional<Response> before(Response now) throws IOException {
    var says = says(now);
    for (var earlier : given.getOrDefault(question(now.request()), List.of()).reversed()) {
      if (!says(earlier).equals(says)) {
        return Optional.of(copy(earlier));
      }
    }
    return Optional.empty();
  }

  /// The last response to that request.
  synchronized Optional<Response> last(Request request) {
    var all = given.getOrDefault(question(request), List.of());
    return all.isEmpty() ? Optional.empty() : Optional.of(copy(all.getLast()));
  }

  /// The same response with another body.
  static Response with(ByteString body, Response response) {
    return response
        .newBuilder()
        .body(ResponseBody.create(body, response.body().contentType()))
        .build();
  }

  private static String question(Request request) {
    return request.method() + " " + request.url() + " " + request.header("Accept");
  }

  private static String says(Response response) throws IOException {
    var text = response.peekBody(Long.MAX_VALUE).string();
    return response.code() + REVISION.matcher(text).replaceFirst("");
  }

  private static Response copy(Response response) {
    try {
      return with(response.peekBody(Long.MAX_VALUE).byteString(), response);
    } catch (IOException e) {
      throw new UncheckedIOException("a response that was read before", e);
    }
  }
}
