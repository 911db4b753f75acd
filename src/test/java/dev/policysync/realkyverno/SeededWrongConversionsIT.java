package dev.policysync.realkyverno;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.convert.Conversion;
import dev.policysync.convert.ConvertedPolicies;
import dev.policysync.convert.verification.ResourceVariants;
import dev.policysync.convert.verification.Trial;
import dev.policysync.convert.verification.VerdictComparison;
import dev.policysync.testcluster.KyvernoCliAssets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Conversions that are wrong on purpose: the comparison that proves the right ones finds each of
/// them.
class SeededWrongConversionsIT {
  /// A mistake that few resources show, such as one in the last of several conditions, takes as
  /// many; `--verify` makes 50 of each rule.
  private static final int EACH = 48;

  /// Resources are judged in so many parts, until one shows the mistake: the first part is enough
  /// for most mistakes, and Kyverno takes as long for each resource.
  private static final int PARTS = 12;

  /// How the expression begins that finds a variable in a list or a map.
  private static final String REREAD = "\\\\{\\\\{(\\\\{";

  private static final ProofRecord RECORD = ProofRecord.of(SeededWrongConversionsIT.class);

  private static final Map<String, Conversion> CONVERSIONS = conversions();

  private final VerdictComparison comparison =
      new VerdictComparison(KyvernoCliAssets.find().kyverno());

  @AfterAll
  static void endRecord() {
    RECORD.end();
  }

  /// A mistake in what becomes of a policy.
  ///
  /// @param operation of the requests that show it; empty for creations
  private record Seed(String policy, String name, String operation, Mistake mistake) {}

  private interface Mistake {
    List<Conversion.Successor> in(List<Conversion.Successor> successors);
  }

  @TestFactory
  Stream<DynamicTest> eachIsFound() {
    return seeds().stream()
        .map(seed -> {
          var name = seed.policy + ": " + seed.name;
          return DynamicTest.dynamicTest(name, () -> proveIsFound(name, seed));
        });
  }

  private void proveIsFound(String name, Seed seed) {
    var right = conversion(seed.policy);
    var wrong = new Conversion(right.policy(), seed.mistake.in(right.successors()), List.of());
    var operation = Optional.of(seed.operation).filter(text -> !text.isEmpty());
    var resources = ResourceVariants.of(wrong.policy().content(), EACH);
    var trials =
        IntStream.range(0, PARTS)
            .mapToObj(part -> part(resources, part))
            .map(some -> new Trial(wrong, List.of(), some, operation))
            .toList();

    assertThat(wrong.successors()).isNotEqualTo(right.successors());
    RECORD.prove(
        name, Trial.digest(trials), () -> assertThat(trials).anyMatch(this::findsDifference));
  }

  /// Returns every twelfth resource: each part has some of each rule.
  private static List<Value.Mapping> part(List<Value.Mapping> resources, int part) {
    return IntStream.range(0, resources.size())
        .filter(number -> number % PARTS == part)
        .mapToObj(resources::get)
        .toList();
  }

  private boolean findsDifference(Trial trial) {
    return !trial.outcome(comparison).differences().isEmpty();
  }

  @TestFactory
  Stream<DynamicTest> wrongExceptionsAreFound() {
    var mistakes =
        Map.of(
            "another name", text("tools-", "fools-"),
            "another label", text("\"trial\"", "\"trail\""),
            "another condition", text("\"yes\"", "\"no\""),
            "no exception", text("exempted", "nobody"));
    return mistakes.entrySet().stream()
        .map(mistake ->
            DynamicTest.dynamicTest(
                mistake.getKey(),
                () -> proveExceptionIsFound("exempted: " + mistake.getKey(), mistake.getValue())));
  }

  private void proveExceptionIsFound(String name, Mistake mistake) {
    var right = conversion("exempted");
    var exceptions = new ArrayList<Conversion>();
    for (var exempting : List.of("shop-tools", "trials")) {
      var exception = conversion(exempting);
      var wrong = mistake.in(exception.successors());
      exceptions.add(new Conversion(exception.policy(), wrong, List.of()));
    }
    var written = exceptions.stream().map(one -> one.policy().content()).toList();
    var resources = ResourceVariants.of(right.policy().content(), written, EACH);
    var trial = new Trial(right, exceptions, resources, Optional.empty());

    RECORD.prove(
        name,
        Trial.digest(List.of(trial)),
        () -> assertThat(trial.outcome(comparison).differences()).isNotEmpty());
  }

  @Test
  void thereAreThirtyAtLeast() {
    assertThat(seeds()).hasSizeGreaterThanOrEqualTo(30);
  }

