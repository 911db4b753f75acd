package dev.policysync.faults;

import dev.policysync.base.Value;
import dev.policysync.testcluster.RawApi;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// All policies of the two kinds as they were at one moment, by name.
record PolicySnapshot(Map<String, Value.Mapping> policies) {
  private static final List<String> KINDS =
      List.of(
          "/apis/kyverno.io/v1/clusterpolicies", "/apis/policies.kyverno.io/v1/validatingpolicies");

  static PolicySnapshot of(RawApi api) {
    var policies = new TreeMap<String, Value.Mapping>();
    for (var kind : KINDS) {
      for (var item : api.get(kind).ok().items("items")) {
        if (item instanceof Value.Mapping policy) {
          policies.put(policy.mapping("metadata").text("name").orElseThrow(), policy);
        }
      }
    }
    return new PolicySnapshot(policies);
  }

  /// Names of what this one has and that one has not.
  Set<String> without(PolicySnapshot other) {
    var names = new TreeSet<>(policies.keySet());
    names.removeAll(other.policies.keySet());
    return names;
  }

  /// Names of what was there before and is now another, to the byte.
  Set<String> changedSince(PolicySnapshot before) {
    var names = new TreeSet<>(policies.keySet());
    names.removeIf(name ->
        !before.policies.containsKey(name)
            || Objects.equals(policies.get(name), before.policies.get(name)));
    return names;
  }

  /// Whether a policy is there and as wanted.
  boolean hasInForce(String name, FaultFeed faultFeed) {
    var form = form(name);
    return !form.isEmpty() && form.equals(faultFeed.forms().get(name));
  }

  private String form(String name) {
    var spec = policies.getOrDefault(name, Value.Mapping.EMPTY).mapping("spec");
    var actions = spec.items("validationActions");
    if (!actions.isEmpty()) {
      return actions.getFirst().equals(new Value.Text("Audit")) ? "Audit" : "Enforce";
    }
    return !spec.items("rules").isEmpty()
            && spec.items("rules").getFirst() instanceof Value.Mapping rule
        ? rule.mapping("validate").text("failureAction").orElse("")
        : "";
  }
}
