package dev.policysync.singlefault;

import static java.util.stream.Collectors.toMap;

import dev.policysync.policy.Policy;
import dev.policysync.policy.Rehearsal.Comparison;
import dev.policysync.policy.Rehearsal.Found;
import dev.policysync.sync.analysis.PolicyConversion;
import dev.policysync.sync.analysis.PolicyConversion.Refusal;
import dev.policysync.sync.analysis.PolicyConversion.Successor;
import dev.policysync.sync.analysis.RehearsalSource.Result;
import dev.policysync.sync.succession.Conversions;
import dev.policysync.testcluster.Documents;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The successors that a scenario names, and reports by which both judge alike.
final class Successions {
  private static final Comparison ALIKE = new Comparison(2, Found.NONE, Found.NONE);

  /// Also where the API server's clock goes ahead of the world's.
  private static final Duration OVER = Duration.ofDays(-10_000);

  private Successions() {}

  static Conversions of(Scenario scenario) {
    return new Conversions.Apply(
        (_, inQuestion) -> inQuestion.stream().map(policy -> conversion(policy, scenario)).toList(),
        rehearsals ->
            new Result.Reported(
                rehearsals.stream().collect(toMap(rehearsal -> rehearsal.policy(), _ -> ALIKE)),
                Optional.empty()),
        OVER);
  }

  private static PolicyConversion conversion(Policy policy, Scenario scenario) {
    var successor = scenario.successors().get(policy.id());
    if (successor == null) {
      var refusal = new Refusal("", policy.position(), "a policy like this", "leave it");
      return new PolicyConversion(policy.id(), List.of(), List.of(refusal));
    }
    var made = Documents.policy(successor);
    return new PolicyConversion(
        policy.id(), List.of(new Successor(made.id(), "r", made.content())), List.of());
  }
}
