package dev.policysync.convert.verification;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.convert.ResourceNames;
import dev.policysync.policy.kyverno.Autogen;
import dev.policysync.policy.kyverno.KindName;
import dev.policysync.policy.kyverno.ResourceFilter;
import dev.policysync.policy.kyverno.StringLists;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Makes resources from the policy itself: for each rule and each kind that it judges, one in which
/// all leaves of the pattern are satisfied, one for each leaf and each of its values
/// ([PatternObjects]), and random ones. The same policy always gives the same resources.
public final class ResourceVariants {
  private static final Map<String, List<String>> POD_IN =
      Map.of("Pod", List.of(), "CronJob", List.of("spec", "jobTemplate", "spec", "template"));

  /// The factor by which a rule with `podSecurity` has more resources, because the Pod Security
  /// Standards check so many fields; [#RANDOM_PODS] is the factor for random ones.
  private static final int SINGLE_PODS = 10;

  private static final int RANDOM_PODS = 4;

  /// A kind that few rules match, and for which autogen makes no rule.
  private static final KindName UNMATCHED_KIND = KindName.of("LimitRange");

  private static final Pattern CEL_PATH =
      Pattern.compile("bject((?:\\.\\??[A-Za-z][A-Za-z0-9]*)+)");
  private static final Pattern CEL_TEXT = Pattern.compile("'([^']{1,60})'");

  private final Value.Mapping policy;
  private final List<Value.Mapping> exceptions;
  private final Random random;
  private final List<Value.Mapping> resources = new ArrayList<>();

  private ResourceVariants(Value.Mapping policy, List<Value.Mapping> exceptions) {
    this.policy = policy;
    this.exceptions = exceptions;
    this.random = new Random(policy.mapping("metadata").text("name").orElse("").hashCode());
  }

  /// Returns the resources for a policy.
  ///
  /// @param each for each rule, the number of resources in which one leaf differs, if it has as
  ///   many, and the number of random ones
  public static List<Value.Mapping> of(Value.Mapping policy, int each) {
    return of(policy, List.of(), each);
  }

  /// Returns the resources for a policy, some of which the exceptions exempt.
  public static List<Value.Mapping> of(
      Value.Mapping policy, List<Value.Mapping> exceptions, int each) {
    var variants = new ResourceVariants(policy, exceptions);
    for (var rule : policy.mapping("spec").mappings("rules")) {
      variants.add(rule, each);
    }
    return variants.resources;
  }

  private void add(Value.Mapping rule, int each) {
    if (rule.mapping("validate").field("podSecurity").isPresent()) {
      addPods(rule, each);
      return;
    }
    var patterns = patterns(rule);
    var kinds = kinds(rule);
    var single = new ArrayList<Value>();
    for (var pattern : patterns) {
      var leaves = PatternObjects.leaves(pattern);
      for (int leaf = 0; leaf < leaves; leaf++) {
        single.addAll(PatternObjects.withLeaf(pattern, leaf));
      }
    }
    Collections.shuffle(single, random);
    for (var object : single.subList(0, Math.min(each, single.size()))) {
      add(rule, kinds.get(resources.size() % kinds.size()), object);
    }
    for (int i = 0; i < each; i++) {
      var pattern = patterns.get(random.nextInt(patterns.size()));
      var kind = i % 10 == 9 ? UNMATCHED_KIND : kinds.get(i % kinds.size());
      add(rule, kind, PatternObjects.random(pattern, random));
    }
  }

  private void addPods(Value.Mapping rule, int each) {
    var pods = new PodSecurityPods(rule, random);
    var kinds = kinds(rule);
    var single = new ArrayList<>(pods.single());
    Collections.shuffle(single, random);
    var some = new ArrayList<>(pods.always());
    some.addAll(single.subList(0, Math.min(each * SINGLE_PODS, single.size())));
    for (int i = 0; i < some.size(); i++) {
      add(rule, kinds.get(i % kinds.size()), some.get(i));
    }
    for (int i = 0; i < each * RANDOM_PODS; i++) {
      add(rule, i % 20 == 19 ? UNMATCHED_KIND : kinds.get(i % kinds.size()), pods.random());
    }
    for (var kind : kinds) {
      for (int i = 0; kind.kind().equals("CronJob") && i < each; i++) {
        add(rule, kind, pods.annotated());
      }
    }
  }