  private static List<Seed> seeds() {
    var seeds = new ArrayList<Seed>();
    seeds.add(seed("match", "another namespace", text("== \"default\"", "== \"other\"")));
    seeds.add(
        seed(
            "match",
            "another operation",
            text("request.operation == \"CREATE\"", "request.operation == \"UPDATE\"")));
    seeds.add(seed("match", "an exclusion that includes", text("&& !(", "&& (")));
    seeds.add(
        seed(
            "match",
            "a label that is not asked for",
            text(
                "has(object.metadata.labels) && type(object.metadata.labels) == map && ",
                "true || ")));
    seeds.add(seed("comparisons", "a bound that is outside", text(">= ", "> ")));
    seeds.add(seed("comparisons", "an upper bound that is outside", text("<= ", "< ")));
    seeds.add(seed("comparisons", "a lower bound as an upper one", text(" > ", " < ")));
    seeds.add(seed("scalars", "equal for different", text("== ", "!= ")));
    seeds.add(seed("anchors", "all for one", text(".all(", ".exists(")));
    seeds.add(seed("anchors", "one for all", text(".exists(", ".all(")));
    seeds.add(seed("any-pattern", "all patterns for any", text(" || ", " && ")));
    seeds.add(
        seed(
            "enforce",
            "what broke the rule never passes",
            text("variables.violatedBefore", "false"),
            "UPDATE"));
    seeds.add(seed("enforce", "every update passes", text("variables.violatedBefore", "true")));
    seeds.add(seed("equality", "another text", text("\"abc\"", "\"abd\"")));
    seeds.add(seed("equality", "quantities as texts", text("isQuantity(", "!isQuantity(")));
    seeds.add(seed("equality", "not equal for equal", text(" == \"", "  != \"")));
    seeds.add(seed("ordering", "less for greater", text(" > 10", " < 10")));
    seeds.add(seed("membership", "one for all", text(".all(k", ".exists(k")));
    seeds.add(seed("membership", "all for one", text(".exists(k", ".all(k")));
    seeds.add(
        seed(
            "membership",
            "another end of a wildcard",
            text("startsWith(\"b\")", "endsWith(\"b\")")));
    seeds.add(seed("membership", "in for not in", text("!(v", "(v")));
    seeds.add(seed("guarded-patterns", "another label", text(".root", ".boot")));
    seeds.add(seed("guarded-list", "a bound that is outside", text(">= 3", "> 3")));
    seeds.add(seed("guarded-list", "another owner", text("\"CronJob\"", "\"Cron\"")));
    seeds.add(seed("match", "a dropped condition", drop("matched")));
    seeds.add(seed("of-shop", "every namespace", drop("namespace")));
    seeds.add(seed("of-shop", "another namespace", text("== \"shop\"", "== \"default\"")));
    seeds.add(seed("by-namespace", "namespaces without a rule", text("!(!(object", "(!(object")));
    seeds.add(seed("anchors", "dropped anchors", drop("anchors")));
    seeds.add(seed("cel", "a dropped precondition", drop("not-debugging")));
    seeds.add(seed("guarded-patterns", "dropped preconditions", drop("preconditions")));
    seeds.add(seed("guarded-list", "dropped preconditions", drop("preconditions")));
    seeds.add(seed("each-container", "elements that do not matter", drop("judged")));
    seeds.add(
        seed("baseline", "a host port that passes", text(".hostPort == 0", ".hostPort >= 0")));
    seeds.add(
        seed(
            "controllers",
            "annotations of another template",
            text("spec.jobTemplate.metadata", "spec.jobTemplate.spec.template.metadata")));
    seeds.add(
        seed(
            "restricted",
            "init containers that are not judged",
            text(": variables.pod.spec.initContainers", ": []")));
    seeds.add(
        seed(
            "excluded-of-pods",
            "root that passes",
            text("runAsUser.orValue(null) != 0", "runAsUser.orValue(null) != 1")));
    seeds.add(
        seed("older-restricted", "Linux instead of Windows", text("\"windows\"", "\"linux\"")));
    seeds.add(
        seed(
            "older-baselines",
            "a sysctl that is not safe",
            text("\"kernel.shm_rmid_forced\"", "\"kernel.msgmax\"")));
    seeds.add(
        seed(
            "excluded-images",
            "images the other way round",
            text("c.image.startsWith", "!c.image.startsWith")));
    seeds.add(seed("excluded-non-root", "two that are forgiven", text("<= 1", "<= 2")));
    seeds.add(seed("looked-up", "what is missing passes", text("? 3 :", "? 1 :")));
    for (var policy : List.of("match", "comparisons")) {
      seeds.add(seed(policy, "widened kinds", each(SeededWrongConversionsIT::widened)));
    }
    for (var policy : List.of("cel", "guarded-patterns", "each-container", "projections")) {
      seeds.add(seed(policy, "lost autogen", SeededWrongConversionsIT::withoutAutogen));
    }
    seeds.add(seed("looked-up", "another label of the account", text(".tier", ".tear")));
    seeds.add(seed("configured", "another ConfigMap", text("\"filters\"", "\"lists\"")));
    seeds.add(seed("configured", "another key", text(".schedulers", ".names")));
    seeds.add(seed("users-named", "another user", text("\"dev-\"", "\"ops-\"")));
    seeds.add(seed("users-named", "another group", text("team:.", "crew:.")));
    seeds.add(
        seed(
            "users-excluded",
            "nobody is excluded",
            text("system:serviceaccount", "system:nobody")));
    seeds.add(seed("requests", "another user", text("\"system:", "\"root:")));
    seeds.add(seed("requests", "another namespace of requests", text("\"default\"", "\"none\"")));
    seeds.add(seed("namespace-labels", "another label", text("\"tier\"", "\"tear\"")));
    seeds.add(
        seed("namespace-labels", "labels other than these", text("in [\"test\", ", "in [\"x\", ")));
    seeds.add(
        seed("namespace-labels", "no labels at all", text("namespaceObject == null", "true")));
    seeds.add(seed("namespace-objects", "another namespace", text("'default'", "'elsewhere'")));
    seeds.add(seed("functions", "another text in quotes", text("[a-z]{1,3}", "[a-c]{1,3}")));
    // The policies each-container and projections have that expression, too. Both forms deny their
    // generated Pods with a variable in a list even with this mistake, so none of them shows it.
    for (var policy : List.of("membership", "two-values")) {
      seeds.add(seed(policy, "variables in a list that pass", text(REREAD, "\\\\{x" + REREAD)));
    }
    seeds.add(
        seed(
            "empty-excludes",
            "an empty list that excludes everything",
            text("object.kind == \"ConfigMap\"", "false")));
    for (var policy : List.of("equality", "ordering", "membership", "functions")) {
      seeds.add(seed(policy, "deletions that pass", text("\"DELETE\"", "\"CONNECT\""), "DELETE"));
    }
    return seeds;
  }

