package dev.policysync.convert.verification;

import dev.policysync.base.Value;
import dev.policysync.convert.Conversion;
import dev.policysync.convert.RuleScope;
import dev.policysync.policy.Digest;
import dev.policysync.policy.ServerFields;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// One call of [VerdictComparison], with all that its outcome depends on.
///
/// @param exceptions the exceptions that name the policy
/// @param operation the operation of the requests; empty for creations
public record Trial(
    Conversion conversion,
    List<Conversion> exceptions,
    List<Value.Mapping> resources,
    Optional<String> operation) {
  private static final Path SOURCES =
      Path.of("src", "main", "java", "dev", "policysync", "convert", "verification");

  /// The classes that decide what Kyverno is asked and what its answers mean. What makes resources
  /// and clusters is not among them, because the digest covers these themselves.
  private static final List<Class<?>> COMPARING =
      List.of(
          VerdictComparison.class,
          Verdict.class,
          KyvernoCli.class,
          CliFiles.class,
          ClusterContext.class);

  private static final String RELEASE = "github.com/kyverno/kyverno v";

  public Trial {
    exceptions = List.copyOf(exceptions);
    resources = List.copyOf(resources);
  }

  public VerdictComparison.Outcome outcome(VerdictComparison comparison) {
    return comparison.with(exceptions).compare(conversion, resources, operation);
  }

  /// Returns the digest of all that the outcomes of these trials depend on: it is the same in every
  /// run until one of them may have another outcome.
  public static Digest digest(List<Trial> trials) {
    var digest = Digest.builder();
    digest.add(release());
    COMPARING.forEach(
        type -> digest.add(code(read(SOURCES.resolve(type.getSimpleName() + ".java")))));
    trials.forEach(trial -> digest.add(Digest.of(trial.facts()).text()));
    return digest.digest();
  }

  private Value facts() {
    var policy = conversion.policy().content();
    var facts = new ArrayList<Value>();
    facts.add(forms(conversion));
    facts.add(sequence(exceptions.stream().map(Trial::forms).toList()));
    facts.add(scopes(policy));
    facts.add(
        sequence(ClusterContexts.of(policy, resources).stream().map(Trial::cluster).toList()));
    facts.add(new Value.Text(operation.orElse("")));
    return sequence(facts);
  }

  private static Value forms(Conversion conversion) {
    var forms = new ArrayList<Value>();
    forms.add(ServerFields.removeFrom(conversion.policy().content()));
    for (var successor : conversion.successors()) {
      forms.add(successor.manifest().with("rule", successor.rule()));
    }
    return sequence(forms);
  }

  /// Returns the names that the rules of autogen have in Kyverno's answers.
  private static Value scopes(Value.Mapping policy) {
    var names = new ArrayList<Value>();
    for (var rule : policy.mapping("spec").mappings("rules")) {
      for (var scope : RuleScope.of(policy, rule)) {
        names.add(new Value.Text(scope.ruleName(rule.text("name").orElse(""))));
      }
    }
    return sequence(names);
  }

  private static Value cluster(ClusterContext cluster) {
    var values = new LinkedHashMap<String, Value>();
    cluster.values().forEach((rule, entries) -> values.put(rule, new Value.Mapping(entries)));
    return Value.Mapping.EMPTY
        .with("judged", sequence(cluster.judged()))
        .with("objects", sequence(cluster.objects()))
        .with("everywhere", new Value.Bool(cluster.everywhere()))
        .with("values", new Value.Mapping(values))
        .with("namespaces", new Value.Mapping(Map.copyOf(cluster.namespaces())))
        .with("user", cluster.user().orElse(Value.Mapping.EMPTY));
  }

  private static Value sequence(List<? extends Value> items) {
    return new Value.Sequence(List.copyOf(items));
  }

  private static String release() {
    return read(Path.of("dev", "cluster", "kyverno-cli", "go.mod"))
        .lines()
        .filter(line -> line.contains(RELEASE))
        .findFirst()
        .orElseThrow()
        .strip();
  }

  /// Returns the lines of a source that do something: a comment that is worded anew changes no
  /// outcome.
  static String code(String source) {
    return source
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("//") && !line.startsWith("import "))
        .collect(Collectors.joining("\n"));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
