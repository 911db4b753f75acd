package dev.policysync.corpus;

import dev.policysync.base.Value;
import dev.policysync.convert.Conversion;
import dev.policysync.convert.Converter;
import dev.policysync.convert.Refusal;
import dev.policysync.convert.verification.ResourceVariants;
import dev.policysync.convert.verification.VerdictComparison;
import dev.policysync.convert.verification.VerdictComparison.NotComparableException;
import dev.policysync.convert.verification.VerdictComparison.Outcome;
import dev.policysync.judge.KindOfRule;
import dev.policysync.judge.TestResources;
import dev.policysync.policy.feed.FilePolicySource;
import dev.policysync.policy.feed.LocatedPolicy;
import dev.policysync.policy.feed.PolicyReader;
import dev.policysync.testcluster.KyvernoCliAssets;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Converts the policies of a folder, has Kyverno judge both forms, and counts.
final class ConvertCorpus {
  private final VerdictComparison comparison =
      new VerdictComparison(KyvernoCliAssets.find().kyverno());
  private final boolean verbose;
  private final int atRandom;
  private final Map<String, int[]> rules = new TreeMap<>();
  private final Map<String, Set<String>> refusals = new TreeMap<>();
  private final Map<String, Outcome> outcomes = new TreeMap<>();
  private int policies;
  private int converted;

  private ConvertCorpus(boolean verbose, int atRandom) {
    this.verbose = verbose;
    this.atRandom = atRandom;
  }

  static void main(String[] arguments) {
    var words = new ArrayList<>(List.of(arguments));
    var verbose = words.remove("-v");
    var only = words.size() > 1 ? words.get(1) : "";
    var corpus = new ConvertCorpus(verbose, Integer.getInteger("policysync.variants", 120));
    var read =
        PolicyReader.readLocated(
            new FilePolicySource(words.getFirst(), InputStream::nullInputStream).read());
    for (var policy : read.policies()) {
      // A converter for each, as folders repeat names.
      if (Converter.isLegacy(policy) && policy.position().source().contains(only)) {
        corpus.add(new Converter().convert(policy));
      }
    }
    corpus.print();
    if (corpus.outcomes.values().stream().anyMatch(outcome -> !outcome.differences().isEmpty())) {
      System.exit(1);
    }
  }

  private void add(Conversion conversion) {
    policies++;
    for (var rule : conversion.policy().content().mapping("spec").mappings("rules")) {
      var name = rule.text("name").orElse("");
      var count = rules.computeIfAbsent(KindOfRule.of(rule), _ -> new int[2]);
      count[1]++;
      if (conversion.refusals().stream()
          .noneMatch(refusal -> refusal.rule().isEmpty() || refusal.rule().equals(name))) {
        count[0]++;
      }
    }
    for (var refusal : conversion.refusals()) {
      refusals
          .computeIfAbsent(refusal.what(), _ -> new TreeSet<>())
          .add(refusal.policy() + "/" + refusal.rule());
      if (verbose) {
        print(refusal);
      }
    }
    if (conversion.converted()) {
      converted++;
      try {
        judge(conversion);
      } catch (NotComparableException e) {
        System.out.println(conversion.policy().id() + "  not compared: " + e.getMessage());
      }
    }
  }

  private void judge(Conversion conversion) {
    var variants = unique(ResourceVariants.of(conversion.policy().content(), atRandom));
    compare(
        conversion,
        Map.of("resources of the tests", tests(conversion.policy()), "generated", variants),
        Optional.empty());
    // What an update changes is the operation alone, and what is let through where it blocks.
    if (conversion.successors().stream()
        .anyMatch(successor -> successor.manifest().toString().contains("violatedBefore"))) {
      compare(conversion, Map.of("generated, updated", variants), Optional.of("UPDATE"));
    }
    if (conversion.successors().stream()
        .anyMatch(successor -> successor.manifest().toString().contains("DELETE"))) {
      compare(conversion, Map.of("generated, deleted", variants), Optional.of("DELETE"));
    }
  }

  private void compare(
      Conversion conversion,
      Map<String, List<Value.Mapping>> resources,
      Optional<String> operation) {
    comparison
        .compare(conversion, resources, operation)
        .forEach((origin, outcome) -> {
          outcome.differences().stream().limit(verbose ? 100 : 3).forEach(System.out::println);
          outcomes.merge(origin, outcome, Outcome::plus);
          if (verbose) {
            System.out.printf(
                "%s  %s  %s  %d compared, %d judged, %d failed, %d differ%n",
                conversion.policy().position().source(),
                conversion.policy().id(),
                origin,
                outcome.compared(),
                outcome.judged(),
                outcome.failed(),
                outcome.differences().size());
          }
        });
  }

  private static List<Value.Mapping> tests(LocatedPolicy policy) {
    return unique(TestResources.beside(Path.of(policy.position().source())));
  }

  /// Results name a resource by kind, namespace and name.
  private static List<Value.Mapping> unique(List<Value.Mapping> resources) {
    var byName = new TreeMap<String, Value.Mapping>();
    for (var resource : resources) {
      var metadata = resource.mapping("metadata");
      byName.put(
          String.join(
              "/",
              resource.text("apiVersion").orElse(""),
              resource.text("kind").orElse(""),
              metadata.text("namespace").orElse("default"),
              metadata.text("name").orElse("")),
          resource);
    }
    return List.copyOf(byName.values());
  }

  private static void print(Refusal refusal) {
    System.out.println(
        refusal.position()
            + "  "
            + refusal.policy()
            + "  "
            + refusal.rule()
            + "  "
            + refusal.what()
            + ": "
            + refusal.advice());
  }

  private void print() {
    System.out.println(converted + " of " + policies + " policies converted");
    rules.forEach((kind, count) ->
        System.out.println("rules with " + kind + ": " + count[0] + " of " + count[1]));
    refusals.entrySet().stream()
        .sorted((a, b) -> b.getValue().size() - a.getValue().size())
        .forEach(entry ->
            System.out.println("refused, " + entry.getValue().size() + ": " + entry.getKey()));
    outcomes.forEach((where, outcome) ->
        System.out.printf(
            "%s: %d verdicts compared, %d judged, %d failed in both, %d differ%n",
            where,
            outcome.compared(),
            outcome.judged(),
            outcome.failed(),
            outcome.differences().size()));
  }
}
