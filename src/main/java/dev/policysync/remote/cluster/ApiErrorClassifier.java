package dev.policysync.remote.cluster;

import dev.policysync.base.Value;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Failure.Cause;
import dev.policysync.policy.PolicySize;
import java.util.Optional;
import java.util.regex.Pattern;

/// Finds the cause of an error response of the API server, and whether the error may pass. The
/// cases are responses of kube-apiserver 1.36.3 and Kyverno 1.19.0. The status is not enough: a
/// schema error and an unreachable webhook are both a 500.
public final class ApiErrorClassifier {
  /// The status of a page of a list whose state etcd has compacted.
  private static final int EXPIRED = 410;

  private static final int FORBIDDEN = 403;
  private static final int NOT_ALLOWED = 405;

  private static final String WEBHOOK_FAILED = "Internal error occurred: failed calling webhook ";

  /// The webhook's name after that prefix: a domain name, as the API server requires.
  private static final Pattern WEBHOOK_NAME = Pattern.compile("\"([a-z0-9.-]{1,253})\"");

  /// The denial of a kind that Kyverno 1.20 is planned to no longer execute.
  private static final Pattern KIND_GIVEN_UP =
      Pattern.compile("(?:removed|deprecated)[^.]{0,40}v?1\\.2\\d");

  /// 403 messages of admission that do not mean a missing permission: by NamespaceLifecycle, for a
  /// kind whose CRD is terminating, and by ResourceQuota.
  private static final Pattern NO_RIGHTS_MISSING =
      Pattern.compile(
          "[\\w.-]+ (?:\"[^\"]*\" )?is forbidden: (?:(?<namespace>unable to create new content in"
              + " namespace \\S+ because it is being terminated)|(?<kind>create not allowed while"
              + " custom resource definition is terminating)|(?:exceeded|failed|insufficient|status"
              + " unknown for) quota)");

  /// The message of HTTP 405 to a POST of a kind whose CRD is terminating.
  private static final String KIND_DELETED =
      "create not allowed while custom resource definition is terminating";

  private static final String NOT_DECLARED = "field not declared in schema";

  /// The API server's words for an apply whose content does not fit the schema; the field and the
  /// reason follow.
  private static final Pattern TYPED_PATCH =
      Pattern.compile("^failed to create typed patch object \\([^)]*\\): ");

  private ApiErrorClassifier() {}

  /// Classifies an error response.
  ///
  /// @param attempt what was tried, for the message: `list Policy.kyverno.io`
  public static Failure classify(String attempt, ApiResponse apiResponse) {
    return failure(attempt, apiResponse, Redaction.redact(apiResponse.message()));
  }

  /// Classifies the error response to a write, whose message may quote the manifest.
  ///
  /// @param attempt what was tried, for the message: `apply ClusterPolicy/team-label`
  /// @param manifest the manifest that was sent
  public static Failure classify(String attempt, ApiResponse apiResponse, Value.Mapping manifest) {
    var shown = Redaction.redact(apiResponse.message(), manifest);
    return failure(
        attempt, apiResponse, tooLarge(apiResponse) ? shown + adviceOnSize(manifest) : shown);
  }

  private static Failure failure(String attempt, ApiResponse apiResponse, String shown) {
    var cause = cause(apiResponse);
    var said = shown.isEmpty() ? "no message" : TYPED_PATCH.matcher(shown).replaceFirst("");
    var unknownField =
        cause == Cause.INVALID && said.endsWith(NOT_DECLARED)
            ? "; the CRD of this cluster does not have this field: correct its name, or install the"
                + " release of Kyverno that has it"
            : "";
    return new Failure(
        cause,
        attempt
            + ": HTTP "
            + apiResponse.status()
            + ", "
            + said
            + unknownField
            + advice(cause, apiResponse),
        cause == Cause.WEBHOOK_UNREACHABLE ? webhook(apiResponse.message()) : Optional.empty());
  }

  private static Cause cause(ApiResponse apiResponse) {
    var message = apiResponse.message();
    if (denied(message)) {
      return Cause.DENIED;
    }
    if (namespaceDeleted(apiResponse) || kindDeleted(apiResponse)) {
      return Cause.TERMINATING;
    }
    return switch (apiResponse.status()) {
      case 401 -> Cause.UNAUTHORIZED;
      case FORBIDDEN -> Cause.FORBIDDEN;
      case 404 -> notServed(apiResponse) ? Cause.SERVER_ERROR : Cause.NOT_FOUND;
      case 409 -> Cause.CONFLICT;
      case 408, 504 -> Cause.UNREACHABLE;
      case EXPIRED, 429, 503 -> Cause.OVERLOADED;
      case 500 -> serverError(message);
      default ->
          apiResponse.status() >= 400 && apiResponse.status() < 500
              ? Cause.INVALID
              : Cause.SERVER_ERROR;
    };
  }

  /// Checks only the beginning of the message: the rest may quote the policy, and a policy may
  /// contain any text.
  private static boolean denied(String message) {
    var head = message.substring(0, Math.min(message.length(), 600));
    return (head.startsWith("admission webhook ") && head.contains(" denied the request"))
        || (head.contains("AdmissionPolicy '") && head.contains(" denied request: "));
  }

