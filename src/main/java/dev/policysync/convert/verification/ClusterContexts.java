package dev.policysync.convert.verification;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.convert.ResourceNames;
import dev.policysync.convert.RuleScope;
import dev.policysync.convert.verification.VerdictComparison.NotComparableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// Makes small clusters from a policy: for each context entry the objects that it reads, in the
/// shape that its JMESPath looks for, sometimes missing; namespaces and users. The same policy
/// always gets the same clusters.
final class ClusterContexts {
  private static final int CLUSTERS = 3;

  /// The number of clusters if the policy tests users: each cluster has one user.
  private static final int CLUSTERS_OF_USERS = 8;

  private static final int FEW = 60;
  private static final int MOST_NAMES = 30;
  private static final Pattern PATH =
      Pattern.compile(
          "/(?:api|apis/(?<group>[^/]+))/(?<version>[^/]+)"
              + "(?:/namespaces/(?<namespace>\\{\\{[^}]*\\}\\}|[^/]+)(?=/))?"
              + "/(?<resource>[^/]+)(?:/(?<name>\\{\\{[^}]*\\}\\}|[^/]+))?");
  private static final Pattern NAME = Pattern.compile("[a-z0-9][-a-z0-9.]{0,60}");
  private static final Pattern NUMBER = Pattern.compile("\"value\":\"?(\\d{1,2})\\b");

  private final Value.Mapping policy;
  private final List<Value.Mapping> resources;
  private final Random random;
  private final Map<String, Value.Mapping> objects = new LinkedHashMap<>();
  private final Map<String, Map<String, Value>> values = new HashMap<>();
  private final Map<String, Value.Mapping> configMaps = new HashMap<>();
  private boolean everywhere;

  private ClusterContexts(Value.Mapping policy, List<Value.Mapping> resources, int number) {
    this.policy = policy;
    this.resources = resources;
    // Random numbers of neighbouring seeds begin alike.
    this.random =
        new Random(
            policy.mapping("metadata").text("name").orElse("").hashCode() + number * 1_000_003L);
  }

  /// Returns the clusters for a policy that is to judge these resources; in each it judges some of
  /// them. A policy that reads nothing gets one.
  ///
  /// @throws NotComparableException if the command line cannot read what the policy reads
  static List<ClusterContext> of(Value.Mapping policy, List<Value.Mapping> resources) {
    var rules = policy.mapping("spec").mappings("rules");
    if (!RequestOrigins.areTested(policy)
        && rules.stream().allMatch(rule -> reads(rule).isEmpty())) {
      return List.of(ClusterContext.unknown(resources));
    }
    var all = new ArrayList<ClusterContext>();
    var count = RequestOrigins.testsUsers(policy) ? CLUSTERS_OF_USERS : CLUSTERS;
    for (int number = 0; number < count; number++) {
      var judged = some(resources, number, count);
      var contexts = new ClusterContexts(policy, judged, number);
      rules.forEach(contexts::add);
      var origins = new RequestOrigins(policy, contexts.random);
      all.add(
          new ClusterContext(
              judged,
              List.copyOf(contexts.objects.values()),
              contexts.everywhere,
              contexts.values,
              origins.namespaces(judged),
              origins.user(number)));
    }
    return all;
  }

  /// Returns all resources, or a part of them if there are many.
  private static List<Value.Mapping> some(List<Value.Mapping> resources, int number, int count) {
    return resources.size() < FEW
        ? resources
        : IntStream.range(0, resources.size())
            .filter(index -> index % count == number)
            .mapToObj(resources::get)
            .toList();
  }

  private static List<Value.Mapping> reads(Value.Mapping rule) {
    var holders = new ArrayList<>(rule.mapping("validate").mappings("foreach"));
    holders.add(rule);
    return holders.stream()
        .flatMap(holder -> holder.mappings("context").stream())
        .filter(entry -> entry.field("configMap").isPresent() || entry.field("apiCall").isPresent())
        .toList();
  }

