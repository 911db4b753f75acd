package dev.policysync.report;

import dev.policysync.policy.PolicyId;
import dev.policysync.yaml.Value;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/// Counts who breaks certain policies now: all reports are read, page by page, and what is not
/// about those policies is forgotten at once. What remains is folded as for findings, so that
/// nobody is counted twice.
public final class Census {
  private static final List<ReportKind> ORDER =
      List.of(
          ReportKind.REPORT,
          ReportKind.CLUSTER_REPORT,
          ReportKind.POLICY_REPORT,
          ReportKind.CLUSTER_POLICY_REPORT);

  private final ReportSource source;
  private final List<Path> folders;
  private final int named;

  /// @param folders where a temporary file may be, the best first; without any, what fits is held
  ///   in memory
  /// @param named of how many of each policy the name is wanted
  public Census(ReportSource source, List<Path> folders, int named) {
    this.source = source;
    this.folders = List.copyOf(folders);
    this.named = named;
  }

  /// A question about one policy.
  ///
  /// @param judged whether results of that rule (empty in kinds without rules) tell of it
  /// @param concerned whether what fails that rule in that namespace (empty for none) is counted
  public record Question(
      PolicyId policy, Predicate<Named> judged, BiPredicate<Named, String> concerned) {}

  /// A rule as a report names it, which for what is derived from a rule is another name, perhaps
  /// cut.
  ///
  /// @param reported `autogen-has-team`
  public record Named(String reported) {
    /// Whether it is that rule, or derived from it.
    public boolean is(String rule) {
      return Rules.same(reported, rule);
    }
  }

  /// What was counted.
  ///
  /// @param anyReports whether there are reports at all
  /// @param policies by policy; one of which there is no result is absent
  public record Answer(boolean anyReports, Map<PolicyId, Count> policies) {
    public Answer {
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
  public Answer ask(Collection<Question> questions) {
    try (var spool = Spool.inFileOrMemory(folders)) {
      return new Run(spool, questions).answer();
    }
  }

  /// The state of one reading.
  private final class Run {
    private final Spool spool;
    private final Map<PolicyId, Question> questions = new HashMap<>();
    private final BitSet valid = new BitSet();
    private final Twins twins = new Twins();
    private final List<long[]> newer = new ArrayList<>();
    private final Names names = new Names();
    private final Map<PolicyId, Counting> counts = new HashMap<>();
    private final ReportedPolicies policies;
    private int pages;
    private long reports;

    Run(Spool spool, Collection<Question> questions) {
      this.spool = spool;
      var book = new PolicyBook();
      for (var question : questions) {
        this.questions.put(question.policy(), question);
        book.add(question.policy(), Value.Mapping.EMPTY);
      }
      this.policies = new ReportedPolicies(book);
    }

    Answer answer() {
      var intake =
          new Intake(
              spool, names, policies, twins, Optional.empty(), policy -> policy.id().isPresent());
      source.kinds().reports().entrySet().stream()
          .sorted(Comparator.comparingInt(kind -> ORDER.indexOf(kind.getKey())))
          .forEach(kind -> read(kind.getKey(), kind.getValue(), intake));
      twins.settle(newer);
      var fold = new Fold(names, policies, valid, twins, new Tally());
      for (var part : intake.parts()) {
        part.end();
        count(fold.fold(part));
      }
      var answers = new HashMap<PolicyId, Count>();
      counts.forEach((policy, counting) -> answers.put(policy, counting.count()));
      return new Answer(reports > 0, answers);
    }

    private void read(ReportKind kind, String version, Intake intake) {
      for (var page : source.list(kind, version, () -> new ReportPage(kind, pages++, intake))) {
        valid.set(page.number());
        reports += page.reports;
        for (var i = 0; i < page.keys.size(); i++) {
          twins.add(page.keys.get(i), page.times.get(i));
        }
        newer.add(page.newer.toArray());
      }
    }

    private record Concerned(PolicyId policy, Resource resource) {}

    /// Results of one resource on one policy are all in one part.
    private void count(List<Folded> part) {
      var seen = new HashSet<Concerned>();
      for (var result : part) {
        var entry = result.entry();
        var policy = policies.get(entry.policy()).policy().id().orElseThrow();
        var question = questions.get(policy);
        var rule = new Named(names.text(entry.rule()));
        if (question == null || !question.judged().test(rule)) {
          continue;
        }
        var counting = counts.computeIfAbsent(policy, _ -> new Counting());
        counting.newest = Math.max(counting.newest, entry.time());
        var namespace = names.text(entry.namespace());
        if (entry.result().isFinding() && question.concerned().test(rule, namespace)) {
          var resource = resource(entry, namespace);
          if (seen.add(new Concerned(policy, resource))) {
            counting.add(resource);
          }
        }
      }
    }

    private Resource resource(Entry entry, String namespace) {
      return new Resource(
          names.text(entry.apiVersion()),
          names.text(entry.kind()),
          namespace,
          entry.name(),
          entry.uid());
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
    private final TreeSet<Resource> names = new TreeSet<>(ORDER_OF_NAMES);
    private long newest;

    private void add(Resource resource) {
      namespaces.merge(resource.namespace(), 1L, Long::sum);
      names.add(resource);
      if (names.size() > named) {
        names.removeLast();
      }
    }

    private Count count() {
      var sorted = new LinkedHashMap<String, Long>();
      namespaces.entrySet().stream()
          .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
          .forEach(namespace -> sorted.put(namespace.getKey(), namespace.getValue()));
      return new Count(
          sorted,
          List.copyOf(names),
          newest == 0
              ? Optional.empty()
              : Optional.of(Instant.ofEpochSecond(newest / 1_000_000_000, newest % 1_000_000_000)));
    }
  }
}
