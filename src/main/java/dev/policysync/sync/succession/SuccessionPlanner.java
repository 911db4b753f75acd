package dev.policysync.sync.succession;

import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.SourceName;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Succession.Stage;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.policy.feed.Feed;
import dev.policysync.sync.analysis.PolicyConversion;
import dev.policysync.sync.analysis.PolicyConversion.Progress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

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
///
/// @param source our source
public record SuccessionPlanner(
    ClusterConversions conversions, Rehearsals rehearsals, SourceName source) {
  /// Returns the policies in the form that the current state of the cluster requires.
  ///
  /// @throws dev.policysync.sync.execution.ClusterUnavailable if a fact that decides the form
  ///   cannot be read
  public Expected plan(Feed feed, ExpectedPolicies written, ActualPolicies actualPolicies) {
    var all = conversions.of(feed, written, actualPolicies);
    var byId = new HashMap<PolicyId, Policy>();
    written.policies().forEach(policy -> byId.put(policy.id(), policy));
    var cluster = new Cluster(actualPolicies, source);
    var steps = new ExceptionSteps(all, cluster.live().keySet());
    var exceptions =
        steps.byPolicy(all.stream().filter(SuccessionPlanner::isException).toList(), byId);
    var candidates =
        all.stream()
            .filter(conversion -> conversion.converted() && !isException(conversion))
            .map(conversion -> {
              var id = conversion.policy();
              return Candidate.of(
                  conversion,
                  Objects.requireNonNull(byId.get(id)),
                  cluster,
                  exceptions.getOrDefault(id, List.of()));
            })
            .toList();
    var compared = rehearsals.of(candidates);
    var moves = new HashMap<PolicyId, Move.Step>();
    var progresses = new HashMap<PolicyId, Progress>();
    for (var candidate : candidates) {
      var move = candidate.move(compared);
      moves.put(candidate.id(), move.step());
      candidate
          .progress(move, compared)
          .ifPresent(progress -> {
            steps.at(candidate.id(), progress.stage());
            progresses.put(candidate.id(), progress);
          });
    }
    var applied = new TreeMap<PolicyId, PolicyConversion>();
    for (var conversion : all) {
      var progress =
          isException(conversion)
              ? steps.of(conversion)
              : Optional.ofNullable(progresses.get(conversion.policy()));
      applied.put(conversion.policy(), progress.map(conversion::at).orElse(conversion));
    }
    return new Expected(
        new ExpectedPolicies(inForm(written, applied, moves, steps), written.unreadable()),
        Optional.of(List.copyOf(applied.values())));
  }

  private static boolean isException(PolicyConversion conversion) {
    return Exemptions.isException(conversion.policy().kind());
  }

  private static List<Policy> inForm(
      ExpectedPolicies written,
      Map<PolicyId, PolicyConversion> applied,
      Map<PolicyId, Move.Step> moves,
      ExceptionSteps steps) {
    var policies = new ArrayList<Policy>();
    for (var policy : written.policies()) {
      var conversion = applied.get(policy.id());
      if (conversion == null
          || conversion.progress().filter(it -> it.stage() == Stage.REPLACEMENT).isEmpty()) {
        policies.add(policy);
      }
      for (int i = 0; conversion != null && i < conversion.successors().size(); i++) {
        var successor = conversion.successors().get(i);
        stage(moves.getOrDefault(policy.id(), new Move.Step.AsWritten()), i)
            .or(() -> steps.of(successor))
            .ifPresent(stage -> policies.add(Forms.of(successor, policy, stage)));
      }
    }
    return policies;
  }

  private static Optional<Stage> stage(Move.Step step, int successor) {
    return switch (step) {
      case Move.Step.AsWritten() -> Optional.empty();
      case Move.Step.Beside(var stages) -> Optional.of(stages.get(successor));
      case Move.Step.Alone() -> Optional.of(Stage.REPLACEMENT);
    };
  }
}
