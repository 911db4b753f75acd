package dev.policysync.remote.cluster.policy;

import dev.policysync.base.Parallel;
import dev.policysync.base.Value;
import dev.policysync.plan.Action;
import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.Listing;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.ObjectVersion;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.remote.cluster.ApiErrorClassifier;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.remote.cluster.Discovery;
import dev.policysync.remote.cluster.KubeApi;
import dev.policysync.remote.cluster.Redaction;
import dev.policysync.remote.cluster.ServedKinds;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.PolicyStore;
import dev.policysync.sync.execution.WriteMode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import okhttp3.HttpUrl;

/// Lists and writes the policies of a real cluster over its API: one discovery request, one
/// metadata-only list per kind and page, one server-side apply per policy.
public final class ClusterPolicies implements PolicyStore {
  /// How many lists are in flight at once; more would only queue in the API server.
  private static final int CONCURRENT_LISTS = 6;

  private final KubeApi api;
  private final Set<PolicyKind> excluded;
  private final PolicyWriter writer;
  private final DryRunPreviews dryRunPreviews;

  /// The version of each kind, as of the last [#list()].
  private final Map<PolicyKind, String> versions = new ConcurrentHashMap<>();

  private volatile ServedKinds served = new ServedKinds(Map.of());

  /// Creates a store for callers that need no Lease.
  public ClusterPolicies(ClusterConnection connection) {
    this(connection, Set.of(), () -> true);
  }

  /// Creates a store for a run that writes.
  ///
  /// @param excluded kinds that this agent does not manage
  /// @param mayWrite whether this run certainly holds the Lease, if it has taken one; checked
  ///   directly before each write request, because one repair takes up to five requests (promise 9)
  public ClusterPolicies(
      ClusterConnection connection, Set<PolicyKind> excluded, BooleanSupplier mayWrite) {
    this.excluded = Set.copyOf(excluded);
    this.api = new KubeApi(connection, mayWrite);
    var requests = new PolicyRequests(api);
    this.writer = new PolicyWriter(requests);
    this.dryRunPreviews = new DryRunPreviews(requests);
  }

  @Override
  public ActualPolicies list() {
    return list(Map.of());
  }

  @Override
  public ActualPolicies listServed(Map<PolicyKind, String> served) {
    return list(
        Map.of(),
        kind ->
            served.containsKey(kind)
                ? new Discovery.Found.Served(served.get(kind))
                : new Discovery.Found.Missing("it was not served within the last hour"));
  }

  @Override
  public ActualPolicies list(Map<PolicyKind, Listing> known) {
    served = new Discovery(api).discover();
    return list(known, served::get);
  }

  private ActualPolicies list(
      Map<PolicyKind, Listing> known, Function<PolicyKind, Discovery.Found> found) {
    var lists = new MetadataLists(api);
    var listings = new EnumMap<PolicyKind, Listing>(PolicyKind.class);
    listings.putAll(known);
    var pending = new EnumMap<PolicyKind, Future<Listing>>(PolicyKind.class);
    try (var threads = Parallel.threads(CONCURRENT_LISTS)) {
      for (var kind : PolicyKind.all()) {
        if (known.containsKey(kind)) {
          continue;
        }
        if (excluded.contains(kind)) {
          listings.put(kind, new Listing.Excluded());
          continue;
        }
        switch (found.apply(kind)) {
          case Discovery.Found.Served(var version) -> {
            versions.put(kind, version);
            pending.put(kind, threads.submit(() -> lists.list(kind, version)));
          }
          case Discovery.Found.Missing(var reason) ->
              listings.put(kind, new Listing.Absent(reason));
          case Discovery.Found.Uncertain(var failure) ->
              listings.put(kind, new Listing.Unlistable(failure));
        }
      }
      pending.forEach(
          (kind, listing) -> listings.put(kind, Parallel.result(listing, "listing " + kind)));
    }
    return new ActualPolicies(listings);
  }

  @Override
  public Optional<LivePolicy> find(PolicyId id) {
    return read(id, KubeApi.METADATA).map(object -> LiveObject.of(id.kind(), object));
  }

  @Override
  public Optional<Value.Mapping> read(PolicyId id) {
    return read(id, KubeApi.JSON);
  }

  @Override
  public Written apply(Action.Write write, WriteMode writeMode) {
    var id = write.id();
    return redacted(write, writer.apply(write, url(id), served.apiVersions(id.kind()), writeMode));
  }

  private static Written redacted(Action.Write write, Written written) {
    return switch (written) {
      case Written.Done(var warnings) when !warnings.isEmpty() -> {
        var manifest = write.desired().manifest();
        yield new Written.Done(warnings.stream().map(w -> Redaction.redact(w, manifest)).toList());
      }
      case Written other -> other;
    };
  }

  @Override
  public Written remove(Action.Remove removal, WriteMode writeMode) {
    return writer.remove(removal, url(removal.id()), writeMode);
  }

  @Override
  public Preview preview(Action.Write write) {
    var id = write.id();
    var before = write.seen().flatMap(_ -> read(id)).orElse(Value.Mapping.EMPTY);
    return dryRunPreviews.of(
        write, before, dryRunPreviews.dryRunApply(write, url(id)), collection(id));
  }

  /// Reads the object before the dry run. If the dry run reports no conflict, the object has not
  /// changed in between.
  @Override
  public DryRun dryRun(Action.Write write, Optional<Value.Mapping> known) {
    var id = write.id();
    var before =
        write
            .seen()
            .flatMap(seen -> known.filter(object -> isAt(seen, object)).or(() -> read(id)))
            .orElse(Value.Mapping.EMPTY);
    var answer = dryRunPreviews.dryRunApply(write, url(id));
    var written =
        writer.answered(write, url(id), served.apiVersions(id.kind()), WriteMode.DRY_RUN, answer);
    return new DryRun(
        redacted(write, written),
        written instanceof Written.Done
            ? Optional.of(dryRunPreviews.of(write, before, answer, collection(id)))
            : Optional.empty());
  }

  private static boolean isAt(ObjectVersion version, Value.Mapping object) {
    var metadata = object.mapping("metadata");
    return metadata.text("uid").filter(version.uid()::equals).isPresent()
        && metadata.text("resourceVersion").filter(version.resourceVersion()::equals).isPresent();
  }

  private Optional<Value.Mapping> read(PolicyId id, String accept) {
    var apiResponse = api.get(url(id), accept);
    if (apiResponse.ok()) {
      return Optional.of(apiResponse.body());
    }
    if (apiResponse.status() == 404 && apiResponse.reason().equals("NotFound")) {
      return Optional.empty();
    }
    throw new ClusterUnavailable(ApiErrorClassifier.classify("read " + id, apiResponse));
  }

  private HttpUrl url(PolicyId id) {
    return collection(id).newBuilder().addPathSegment(id.name()).build();
  }

  private HttpUrl collection(PolicyId id) {
    var version = versions.get(id.kind());
    if (version == null) {
      throw new IllegalStateException("no served version known for " + id.kind() + ": list first");
    }
    var path = new ArrayList<>(List.of("apis", id.kind().group(), version));
    id.namespace().ifPresent(namespace -> path.addAll(List.of("namespaces", namespace)));
    path.add(id.kind().plural());
    return api.url(path).build();
  }
}
