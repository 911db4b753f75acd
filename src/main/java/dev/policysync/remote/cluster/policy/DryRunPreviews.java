package dev.policysync.remote.cluster.policy;

import dev.policysync.base.Value;
import dev.policysync.plan.Action;
import dev.policysync.plan.DesiredPolicy;
import dev.policysync.plan.Failure;
import dev.policysync.policy.KyvernoMetadata;
import dev.policysync.policy.ServerFields;
import dev.policysync.remote.cluster.ApiErrorClassifier;
import dev.policysync.remote.cluster.ApiResponse;
import dev.policysync.remote.cluster.KubeApi;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.PolicyStore.Preview;
import dev.policysync.sync.execution.WriteMode;
import java.util.List;
import okhttp3.HttpUrl;

/// Finds out with dry runs of the API server what a write would change.
///
/// The dry run of an apply shows the change, unless other managers own fields of the policy's spec.
/// Those fields stay in the response, although a real apply would then remove them. The same is
/// true of fields without an owner, in a repair with an unknown cause. In both cases the spec of
/// the preview comes from a dry-run creation under another name: our fields with the server's
/// defaults, and nothing else.
final class DryRunPreviews {
  private static final List<String> SERVERS_OWN =
      List.of(
          "creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid");

  private final PolicyRequests requests;

  DryRunPreviews(PolicyRequests requests) {
    this.requests = requests;
  }

  /// Sends a dry run of the write's first apply and returns the response with the whole object.
  ///
  /// @param url the object's URL
  ApiResponse dryRunApply(Action.Write write, HttpUrl url) {
    return requests.apply(write.desired(), write.seen(), url, WriteMode.DRY_RUN, KubeApi.JSON);
  }

  /// @param before the live object; without fields if there is none
  /// @param apiResponse the response to [#dryRunApply]
  /// @param collection the URL of the object's collection
  /// @throws ClusterUnavailable if a repair with an unknown cause could not be compared
  Preview of(
      Action.Write write, Value.Mapping before, ApiResponse apiResponse, HttpUrl collection) {
    var desiredPolicy = write.desired();
    if (apiResponse.ok() && !leavesBehind(apiResponse.body()) && !hasUnknownCause(write)) {
      var body = apiResponse.body();
      var metadata = takenOver(body.mapping("metadata"), desiredPolicy);
      return new Preview(visible(before), visible(body.with("metadata", metadata)));
    }
    var created = requests.createUnderAnotherName(desiredPolicy, collection);
    if (hasUnknownCause(write)) {
      requireAnswers(write, apiResponse, created);
    }
    var metadata =
        (apiResponse.ok() ? apiResponse.body() : desiredPolicy.manifest()).mapping("metadata");
    var applied = apiResponse.ok() && !leavesBehind(apiResponse.body());
    var otherwise = applied ? apiResponse.body() : desiredPolicy.manifest();
    var spec = (created.ok() ? created.body() : otherwise).mapping("spec");
    var after =
        desiredPolicy
            .manifest()
            .with("metadata", takenOver(metadata, desiredPolicy))
            .with("spec", spec);
    return new Preview(visible(before), visible(after));
  }

  /// Requires both responses. Without them, a policy in sync would look changed, or a changed one
  /// in sync. A creation that is permanently rejected would be rejected later, too.
  ///
  /// @throws ClusterUnavailable if one of the responses is missing
  private static void requireAnswers(Action.Write write, ApiResponse applied, ApiResponse created) {
    if (!applied.ok()) {
      throw new ClusterUnavailable(failure(write, applied));
    }
    if (!created.ok() && failure(write, created).retryable()) {
      throw new ClusterUnavailable(failure(write, created));
    }
  }

  private static Failure failure(Action.Write write, ApiResponse apiResponse) {
    return ApiErrorClassifier.classify(
        "compare " + write.id(), apiResponse, write.desired().manifest());
  }

  /// Returns whether the write repairs drift, and the managed fields do not show who caused it.
  static boolean hasUnknownCause(Action.Write write) {
    return write instanceof Action.Update(_, _, var cause, var by)
        && cause == Action.Cause.DRIFTED
        && by.isEmpty();
  }

  private static boolean leavesBehind(Value.Mapping object) {
    return FieldsV1.read(object.mapping("metadata").items("managedFields")).leavesBehind();
  }

  /// Returns the metadata after a takeover. It removes kubectl's last-applied annotation, and the
  /// labels and annotations that Kyverno evaluates, unless they are in the manifest.
  private static Value.Mapping takenOver(Value.Mapping metadata, DesiredPolicy desiredPolicy) {
    var wanted = desiredPolicy.manifest().mapping("metadata");
    var left = without(metadata, wanted, "annotations", List.of(ServerFields.LAST_APPLIED));
    left = without(left, wanted, "annotations", KyvernoMetadata.ANNOTATIONS);
    return without(left, wanted, "labels", KyvernoMetadata.LABELS);
  }

  private static Value.Mapping without(
      Value.Mapping metadata, Value.Mapping wanted, String holder, List<String> names) {
    var left = metadata.mapping(holder);
    for (var name : names) {
      left = wanted.mapping(holder).field(name).isPresent() ? left : left.without(name);
    }
    return left.equals(metadata.mapping(holder)) ? metadata : metadata.with(holder, left);
  }

  /// Returns an object without its status and the fields that the server sets itself.
  private static Value.Mapping visible(Value.Mapping object) {
    if (object.fields().isEmpty()) {
      return object;
    }
    var metadata = object.mapping("metadata");
    for (var name : SERVERS_OWN) {
      metadata = metadata.without(name);
    }
    return object.without("status").with("metadata", metadata);
  }
}
