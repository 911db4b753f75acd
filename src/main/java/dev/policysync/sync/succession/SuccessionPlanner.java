package dev.policysync.sync.succession;

import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.SourceName;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Succession;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.policy.feed.Feed;
import dev.policysync.sync.analysis.PolicyConversion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Replaces the feed's policies that Kyverno 1.20 no longer executes by their successors, one step
/// in each run:
///
/// ```
/// legacy ─▶ legacy, successors in Audit ─▶ legacy, successors with its action ─▶ successors
///           until reports of both agree     until Kyverno executes them
/// ```
///
/// The state of earlier steps is read from the cluster alone, so a run after a killed one, or
/// another agent, continues where the last one stopped. A policy without successors stays
/// unchanged.
public final class SuccessionPlanner {
  private final ClusterConversions conversions;
  private final Rehearsals rehearsals;
  private final SourceName source;

  public SuccessionPlanner(
      ClusterConversions conversions, Rehearsals rehearsals, SourceName source) {
    this.conversions = conversions;
    this.rehearsals = rehearsals;
    this.source = source;
  }

  /// Returns the policies in the form that the current state of the cluster requires.
  ///
  /// @throws dev.policysync.sync.execution.ClusterUnavailable if a fact that decides the form
  ///   cannot be read
  public Expected plan(Feed feed, ExpectedPolicies written, ActualPolicies actualPolicies) {
    var all = conversions.of(feed, written, actualPolicies);
    var candidates = new HashMap<PolicyId, Candidate>();
    for (var conversion : all) {
      if (conversion.converted() && !isException(conversion)) {
        candidates.put(conversion.policy(), Candidate.of(conversion, actualPolicies, source));
      }
    }
    var compared = rehearsals.of(candidates.values());
    var applied = new HashMap<PolicyId, PolicyConversion>();
    for (var conversion : all) {
      var candidate = candidates.get(conversion.policy());
      applied.put(
          conversion.policy(),
          Optional.ofNullable(candidate)
              .flatMap(one -> one.step(compared))
              .map(conversion::at)
              .orElse(conversion));
    }
    var steps = new ExceptionSteps(applied.values(), actualPolicies.byId().keySet());
    for (var conversion : all) {
      if (isException(conversion)) {
        applied.put(
            conversion.policy(), steps.of(conversion).map(conversion::at).orElse(conversion));
      }
    }
    return new Expected(
        new ExpectedPolicies(inForm(written, applied, steps), written.unreadable()),
        Optional.of(
            applied.values().stream()
                .sorted(Comparator.comparing(PolicyConversion::policy))
                .toList()));
  }

  private static boolean isException(PolicyConversion conversion) {
    return Exemptions.isException(conversion.policy().kind());
  }

  private static List<Policy> inForm(
      ExpectedPolicies written, Map<PolicyId, PolicyConversion> applied, ExceptionSteps steps) {
    var policies = new ArrayList<Policy>();
    for (var policy : written.policies()) {
      var conversion = applied.get(policy.id());
      var stage =
          Optional.ofNullable(conversion)
              .flatMap(PolicyConversion::progress)
              .map(PolicyConversion.Progress::stage);
      if (stage.isEmpty() || stage.get() != Succession.Stage.REPLACEMENT) {
        policies.add(policy);
      }
      if (conversion != null) {
        for (var successor : conversion.successors()) {
          (isException(conversion) ? steps.of(successor) : stage)
              .map(reached -> new Succession(policy.id(), reached))
              .map(succession -> Forms.of(successor, policy.position(), succession))
              .ifPresent(policies::add);
        }
      }
    }
    return policies;
  }
}
