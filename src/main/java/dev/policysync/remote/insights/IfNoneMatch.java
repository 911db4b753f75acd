package dev.policysync.remote.insights;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import okhttp3.Interceptor;
import okhttp3.Response;

/// A conditional request (RFC 9110, 13.1.2). The entity tag is looked up while the connection is
/// made, and the request waits for it only after that.
///
/// @param entityTag the entity tag of the known response, which need not be sent again; empty if
///   any response is wanted
record IfNoneMatch(Supplier<Optional<String>> entityTag) {
  private static final String HEADER = "If-None-Match";
  private static final int NOT_MODIFIED = 304;

  /// Returns whether a 304 says that the response has not changed. A 304 to an unconditional
  /// request does not count.
  static boolean notModified(Response response) {
    var sent = response.networkResponse() == null ? response : response.networkResponse();
    return response.code() == NOT_MODIFIED && sent.request().header(HEADER) != null;
  }

  /// Adds the `If-None-Match` header to a request that carries this condition.
  static Response sent(Interceptor.Chain chain) throws IOException {
    var request = chain.request();
    var condition = request.tag(IfNoneMatch.class);
    var tag = condition == null ? Optional.<String>empty() : condition.entityTag().get();
    return chain.proceed(
        tag.isEmpty() ? request : request.newBuilder().header(HEADER, tag.get()).build());
  }
}
