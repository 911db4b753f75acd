package dev.policysync.remote.cluster.probe;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.inspect.ProbeResult;
import dev.policysync.plan.Failure;
import dev.policysync.remote.cluster.ApiErrorClassifier;
import dev.policysync.remote.cluster.ApiResponse;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.remote.cluster.KubeApi;
import dev.policysync.sync.execution.ClusterUnavailable;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import okhttp3.HttpUrl;

/// Sends the requests of `check`; every outcome becomes a [ProbeResult].
final class ProbeRequests {
  private final KubeApi api;

  ProbeRequests(ClusterConnection connection) {
    this.api = new KubeApi(connection);
  }

  HttpUrl.Builder url(List<String> path) {
    return api.url(path);
  }

  /// Reads an object.
  ///
  /// @param attempt the attempted operation, for the message: `read /version`
  /// @param meaning reads the result from the response; empty if the response does not contain it
  <T> ProbeResult<T> get(
      String attempt, List<String> path, Function<ApiResponse, Optional<T>> meaning) {
    return run(() -> result(attempt, api.get(api.url(path).build(), KubeApi.JSON), meaning));
  }

  /// Sends an object that must not be stored.
  ///
  /// @param attempt the attempted operation, for the message: `create SelfSubjectAccessReview`
  /// @param accept the media type of the response
  /// @param meaning reads the result from a successful response
  <T> ProbeResult<T> post(
      String attempt,
      HttpUrl url,
      Value.Mapping object,
      String accept,
      Function<ApiResponse, T> meaning) {
    return run(() ->
        result(
            attempt,
            api.send("POST", url, KubeApi.JSON_BODY, CanonicalJson.write(object), accept),
            meaning.andThen(Optional::of)));
  }

  /// Runs a check that sends its own requests, and turns a failure into a [ProbeResult].
  static <T> ProbeResult<T> run(Supplier<ProbeResult<T>> asking) {
    try {
      return asking.get();
    } catch (ClusterUnavailable e) {
      return e.failure().cause() == Failure.Cause.FORBIDDEN
          ? new ProbeResult.Forbidden<>(e.failure().reason())
          : new ProbeResult.Failed<>(e.failure().reason());
    }
  }

  private static <T> ProbeResult<T> result(
      String attempt, ApiResponse apiResponse, Function<ApiResponse, Optional<T>> meaning) {
    if (!apiResponse.ok()) {
      return refused(attempt, apiResponse);
    }
    var meant = meaning.apply(apiResponse);
    return meant.isPresent() ? new ProbeResult.Got<>(meant.get()) : new ProbeResult.Absent<>();
  }

  static <T> ProbeResult<T> refused(String attempt, ApiResponse apiResponse) {
    if (apiResponse.status() == 404) {
      return new ProbeResult.Absent<>();
    }
    var reason = ApiErrorClassifier.classify(attempt, apiResponse).reason();
    return ApiErrorClassifier.permissionMissing(apiResponse)
        ? new ProbeResult.Forbidden<>(reason)
        : new ProbeResult.Failed<>(reason);
  }
}