  private static Seed seed(String policy, String name, Mistake mistake) {
    return seed(policy, name, mistake, "");
  }

  private static Seed seed(String policy, String name, Mistake mistake, String operation) {
    return new Seed(policy, name, operation, mistake);
  }

  private static Mistake text(String right, String wrong) {
    return each(
        manifest -> manifest.with("spec", replaced(manifest.mapping("spec"), right, wrong)));
  }

  private static Value replaced(Value value, String right, String wrong) {
    return switch (value) {
      case Value.Text(var text) -> new Value.Text(replaced(text, right, wrong));
      case Value.Mapping(var fields) -> {
        var changed = Value.Mapping.EMPTY;
        for (var field : fields.entrySet()) {
          changed = changed.with(field.getKey(), replaced(field.getValue(), right, wrong));
        }
        yield changed;
      }
      case Value.Sequence(var items) ->
          new Value.Sequence(items.stream().map(item -> replaced(item, right, wrong)).toList());
      default -> value;
    };
  }

  /// Operations are texts of their own, without quotes.
  private static String replaced(String text, String right, String wrong) {
    return text.equals("DELETE") && right.equals("\"DELETE\"")
        ? "CONNECT"
        : text.replace(right, wrong);
  }

  /// Every resource is selected, and no kind is asked for.
  private static Value.Mapping widened(Value.Mapping manifest) {
    var spec =
        (Value.Mapping)
            replaced(
                manifest.mapping("spec"),
                "object.kind == ",
                "object.kind != \"\" || object.kind == ");
    var any = new Value.Sequence(List.of(new Value.Text("*")));
    var rule =
        spec.mapping("matchConstraints")
            .mappings("resourceRules")
            .getFirst()
            .with("apiGroups", any)
            .with("apiVersions", any)
            .with("resources", any);
    return manifest.with(
        "spec",
        spec.with(
            "matchConstraints",
            Value.Mapping.EMPTY.with("resourceRules", new Value.Sequence(List.of(rule)))));
  }

  private static List<Conversion.Successor> withoutAutogen(List<Conversion.Successor> successors) {
    return successors.stream().filter(one -> !one.name().contains("-autogen")).toList();
  }

  private static Mistake drop(String condition) {
    return each(manifest -> {
      var spec = manifest.mapping("spec");
      var kept =
          spec.mappings("matchConditions").stream()
              .filter(one -> !one.text("name").equals(Optional.of(condition)))
              .map(one -> (Value) one)
              .toList();
      return manifest.with("spec", spec.with("matchConditions", new Value.Sequence(kept)));
    });
  }

  private static Mistake each(UnaryOperator<Value.Mapping> change) {
    return successors ->
        successors.stream().map(one -> one.with(change.apply(one.manifest()))).toList();
  }

  private static Conversion conversion(String policy) {
    return Objects.requireNonNull(CONVERSIONS.get(policy), policy);
  }

  private static Map<String, Conversion> conversions() {
    var conversions = new HashMap<String, Conversion>();
    ConvertedPolicies.files().stream()
        .flatMap(file -> ConvertedPolicies.of(file).stream())
        .forEach(
            conversion -> conversions.putIfAbsent(conversion.policy().id().name(), conversion));
    return conversions;
  }
}
