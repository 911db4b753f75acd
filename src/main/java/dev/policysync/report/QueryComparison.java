package dev.policysync.report;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.kyverno.AutogenRuleNames;
import dev.policysync.report.VerdictComparer.Comparison;
import dev.policysync.report.VerdictComparer.Found;
import dev.policysync.report.VerdictComparer.Query;
import dev.policysync.report.VerdictComparer.Successor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The comparison of one policy and its successors while results come, part by part. All results on
/// one resource are in one part.
final class QueryComparison {
  private static final long NANOS = 1_000_000_000;

  private final Query query;

  /// By the name that a report has.
  private final Map<String, Set<String>> rules = new HashMap<>();

  private final Map<Resource, ResourceVerdicts> part = new HashMap<>();
  private long judged;
  private final Finds missing;
  private final Finds differing;

  /// Takes what counts of one policy's results.
  @FunctionalInterface
  interface Taker {
    /// Takes one of them.
    ///
    /// @param rule as the report has it
    void take(Resource resource, String rule, SpilledResult result);
  }

  QueryComparison(Query query, int named) {
    this.query = query;
    this.missing = new Finds(named);
    this.differing = new Finds(named);
    var written = query.successors().stream().map(Successor::rule).distinct().toList();
    for (var rule : written) {
      for (var reported : AutogenRuleNames.reported(rule)) {
        rules.computeIfAbsent(reported, _ -> new HashSet<>()).add(rule);
      }
    }
    // A rule that is written with a name like those that Kyverno derives is meant by that name.
    written.forEach(rule -> rules.put(rule, Set.of(rule)));
  }

  PolicyId policy() {
    return query.policy();
  }

  /// Who takes the results of which policy.
  Map<PolicyId, List<Taker>> takers() {
    var takers = new HashMap<PolicyId, List<Taker>>();
    takers.computeIfAbsent(query.policy(), _ -> new ArrayList<>()).add(this::ofPolicy);
    for (var successor : query.successors()) {
      takers
          .computeIfAbsent(successor.policy(), _ -> new ArrayList<>())
          .add((resource, _, result) -> ofSuccessor(successor, resource, result));
    }
    return takers;
  }

  private void ofPolicy(Resource resource, String reported, SpilledResult result) {
    for (var rule : rules.getOrDefault(reported, Set.of())) {
      if (isBefore(result, query.since())) {
        verdicts(resource).policyIsOutdated(rule);
      } else {
        verdicts(resource).policySays(rule, Verdict.of(result.result()));
      }
    }
  }

  private void ofSuccessor(Successor successor, Resource resource, SpilledResult result) {
    if (!isBefore(result, successor.since())) {
      verdicts(resource).successorSays(successor.rule(), Verdict.of(result.result()));
    }
  }

  /// What nobody knows the time of may be from before.
  private static boolean isBefore(SpilledResult result, Instant since) {
    return result.time() == 0 || result.time() / NANOS < since.getEpochSecond();
  }

  private ResourceVerdicts verdicts(Resource resource) {
    return part.computeIfAbsent(resource, _ -> new ResourceVerdicts());
  }

  /// Counts the resources of a part and forgets them.
  void endPart() {
    part.forEach((resource, verdicts) -> {
      judged += verdicts.judged() ? 1 : 0;
      if (verdicts.missing()) {
        missing.add(resource.label());
      }
      verdicts.difference(resource).ifPresent(differing::add);
    });
    part.clear();
  }

  Comparison comparison() {
    return new Comparison(judged, missing.found(), differing.found());
  }

  /// Resources of one sort while they are found.
  private static final class Finds {
    private final FirstOf<String> names;
    private long resources;

    Finds(int named) {
      this.names = new FirstOf<>(named, Comparator.naturalOrder());
    }

    void add(String name) {
      resources++;
      names.add(name);
    }

    Found found() {
      return new Found(resources, names.all());
    }
  }
}
