package dev.policysync.remote.insights;

import java.time.Instant;
import java.util.Locale;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/// What an answer other than the wanted one means, and what to do about it. Of the answer itself
/// only its status and the kind of its content are shown.
final class HttpErrorClassifier {
  private HttpErrorClassifier() {}

  /// What the answer to a request without a body means.
  ///
  /// @param wanted what would have been right: `200 with the policies`
  static FailedAttempt explain(Response response, String wanted, Instant now) {
    return explained(response, meaning(response.code(), wanted), now);
  }

  /// What the answer to a request means that sent the API something.
  ///
  /// @param what it sent: `report`
  /// @param bytes how much that was
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

  /// `4.8 MB`: proxies and their documentation count in thousands and in 1,024s alike.
  private static String size(long bytes) {
    return bytes < 1_000_000
        ? String.format(Locale.ROOT, "%.1f kB", bytes / 1_000.0)
        : String.format(Locale.ROOT, "%.1f MB", bytes / 1_000_000.0);
  }

  /// The media type in lower case without its parameters, `text/html`; empty where there is none.
  static String mediaType(Response response) {
    var value = header(response, "Content-Type");
    var end = value.indexOf(';');
    return (end < 0 ? value : value.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  static boolean isPage(String mediaType) {
    return mediaType.equals("text/html") || mediaType.equals("application/xhtml+xml");
  }

  /// Whether a status tells of something that passes.
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
