package dev.policysync.remote.cluster.lease;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.plan.Failure;
import dev.policysync.plan.managedfields.FieldOwnership;
import dev.policysync.remote.cluster.ApiErrorClassifier;
import dev.policysync.remote.cluster.ApiResponse;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.remote.cluster.KubeApi;
import dev.policysync.remote.cluster.MissingPermission;
import dev.policysync.sync.execution.ClusterUnavailable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import okhttp3.HttpUrl;

/// Reads and writes the agent's Lease on the API server, as JSON. Every change is made at the
/// resourceVersion that was read, so of two concurrent writers one gets a conflict.
///
/// It uses plain requests, because the Kubernetes client's models would cost each run that writes a
/// third of a second of CPU time and about 16 MiB.
public final class LeaseApi {
  private static final String VERSION = "coordination.k8s.io/v1";

  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;

  /// The time limit of each call. A call is short and passes no webhook, so a new call is better
  /// than a long wait: a renewal over a connection that died unnoticed must leave time for the next
  /// one. From one renewal to the last moment for another there are 48 s. The first attempt begins
  /// after 15 s, and the next one 15 s after its end.
  static final Duration PER_CALL = Duration.ofSeconds(8);

  private final KubeApi api;
  private final String namespace;

  public LeaseApi(ClusterConnection connection, String namespace) {
    this.api = new KubeApi(connection.withTimeBudget(connection.timeBudget().perCall(PER_CALL)));
    this.namespace = namespace;
  }

  /// Reads the Lease; empty if it does not exist.
  ///
  /// @param why the purpose, for messages: `take`
  /// @throws ClusterUnavailable if the Lease cannot be read
  public Optional<ApiResponse> read(String why) {
    return unless(NOT_FOUND, why, api.get(url(), KubeApi.JSON));
  }

  /// Creates the Lease; empty if it already exists.
  ///
  /// @param why the purpose, for messages: `take`
  /// @throws ClusterUnavailable if the Lease cannot be created
  public Optional<Value.Mapping> create(
      String why, Value.Mapping annotations, Value.Mapping record) {
    var metadata =
        Value.Mapping.EMPTY
            .with("name", LeaseLock.NAME)
            .with("namespace", namespace)
            .with("annotations", annotations);
    var lease =
        Value.Mapping.EMPTY
            .with("apiVersion", VERSION)
            .with("kind", "Lease")
            .with("metadata", metadata)
            .with("spec", record);
    return send(why, "POST", leases().build(), lease);
  }

  /// Replaces the Lease that was read with a changed one; empty if the Lease has changed since.
  ///
  /// @param why the purpose, for messages: `renew`
  /// @throws ClusterUnavailable if the Lease cannot be written
  public Optional<Value.Mapping> replace(String why, Value.Mapping lease) {
    return send(why, "PUT", url(), lease.with("metadata", recorded(lease.mapping("metadata"))));
  }

  /// Returns the Lease's name in messages and commands: `agents/kyverno-policy-sync-lock`.
  public String name() {
    return namespace + "/" + LeaseLock.NAME;
  }

  /// Returns the command with which a person releases the Lease of a holder that no longer runs.
  public String releaseCommand() {
    return "kubectl patch lease "
        + LeaseLock.NAME
        + " --namespace="
        + namespace
        + " --type=merge --patch='{\"spec\":{\"holderIdentity\":\"\"}}'";
  }

  private Optional<Value.Mapping> send(
      String why, String method, HttpUrl url, Value.Mapping lease) {
    var target = url.newBuilder().addQueryParameter("fieldManager", FieldOwnership.MANAGER).build();
    var apiResponse =
        api.send(method, target, KubeApi.JSON_BODY, CanonicalJson.write(lease), KubeApi.JSON);
    return unless(CONFLICT, why, apiResponse).map(ApiResponse::body);
  }

  private Optional<ApiResponse> unless(int status, String why, ApiResponse apiResponse) {
    if (apiResponse.status() == status) {
      return Optional.empty();
    }
    if (!apiResponse.ok()) {
      throw new ClusterUnavailable(failure(why + " the Lease " + name(), apiResponse));
    }
    return Optional.of(apiResponse);
  }

  private Failure failure(String attempt, ApiResponse apiResponse) {
    if (ApiErrorClassifier.permissionMissing(apiResponse)) {
      return new Failure(
          Failure.Cause.FORBIDDEN,
          attempt + ": HTTP 403" + MissingPermission.onLease(apiResponse.message(), namespace));
    }
    if (apiResponse.status() == NOT_FOUND) {
      return new Failure(
          Failure.Cause.NOT_FOUND,
          attempt
              + ": HTTP 404; create the namespace "
              + namespace
              + " or set NAMESPACE to another one");
    }
    return ApiErrorClassifier.classify(attempt, apiResponse);
  }

  /// Restarts the managed fields if there are none. The API server does not track the managers of
  /// an object without managed fields, and an approval's age is read from them. One entry restarts
  /// the tracking.
  private static Value.Mapping recorded(Value.Mapping metadata) {
    if (!metadata.items("managedFields").isEmpty()) {
      return metadata;
    }
    var ours =
        Value.Mapping.EMPTY
            .with("manager", FieldOwnership.MANAGER)
            .with("operation", "Update")
            .with("apiVersion", VERSION)
            .with("fieldsType", "FieldsV1")
            .with(
                "fieldsV1",
                Value.Mapping.EMPTY.with(
                    "f:spec", Value.Mapping.EMPTY.with("f:leaseTransitions", Value.Mapping.EMPTY)));
    return metadata.with("managedFields", new Value.Sequence(List.of(ours)));
  }

  private HttpUrl url() {
    return leases().addPathSegment(LeaseLock.NAME).build();
  }

  private HttpUrl.Builder leases() {
    return api.url(List.of("apis", "coordination.k8s.io", "v1", "namespaces", namespace, "leases"));
  }
}
