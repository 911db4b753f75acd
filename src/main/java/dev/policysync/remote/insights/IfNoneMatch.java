package dev.policysync.remote.insights;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import okhttp3.Interceptor;
import okhttp3.Response;

/// The condition under which an answer is wanted (RFC 9110, 13.1.2). What it names is found out
/// while the connection is made, and waited for only then.
///
/// @param entityTag of the answer that need not be sent; empty where any is wanted
record IfNoneMatch(Supplier<Optional<String>> entityTag) {
  private static final String HEADER = "If-None-Match";
  private static final int NOT_MODIFIED = 304;

  /// Whether it says that nothing else would have come. Where nobody asked for that, it is no
  /// answer.
  static boolean notModified(Response response) {
    var sent = response.networkResponse() == null ? response : response.networkResponse();
    return response.code() == NOT_MODIFIED && sent.request().header(HEADER) != null;
  }

  /// Adds the condition to a request that has one.
  static Response sent(Interceptor.Chain chain) throws IOException {
    var request = chain.request();
    var condition = request.tag(IfNoneMatch.class);
    var tag = condition == null ? Optional.<String>empty() : condition.entityTag().get();
    return chain.proceed(
        tag.isEmpty() ? request : request.newBuilder().header(HEADER, tag.get()).build());
  }
}