  private void add(Value.Mapping rule) {
    var documents = ConditionPaths.documents(rule);
    for (var entry : reads(rule)) {
      var name = entry.text("name").orElse("");
      var document = documents.getOrDefault(name, Value.Mapping.EMPTY);
      if (entry.field("configMap").isPresent()) {
        addConfigMap(rule, entry.mapping("configMap"), name);
      } else {
        addAnswers(rule, entry.mapping("apiCall").text("urlPath").orElse(""), entry, document);
      }
    }
  }

  private void addConfigMap(Value.Mapping rule, Value.Mapping configMap, String entry) {
    var name = configMap.text("name").orElse("");
    var namespace = configMap.text("namespace").orElse("");
    if ((name + namespace).contains("{{")) {
      throw new NotComparableException(
          "the command line cannot read a ConfigMap whose name is a variable");
    }
    var data =
        configMaps.computeIfAbsent(
            namespace + "/" + name, _ -> new ConfigMapData(resources, random).of(keys(entry)));
    add("v1", "ConfigMap", namespace, name, Value.Mapping.EMPTY.with("data", data));
    var metadata = Value.Mapping.EMPTY.with("name", name).with("namespace", namespace);
    for (var scope : RuleScope.of(policy, rule)) {
      values
          .computeIfAbsent(scope.ruleName(rule.text("name").orElse("")), _ -> new HashMap<>())
          .put(entry, Value.Mapping.EMPTY.with("data", data).with("metadata", metadata));
    }
  }

  /// Returns the keys that rules look up in that entry; several rules may read one ConfigMap under
  /// the same name.
  private Set<String> keys(String entry) {
    var keys = new LinkedHashSet<String>();
    for (var rule : policy.mapping("spec").mappings("rules")) {
      if (ConditionPaths.documents(rule).get(entry) instanceof Value.Mapping document) {
        keys.addAll(document.mapping("data").fields().keySet());
      }
    }
    return keys;
  }

  private void addAnswers(Value.Mapping rule, String path, Value.Mapping entry, Value document) {
    var matcher = PATH.matcher(path);
    if (!matcher.matches()) {
      throw new NotComparableException("the command line cannot read this apiCall");
    }
    var resource = matcher.group("resource");
    var kind =
        ResourceNames.kindOf(resource)
            .filter(known -> !known.equals("Namespace"))
            .orElseThrow(() ->
                new NotComparableException(
                    "the command line cannot read what this apiCall does without a cluster"));
    var group = matcher.group("group");
    var apiVersion = (group == null ? "" : group + "/") + matcher.group("version");
    var namespace = matcher.group("namespace");
    var namespaces = namespace == null ? List.of("") : named(namespace);
    add(apiVersion, kind, "elsewhere", "other", Value.Mapping.EMPTY);
    if (matcher.group("name") == null) {
      if (namespace == null) {
        everywhere = true;
        checkEverywhere(entry);
      }
      var item =
          document instanceof Value.Mapping whole
                  && whole.fields().get("items") instanceof Value.Sequence(var items)
              ? items.getFirst()
              : Value.Mapping.EMPTY;
      for (var in : namespaces) {
        for (int i = count(rule); i > 0; i--) {
          add(apiVersion, kind, in, "w" + i, item(item));
        }
      }
      return;
    }
    for (var in : namespaces) {
      for (var name : named(matcher.group("name"))) {
        if (random.nextInt(5) > 0) {
          add(apiVersion, kind, in, name, item(document));
        }
      }
    }
  }

  private static void checkEverywhere(Value.Mapping entry) {
    if (entry.mapping("apiCall").text("jmesPath").orElse("").contains("namespace")) {
      throw new NotComparableException(
          "the command line lists the resources of all namespaces without their namespaces");
    }
  }

  /// Returns the number of items of a list: a few, or about as many as a condition mentions.
  private int count(Value.Mapping rule) {
    var counts = new ArrayList<>(List.of(0, 1, 2));
    NUMBER
        .matcher(Json.write(rule))
        .results()
        .forEach(match -> {
          counts.add(Integer.parseInt(match.group(1)));
          counts.add(Integer.parseInt(match.group(1)) + 1);
          counts.add(Integer.parseInt(match.group(1)) + 2);
        });
    return counts.get(random.nextInt(counts.size()));
  }

