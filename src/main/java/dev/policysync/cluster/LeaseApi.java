package dev.policysync.cluster;

import dev.policysync.plan.Failure;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoordinationV1Api;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;

/// The one Lease on the API server. Every change of its record is made at the resourceVersion that
/// was read; of two who try, one gets a conflict.
final class LeaseApi {
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;

  private final CoordinationV1Api leases;
  private final String namespace;

  LeaseApi(ClusterConnection connection, String namespace) {
    var client = new ApiClient(connection.http());
    client.setBasePath(connection.server().toString().replaceAll("/$", ""));
    client.setUserAgent(KubeApi.USER_AGENT);
    this.leases = new CoordinationV1Api(client);
    this.namespace = namespace;
  }

  /// What is recorded in a Lease; nothing in one that somebody made by hand.
  static V1LeaseSpec record(V1Lease lease) {
    return Objects.requireNonNullElseGet(lease.getSpec(), V1LeaseSpec::new);
  }

  /// The Lease as it is; empty where there is none.
  Optional<V1Lease> read() throws ApiException {
    return unless(NOT_FOUND, () -> leases.readNamespacedLease(LeaseLock.NAME, namespace).execute());
  }

  /// Creates the Lease with that record; empty where somebody else was faster.
  Optional<V1Lease> create(V1LeaseSpec record) throws ApiException {
    var lease =
        new V1Lease()
            .metadata(new V1ObjectMeta().name(LeaseLock.NAME).namespace(namespace))
            .spec(record);
    return unless(CONFLICT, () -> leases.createNamespacedLease(namespace, lease).execute());
  }

  /// Puts that record in place of the Lease's present one; empty where the Lease has changed since
  /// it was read.
  Optional<V1Lease> replace(V1Lease lease, V1LeaseSpec record) throws ApiException {
    return unless(
        CONFLICT,
        () ->
            leases.replaceNamespacedLease(LeaseLock.NAME, namespace, lease.spec(record)).execute());
  }

  /// Why the Lease cannot be had.
  Failure failure(ApiException e) {
    var what = "take the Lease " + namespace + "/" + LeaseLock.NAME + ": ";
    return switch (e.getCode()) {
      case 0 ->
          new Failure(
              Failure.Cause.UNREACHABLE,
              what
                  + Unreachable.explain(
                      e.getCause() instanceof IOException cause ? cause : new IOException(e)));
      case 401 -> new Failure(Failure.Cause.UNAUTHORIZED, what + "HTTP 401, the token is refused");
      case 403 ->
          new Failure(
              Failure.Cause.FORBIDDEN, what + "HTTP 403" + MissingPermission.onLease(namespace));
      case NOT_FOUND ->
          new Failure(
              Failure.Cause.NOT_FOUND,
              what
                  + "HTTP 404; does the namespace "
                  + namespace
                  + " exist? NAMESPACE names another one");
      default -> new Failure(Failure.Cause.SERVER_ERROR, what + "HTTP " + e.getCode());
    };
  }

  private static Optional<V1Lease> unless(int status, Request request) throws ApiException {
    try {
      return Optional.of(request.execute());
    } catch (ApiException e) {
      if (e.getCode() == status) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private interface Request {
    V1Lease execute() throws ApiException;
  }
}
