package dev.policysync.sync.succession;

import dev.policysync.plan.Guard;
import dev.policysync.plan.Plan.Withheld;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.sync.analysis.PolicyConversion;
import java.util.List;
import java.util.Optional;

/// The policies that a feed expects in a cluster.
///
/// @param policies the feed's policies, some of them in the form of their successors
/// @param conversions the conversion of each policy that Kyverno 1.20 no longer executes, if
///   successors are applied
public record Expected(ExpectedPolicies policies, Optional<List<PolicyConversion>> conversions) {
  public Expected {
    conversions = conversions.map(List::copyOf);
  }

  /// Returns the policies as written in the feed, without successors.
  public static Expected asWritten(ExpectedPolicies policies) {
    return new Expected(policies, Optional.empty());
  }

  /// Returns the policies that are not replaced because the verdicts of their successors differ.
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