  /// Returns an object that differs in only one leaf from what the rule looks for, or a random one.
  private Value.Mapping item(Value pattern) {
    var leaves = PatternObjects.leaves(pattern);
    var item =
        leaves > 0 && random.nextBoolean()
            ? one(PatternObjects.withLeaf(pattern, random.nextInt(leaves)))
            : PatternObjects.random(pattern, random);
    return item instanceof Value.Mapping mapping ? mapping : Value.Mapping.EMPTY;
  }

  private Value one(List<Value> values) {
    return values.isEmpty() ? Value.Mapping.EMPTY : values.get(random.nextInt(values.size()));
  }

  /// Returns the values that a part of a path may have: itself, or the values of the variable in
  /// it.
  private List<String> named(String part) {
    if (!part.contains("{{")) {
      return List.of(part);
    }
    var names = new LinkedHashSet<String>();
    for (var resource : resources) {
      var metadata = resource.mapping("metadata");
      if (part.contains("namespace")) {
        metadata.text("namespace").ifPresent(names::add);
      } else if (part.contains("metadata.name")) {
        metadata.text("name").ifPresent(names::add);
      } else {
        ConfigMapData.texts(resource, names);
      }
    }
    return names.stream().filter(name -> NAME.matcher(name).matches()).limit(MOST_NAMES).toList();
  }

  private void add(
      String apiVersion, String kind, String namespace, String name, Value.Mapping content) {
    var metadata = new LinkedHashMap<>(content.mapping("metadata").fields());
    metadata.keySet().retainAll(Set.of("annotations", "labels", "uid"));
    metadata.values().removeIf(value -> !isPlain(value));
    metadata.put("name", new Value.Text(name));
    if (!namespace.isEmpty()) {
      metadata.put("namespace", new Value.Text(namespace));
    }
    objects.putIfAbsent(
        String.join("/", apiVersion, kind, namespace, name),
        content
            .with("apiVersion", apiVersion)
            .with("kind", kind)
            .with("metadata", new Value.Mapping(metadata)));
  }

  /// Returns whether metadata of a stored object may have that value: a string, or a map of
  /// strings.
  private static boolean isPlain(Value value) {
    return switch (value) {
      case Value.Text _ -> true;
      case Value.Mapping(var fields) ->
          fields.values().stream().allMatch(Value.Text.class::isInstance);
      default -> false;
    };
  }

  /// Makes the data of a ConfigMap: strings of the resources, patterns for them, lists of them as
  /// JSON, and other JSON.
  private static final class ConfigMapData {
    private static final List<String> ODD =
        List.of("", "*", "[]", "null", "true", "12", "{\"a\": 1}", "[\"a\", 1]", "\"zz\"", "zz");

    private final List<String> texts;
    private final Random random;

    ConfigMapData(List<Value.Mapping> resources, Random random) {
      var found = new LinkedHashSet<String>();
      resources.forEach(resource -> texts(resource, found));
      this.texts = found.isEmpty() ? List.of("x") : List.copyOf(found);
      this.random = random;
    }

    /// Returns data with most of these keys.
    Value.Mapping of(Set<String> keys) {
      var data = Value.Mapping.EMPTY;
      for (var key : keys) {
        if (random.nextInt(6) > 0) {
          data = data.with(key, value());
        }
      }
      return data.with("other", "x");
    }

    private String value() {
      return switch (random.nextInt(6)) {
        case 0 -> text();
        case 1 -> ODD.get(random.nextInt(ODD.size()));
        case 2 -> text().replaceFirst(".$", "*");
        default -> {
          var items = new ArrayList<Value>();
          IntStream.range(0, 1 + random.nextInt(4))
              .forEach(_ ->
                  items.add(
                      new Value.Text(
                          random.nextInt(4) > 0 ? text() : text().replaceFirst(".$", "*"))));
          yield Json.write(new Value.Sequence(items)) + (random.nextBoolean() ? "\n" : "");
        }
      };
    }

    private String text() {
      return texts.get(random.nextInt(texts.size()));
    }

    static void texts(Value value, Set<String> texts) {
      switch (value) {
        case Value.Text(var text) -> texts.add(text);
        case Value.Mapping(var fields) -> fields.values().forEach(field -> texts(field, texts));
        case Value.Sequence(var items) -> items.forEach(item -> texts(item, texts));
        default -> {}
      }
    }
  }
}
