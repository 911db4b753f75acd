package dev.policysync.plan;

import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;

/// Which policies a run has listed, when it no longer needs what was in them.
///
/// @param kinds that were listed: of any other one nobody knows what is in the cluster
/// @param ids all policies, whoever owns them
/// @param marked those of them that carry our owner's mark, rightly or not
public record ListedPolicies(Set<PolicyKind> kinds, Set<PolicyId> ids, Set<PolicyId> marked) {
  public ListedPolicies {
    kinds = Set.copyOf(kinds);
    ids = Collections.unmodifiableSet(ids);
    marked = Collections.unmodifiableSet(marked);
  }

  /// What those lists have.
  public static ListedPolicies of(ActualPolicies actualPolicies) {
    var kinds = EnumSet.noneOf(PolicyKind.class);
    var ids = new HashSet<PolicyId>();
    var marked = new HashSet<PolicyId>();
    actualPolicies
        .kinds()
        .forEach((kind, listing) -> {
          if (listing instanceof Listing.Listed(_, var policies)) {
            kinds.add(kind);
            for (var policy : policies) {
              ids.add(policy.id());
              if (policy
                  .annotation(OwnershipAnnotations.OWNED_BY)
                  .filter(OwnershipAnnotations.OWNER::equals)
                  .isPresent()) {
                marked.add(policy.id());
              }
            }
          }
        });
    return new ListedPolicies(kinds, ids, marked);
  }
}
