package dev.policysync.cluster;

import dev.policysync.sync.Failure;
import dev.policysync.sync.Failure.Cause;

/// Tells from an answer of the API server what went wrong and whether it may pass. The cases are
/// answers of kube-apiserver 1.36.3 and Kyverno 1.19.0; the status alone does not tell: a schema
/// error and a dead webhook are both a 500.
final class Refusal {
  private static final int LONGEST_MESSAGE = 600;

  private Refusal() {}

  /// @param attempt what was tried, for the message: `apply ClusterPolicy/team-label`
  static Failure of(String attempt, KubeApi.Answer answer) {
    var message = answer.message();
    var cause = cause(answer.status(), message);
    var said = message.isEmpty() ? "no message" : shortened(Redaction.of(message));
    return new Failure(
        cause, attempt + ": HTTP " + answer.status() + ", " + said + advice(cause, message));
  }

  private static Cause cause(int status, String message) {
    if (message.contains("denied the request") || message.contains("denied request")) {
      return Cause.DENIED;
    }
    return switch (status) {
      case 400, 415, 422 -> Cause.INVALID;
      case 401 -> Cause.UNAUTHORIZED;
      case 403 -> Cause.FORBIDDEN;
      case 404 -> Cause.NOT_FOUND;
      case 409 -> Cause.CONFLICT;
      case 429, 503 -> Cause.OVERLOADED;
      case 504 -> Cause.UNREACHABLE;
      case 500 -> serverError(message);
      default -> Cause.SERVER_ERROR;
    };
  }

  private static Cause serverError(String message) {
    if (message.contains("failed calling webhook")) {
      return Cause.WEBHOOK_UNREACHABLE;
    }
    return message.contains("failed to create typed patch object") || notDeclared(message)
        ? Cause.INVALID
        : Cause.SERVER_ERROR;
  }

  /// Whether the stored object does not fit the schema of the version that we applied.
  static boolean notDeclared(String message) {
    return message.startsWith(".") && message.endsWith("field not declared in schema");
  }

  private static String advice(Cause cause, String message) {
    return switch (cause) {
      case FORBIDDEN -> "; grant that verb on that resource in the agent's role";
      case UNAUTHORIZED -> "; the token is expired or not of this cluster";
      case NOT_FOUND -> message.startsWith("namespaces ") ? "; create the namespace first" : "";
      case WEBHOOK_UNREACHABLE -> "; is Kyverno running?";
      case UNREADABLE,
          KIND_ABSENT,
          DENIED,
          INVALID,
          CONFLICT,
          OVERLOADED,
          UNREACHABLE,
          SERVER_ERROR,
          TERMINATING ->
          "";
    };
  }

  private static String shortened(String message) {
    var line = message.replace('\n', ' ').strip();
    return line.length() <= LONGEST_MESSAGE ? line : line.substring(0, LONGEST_MESSAGE) + "…";
  }
}
