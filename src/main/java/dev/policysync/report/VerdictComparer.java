package dev.policysync.report;

import dev.policysync.policy.PolicyId;
import dev.policysync.report.ResultPartitioner.Grouping;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Compares the results of policies with those of their successors, resource by resource. Results
/// are not merged into those of controllers: a Pod and its controller are two resources.
///
/// A policy and its successor may have the same name; the `source` of their results distinguishes
/// them.
public final class VerdictComparer {
  private final ReportSource source;
  private final List<Path> folders;
  private final int named;

  /// @param folders candidate directories for a temporary file, the best first; without any,
  ///   results are held in memory as far as they fit
  /// @param named how many resources to name
  public VerdictComparer(ReportSource source, List<Path> folders, int named) {
    this.source = source;
    this.folders = List.copyOf(folders);
    this.named = named;
  }

  /// A policy with rules, and the successors of some of its rules. Results of its other rules are
  /// ignored.
  ///
  /// @param since older results do not count; compared by the second, the precision of reports
  public record Query(PolicyId policy, Instant since, List<Successor> successors) {
    public Query {
      successors = List.copyOf(successors);
    }
  }

  /// A successor of one rule. A rule may have several successors.
  public record Successor(PolicyId policy, Instant since, String rule) {}

  /// The comparisons of all queries.
  ///
  /// @param comparisons one for each query, by policy
  /// @param latest when Kyverno created the newest result for any policy; empty if no result has a
  ///   time
  public record Compared(Map<PolicyId, Comparison> comparisons, Optional<Instant> latest) {
    public Compared {
      comparisons = Map.copyOf(comparisons);
    }
  }

  /// A comparison of the verdicts on one policy's rules.
  ///
  /// @param judged how many resources the policy passes or fails
  /// @param missing resources that lack a required result
  /// @param differing resources with different verdicts: `Deployment/shop/cart (rule team: fail,
  ///   its successor: pass)`
  public record Comparison(long judged, Found missing, Found differing) {}

  /// A number of resources.
  ///
  /// @param names the first resources in alphabetical order
  public record Found(long resources, List<String> names) {
    public Found {
      names = List.copyOf(names);
    }
  }

  /// Compares all policies in one pass over the reports.
  ///
  /// @throws dev.policysync.report.CollectionFailed if anything could not be read
  public Compared compare(Collection<Query> queries) {
    var comparisons = queries.stream().map(query -> new QueryComparison(query, named)).toList();
    var takers = new HashMap<PolicyId, List<QueryComparison.Taker>>();
    comparisons.forEach(comparison ->
        comparison
            .takers()
            .forEach((policy, those) ->
                takers.computeIfAbsent(policy, _ -> new ArrayList<>()).addAll(those)));
    Optional<Instant> latest;
    try (var spillFile = SpillFile.inFileOrMemory(folders)) {
      var results = PolicyResults.read(source, spillFile, takers.keySet(), Grouping.BY_RESOURCE);
      latest = results.latest();
      var deduplicator = results.deduplicator();
      for (var part : results.parts()) {
        deduplicator.forEach(
            part,
            result ->
                takers
                    .getOrDefault(results.policy(result), List.of())
                    .forEach(taker ->
                        taker.take(results.resource(result), results.rule(result), result)));
        comparisons.forEach(QueryComparison::endPart);
      }
    }
    var answers = new HashMap<PolicyId, Comparison>();
    comparisons.forEach(one -> answers.put(one.policy(), one.comparison()));
    return new Compared(answers, latest);
  }
}
