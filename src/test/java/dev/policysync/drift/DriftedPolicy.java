package dev.policysync.drift;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.plan.Action;
import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.DesiredPolicy;
import dev.policysync.plan.Listing;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.PlannedPolicy;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.remote.cluster.policy.ClusterPolicies;
import dev.policysync.sync.execution.PolicyStore.Written;
import dev.policysync.sync.execution.WriteMode;
import dev.policysync.testcluster.RawApi;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One policy in a real cluster: the agent's verdict on it, its repair, and the truth about it.
final class DriftedPolicy {
  private static final String OURS = "kyverno-policy-sync";

  private final RawApi admin;
  private final ClusterPolicies policies;
  private final Schema schema;
  private final DesiredPolicy desiredPolicy;

  /// As it was right after its first apply.
  private Value.Mapping pristine = Value.Mapping.EMPTY;

  private DriftedPolicy(
      RawApi admin, ClusterPolicies policies, Schema schema, DesiredPolicy desiredPolicy) {
    this.admin = admin;
    this.policies = policies;
    this.schema = schema;
    this.desiredPolicy = desiredPolicy;
  }

  /// That policy, applied where there was none.
  static DriftedPolicy applied(
      RawApi admin, ClusterPolicies policies, Schema schema, Policy policy) {
    var driftedPolicy = new DriftedPolicy(admin, policies, schema, PlannedPolicy.desired(policy));
    driftedPolicy.begin();
    return driftedPolicy;
  }

  /// Begins anew: another object, applied once.
  void begin() {
    admin.delete(path());
    assertThat(policies.apply(new Action.Create(desiredPolicy), WriteMode.LIVE))
        .isInstanceOf(Written.Done.class);
    pristine = read();
  }

  PolicyId id() {
    return desiredPolicy.id();
  }

  Schema schema() {
    return schema;
  }

  RawApi admin() {
    return admin;
  }

  /// Where it is, at the version at which it is applied.
  String path() {
    return RawApi.path(id(), version());
  }

  String version() {
    return id().kind().versions().getFirst();
  }

  /// The whole object, as it is now.
  Value.Mapping read() {
    return admin.get(path()).ok();
  }

  /// The agent's verdict, by its own list of the kind.
  boolean inSync(ActualPolicies actualPolicies) {
    var live =
        actualPolicies.of(id().kind()) instanceof Listing.Listed(_, var listed)
            ? listed.stream().filter(policy -> policy.id().equals(id())).findFirst()
            : Optional.<LivePolicy>empty();
    return PlannedPolicy.inSync(desiredPolicy, live);
  }

  /// The agent's verdict, by its metadata now.
  boolean inSync() {
    return PlannedPolicy.inSync(desiredPolicy, policies.find(id()));
  }

  /// Why the agent would apply it now.
  Optional<Action.Cause> cause() {
    return PlannedPolicy.cause(desiredPolicy, policies.find(id()));
  }

  /// One apply, as a run does it.
  void repair() {
    var seen = policies.find(id()).orElseThrow().objectVersion();
    var update = new Action.Update(desiredPolicy, seen, Action.Cause.DRIFTED);
    assertThat(policies.apply(update, WriteMode.LIVE))
        .as(id().toString())
        .isInstanceOf(Written.Done.class);
  }

  /// What is not as it should be: what an apply by the agent would change, as the API server's dry
  /// run shows it, and where the spec is not what it was right after the first apply.
  List<ObjectDiff> wrong() {
    return wrong(value -> value);
  }

  /// The same less what no managed field can tell of: the order in an unordered list, and an empty
  /// one.
  List<ObjectDiff> wrongOnRecord() {
    return wrong(schema::plain);
  }

  private interface View {
    Value of(Value whole);
  }

  private List<ObjectDiff> wrong(View view) {
    var whole = read();
    var live = view.of(withoutBookkeeping(whole));
    var applied = view.of(withoutBookkeeping(applied(whole)));
    var wrong = new ArrayList<>(ObjectDiff.between(live, applied));
    var first = view.of(withoutBookkeeping(pristine));
    wrong.addAll(ObjectDiff.between(spec(live), spec(first)));
    return wrong;
  }

  /// What an apply by the agent would make of it. The API server cannot tell where anybody wrote at
  /// a version that does not know all of its fields; then it is put together here.
  private Value.Mapping applied(Value.Mapping live) {
    var manifest = desiredPolicy.manifest();
    var preview =
        admin.apply(
            path() + "?dryRun=All&force=true&fieldManager=" + OURS, CanonicalJson.write(manifest));
    if (preview.status() < 300) {
      return preview.body();
    }
    var metadata = live.mapping("metadata");
    for (var name : List.of("labels", "annotations")) {
      var all = metadata.mapping(name);
      for (var text : manifest.mapping("metadata").mapping(name).fields().entrySet()) {
        all = all.with(text.getKey(), text.getValue());
      }
      metadata = metadata.with(name, all);
    }
    return live.with("metadata", metadata).with("spec", pristine.mapping("spec"));
  }

  /// Why the agent may apply it though nothing of it is wrong: its managed fields are not those of
  /// an apply by the agent alone.
  List<String> disowned() {
    var reasons = new ArrayList<String>();
    var entries = read().mapping("metadata").items("managedFields");
    if (!own(entries).equals(own(pristine.mapping("metadata").items("managedFields")))) {
      reasons.add("the agent's own entry is not as an apply made it");
    }
    for (var value : entries) {
      if (value instanceof Value.Mapping entry
          && !ours(entry)
          && entry.text("subresource").isEmpty()
          && entry.mapping("fieldsV1").fields().containsKey("f:spec")) {
        reasons.add(entry.text("manager").orElse("nobody") + " owns something of the spec");
      }
    }
    return reasons;
  }

  private static List<Value.Mapping> own(List<Value> entries) {
    var own = new ArrayList<Value.Mapping>();
    for (var value : entries) {
      if (value instanceof Value.Mapping entry && ours(entry)) {
        own.add(entry.mapping("fieldsV1"));
      }
    }
    return own;
  }

  private static boolean ours(Value.Mapping entry) {
    return entry.text("manager").equals(Optional.of(OURS))
        && entry.text("operation").equals(Optional.of("Apply"))
        && entry.text("subresource").isEmpty();
  }

  private static Value spec(Value object) {
    return object instanceof Value.Mapping mapping ? mapping.mapping("spec") : Value.Mapping.EMPTY;
  }

  private static Value.Mapping withoutBookkeeping(Value.Mapping object) {
    var metadata =
        object
            .mapping("metadata")
            .without("managedFields")
            .without("resourceVersion")
            .without("generation");
    return object.with("metadata", metadata);
  }

  @Override
  public String toString() {
    return id().toString();
  }
}
