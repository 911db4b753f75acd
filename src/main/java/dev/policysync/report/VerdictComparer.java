package dev.policysync.report;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Rehearsal;
import dev.policysync.policy.Rehearsal.Comparison;
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
/// A policy and its successor may have the same name; the `source` of their results tells them
/// apart.
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

  /// The comparisons of all rehearsals.
  ///
  /// @param comparisons one for each rehearsal, by policy
  /// @param latest when Kyverno created the newest result for any policy; empty if no result has a
  ///   time
  public record Compared(Map<PolicyId, Comparison> comparisons, Optional<Instant> latest) {
    public Compared {
      comparisons = Map.copyOf(comparisons);
    }
  }

  /// Compares all policies in one pass over the reports.
  ///
  /// @throws dev.policysync.report.CollectionFailed if anything could not be read
  public Compared compare(Collection<Rehearsal> rehearsals) {
    var comparisons =
        rehearsals.stream().map(rehearsal -> new RehearsalComparison(rehearsal, named)).toList();
    var takers = new HashMap<PolicyId, List<RehearsalComparison.Taker>>();
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
        comparisons.forEach(RehearsalComparison::endPart);
      }
    }
    var answers = new HashMap<PolicyId, Comparison>();
    comparisons.forEach(one -> answers.put(one.policy(), one.comparison()));
    return new Compared(answers, latest);
  }
}
