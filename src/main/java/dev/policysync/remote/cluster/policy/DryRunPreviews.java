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

/// Finds out what a write would change, by dry runs of the API server.
///
/// A dry run of an apply shows it, unless others own fields of the policy's spec: those stay in its
/// answer, although a real apply goes on to remove them. So do fields that nobody owns any more,
/// where a repair has no culprit. Then the spec is that of a dry-run creation under another name:
/// ours with the server's defaults, and nothing else.
final class DryRunPreviews {
  private static final List<String> SERVERS_OWN =
      List.of(
          "creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid");

  private final PolicyRequests requests;

  DryRunPreviews(PolicyRequests requests) {
    this.requests = requests;
  }

  /// The answer to a dry run of the write's first apply, with the whole object.
  ///
  /// @param url of the object
  ApiResponse ask(Action.Write write, HttpUrl url) {
    return requests.apply(write.desired(), write.seen(), url, WriteMode.DRY_RUN, KubeApi.JSON);
  }

  /// @param before the object as it is, without fields where there is none
  /// @param apiResponse what [#ask] was answered
  /// @param collection that the object belongs to
  /// @throws ClusterUnavailable if it could not be found out what a repair without a culprit
  ///   changes
  Preview of(
      Action.Write write, Value.Mapping before, ApiResponse apiResponse, HttpUrl collection) {
    var desiredPolicy = write.desired();
    if (apiResponse.ok() && !leavesBehind(apiResponse.body()) && !hasNoCulprit(write)) {
      var body = apiResponse.body();
      var metadata = takenOver(body.mapping("metadata"), desiredPolicy);
      return new Preview(visible(before), visible(body.with("metadata", metadata)));
    }
    var created = requests.createUnderAnotherName(desiredPolicy, collection);
    if (hasNoCulprit(write)) {
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

  /// Without these answers a policy that is in sync would look altered, or one that is altered in
  /// sync. A creation that is refused for good tells no more at any other time.
  ///
  /// @throws ClusterUnavailable if one of them is missing
  private static void requireAnswers(Action.Write write, ApiResponse applied, ApiResponse created) {
    if (!applied.ok()) {
      throw new ClusterUnavailable(failure(write, applied));
    }
    if (!created.ok() && failure(write, created).retryable()) {
      throw new ClusterUnavailable(failure(write, created));
    }
  }

  private static Failure failure(Action.Write write, ApiResponse apiResponse) {
    return ApiErrorClassifier.of("compare " + write.id(), apiResponse, write.desired().manifest());
  }

  /// Whether the write repairs drift of which the managed fields do not show who caused it.
  static boolean hasNoCulprit(Action.Write write) {
    return write instanceof Action.Update(_, _, var cause, var by)
        && cause == Action.Cause.DRIFTED
        && by.isEmpty();
  }

  private static boolean leavesBehind(Value.Mapping object) {
    return FieldsV1.read(object.mapping("metadata").items("managedFields")).leavesBehind();
  }

  /// What client-side apply left behind goes with the take-over, unless it is wanted, and so does
  /// what Kyverno goes by.
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

  /// An object less its status and what the server keeps for itself.
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