  /// Returns whether a permission is missing. Not every 403 means that.
  public static boolean permissionMissing(ApiResponse apiResponse) {
    return apiResponse.status() == FORBIDDEN
        && !denied(apiResponse.message())
        && !NO_RIGHTS_MISSING.matcher(apiResponse.message()).lookingAt();
  }

  private static boolean namespaceDeleted(ApiResponse apiResponse) {
    return refusedFor("namespace", apiResponse);
  }

  private static boolean kindDeleted(ApiResponse apiResponse) {
    return refusedFor("kind", apiResponse)
        || (apiResponse.status() == NOT_ALLOWED && apiResponse.message().equals(KIND_DELETED));
  }

  private static boolean refusedFor(String what, ApiResponse apiResponse) {
    var refusal = NO_RIGHTS_MISSING.matcher(apiResponse.message());
    return apiResponse.status() == FORBIDDEN && refusal.lookingAt() && refusal.group(what) != null;
  }

  /// Returns whether an admission webhook exceeded its timeout.
  ///
  /// @param message the API server's message, or the response body that contains it
  public static boolean webhookRanOutOfTime(String message) {
    return message.contains(WEBHOOK_FAILED)
        && (message.contains("context deadline exceeded")
            || message.contains("Client.Timeout exceeded"));
  }

  private static Optional<String> webhook(String message) {
    var name = WEBHOOK_NAME.matcher(message).region(WEBHOOK_FAILED.length(), message.length());
    return name.lookingAt() ? Optional.of(name.group(1)) : Optional.empty();
  }

  private static Cause serverError(String message) {
    if (message.startsWith(WEBHOOK_FAILED)) {
      return Cause.WEBHOOK_UNREACHABLE;
    }
    return message.startsWith("failed to create typed patch object")
            || notDeclared(message)
            || isTooLarge(message)
        ? Cause.INVALID
        : Cause.SERVER_ERROR;
  }

  private static boolean tooLarge(ApiResponse apiResponse) {
    return apiResponse.status() == 413 || isTooLarge(apiResponse.message());
  }

  /// Returns whether etcd rejected the object as too large, or etcd's client did not send it (over
  /// 2 MiB).
  private static boolean isTooLarge(String message) {
    return message.startsWith("etcdserver: request is too large")
        || message.contains("trying to send message larger than max");
  }

  private static String adviceOnSize(Value.Mapping manifest) {
    return "; "
        + PolicySize.limitExceededMessage(PolicySize.of(manifest))
        + ": split its rules into several policies";
  }

  /// Returns whether the stored object does not fit the schema of the version that we applied. If
  /// several fields do not fit, the message is a list with one line per field below `errors:`.
  public static boolean notDeclared(String message) {
    return (message.startsWith(".") || message.startsWith("errors:"))
        && message.endsWith(NOT_DECLARED);
  }

  /// Returns whether an entry of the object's managed fields has a version that its CRD no longer
  /// has.
  public static boolean versionRemoved(ApiResponse apiResponse) {
    return apiResponse.status() == 500
        && apiResponse.message().startsWith("request to convert CR to an invalid group/version: ");
  }

  /// Returns whether the API server returned plain text for the kind's path, although discovery had
  /// just listed the kind: its CRD is being replaced, or the API server has just started.
  private static boolean notServed(ApiResponse apiResponse) {
    return apiResponse.body().fields().isEmpty();
  }

  private static String tried(ApiResponse.Attempts attempts) {
    return attempts.count() == 1
        ? ""
        : "; tried "
            + attempts.count()
            + " times within "
            + attempts.within().toSeconds()
            + " s, the next run tries again";
  }

  private static String advice(Cause cause, ApiResponse apiResponse) {
    return switch (cause) {
      case FORBIDDEN ->
          permissionMissing(apiResponse)
              ? MissingPermission.advice(apiResponse.message())
              : "; a ResourceQuota of the namespace allows no more: raise it, or remove objects";
      case TERMINATING ->
          namespaceDeleted(apiResponse)
              ? "; the namespace is being deleted: create it again once it is gone"
              : "; the kind's CRD is being deleted: install it again once it is gone";
      case UNAUTHORIZED ->
          "; the token is expired, revoked or for another cluster: in a pod, check that its"
              + " ServiceAccount exists; with a kubeconfig, log in again";
      case OVERLOADED ->
          apiResponse.status() == EXPIRED
              ? "; the list expired twice before its last page, so the API server or its etcd is"
                  + " overloaded"
              : tried(apiResponse.attempts());
      case NOT_FOUND ->
          apiResponse.message().startsWith("namespaces ") ? "; create the namespace first" : "";
      case WEBHOOK_UNREACHABLE ->
          webhookRanOutOfTime(apiResponse.message())
              ? "; Kyverno may be overloaded: lower CONCURRENCY to reduce the load"
              : "; check that Kyverno is running";
      case SERVER_ERROR ->
          apiResponse.status() == 404
              ? "; the kind is no longer served, its CRD may have been deleted or replaced"
              : "";
      case DENIED ->
          KIND_GIVEN_UP.matcher(apiResponse.message()).find()
              ? "; replace it with a policy of policies.kyverno.io"
              : "";
      case UNREADABLE, KIND_ABSENT, KIND_EXCLUDED, INVALID, CONFLICT, UNREACHABLE, NOT_SENT -> "";
    };
  }
}
