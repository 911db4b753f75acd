package dev.policysync.cluster.policy;

import dev.policysync.json.CanonicalJson;
import dev.policysync.json.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.execution.OtherWriters;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.RawApi;
import java.util.Optional;

/// Other writers of a real cluster, by plain requests of its admin at the version v1.
final class ClusterWriters implements OtherWriters {
  private final RawApi api;

  ClusterWriters(RawApi api) {
    this.api = api;
  }

  @Override
  public void create(String object) {
    var policy = Documents.policy(object);
    api.post(
            RawApi.collection(policy.id(), "v1") + "?fieldManager=kubectl-create", policy.content())
        .ok();
  }

  @Override
  public void edit(PolicyId id, String patch) {
    api.merge(RawApi.path(id, "v1") + "?fieldManager=kubectl-edit", Documents.yaml(patch)).ok();
  }

  @Override
  public void apply(String object) {
    var policy = Documents.policy(object);
    var path = RawApi.path(policy.id(), "v1") + "?fieldManager=argocd-controller&force=true";
    api.apply(path, CanonicalJson.write(policy.content())).ok();
  }

  @Override
  public void report(PolicyId id, String status) {
    var patch = Value.Mapping.EMPTY.with("status", Documents.yaml(status));
    api.merge(RawApi.path(id, "v1") + "/status?fieldManager=kyverno", patch).ok();
  }

  @Override
  public void forgetOwners(PolicyId id) {
    var nobody = "[{\"op\": \"replace\", \"path\": \"/metadata/managedFields\", \"value\": [{}]}]";
    api.jsonPatch(RawApi.path(id, "v1"), nobody).ok();
  }

  @Override
  public void remove(PolicyId id) {
    api.delete(RawApi.path(id, "v1")).ok();
  }

  @Override
  public Optional<Value.Mapping> read(PolicyId id) {
    var reply = api.get(RawApi.path(id, "v1"));
    return reply.status() == 404 ? Optional.empty() : Optional.of(reply.ok());
  }
}
