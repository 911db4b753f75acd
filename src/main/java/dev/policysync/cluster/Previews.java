package dev.policysync.cluster;

import dev.policysync.ownership.FieldOwnership;
import dev.policysync.plan.Action;
import dev.policysync.plan.Desired;
import dev.policysync.sync.Mode;
import dev.policysync.sync.PolicyStore.Preview;
import dev.policysync.yaml.Value;
import java.util.List;
import okhttp3.HttpUrl;

/// Finds out what a write would change, by dry runs of the API server.
///
/// A dry run of an apply shows it, unless others own fields of the policy's spec: those stay in its
/// answer, although a real apply goes on to remove them. Then the spec is that of a dry-run
/// creation under another name: ours with the server's defaults, and nothing else.
final class Previews {
  private static final List<String> SERVERS_OWN =
      List.of(
          "creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid");

  private final PolicyRequests requests;

  Previews(PolicyRequests requests) {
    this.requests = requests;
  }

  /// @param before the object as it is, without fields where there is none
  /// @param url of the object
  /// @param collection that it belongs to
  Preview of(Action.Write write, Value.Mapping before, HttpUrl url, HttpUrl collection) {
    var desired = write.desired();
    var answer = requests.apply(desired, write.seen(), url, Mode.DRY_RUN, KubeApi.JSON);
    if (answer.ok() && !leavesBehind(answer.body())) {
      return new Preview(visible(before), visible(answer.body()));
    }
    var created = requests.createUnderAnotherName(desired, collection);
    var metadata = (answer.ok() ? answer.body() : desired.manifest()).mapping("metadata");
    var spec = (created.ok() ? created.body() : desired.manifest()).mapping("spec");
    var after =
        desired.manifest().with("metadata", takenOver(metadata, desired)).with("spec", spec);
    return new Preview(visible(before), visible(after));
  }

  private static boolean leavesBehind(Value.Mapping object) {
    return FieldsV1.read(object.mapping("metadata").items("managedFields")).leavesBehind();
  }

  /// What client-side apply left behind goes with the take-over, unless it is wanted.
  private static Value.Mapping takenOver(Value.Mapping metadata, Desired desired) {
    var wanted = desired.manifest().mapping("metadata").mapping("annotations");
    var annotations = metadata.mapping("annotations");
    return wanted.field(FieldOwnership.LAST_APPLIED).isPresent()
        ? metadata
        : metadata.with("annotations", annotations.without(FieldOwnership.LAST_APPLIED));
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
