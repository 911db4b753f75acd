package dev.policysync.remote.insights;

import dev.policysync.base.Secret;
import okhttp3.HttpUrl;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/// The target of a redirect. Only another path of the same scheme, host and port is allowed,
/// because the token goes along.
final class Redirect {
  private Redirect() {}

  /// Returns the URL to request next; `null` if the response is not a redirect.
  static @Nullable HttpUrl target(Response response, Secret token) throws FailedAttempt {
    var location = response.isRedirect() ? response.header("Location") : null;
    if (location == null) {
      return null;
    }
    var from = response.request().url();
    var to = from.resolve(location);
    if (to == null) {
      throw refused(response, "to a URL that is not http or https");
    }
    if (!to.host().equals(from.host())) {
      throw refused(response, "to another host" + origin(to, token));
    }
    if (!to.scheme().equals(from.scheme()) || to.port() != from.port()) {
      throw refused(response, "to another scheme or port" + origin(to, token));
    }
    return to;
  }

  private static FailedAttempt refused(Response response, String where) {
    return FailedAttempt.answered(
        response.code(),
        "returned "
            + response.code()
            + ": redirect "
            + where
            + ", not followed to protect the token; if the target is the API, set"
            + " FAIRWINDS_INSIGHTS_HOST to it",
        RetryDecision.NEVER,
        null);
  }

  /// Returns the target's origin, or nothing if its host name contains the token: a server may echo
  /// the token, even as a host name.
  private static String origin(HttpUrl url, Secret token) {
    return token.isRecognizableIn(url.host())
        ? ""
        : ", " + url.scheme() + "://" + url.host() + ":" + url.port();
  }
}
