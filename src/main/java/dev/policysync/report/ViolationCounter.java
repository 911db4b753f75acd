package dev.policysync.report;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.kyverno.AutogenRuleNames;
import dev.policysync.report.ResultPartitioner.Grouping;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/// Counts who breaks certain policies now: all reports are read, page by page, and what is not
/// about those policies is forgotten at once. What remains is folded as for findings, so that
/// nobody is counted twice.
public final class ViolationCounter {
  private final ReportSource source;
  private final List<Path> folders;
  private final int named;

  /// @param folders where a temporary file may be, the best first; without any, what fits is held
  ///   in memory
  /// @param named of how many of each policy the name is wanted
  public ViolationCounter(ReportSource source, List<Path> folders, int named) {
    this.source = source;
    this.folders = List.copyOf(folders);
    this.named = named;
  }

  /// A question about one policy.
  ///
  /// @param judged whether results of that rule (empty in kinds without rules) tell of it
  /// @param concerned whether what fails that rule in that namespace (empty for none) is counted
  public record Query(
      PolicyId policy, Predicate<Named> judged, BiPredicate<Named, String> concerned) {}

  /// A rule as a report names it, which for what is derived from a rule is another name, perhaps
  /// cut.
  ///
  /// @param reported `autogen-has-team`
  public record Named(String reported) {
    /// Whether it is that rule, or derived from it.
    public boolean is(String rule) {
      return AutogenRuleNames.same(reported, rule);
    }
  }

  /// What was counted.
  ///
  /// @param anyReports whether there are reports at all
  /// @param policies by policy; one of which there is no result is absent
  public record QueryResult(boolean anyReports, Map<PolicyId, Count> policies) {
    public QueryResult {
      policies = Map.copyOf(policies);
    }
  }

  /// Who breaks one policy.
  ///
  /// @param namespaces how many in each, the most first; those that live in none under the empty
  ///   name
  /// @param names the first of them by namespace, kind and name
  /// @param newest when the newest result was found, failing or not
  public record Count(
      Map<String, Long> namespaces, List<Resource> names, Optional<Instant> newest) {}

  /// Asks all of them in one reading.
  ///
  /// @throws CollectionFailed if anything that is there could not be read
  public QueryResult ask(Collection<Query> questions) {
    try (var spillFile = SpillFile.inFileOrMemory(folders)) {
      return new Run(spillFile, questions).answer();
    }
  }

  /// The state of one count.
  private final class Run {
    private final Map<PolicyId, Query> questions = new HashMap<>();
    private final Map<PolicyId, Counting> counts = new HashMap<>();
    private final PolicyResults results;

    Run(SpillFile spillFile, Collection<Query> questions) {
      questions.forEach(query -> this.questions.put(query.policy(), query));
      this.results =
          PolicyResults.read(source, spillFile, this.questions.keySet(), Grouping.BY_CONTROLLER);
    }

    QueryResult answer() {
      var deduplicator = results.deduplicator();
      results.parts().forEach(part -> count(deduplicator.fold(part)));
      var answers = new HashMap<PolicyId, Count>();
      counts.forEach((policy, counting) -> answers.put(policy, counting.count()));
      return new QueryResult(results.anyReports(), answers);
    }

    private record Concerned(PolicyId policy, Resource resource) {}

    /// Results of one resource on one policy are all in one part.
    private void count(List<DedupedResult> part) {
      var seen = new HashSet<Concerned>();
      for (var result : part) {
        var spilledResult = result.entry();
        var policy = results.policy(spilledResult);
        var query = questions.get(policy);
        var rule = new Named(results.rule(spilledResult));
        if (query == null || !query.judged().test(rule)) {
          continue;
        }
        var counting = counts.computeIfAbsent(policy, _ -> new Counting());
        counting.newest = Math.max(counting.newest, spilledResult.time());
        var resource = results.resource(spilledResult);
        if (spilledResult.result().isFinding()
            && query.concerned().test(rule, resource.namespace())
            && seen.add(new Concerned(policy, resource))) {
          counting.add(resource);
        }
      }
    }
  }

  /// The count of one policy while it grows.
  private final class Counting {
    private static final Comparator<Resource> ORDER_OF_NAMES =
        Comparator.comparing(Resource::namespace)
            .thenComparing(Resource::kind)
            .thenComparing(Resource::name)
            .thenComparing(Resource::uid)
            .thenComparing(Resource::apiVersion);

    private final Map<String, Long> namespaces = new TreeMap<>();
    private final FirstOf<Resource> names = new FirstOf<>(named, ORDER_OF_NAMES);
    private long newest;

    private void add(Resource resource) {
      namespaces.merge(resource.namespace(), 1L, Long::sum);
      names.add(resource);
    }

    private Count count() {
      var sorted = new LinkedHashMap<String, Long>();
      namespaces.entrySet().stream()
          .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
          .forEach(namespace -> sorted.put(namespace.getKey(), namespace.getValue()));
      return new Count(
          sorted,
          names.all(),
          newest == 0
              ? Optional.empty()
              : Optional.of(Instant.ofEpochSecond(newest / 1_000_000_000, newest % 1_000_000_000)));
    }
  }
}
