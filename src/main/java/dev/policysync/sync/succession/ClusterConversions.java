package dev.policysync.sync.succession;

import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.SourceName;
import dev.policysync.policy.Digest;
import dev.policysync.policy.Policy;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.policy.feed.Feed;
import dev.policysync.sync.analysis.PolicyConversion;
import dev.policysync.sync.analysis.PolicyConverter;
import dev.policysync.sync.execution.PolicyStore;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Converts the policies of a feed for one cluster. Policies are not converted if their successors
/// must not be applied in this cluster ([Objections]). The preview shows this result, and the
/// succession applies it. A feed is converted once per run.
public final class ClusterConversions {
  private final PolicyConverter policyConverter;
  private final Exemptions exemptions;
  private final SourceName source;
  private @Nullable Digest converted;
  private List<PolicyConversion> conversions = List.of();

  /// @param store reads the exceptions that exempt from policies
  /// @param source our source; policies of other owners, and detached ones, are not overwritten
  public ClusterConversions(PolicyConverter policyConverter, PolicyStore store, SourceName source) {
    this.policyConverter = policyConverter;
    this.exemptions = new Exemptions(store);
    this.source = source;
  }

  /// Returns the conversions of the feed's policies that Kyverno 1.20 no longer executes, sorted by
  /// id.
  ///
  /// @param written the policies as written in the feed
  /// @throws dev.policysync.sync.execution.ClusterUnavailable if an exception could not be read
  public List<PolicyConversion> of(
      Feed feed, ExpectedPolicies written, ActualPolicies actualPolicies) {
    if (!feed.digest().equals(converted)) {
      var legacy =
          written.policies().stream()
              .filter(policy -> policy.id().kind().endsWithKyverno119())
              .sorted(Comparator.comparing(Policy::id))
              .toList();
      conversions = legacy.isEmpty() ? List.of() : policyConverter.of(feed, legacy);
      converted = feed.digest();
    }
    return new Objections(written, new Cluster(actualPolicies, source), exemptions).to(conversions);
  }
}
