package dev.policysync.cluster;

import dev.policysync.ownership.FieldOwnership;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.Action;
import dev.policysync.sync.Desired;
import dev.policysync.sync.Failure;
import dev.policysync.sync.LivePolicy;
import dev.policysync.sync.Mode;
import dev.policysync.sync.PolicyStore.Written;
import dev.policysync.sync.Version;
import dev.policysync.yaml.CanonicalJson;
import dev.policysync.yaml.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import okhttp3.HttpUrl;

/// Applies one policy by server-side apply, and takes over what others own of its spec.
///
/// A forced apply leaves a field that another manager owns and the manifest does not name. So where
/// the answer shows such a manager, its fields are made ours in `managedFields`, and a second apply
/// removes them.
final class PolicyWriter {
  /// etcd's first revision: it is used up before the first object is written.
  private static final Value NO_OBJECTS_VERSION = new Value.Text("1");

  private final KubeApi api;

  PolicyWriter(KubeApi api) {
    this.api = api;
  }

  Written apply(Action.Write write, HttpUrl url, Mode mode) {
    var attempt = "apply " + write.id();
    var answer = patch(write.desired(), write.seen(), url, mode);
    if (!answer.ok() && Refusal.notDeclared(answer.message())) {
      return applyAfterReset(write, url, mode, answer);
    }
    if (!answer.ok()) {
      return stale(write, answer)
          ? new Written.Stale()
          : new Written.Refused(Refusal.of(attempt, answer));
    }
    if (mode == Mode.DRY_RUN) {
      return new Written.Done(answer.warnings());
    }
    var applied = LiveObject.of(write.id().kind(), answer.body());
    var takenOver = applied.ownership().takenOver();
    return takenOver.isEmpty()
        ? proven(write.desired(), applied, answer.warnings())
        : takeOver(write, url, applied.version(), takenOver.get(), answer.warnings());
  }

  /// The stored object holds a field that the version we apply does not know (a ClusterPolicy that
  /// was applied at v2beta1): its managed fields cannot be read at all. One entry of ours in their
  /// place can.
  private Written applyAfterReset(
      Action.Write write, HttpUrl url, Mode mode, KubeApi.Answer refused) {
    var live = api.get(url, KubeApi.METADATA);
    if (!live.ok() || mode == Mode.DRY_RUN) {
      return mode == Mode.DRY_RUN
          ? new Written.Done(
              List.of(
                  "its field ownership needs a repair first, so this preview is not the API server's"))
          : new Written.Refused(Refusal.of("apply " + write.id(), refused));
    }
    var object = LiveObject.of(write.id().kind(), live.body());
    var apiVersion = write.desired().manifest().text("apiVersion").orElse("");
    // Read here, since a live policy that does not carry our mark comes without its ownership.
    var ownership = FieldsV1.read(live.body().mapping("metadata").items("managedFields"));
    return takeOver(write, url, object.version(), ownership.reset(apiVersion), refused.warnings());
  }

  private Written takeOver(
      Action.Write write,
      HttpUrl url,
      Version version,
      FieldOwnership ownership,
      List<String> warnings) {
    var patch =
        new Value.Sequence(
            List.of(
                replace("/metadata/managedFields", FieldsV1.write(ownership)),
                replace("/metadata/resourceVersion", new Value.Text(version.resourceVersion()))));
    var patched =
        api.send(
            "PATCH",
            withManager(url).build(),
            KubeApi.JSON_PATCH,
            CanonicalJson.write(patch),
            KubeApi.METADATA);
    var all = new ArrayList<>(warnings);
    if (!patched.ok()) {
      return patched.status() == 409
          ? new Written.Stale()
          : new Written.Refused(Refusal.of("take over the fields of " + write.id(), patched));
    }
    var ours = LiveObject.of(write.id().kind(), patched.body());
    var answer = patch(write.desired(), Optional.of(ours.version()), url, Mode.LIVE);
    all.addAll(answer.warnings());
    if (!answer.ok()) {
      return answer.status() == 409
          ? new Written.Stale()
          : new Written.Refused(Refusal.of("apply " + write.id(), answer));
    }
    return proven(write.desired(), LiveObject.of(write.id().kind(), answer.body()), all);
  }

