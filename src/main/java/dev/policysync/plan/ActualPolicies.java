package dev.policysync.plan;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/// The live policies of every kind in [PolicyKind], as far as they could be listed.
public record ActualPolicies(Map<PolicyKind, Listing> kinds) {
  public ActualPolicies {
    if (!kinds.keySet().containsAll(PolicyKind.all())) {
      throw new IllegalStateException("a kind is missing from the listing: " + kinds.keySet());
    }
    kinds = Collections.unmodifiableMap(new EnumMap<>(kinds));
  }

  public Listing of(PolicyKind kind) {
    var listing = kinds.get(kind);
    if (listing == null) {
      throw new IllegalStateException("no listing of " + kind);
    }
    return listing;
  }

  /// Returns whether every served kind could be listed.
  public boolean complete() {
    return kinds.values().stream().noneMatch(Listing.Unlistable.class::isInstance);
  }

  public Map<PolicyId, LivePolicy> byId() {
    var live = new HashMap<PolicyId, LivePolicy>();
    for (var listing : kinds.values()) {
      if (listing instanceof Listing.Listed(_, var policies)) {
        policies.forEach(policy -> live.put(policy.id(), policy));
      }
    }
    return live;
  }
}
