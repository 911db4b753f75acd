package dev.policysync.remote.insights;

import dev.policysync.remote.http.RetryAfter;
import java.time.Instant;
import java.util.Locale;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/// Explains a response that is not the expected one, and what to do about it. Messages show only
/// its status and its media type.
final class HttpErrorClassifier {
  private HttpErrorClassifier() {}

  /// Explains an error response to a request without a body.
  ///
  /// @param wanted the expected response: `200 with the policies`
  static FailedAttempt explain(Response response, String wanted, Instant now) {
    return explained(response, meaning(response.code(), wanted), now);
  }

  /// Explains an error response to a request with a body.
  ///
  /// @param what what the body is: `report`
  /// @param bytes the size of the body
  static FailedAttempt explain(Response response, String what, long bytes, Instant now) {
    var sent = "the " + what + " of " + size(bytes);
    var meaning =
        switch (response.code()) {
          case 413 ->
              sent
                  + " is too large for the API or a proxy in front of it; raise the limit for"
                  + " request bodies there";
          case 422 ->
              "the API does not accept "
                  + sent
                  + "; it may be too large, or hold what this API"
                  + " does not know";
          default -> meaning(response.code(), "a 2xx");
        };
    return explained(response, meaning, now);
  }

  private static FailedAttempt explained(Response response, String meaning, Instant now) {
    var status = response.code();
    return FailedAttempt.answered(
        status,
        "returned " + status + ": " + meaning + page(response),
        again(status),
        RetryAfter.of(response, now));
  }

  /// Formats a size: `4.8 MB`. It counts in thousands; proxies and their documentation use
  /// thousands and 1,024s alike.
  private static String size(long bytes) {
    return bytes < 1_000_000
        ? String.format(Locale.ROOT, "%.1f kB", bytes / 1_000.0)
        : String.format(Locale.ROOT, "%.1f MB", bytes / 1_000_000.0);
  }

  /// Returns the media type in lower case without its parameters, such as `text/html`; empty if
  /// there is none.
  static String mediaType(Response response) {
    var value = header(response, "Content-Type");
    var end = value.indexOf(';');
    return (end < 0 ? value : value.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  static boolean isPage(String mediaType) {
    return mediaType.equals("text/html") || mediaType.equals("application/xhtml+xml");
  }

  static RetryDecision again(int status) {
    return switch (status) {
      case 408, 429, 500, 502, 503, 504 -> RetryDecision.SOON;
      default -> status > 500 ? RetryDecision.NEXT_RUN : RetryDecision.NEVER;
    };
  }

  private static String meaning(int status, String wanted) {
    return switch (status) {
      case 401 ->
          "the token is not accepted; check FAIRWINDS_TOKEN or FAIRWINDS_TOKEN_FILE, and that"
              + " the token still exists";
      case 403 ->
          "the token has no permission; check that it belongs to this cluster in this organization";
      case 404 ->
          "organization, cluster or API not found; check FAIRWINDS_ORG, FAIRWINDS_CLUSTER and"
              + " FAIRWINDS_INSIGHTS_HOST";
      case 407 ->
          "the proxy requires authentication; set HTTP_PROXY to http://user:password@host:port";
      case 408 -> "request timeout; the next run retries";
      case 429 ->
          "too many requests; the next run retries, set START_JITTER to spread the runs of a fleet";
      default -> family(status, wanted);
    };
  }

  private static String family(int status, String wanted) {
    if (status >= 500) {
      return "the API or a gateway in front of it is failing; the next run retries";
    }
    if (status >= 400) {
      return "the request was rejected; check FAIRWINDS_INSIGHTS_HOST";
    }
    return "expected " + wanted + "; check FAIRWINDS_INSIGHTS_HOST and the proxy";
  }

  private static String page(Response response) {
    return isPage(mediaType(response))
        ? " (the response is a web page, possibly from a proxy or a login page)"
        : "";
  }

  private static String header(Response response, String name) {
    @Nullable String value = response.header(name);
    return value == null ? "" : value;
  }
}
