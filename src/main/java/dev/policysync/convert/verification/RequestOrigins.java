package dev.policysync.convert.verification;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.policy.kyverno.ResourceFilter;
import dev.policysync.policy.kyverno.StringLists;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/// Makes the origins of requests that a policy tests: the labels of namespaces, and users. Each
/// value is one that a rule names, one near to that, or another one.
final class RequestOrigins {
  private final Value.Mapping policy;
  private final Random random;

  RequestOrigins(Value.Mapping policy, Random random) {
    this.policy = policy;
    this.random = random;
  }

  /// Returns whether a policy tests the labels of namespaces, or users.
  static boolean areTested(Value.Mapping policy) {
    return asksForNamespaces(policy) || testsUsers(policy);
  }

  static boolean testsUsers(Value.Mapping policy) {
    return blocks(policy).stream().anyMatch(ResourceFilter::asksWho)
        || Json.write(policy.mapping("spec")).contains("request.userInfo");
  }

  private static boolean asksForNamespaces(Value.Mapping policy) {
    return blocks(policy).stream().anyMatch(block -> block.asksFor("namespaceSelector"))
        || Json.write(policy.mapping("spec")).contains("namespaceObject");
  }

  private static List<ResourceFilter> blocks(Value.Mapping policy) {
    var blocks = new ArrayList<ResourceFilter>();
    for (var rule : policy.mapping("spec").mappings("rules")) {
      blocks.addAll(ResourceFilter.of(rule.mapping("match")));
      blocks.addAll(ResourceFilter.of(rule.mapping("exclude")));
    }
    return blocks;
  }

  /// Returns the labels of the resources' namespaces. In the legacy form, the command line has no
  /// labels for `namespaceObject`.
  Map<String, Value.Mapping> namespaces(List<Value.Mapping> resources) {
    if (!asksForNamespaces(policy)) {
      return Map.of();
    }
    var names = new LinkedHashSet<>(Set.of("default"));
    resources.forEach(
        resource -> resource.mapping("metadata").text("namespace").ifPresent(names::add));
    var labels = new HashMap<String, Value.Mapping>();
    names.forEach(name -> labels.put(name, labels()));
    return labels;
  }

  private Value.Mapping labels() {
    var labels = new LinkedHashMap<String, Value>();
    for (var block : blocks(policy)) {
      var selector = block.block().mapping("resources").mapping("namespaceSelector");
      selector
          .mapping("matchLabels")
          .fields()
          .forEach((key, value) -> {
            if (value instanceof Value.Text(var text)) {
              label(key, List.of(text), labels);
            }
          });
      for (var expression : selector.mappings("matchExpressions")) {
        label(
            expression.text("key").orElse(""), StringLists.of(expression.items("values")), labels);
      }
    }
    return new Value.Mapping(labels);
  }

  private void label(String key, List<String> values, Map<String, Value> labels) {
    if (random.nextInt(3) > 0) {
      var value = values.isEmpty() ? "any" : values.get(random.nextInt(values.size()));
      var text = random.nextInt(4) > 0 ? named(value) : "other";
      labels.put(key, new Value.Text(text));
    }
  }

  /// Returns the user of the requests, if the policy tests users. The user is never left out then:
  /// without one, the command line takes every request for one by the user that a rule names.
  ///
  /// @param number the number of the user: the first ones differ, and are in different groups
  Optional<Value.Mapping> user(int number) {
    if (!testsUsers(policy)) {
      return Optional.empty();
    }
    var users = new ArrayList<>(List.of("somebody"));
    var groups = new ArrayList<String>();
    for (var block : blocks(policy)) {
      for (var subject : block.block().mappings("subjects")) {
        var name = named(subject.text("name").orElse(""));
        switch (subject.text("kind").orElse("")) {
          case "Group" -> groups.add(name);
          case "ServiceAccount" -> {
            var namespace = named(subject.text("namespace").orElse(""));
            users.add("system:serviceaccount:" + namespace + ":" + name);
          }
          default -> users.add(name);
        }
      }
    }
    compared(policy.mapping("spec"), users);
    compared(policy.mapping("spec"), groups);
    var inGroups = new ArrayList<Value>(List.of(new Value.Text("system:authenticated")));
    for (int i = 0; i < groups.size(); i++) {
      if ((number / 2 + i) % 2 == 0) {
        inGroups.add(new Value.Text(groups.get(i)));
      }
    }
    var user = users.get(number % users.size());
    return Optional.of(
        Value.Mapping.EMPTY.with("username", user).with("groups", new Value.Sequence(inGroups)));
  }

  /// Collects the strings with which conditions compare.
  private static void compared(Value value, List<String> names) {
    switch (value) {
      case Value.Mapping(var fields) ->
          fields.forEach((name, field) -> {
            if (name.equals("value")) {
              texts(field, names);
            } else {
              compared(field, names);
            }
          });
      case Value.Sequence(var items) -> items.forEach(item -> compared(item, names));
      default -> {}
    }
  }

  private static void texts(Value value, List<String> names) {
    switch (value) {
      case Value.Text(var text) -> names.add(named(text));
      case Value.Sequence(var items) -> items.forEach(item -> texts(item, names));
      default -> {}
    }
  }

  private static String named(String glob) {
    return glob.replace("*", "x").replace('?', 'y');
  }
}