  private List<Value> patterns(Value.Mapping rule) {
    var validate = rule.mapping("validate");
    var conditions = merged(ConditionPaths.pattern(rule), exempted());
    if (validate.field("pattern").isPresent()) {
      return List.of(
          merged(validate.fields().getOrDefault("pattern", Value.Null.NULL), conditions));
    }
    var any = validate.items("anyPattern");
    if (!any.isEmpty()) {
      return any.stream().map(pattern -> merged(pattern, conditions)).toList();
    }
    return List.of(
        validate.field("cel").isPresent() ? celPattern(validate.mapping("cel")) : conditions);
  }

  /// Returns the fields that the conditions of exceptions read.
  private Value exempted() {
    Value all = Value.Mapping.EMPTY;
    for (var exception : exceptions) {
      var asked = exception.mapping("spec").fields().getOrDefault("conditions", Value.Null.NULL);
      var conditional = Value.Mapping.EMPTY.with("preconditions", asked);
      all = merged(all, ConditionPaths.pattern(conditional));
    }
    return all;
  }

  /// Merges two patterns; where both have a value, the first one's counts.
  private static Value merged(Value one, Value other) {
    if (one instanceof Value.Mapping first && other instanceof Value.Mapping second) {
      var merged = first;
      for (var field : second.fields().entrySet()) {
        var key = keyOf(first, field.getKey());
        merged =
            merged.with(
                key,
                first.fields().containsKey(key)
                    ? merged(first.fields().get(key), field.getValue())
                    : field.getValue());
      }
      return merged;
    }
    if (one instanceof Value.Sequence(var items)
        && other instanceof Value.Sequence(var others)
        && items.size() == 1
        && others.size() == 1) {
      return new Value.Sequence(List.of(merged(items.getFirst(), others.getFirst())));
    }
    return one;
  }

  private static String keyOf(Value.Mapping pattern, String name) {
    return pattern.fields().keySet().stream()
        .filter(key -> key.replaceAll("^[+<=X^]?\\((.+)\\)$", "$1").equals(name))
        .findFirst()
        .orElse(name);
  }

  /// Returns a pattern with the fields that CEL names: `object.spec.replicas > 3` gives
  /// `spec.replicas`. Fields of list items are not found.
  private static Value celPattern(Value.Mapping cel) {
    var written = Json.write(cel);
    var texts = CEL_TEXT.matcher(written).results().map(match -> match.group(1)).toList();
    var literal = texts.isEmpty() ? "x" : String.join("|", texts);
    var pattern = Value.Mapping.EMPTY;
    for (var path : CEL_PATH.matcher(written).results().map(match -> match.group(1)).toList()) {
      var steps = path.substring(1).replace("?", "").split("\\.");
      pattern = put(pattern, steps, 0, literal);
    }
    return pattern;
  }

  private static Value.Mapping put(Value.Mapping below, String[] steps, int at, String literal) {
    if (at == steps.length) {
      return below;
    }
    var held = below.mapping(steps[at]);
    return at == steps.length - 1 && held.fields().isEmpty()
        ? below.with(steps[at], new Value.Text(literal))
        : below.with(steps[at], put(held, steps, at + 1, literal));
  }

  private List<KindName> kinds(Value.Mapping rule) {
    var kinds = new LinkedHashSet<KindName>();
    ResourceFilter.of(rule.mapping("match")).forEach(filter -> kinds.addAll(filter.kinds()));
    if (Autogen.appliesTo(policy, rule)) {
      new TreeSet<>(KindName.POD_CONTROLLERS).forEach(kind -> kinds.add(KindName.of(kind)));
    }
    return kinds.isEmpty() ? List.of(KindName.of("Pod")) : List.copyOf(kinds);
  }

