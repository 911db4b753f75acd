package dev.policysync.sync.succession;

import dev.policysync.plan.Guard;
import dev.policysync.plan.Plan.Withheld;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.sync.analysis.PolicyConversion;
import java.util.List;
import java.util.Optional;

/// What a feed expects of a cluster.
///
/// @param policies the feed's, some of them in the form of their successors
/// @param conversions what is being made of each policy that Kyverno 1.20 no longer executes, where
///   successors are applied
public record Expected(ExpectedPolicies policies, Optional<List<PolicyConversion>> conversions) {
  public Expected {
    conversions = conversions.map(List::copyOf);
  }

  /// Policies that are not replaced because their successors judge otherwise.
  public List<Withheld> withheld() {
    return conversions.orElse(List.of()).stream()
        .flatMap(conversion ->
            conversion
                .progress()
                .filter(PolicyConversion.Progress::differs)
                .map(progress ->
                    new Withheld(conversion.policy(), Guard.REHEARSAL, progress.reason()))
                .stream())
        .toList();
  }
}
