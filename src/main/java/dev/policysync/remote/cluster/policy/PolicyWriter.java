package dev.policysync.remote.cluster.policy;

import dev.policysync.base.Value;
import dev.policysync.plan.Action;
import dev.policysync.plan.Failure;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.ObjectVersion;
import dev.policysync.plan.managedfields.FieldOwnership;
import dev.policysync.plan.managedfields.FieldSet;
import dev.policysync.remote.cluster.ApiErrorClassifier;
import dev.policysync.remote.cluster.ApiResponse;
import dev.policysync.remote.cluster.KubeApi;
import dev.policysync.sync.execution.PolicyStore.Written;
import dev.policysync.sync.execution.WriteMode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import okhttp3.HttpUrl;

/// Applies one policy by server-side apply, and takes over fields of other managers.
///
/// A forced apply keeps a field that another manager owns and that is not in the manifest. So if
/// the response shows such a manager, its fields are made ours in `managedFields`, and another
/// apply removes the fields that are not in the manifest.
final class PolicyWriter {
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int INVALID = 422;
  private static final int TAKE_OVERS = 2;

  private static final Written NOT_PREVIEWED =
      new Written.Done(
          List.of(
              "field ownership must be repaired first, so the API server did not validate this"
                  + " preview"));

  private final PolicyRequests requests;

  PolicyWriter(PolicyRequests requests) {
    this.requests = requests;
  }

  /// @param served the apiVersions at which the kind is served: `kyverno.io/v1`
  Written apply(Action.Write write, HttpUrl url, Set<String> served, WriteMode writeMode) {
    var apiResponse = requests.apply(write.desired(), write.seen(), url, writeMode, accept(write));
    return answered(write, url, served, writeMode, apiResponse);
  }

  /// Continues a write after the API server's response to its first apply.
  Written answered(
      Action.Write write,
      HttpUrl url,
      Set<String> served,
      WriteMode writeMode,
      ApiResponse apiResponse) {
    return ApiErrorClassifier.versionRemoved(apiResponse)
        ? applyAfterMove(write, url, served, writeMode, apiResponse)
        : judged(write, write.seen(), url, writeMode, apiResponse);
  }

  private Written judged(
      Action.Write write,
      Optional<ObjectVersion> seen,
      HttpUrl url,
      WriteMode writeMode,
      ApiResponse apiResponse) {
    var unfit = apiResponse.status() == INVALID && seen.isPresent();
    if (unfit || ApiErrorClassifier.notDeclared(apiResponse.message())) {
      return applyAfterReset(write, seen, url, writeMode, apiResponse);
    }
    return writeMode == WriteMode.DRY_RUN && apiResponse.ok()
        ? new Written.Done(apiResponse.warnings())
        : takeOver(write, url, apiResponse, TAKE_OVERS);
  }

  /// Applies after moving ownership to a served version. A manager owns fields at a version that
  /// the CRD no longer has, even if only Kyverno for the status. Then the API server fails every
  /// apply of the object, until another kind of write (kubernetes/kubernetes#111937). Fields owned
  /// at such versions become owned by the same manager at the version that we apply; other entries
  /// stay unchanged.
  ///
  /// This run's discovery shows which versions are served, so a version that was removed after it
  /// is left to the next run.
  private Written applyAfterMove(
      Action.Write write,
      HttpUrl url,
      Set<String> served,
      WriteMode writeMode,
      ApiResponse refusal) {
    var found = requests.metadata(url);
    if (!found.ok()) {
      return refused("apply", write, refusal);
    }
    var objectVersion = live(write, found).objectVersion();
    if (!write.seen().equals(Optional.of(objectVersion))) {
      return new Written.Stale();
    }
    var moved = ownership(found).moved(served, apiVersion(write));
    if (moved.isEmpty()) {
      return refused("apply", write, refusal);
    }
    if (writeMode == WriteMode.DRY_RUN) {
      return NOT_PREVIEWED;
    }
    var rewritten = requests.replaceOwners(url, objectVersion, moved.get());
    if (!rewritten.ok()) {
      return notTaken(write, rewritten);
    }
    var seen = Optional.of(live(write, rewritten).objectVersion());
    var apiResponse = requests.apply(write.desired(), seen, url, writeMode, accept(write));
    return judged(write, seen, url, writeMode, apiResponse);
  }

  /// Applies after resetting ownership, in two cases. Either the stored object has a field that the
  /// applied version does not have (a ClusterPolicy that was applied at v2beta1), and its managed
  /// fields cannot be read at all. Or other managers' fields in the spec conflict with ours (`Deny`
  /// beside `Warn`), and a forced apply would keep both. Replacing the entries with a single one of
  /// ours solves both.
  ///
  /// The API server found this error before it checked the preconditions of the write, so they are
  /// checked here.
  private Written applyAfterReset(
      Action.Write write,
      Optional<ObjectVersion> seen,
      HttpUrl url,
      WriteMode writeMode,
      ApiResponse refusal) {
    var found = requests.metadata(url);
    if (!found.ok()) {
      return refused("apply", write, refusal);
    }
    var objectVersion = live(write, found).objectVersion();
    if (!seen.equals(Optional.of(objectVersion))) {
      return new Written.Stale();
    }
    var ownership = ownership(found);
    var invalid = refusal.status() == INVALID;
    if (invalid && (ownership.intruders().isEmpty() || !validByItself(write, url))) {
      return refused("apply", write, refusal);
    }
    return writeMode == WriteMode.DRY_RUN
        ? NOT_PREVIEWED
        : applyAs(ownership.reset(apiVersion(write)), write, objectVersion, url, TAKE_OVERS);
  }

