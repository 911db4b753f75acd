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

/// Compares what reports say of policies with what they say of the policies that take the place of
/// their rules, resource by resource. Nothing is folded: a Pod and its controller are two
/// resources.
///
/// A policy and its successor may have one name; the `source` of their results tells them apart.
public final class VerdictComparer {
  private final ReportSource source;
  private final List<Path> folders;
  private final int named;

  /// @param folders where a temporary file may be, the best first; without any, what fits is held
  ///   in memory
  /// @param named of how many resources the name is wanted
  public VerdictComparer(ReportSource source, List<Path> folders, int named) {
    this.source = source;
    this.folders = List.copyOf(folders);
    this.named = named;
  }

  /// A policy with rules, and what takes the place of some of them. Results of its other rules are
  /// ignored.
  ///
  /// @param since results from before do not count; by the second, as reports have no more
  public record Query(PolicyId policy, Instant since, List<Successor> successors) {
    public Query {
      successors = List.copyOf(successors);
    }
  }

  /// One of the policies that take the place of one rule together.
  public record Successor(PolicyId policy, Instant since, String rule) {}

  /// What came of all of them.
  ///
  /// @param comparisons one for each query, by the policy
  /// @param latest when Kyverno made the newest result in any report, of whatever policy; empty
  ///   where none has a time
  public record Compared(Map<PolicyId, Comparison> comparisons, Optional<Instant> latest) {
    public Compared {
      comparisons = Map.copyOf(comparisons);
    }
  }

  /// How the verdicts on one policy's rules compare.
  ///
  /// @param judged how many resources the policy passes or fails
  /// @param missing resources without a result that is needed
  /// @param differing resources on which the verdicts differ, with these: `Deployment/shop/cart
  ///   (rule team: fail, its successor: pass)`
  public record Comparison(long judged, Found missing, Found differing) {}

  /// Resources.
  ///
  /// @param names the first of them, sorted
  public record Found(long resources, List<String> names) {
    public Found {
      names = List.copyOf(names);
    }
  }

  /// Compares all of them in one reading.
  ///
  /// @throws dev.policysync.report.CollectionFailed if anything that is there could not be read
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