  private void add(Value.Mapping rule, KindName kind, Value pod) {
    var whole = pod instanceof Value.Mapping mapping ? mapping : Value.Mapping.EMPTY;
    var podSecurity = rule.mapping("validate").field("podSecurity").isPresent();
    var path =
        KindName.POD_CONTROLLERS.contains(kind.kind())
                && (podSecurity || Autogen.appliesTo(policy, rule))
            ? POD_IN.getOrDefault(kind.kind(), List.of("spec", "template"))
            : List.<String>of();
    for (var step : path.reversed()) {
      var inside = whole;
      whole = Value.Mapping.EMPTY.with(step, inside);
      if (podSecurity && inside.field("template").isPresent() && random.nextBoolean()) {
        // In a CronJob, the Job template has annotations, too.
        whole = whole.with("metadata", inside.mapping("template").mapping("metadata"));
      }
    }
    var metadata = new LinkedHashMap<>(whole.mapping("metadata").fields());
    var blocks = new ArrayList<>(ResourceFilter.of(rule.mapping("match")));
    blocks.addAll(ResourceFilter.of(rule.mapping("exclude")));
    exceptions.forEach(
        exception -> blocks.addAll(ResourceFilter.of(exception.mapping("spec").mapping("match"))));
    if (!(metadata.get("uid") instanceof Value.Text)) {
      // A uid is always a string: the API server sets it.
      metadata.remove("uid");
    }
    metadata.put("name", new Value.Text(name(blocks)));
    metadata.put("namespace", new Value.Text(namespace(blocks)));
    labels(blocks, metadata);
    var object =
        Value.Mapping.EMPTY.with("apiVersion", apiVersion(rule, kind)).with("kind", kind.kind());
    for (var field : whole.fields().entrySet()) {
      if (!List.of("apiVersion", "kind").contains(field.getKey())) {
        object = object.with(field.getKey(), field.getValue());
      }
    }
    resources.add(object.with("metadata", new Value.Mapping(metadata)));
  }

  /// Returns the apiVersion of a kind: the one that the rule writes, else that of Kubernetes.
  private static String apiVersion(Value.Mapping rule, KindName kind) {
    return ResourceFilter.of(rule.mapping("match")).stream()
        .flatMap(filter -> filter.block().mapping("resources").texts("kinds").stream())
        .filter(text -> text.endsWith("/" + kind.kind()) && text.split("/", -1).length == 3)
        .map(text -> text.substring(0, text.lastIndexOf('/')).replace("*", "v1"))
        .findFirst()
        .orElseGet(() -> ResourceNames.apiVersion(kind.kind()));
  }

  private String name(List<ResourceFilter> blocks) {
    var globs = new ArrayList<String>();
    for (var block : blocks) {
      block.block().mapping("resources").text("name").ifPresent(globs::add);
      globs.addAll(StringLists.of(block.block().mapping("resources").items("names")));
    }
    globs.removeIf(String::isEmpty);
    var number = "r" + resources.size();
    if (globs.isEmpty() || random.nextBoolean()) {
      return number;
    }
    // A name without a wildcard is not unique: the later resource replaces the earlier one.
    return globs.get(random.nextInt(globs.size())).replace("*", number).replace('?', 'x');
  }

  private String namespace(List<ResourceFilter> blocks) {
    var globs = new ArrayList<>(List.of("default", "kube-system"));
    blocks.forEach(block -> globs.addAll(block.namespaces()));
    globs.addAll(overridden());
    if (blocks.stream().anyMatch(block -> block.asksFor("namespaceSelector"))) {
      globs.addAll(List.of("one", "two", "three", "four"));
    }
    policy.mapping("metadata").text("namespace").ifPresent(globs::add);
    return globs.get(random.nextInt(globs.size())).replace("*", "x").replace("?", "y");
  }

  /// Returns the namespaces that have a failure action of their own.
  private List<String> overridden() {
    var spec = policy.mapping("spec");
    var overrides = new ArrayList<>(spec.mappings("validationFailureActionOverrides"));
    spec.mappings("rules")
        .forEach(
            rule -> overrides.addAll(rule.mapping("validate").mappings("failureActionOverrides")));
    return overrides.stream()
        .flatMap(override -> StringLists.of(override.items("namespaces")).stream())
        .toList();
  }

  private void labels(List<ResourceFilter> blocks, Map<String, Value> metadata) {
    for (var block : blocks) {
      var resource = block.block().mapping("resources");
      texts("labels", resource.mapping("selector").mapping("matchLabels"), metadata);
      texts("annotations", resource.mapping("annotations"), metadata);
    }
  }

  private void texts(String field, Value.Mapping wanted, Map<String, Value> metadata) {
    wanted
        .fields()
        .forEach((key, value) -> {
          if (random.nextInt(3) > 0) {
            var held =
                metadata.get(field) instanceof Value.Mapping mapping
                    ? mapping
                    : Value.Mapping.EMPTY;
            var text = value instanceof Value.Text(var glob) ? glob.replace("*", "z") : "z";
            metadata.put(field, held.with(key, random.nextInt(4) > 0 ? text : text + "q"));
          }
        });
  }
}
