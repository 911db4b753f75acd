package dev.policysync.http;

import java.util.List;
import okhttp3.HttpUrl;

/// What can be called, judged as whoever calls it will read it: a setting that passes here is never
/// found wrong in the middle of a run.
public final class WebAddress {
  private static final HttpUrl ANYWHERE = HttpUrl.get("https://localhost");

  private WebAddress() {}

  /// Whether that is an http or https URL that can be called: with a port up to 65535, and a host
  /// that may stand in a request.
  public static boolean callable(String url) {
    return HttpUrl.parse(url) != null;
  }

  /// Whether a URL can carry that text as one segment of its path. It cannot carry `.` and `..`,
  /// which mean another path however they are encoded, nor what is not Unicode.
  public static boolean carries(String segment) {
    var url = ANYWHERE.newBuilder().addPathSegment(segment).build();
    return url.pathSegments().equals(List.of(segment));
  }
}
