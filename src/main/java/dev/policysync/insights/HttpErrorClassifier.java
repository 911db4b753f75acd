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
        "answered " + status + ": " + meaning(status, wanted) + page(response),
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
          "the token was refused; check FAIRWINDS_TOKEN or FAIRWINDS_TOKEN_FILE, and whether the"
              + " token still exists";
      case 403 ->
          "the token may not do this; check that it is this cluster's token in this organization";
      case 404 ->
          "no such organization, cluster or API there; check FAIRWINDS_ORG, FAIRWINDS_CLUSTER and"
              + " FAIRWINDS_INSIGHTS_HOST";
      case 407 ->
          "the proxy wants a user and password; give them as http://user:password@host:port in"
              + " HTTP_PROXY";
      case 408 -> "it waited too long for the request; the next run tries again";
      case 429 ->
          "too many requests; the next run tries again, and START_JITTER spreads a fleet's runs";
      default -> family(status, wanted);
    };
  }

  private static String family(int status, String wanted) {
    if (status >= 500) {
      return "the API or a gateway before it is failing; the next run tries again";
    }
    if (status >= 400) {
      return "the request was refused; check FAIRWINDS_INSIGHTS_HOST";
    }
    return "only " + wanted + " will do; check FAIRWINDS_INSIGHTS_HOST and the proxy";
  }

  private static String page(Response response) {
    return isPage(mediaType(response))
        ? " (it is a web page, so perhaps from a proxy or a login page)"
        : "";
  }

  private static String header(Response response, String name) {
    @Nullable String value = response.header(name);
    return value == null ? "" : value;
  }
}
