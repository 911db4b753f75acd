package dev.policysync.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Set;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;

/// The real server behind a [FaultProxy].
record UpstreamServer(OkHttpClient http, HttpUrl server) {
  /// What concerns one connection only.
  private static final Set<String> HOP_BY_HOP =
      Set.of(
          "host",
          "connection",
          "content-length",
          "transfer-encoding",
          "accept-encoding",
          "content-encoding");

  /// How many objects a page may have: few, so that a handful of policies is a list of several.
  private static final String PAGE = "limit=2";

  WireAnswer ask(WireRequest request) throws IOException {
    var url = server.resolve(request.target().replace("limit=500", PAGE));
    if (url == null) {
      throw new IOException("no path: " + request.target());
    }
    var method = request.method();
    var body = method.equals("GET") ? null : RequestBody.create(request.body(), null);
    var onward = new Request.Builder().url(url).method(method, body);
    for (var header : request.headers()) {
      if (!hopByHop(header.name())) {
        onward.addHeader(header.name(), header.value());
      }
    }
    try (var response = http.newCall(onward.build()).execute()) {
      var headers = new ArrayList<String>();
      response
          .headers()
          .forEach(header -> {
            if (!hopByHop(header.getFirst())) {
              headers.add(header.getFirst() + ": " + header.getSecond());
            }
          });
      return new WireAnswer(response.code(), headers, response.body().byteString());
    }
  }

  private static boolean hopByHop(String header) {
    return HOP_BY_HOP.contains(header.toLowerCase(Locale.ROOT));
  }
}
