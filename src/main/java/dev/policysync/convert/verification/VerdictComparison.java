package dev.policysync.convert.verification;

import dev.policysync.base.Json;
import dev.policysync.base.Printable;
import dev.policysync.base.Value;
import dev.policysync.convert.Conversion;
import dev.policysync.convert.RuleScope;
import dev.policysync.convert.verification.KyvernoCli.Result;
import dev.policysync.policy.ServerFields;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Compares the verdicts of a policy and of its successors, for each rule and resource.
public final class VerdictComparison {
  private static final String LEGACY = "kyverno";

  private final KyvernoCli cli;
  private final List<Conversion> exceptions;

  /// Creates a comparison by that program, Kyverno's command line 1.19.
  public VerdictComparison(Path kyverno) {
    this(new KyvernoCli(kyverno), List.of());
  }

  private VerdictComparison(KyvernoCli cli, List<Conversion> exceptions) {
    this.cli = cli;
    this.exceptions = List.copyOf(exceptions);
  }

  /// Returns a comparison with these exceptions, which apply in both forms.
  public VerdictComparison with(List<Conversion> exceptions) {
    return new VerdictComparison(cli, exceptions);
  }

  /// Says why the command line cannot tell the verdicts of both forms: it has no cluster, and
  /// cannot be given what the policy reads from one.
  public static final class NotComparableException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    NotComparableException(String message) {
      super(message);
    }
  }

  /// A resource on which a rule and its successor disagree.
  public record Difference(
      String policy,
      String rule,
      String resource,
      String verdicts,
      String messages,
      String object) {
    @Override
    public String toString() {
      return Printable.line(policy + " rule " + rule + ": " + verdicts + " of " + resource)
          + "\n  "
          + Printable.line(messages)
          + "\n  "
          + Printable.line(object);
    }
  }

  /// The number of verdicts that were compared, and those that differ.
  ///
  /// @param judged the number that at least one form judged
  /// @param failed the number that fail in both forms
  public record Outcome(int compared, int judged, int failed, List<Difference> differences) {
    public static final Outcome NONE = new Outcome(0, 0, 0, List.of());

    public Outcome plus(Outcome other) {
      var all = new ArrayList<>(differences);
      all.addAll(other.differences);
      return new Outcome(
          compared + other.compared, judged + other.judged, failed + other.failed, all);
    }
  }

  /// Has Kyverno evaluate both forms, which read the same from the same clusters.
  ///
  /// @param operation the operation of the requests; if there is one, passed and skipped count as
  ///   the same, as both let the request through
  public Outcome compare(
      Conversion conversion, List<Value.Mapping> resources, Optional<String> operation) {
    return compare(conversion, Map.of("all", resources), operation)
        .getOrDefault("all", Outcome.NONE);
  }

  /// Compares resources of several origins at once, each with an outcome of its own.
  public Map<String, Outcome> compare(
      Conversion conversion,
      Map<String, List<Value.Mapping>> resources,
      Optional<String> operation) {
    var all = resources.values().stream().flatMap(List::stream).toList();
    if (!conversion.converted() || all.isEmpty()) {
      return Map.of();
    }
    var outcomes = new TreeMap<String, Outcome>();
    for (var cluster : ClusterContexts.of(conversion.policy().content(), all)) {
      var results =
          cli.apply(
              bothForms(List.of(conversion)),
              bothForms(exceptions),
              cluster.judged(),
              operation,
              cluster);
      var judged = Set.copyOf(cluster.judged());
      resources.forEach((origin, objects) -> {
        var judgedHere = objects.stream().filter(judged::contains).toList();
        outcomes.merge(origin, outcome(conversion, judgedHere, results, operation), Outcome::plus);
      });
    }
    return outcomes;
  }

  private static List<Value.Mapping> bothForms(List<Conversion> conversions) {
    var policies = new ArrayList<Value.Mapping>();
    for (var conversion : conversions) {
      policies.add(ServerFields.removeFrom(conversion.policy().content()));
      conversion.successors().forEach(successor -> policies.add(successor.manifest()));
    }
    return policies;
  }

  private static Outcome outcome(
      Conversion conversion,
      List<Value.Mapping> resources,
      List<Result> results,
      Optional<String> operation) {
    var objects = new HashMap<String, Value.Mapping>();
    resources.forEach(resource -> objects.put(KyvernoCli.id(resource), resource));
    var total = Outcome.NONE;
    for (var rule :
        conversion.successors().stream().map(Conversion.Successor::rule).distinct().toList()) {
      var names =
          conversion.successors().stream()
              .filter(successor -> successor.rule().equals(rule))
              .map(successor -> successor.id().path())
              .toList();
      var rules = ruleNames(conversion.policy().content(), rule);
      var before = new LinkedHashMap<String, Result>();
      var after = new LinkedHashMap<String, Result>();
      for (var result : results) {
        if (result.source().equals(LEGACY)) {
          if (result.rule().filter(rules::contains).isPresent()) {
            before.merge(result.resource(), result, VerdictComparison::decisive);
          }
        } else if (names.contains(result.policy())) {
          after.merge(result.resource(), result, VerdictComparison::decisive);
        }
      }
      total =
          total.plus(
              compare(
                  conversion.policy().id().toString(), rule, objects, before, after, operation));
    }
    return total;
  }

  private static Outcome compare(
      String policy,
      String rule,
      Map<String, Value.Mapping> objects,
      Map<String, Result> before,
      Map<String, Result> after,
      Optional<String> operation) {
    var judged = 0;
    var failed = 0;
    var differences = new ArrayList<Difference>();
    for (var object : objects.entrySet()) {
      var legacy = verdict(before, object.getKey());
      var successor = verdict(after, object.getKey());
      judged += legacy == Verdict.NOT_JUDGED && successor == Verdict.NOT_JUDGED ? 0 : 1;
      failed += legacy == Verdict.FAIL && successor == Verdict.FAIL ? 1 : 0;
      var same =
          operation.isEmpty()
              ? legacy == successor
              : (legacy == Verdict.FAIL) == (successor == Verdict.FAIL);
      if (!same) {
        differences.add(
            new Difference(
                policy,
                rule,
                object.getKey(),
                legacy + " before, " + successor + " after",
                message(before, object.getKey()) + " | " + message(after, object.getKey()),
                Json.write(object.getValue())));
      }
    }
    return new Outcome(objects.size(), judged, failed, differences);
  }

  private static Set<String> ruleNames(Value.Mapping policy, String name) {
    return policy.mapping("spec").mappings("rules").stream()
        .filter(rule -> rule.text("name").equals(Optional.of(name)))
        .flatMap(rule -> RuleScope.of(policy, rule).stream())
        .map(scope -> scope.ruleName(name))
        .collect(Collectors.toSet());
  }

  private static Result decisive(Result one, Result other) {
    return one.verdict() == Verdict.FAIL || other.verdict() == Verdict.NOT_JUDGED ? one : other;
  }

  private static Verdict verdict(Map<String, Result> results, String resource) {
    var result = results.get(resource);
    return result == null ? Verdict.NOT_JUDGED : result.verdict();
  }

  private static String message(Map<String, Result> results, String resource) {
    var result = results.get(resource);
    return result == null ? "no result" : result.message();
  }
}