  private boolean validByItself(Action.Write write, HttpUrl url) {
    return requests.createUnderAnotherName(write.desired(), collection(url)).ok();
  }

  private static HttpUrl collection(HttpUrl url) {
    return url.newBuilder().removePathSegment(url.pathSize() - 1).build();
  }

  /// Takes over the fields that other managers own according to the response to an apply.
  ///
  /// @param left how many takeovers may follow; one is enough unless others write meanwhile, or the
  ///   managed fields could not be read before
  private Written takeOver(Action.Write write, HttpUrl url, ApiResponse apiResponse, int left) {
    if (!apiResponse.ok()) {
      return refused("apply", write, apiResponse);
    }
    var applied = live(write, apiResponse);
    var takenOver = applied.ownership().takenOver(unwanted(write, url, apiResponse.body()));
    return takenOver.isEmpty() || left == 0
        ? verifyOwnership(write, applied, apiResponse.warnings())
        : applyAs(takenOver.get(), write, applied.objectVersion(), url, left);
  }

  /// Returns the fields that an apply left in the object although they are not in the manifest,
  /// whoever owns them. If the managed fields do not show who changed the policy, a field of its
  /// spec may have no owner.
  private FieldSet unwanted(Action.Write write, HttpUrl url, Value.Mapping object) {
    var manifest = write.desired().manifest();
    if (DryRunPreviews.hasUnknownCause(write)) {
      var created = requests.createUnderAnotherName(write.desired(), collection(url));
      if (created.ok()) {
        return FieldOwnership.unwanted(object, manifest, created.body());
      }
    }
    return FieldOwnership.unwanted(object.mapping("metadata"), manifest);
  }

  /// Returns the media type of the response to an apply: the whole object if its spec may have to
  /// be examined.
  private static String accept(Action.Write write) {
    return DryRunPreviews.hasUnknownCause(write) ? KubeApi.JSON : KubeApi.METADATA;
  }

  private Written applyAs(
      FieldOwnership ownership,
      Action.Write write,
      ObjectVersion objectVersion,
      HttpUrl url,
      int left) {
    var taken = requests.replaceOwners(url, objectVersion, ownership);
    if (!taken.ok()) {
      return notTaken(write, taken);
    }
    var seen = Optional.of(live(write, taken).objectVersion());
    var apiResponse = requests.apply(write.desired(), seen, url, WriteMode.LIVE, accept(write));
    return takeOver(write, url, apiResponse, left - 1);
  }

  private static Written notTaken(Action.Write write, ApiResponse apiResponse) {
    return apiResponse.status() == NOT_FOUND
        ? new Written.Stale()
        : refused("take over the fields of", write, apiResponse);
  }

  /// Checks by the managed fields in the response that the policy is now ours.
  private static Written verifyOwnership(
      Action.Write write, LivePolicy applied, List<String> warnings) {
    return applied.ownership().covers(write.desired().manifest())
        ? new Written.Done(warnings)
        : new Written.Refused(
            new Failure(
                Failure.Cause.SERVER_ERROR,
                "apply "
                    + write.id()
                    + ": the API server accepted the policy, but policy-sync does not own all"
                    + " its fields; check for a webhook that changes or drops fields"));
  }

  /// Classifies a rejected request. In all these cases the object is not the one on which the
  /// decision was based: a conflict of versions or of owners, another object of the same name, or
  /// no object (the API server then reports the uid as immutable).
  private static Written refused(String what, Action.Write write, ApiResponse apiResponse) {
    var another = apiResponse.status() == INVALID && apiResponse.message().contains("metadata.uid");
    var stale = apiResponse.status() == CONFLICT || (another && write.seen().isPresent());
    return stale
        ? new Written.Stale()
        : new Written.Refused(
            ApiErrorClassifier.classify(
                what + " " + write.id(), apiResponse, write.desired().manifest()));
  }

  /// Deletes exactly the object of this removal. A policy that waits for its finalizers counts as
  /// refused.
  Written remove(Action.Remove removal, HttpUrl url, WriteMode writeMode) {
    var apiResponse = requests.remove(url, removal.was(), writeMode);
    var finalizers = String.join(", ", apiResponse.body().mapping("metadata").texts("finalizers"));
    if (apiResponse.ok() && !finalizers.isEmpty()) {
      return new Written.Refused(
          new Failure(
              Failure.Cause.TERMINATING,
              "remove "
                  + removal.id()
                  + ": the policy is marked for deletion and waits for its finalizers ("
                  + finalizers
                  + "); it stays in force until they are removed"));
    }
    if (apiResponse.ok()
        || (apiResponse.status() == NOT_FOUND && apiResponse.reason().equals("NotFound"))) {
      return new Written.Done(apiResponse.warnings());
    }
    if (apiResponse.status() == CONFLICT) {
      return new Written.Stale();
    }
    // The denial may quote the policy, and only the cluster has the policy's text.
    var manifest = requests.whole(url).body();
    return new Written.Refused(
        ApiErrorClassifier.classify("remove " + removal.id(), apiResponse, manifest));
  }

  /// Reads the ownership from the response, because a live policy without our ownership annotation
  /// was listed without it.
  private static FieldOwnership ownership(ApiResponse found) {
    return FieldsV1.read(found.body().mapping("metadata").items("managedFields"));
  }

  private static String apiVersion(Action.Write write) {
    return write.desired().manifest().text("apiVersion").orElse("");
  }

  private static LivePolicy live(Action.Write write, ApiResponse apiResponse) {
    return LiveObject.of(write.id().kind(), apiResponse.body());
  }
}
