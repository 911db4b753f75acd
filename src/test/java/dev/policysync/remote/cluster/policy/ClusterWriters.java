package dev.policysync.remote.cluster.policy;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.plan.managedfields.FieldOwnership;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.execution.OtherWriters;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.RawApi;
import java.util.Optional;

/// Other writers of a real cluster, by plain requests at the best version of a kind.
public final class ClusterWriters implements OtherWriters {
  private final RawApi api;

  /// @param api as somebody who may do everything
  public ClusterWriters(RawApi api) {
    this.api = api;
  }

  @Override
  public void create(String object) {
    var policy = Documents.policy(object);
    var collection = RawApi.collection(policy.id(), version(policy.id()));
    api.post(collection + "?fieldManager=kubectl-create", policy.content()).ok();
  }

  @Override
  public void edit(PolicyId id, String patch) {
    api.merge(path(id) + "?fieldManager=kubectl-edit", Documents.yaml(patch)).ok();
  }

  @Override
  public void apply(String object) {
    apply(object, "argocd-controller");
  }

  @Override
  public void applyAsUs(String object) {
    apply(object, FieldOwnership.MANAGER);
  }

  private void apply(String object, String manager) {
    var policy = Documents.policy(object);
    var path = path(policy.id()) + "?fieldManager=" + manager + "&force=true";
    api.apply(path, CanonicalJson.write(policy.content())).ok();
  }

  @Override
  public void report(PolicyId id, String status) {
    var patch = Value.Mapping.EMPTY.with("status", Documents.yaml(status));
    api.merge(path(id) + "/status?fieldManager=kyverno", patch).ok();
  }

  @Override
  public void forgetOwners(PolicyId id) {
    var nobody = "[{\"op\": \"replace\", \"path\": \"/metadata/managedFields\", \"value\": [{}]}]";
    api.jsonPatch(path(id), nobody).ok();
  }

  @Override
  public void cutOutOthers(PolicyId id) {
    var ours =
        api.get(path(id)).ok().mapping("metadata").mappings("managedFields").stream()
            .filter(entry -> entry.text("manager").orElse("").equals(FieldOwnership.MANAGER))
            .<Value>map(entry -> entry)
            .toList();
    var metadata = Value.Mapping.EMPTY.with("managedFields", new Value.Sequence(ours));
    api.merge(path(id), Value.Mapping.EMPTY.with("metadata", metadata)).ok();
  }

  @Override
  public void remove(PolicyId id) {
    api.delete(path(id)).ok();
  }

  @Override
  public Optional<Value.Mapping> read(PolicyId id) {
    var reply = api.get(path(id));
    return reply.status() == 404 ? Optional.empty() : Optional.of(reply.ok());
  }

  private static String path(PolicyId id) {
    return RawApi.path(id, version(id));
  }

  private static String version(PolicyId id) {
    return id.kind().versions().getFirst();
  }
}
