package dev.policysync.plan;

import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;

/// The ids of the policies that a run has listed, kept after their content is no longer needed.
///
/// @param kinds the kinds that were listed; the policies of every other kind are unknown
/// @param ids all listed policies, whoever owns them
/// @param marked the listed policies with our owned-by annotation, even if they are not ours
public record ListedPolicies(Set<PolicyKind> kinds, Set<PolicyId> ids, Set<PolicyId> marked) {
  public ListedPolicies {
    kinds = Set.copyOf(kinds);
    ids = Collections.unmodifiableSet(ids);
    marked = Collections.unmodifiableSet(marked);
  }

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