  /// The answer shows the managed fields, so whether the policy is now ours need not be believed.
  private static Written proven(Desired desired, LivePolicy applied, List<String> warnings) {
    return applied.ownership().covers(desired.manifest())
        ? new Written.Done(warnings)
        : new Written.Refused(
            new Failure(
                Failure.Cause.SERVER_ERROR,
                "apply "
                    + desired.id()
                    + ": the API server took it, but does not show us as the owner of all its fields;"
                    + " does a webhook change or drop them?"));
  }

  KubeApi.Answer patch(Desired desired, Optional<Version> seen, HttpUrl url, Mode mode) {
    return patch(desired, seen, url, mode, KubeApi.METADATA);
  }

  /// The uid and resourceVersion tie an update to what was judged. A creation is tied to there
  /// being nothing: it names a resourceVersion that no object has, which is a conflict with any
  /// object of that name, and which the API server ignores where there is none. Without it, an
  /// object that appears in between and agrees with the manifest would silently become ours.
  KubeApi.Answer patch(
      Desired desired, Optional<Version> seen, HttpUrl url, Mode mode, String accept) {
    var target =
        withManager(url)
            .addQueryParameter("force", Boolean.toString(seen.isPresent()))
            .addQueryParameter("fieldValidation", "Strict");
    if (mode == Mode.DRY_RUN) {
      target.addQueryParameter("dryRun", "All");
    }
    var metadata =
        seen.map(version -> tied(desired, version)).orElseGet(() -> tiedToNothing(desired));
    var manifest = desired.manifest().with("metadata", metadata);
    return api.send("PATCH", target.build(), KubeApi.APPLY, CanonicalJson.write(manifest), accept);
  }

  /// A dry run of creating the policy under a name that the API server makes up: its spec as it is
  /// where nobody else ever wrote to it.
  KubeApi.Answer createUnderAnotherName(Desired desired, HttpUrl collection) {
    var target =
        withManager(collection)
            .addQueryParameter("fieldValidation", "Strict")
            .addQueryParameter("dryRun", "All")
            .build();
    var metadata =
        desired
            .manifest()
            .mapping("metadata")
            .without("name")
            .with("generateName", new Value.Text("preview-"));
    var manifest = desired.manifest().with("metadata", metadata);
    return api.send("POST", target, KubeApi.JSON_BODY, CanonicalJson.write(manifest), KubeApi.JSON);
  }

  private static Value.Mapping tied(Desired desired, Version version) {
    return desired
        .manifest()
        .mapping("metadata")
        .with("uid", new Value.Text(version.uid()))
        .with("resourceVersion", new Value.Text(version.resourceVersion()));
  }

  private static Value.Mapping tiedToNothing(Desired desired) {
    return desired.manifest().mapping("metadata").with("resourceVersion", NO_OBJECTS_VERSION);
  }

  /// A conflict of versions or of owners, or another object under the same name: all mean that the
  /// object is not the one that was judged.
  private static boolean stale(Action.Write write, KubeApi.Answer answer) {
    return answer.status() == 409
        || (answer.status() == 422
            && write.seen().isPresent()
            && answer.message().contains("metadata.uid"));
  }

  private static HttpUrl.Builder withManager(HttpUrl url) {
    return url.newBuilder().addQueryParameter("fieldManager", FieldOwnership.MANAGER);
  }

  private static Value replace(String path, Value value) {
    var operation = new LinkedHashMap<String, Value>();
    operation.put("op", new Value.Text("replace"));
    operation.put("path", new Value.Text(path));
    operation.put("value", value);
    return new Value.Mapping(operation);
  }

  /// Removes exactly that object.
  Written remove(PolicyId id, Version version, HttpUrl url, Mode mode) {
    var preconditions =
        new Value.Mapping(
            Map.of(
                "uid", new Value.Text(version.uid()),
                "resourceVersion", new Value.Text(version.resourceVersion())));
    var options =
        new Value.Mapping(
            Map.of(
                "apiVersion", new Value.Text("v1"),
                "kind", new Value.Text("DeleteOptions"),
                "preconditions", preconditions));
    var body =
        mode == Mode.DRY_RUN
            ? options.with("dryRun", new Value.Sequence(List.of(new Value.Text("All"))))
            : options;
    var answer =
        api.send("DELETE", url, KubeApi.JSON_BODY, CanonicalJson.write(body), KubeApi.METADATA);
    if (answer.ok() || (answer.status() == 404 && answer.reason().equals("NotFound"))) {
      return new Written.Done(answer.warnings());
    }
    return answer.status() == 409
        ? new Written.Stale()
        : new Written.Refused(Refusal.of("remove " + id, answer));
  }
}
