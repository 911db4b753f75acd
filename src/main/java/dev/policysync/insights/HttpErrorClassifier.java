package dev.policysync.insights;

import java.time.Instant;
import java.util.Locale;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/// What an answer other than the wanted one means, and what to do about it. Of the answer itself
/// only its status and the kind of its content are shown.
final class HttpErrorClassifier {
  private HttpErrorClassifier() {}

  /// @param wanted what would have been right: `200 with the policies`
  static FailedAttempt explain(Response response, String wanted, Instant now) {
    var status = response.code();
    return FailedAttempt.answered(
        status,
        "returned " + status + ": " + meaning(status, wanted) + page(response),
        again(status),
        RetryAfter.of(response, now));
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
