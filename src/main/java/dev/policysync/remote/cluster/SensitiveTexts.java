package dev.policysync.remote.cluster;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// The texts of a policy that no message may repeat: every string in its spec and in the values of
/// its labels and annotations. Not secret are its kind, name and namespace, the names of fields and
/// rules, and the kinds that it matches: without them, the reason of a webhook's denial would be
/// unclear.
///
/// Text that a message shares with the policy is hidden if it is at least 12 characters long. A
/// shorter text reveals nothing of the policy, and hiding it would make a webhook's message
/// unreadable.
final class SensitiveTexts {
  /// The minimum length of a shared text that is hidden, in characters.
  private static final int SHORTEST = 12;

  /// Fields with lists of the kinds that a policy matches: `batch/v1/Job`,
  /// `rbac.authorization.k8s.io`. If `resources` is not a list, it contains names and labels.
  private static final Set<String> NAMING_KINDS =
      Set.of("kinds", "apiVersions", "apiGroups", "resources");

  /// A field path such as `spec.rules[0].validate` or `.metadata.labels`, which shows where the
  /// problem is.
  private static final Pattern PATH =
      Pattern.compile("(?<![\\w.])\\.?(?:spec|metadata)(?:\\.\\w+|\\[[\\d*]*])*(?=[:, ])");

  private final List<String> texts = new ArrayList<>();
  private final String name;

  private SensitiveTexts(String name) {
    this.name = name;
  }

  static SensitiveTexts of(Value.Mapping manifest) {
    var metadata = manifest.mapping("metadata");
    var texts = new SensitiveTexts(metadata.text("name").orElse(""));
    texts.addJudgement(manifest.mapping("spec"));
    texts.add(metadata.mapping("labels"));
    metadata
        .mapping("annotations")
        .fields()
        .forEach((name, value) -> {
          if (!name.startsWith("policysync.dev/")) {
            texts.add(value);
          }
        });
    return texts;
  }

  private void add(Value value) {
    switch (value) {
      case Value.Text(var text) -> texts.add(text);
      case Value.Mapping(var fields) -> fields.values().forEach(this::add);
      case Value.Sequence(var items) -> items.forEach(this::add);
      case Value.Numeric _, Value.Bool _, Value.Null _ -> {}
    }
  }

  /// Adds the whole spec or rule, except the names of rules and kinds where the schema has them.
  /// The same field names mean something else in an object that a rule generates or compares.
  private void addJudgement(Value.Mapping judgement) {
    judgement
        .fields()
        .forEach((field, value) -> {
          switch (field) {
            case "rules" -> each(value, rule -> addJudgement(rule.without("name")));
            case "match", "exclude", "matchConstraints" -> addSelection(value);
            case "generate" -> each(value, made -> add(made.without("apiVersion").without("kind")));
            default -> add(value);
          }
        });
  }

  private void addSelection(Value selection) {
    switch (selection) {
      case Value.Mapping(var fields) ->
          fields.forEach((field, value) -> {
            if (!(NAMING_KINDS.contains(field) && value instanceof Value.Sequence)) {
              addSelection(value);
            }
          });
      case Value.Sequence(var items) -> items.forEach(this::addSelection);
      default -> add(selection);
    }
  }

  private void each(Value value, Consumer<Value.Mapping> add) {
    for (var item : value instanceof Value.Sequence(var items) ? items : List.of(value)) {
      if (item instanceof Value.Mapping mapping) {
        add.accept(mapping);
      } else {
        add(item);
      }
    }
  }

  String hide(String message) {
    var common = common(message);
    PATH.matcher(message).results().forEach(path -> common.clear(path.start(), path.end()));
    if (name.length() >= SHORTEST) {
      for (int i = message.indexOf(name); i >= 0; i = message.indexOf(name, i + 1)) {
        common.clear(i, i + name.length());
      }
    }
    var shown = new StringBuilder();
    for (int i = 0; i < message.length(); i++) {
      if (!common.get(i)) {
        shown.append(message.charAt(i));
      } else if (i == 0 || !common.get(i - 1)) {
        shown.append(Redaction.HIDDEN);
      }
    }
    return shown.toString();
  }

  /// Returns which characters of the message belong to a text that is also in the policy.
  private BitSet common(String message) {
    Map<String, List<Integer>> runs = new HashMap<>();
    for (int i = 0; i + SHORTEST <= message.length(); i++) {
      runs.computeIfAbsent(message.substring(i, i + SHORTEST), _ -> new ArrayList<>()).add(i);
    }
    var common = new BitSet(message.length());
    for (var text : texts) {
      for (int i = 0; i + SHORTEST <= text.length(); i++) {
        for (int at : runs.getOrDefault(text.substring(i, i + SHORTEST), List.of())) {
          common.set(at, at + SHORTEST);
        }
      }
    }
    return common;
  }
}
