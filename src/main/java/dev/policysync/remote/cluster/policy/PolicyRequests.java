package dev.policysync.remote.cluster.policy;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.plan.DesiredPolicy;
import dev.policysync.plan.ObjectVersion;
import dev.policysync.plan.managedfields.FieldOwnership;
import dev.policysync.remote.cluster.ApiResponse;
import dev.policysync.remote.cluster.KubeApi;
import dev.policysync.sync.execution.WriteMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import okhttp3.HttpUrl;

/// Sends the requests that write one policy. Each has the state on which the decision was based as
/// its precondition, so that the API server rejects it if the object has changed.
final class PolicyRequests {
  /// etcd's first revision. No object can have it, because it precedes the first write.
  private static final Value NO_OBJECTS_VERSION = new Value.Text("1");

  private final KubeApi api;

  PolicyRequests(KubeApi api) {
    this.api = api;
  }

  ApiResponse metadata(HttpUrl url) {
    return api.get(url, KubeApi.METADATA);
  }

  ApiResponse whole(HttpUrl url) {
    return api.get(url, KubeApi.JSON);
  }

  /// Sends a server-side apply. The response has the object's metadata or the whole object.
  ///
  /// A creation must fail if an object of that name exists. So it contains a resourceVersion that
  /// no object has: that conflicts with any existing object, and the API server ignores it if there
  /// is none. Without it, an object that appears in between and equals the manifest would silently
  /// become ours.
  ApiResponse apply(
      DesiredPolicy desiredPolicy,
      Optional<ObjectVersion> seen,
      HttpUrl url,
      WriteMode writeMode,
      String accept) {
    var target = strict(url).addQueryParameter("force", Boolean.toString(seen.isPresent()));
    if (writeMode == WriteMode.DRY_RUN) {
      target.addQueryParameter("dryRun", "All");
    }
    var manifest = desiredPolicy.manifest();
    var metadata = manifest.mapping("metadata");
    var tied =
        seen.map(objectVersion ->
                metadata
                    .with("uid", objectVersion.uid())
                    .with("resourceVersion", objectVersion.resourceVersion()))
            .orElseGet(() -> metadata.with("resourceVersion", NO_OBJECTS_VERSION));
    var body = CanonicalJson.write(manifest.with("metadata", tied));
    return api.send("PATCH", target.build(), KubeApi.APPLY, body, accept);
  }

  /// Sends a dry run that creates the policy under a generated name. The response shows the spec
  /// without the fields of other managers.
  ApiResponse createUnderAnotherName(DesiredPolicy desiredPolicy, HttpUrl collection) {
    var target = strict(collection).addQueryParameter("dryRun", "All").build();
    var manifest = desiredPolicy.manifest();
    var metadata = manifest.mapping("metadata").without("name").with("generateName", "preview-");
    var body = CanonicalJson.write(manifest.with("metadata", metadata));
    return api.send("POST", target, KubeApi.JSON_BODY, body, KubeApi.JSON);
  }

  /// Replaces an object's managed fields, and changes nothing else.
  ApiResponse replaceOwners(HttpUrl url, ObjectVersion seen, FieldOwnership ownership) {
    var operations =
        new Value.Sequence(
            List.of(
                replace("/metadata/managedFields", FieldsV1.write(ownership)),
                replace("/metadata/resourceVersion", new Value.Text(seen.resourceVersion()))));
    return api.send(
        "PATCH",
        withManager(url).build(),
        KubeApi.JSON_PATCH,
        CanonicalJson.write(operations),
        KubeApi.METADATA);
  }

  ApiResponse remove(HttpUrl url, ObjectVersion seen, WriteMode writeMode) {
    var options = new LinkedHashMap<String, Value>();
    options.put("apiVersion", new Value.Text("v1"));
    options.put("kind", new Value.Text("DeleteOptions"));
    options.put(
        "preconditions",
        new Value.Mapping(
            Map.of(
                "uid", new Value.Text(seen.uid()),
                "resourceVersion", new Value.Text(seen.resourceVersion()))));
    if (writeMode == WriteMode.DRY_RUN) {
      options.put("dryRun", new Value.Sequence(List.of(new Value.Text("All"))));
    }
    var body = CanonicalJson.write(new Value.Mapping(options));
    return api.send("DELETE", url, KubeApi.JSON_BODY, body, KubeApi.METADATA);
  }

  private static HttpUrl.Builder strict(HttpUrl url) {
    return withManager(url).addQueryParameter("fieldValidation", "Strict");
  }

  private static HttpUrl.Builder withManager(HttpUrl url) {
    return url.newBuilder().addQueryParameter("fieldManager", FieldOwnership.MANAGER);
  }

  private static Value replace(String path, Value value) {
    return new Value.Mapping(
        Map.of("op", new Value.Text("replace"), "path", new Value.Text(path), "value", value));
  }
}
