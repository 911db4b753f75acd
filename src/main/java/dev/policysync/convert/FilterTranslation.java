package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.policy.kyverno.Glob;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Translates a block of `match` or `exclude` into CEL.
///
/// Source: Kyverno 1.19.0, `doesResourceMatchConditionBlock`: every field of a block has to match,
/// each list by one of its items. The namespace of a Namespace is its name, and an object without a
/// name has its `generateName` instead.
final class FilterTranslation {
  private static final Set<String> FIELDS =
      Set.of(
          "annotations",
          "kinds",
          "name",
          "names",
          "namespaces",
          "namespaceSelector",
          "operations",
          "selector");

  private static final String NAMESPACE_LABELS =
      "dyn(namespaceObject == null ? {} : namespaceObject.metadata.?labels.orValue({}))";

  private static final String USER = "request.userInfo.?username.orValue(\"\")";
  private static final String GROUPS = "request.userInfo.?groups.orValue([])";

  /// The user that Kyverno assumes for the old object of an update.
  private static final String NOBODY = "kyverno:kyverno-invalid-controller";

  private static final String NO_GROUP = "kyverno:invalidgroup";

  private static final Set<String> OPERATORS_WITH_VALUES = Set.of("In", "NotIn");

  private final Value.Mapping resources;
  private final Place object;
  private final NamespaceField namespaceField;

  /// The metadata field that says to which namespace an object belongs; a Namespace has its name.
  enum NamespaceField {
    NAMESPACE,
    NAME,
    EITHER
  }

  private FilterTranslation(Value.Mapping resources, Place object, NamespaceField namespaceField) {
    this.resources = resources;
    this.object = object;
    this.namespaceField = namespaceField;
  }

  /// Tests whether the object matches the block, apart from kinds and operations. The old object is
  /// judged as if an unknown user created it.
  static Cel of(Value.Mapping block, Place object, NamespaceField namespaceField) {
    var resources = block.mapping("resources");
    Untranslatable.checkFields(
        resources, FIELDS, field -> field + " in match or exclude", "write a condition in CEL");
    var filter = new FilterTranslation(resources, object, namespaceField);
    return Cel.all(
        List.of(
            filter.names(),
            filter.namespaces(),
            filter.annotations(),
            filter.selector(),
            filter.namespaceSelector(),
            object.equals(Place.OLD_OBJECT)
                ? subjectsMatchUnknownUser(block)
                : subjectsMatch(block)));
  }

  private Cel names() {
    var name = named(object.field("metadata"));
    var one =
        resources.text("name").filter(text -> !text.isEmpty()).stream()
            .map(glob -> GlobTest.matches(name, glob))
            .toList();
    var list = StringItems.of(resources, "names");
    return Cel.all(one).and(list.isEmpty() ? Cel.TRUE : GlobTest.matchesAny(name, list));
  }

  /// Returns an expression for the object's name, or for its `generateName` if it has no name.
  private static String named(Place metadata) {
    return "("
        + metadata
        + ".?name.orValue(\"\") != \"\" ? "
        + metadata
        + ".name : "
        + metadata
        + ".?generateName.orValue(\"\"))";
  }

  private Cel namespaces() {
    var globs = StringItems.of(resources, "namespaces");
    if (globs.isEmpty()) {
      return Cel.TRUE;
    }
    var metadata = object.field("metadata");
    var namespace = metadata + ".?namespace.orValue(\"\")";
    var name = metadata + ".?name.orValue(\"\")";
    return switch (namespaceField) {
      case NAMESPACE -> GlobTest.matchesAny(namespace, globs);
      case NAME -> GlobTest.matchesAny(name, globs);
      case EITHER ->
          GlobTest.matchesAny(name, globs)
              .where(
                  object.field("kind").is("\"Namespace\""), GlobTest.matchesAny(namespace, globs));
    };
  }

  private Cel annotations() {
    var all = new ArrayList<Cel>();
    resources
        .mapping("annotations")
        .fields()
        .forEach((key, value) -> {
          var glob = text(resources.mapping("annotations"), key, value);
          var annotations = object.field("metadata").field("annotations");
          var key1 = GlobTest.matches("key", key);
          var value1 = GlobTest.matches(text(annotations + "[key]", glob), glob);
          all.add(
              mapped(
                  "annotations", Cel.call(annotations + ".exists(key, " + key1.and(value1) + ")")));
        });
    return Cel.all(all);
  }

  private Cel selector() {
    if (resources.field("selector").isEmpty()) {
      return Cel.TRUE;
    }
    var labels = object.field("metadata").field("labels");
    return new LabelSelector(
            key -> mapped("labels", labels.has(key)), key -> labels.field(key).text())
        .selects(resources.mapping("selector"));
  }

  /// Tests the labels of the object's namespace. A cluster-scoped object counts as having no
  /// labels. A Namespace never matches.
  private Cel namespaceSelector() {
    if (resources.field("namespaceSelector").isEmpty()) {
      return Cel.TRUE;
    }
    var selected =
        new LabelSelector(
                key -> Cel.comparison(Cel.quoted(key) + " in namespaceLabels"),
                key -> "namespaceLabels[" + Cel.quoted(key) + "]")
            .selects(resources.mapping("namespaceSelector"));
    var bound = selected.bind("namespaceLabels", NAMESPACE_LABELS);
    return switch (namespaceField) {
      case NAMESPACE -> bound;
      case NAME -> Cel.FALSE;
      case EITHER -> object.field("kind").is("\"Namespace\"").not().and(bound);
    };
  }

  /// Returns an expression for a label or annotation as a string. Null becomes the empty string,
  /// which matters only to wildcards and to an empty pattern.
  static String text(String value, String glob) {
    return Glob.isPattern(glob) || glob.isEmpty()
        ? "(" + value + " == null ? \"\" : " + value + ")"
        : value;
  }

  /// Guards the condition by a test that the metadata field exists and all its values are strings
  /// or null: if one is not, Kyverno ignores all of them (`NestedNullCoercingStringMap`).
  private Cel mapped(String field, Cel condition) {
    var metadata = object.field("metadata");
    var texts = metadata.field(field);
    var value = texts + "[key]";
    var strings =
        Cel.call(texts + ".all(key, type(" + value + ") == string || " + value + " == null)");
    return Cel.all(List.of(metadata.has(field), texts.is(Place.Type.MAP), strings, condition));
  }

  /// Returns the value as a plain string; refuses a value of another type, and a variable.
  static String text(Value.Mapping holder, String key, Value value) {
    if (value instanceof Value.Text(var text) && !text.contains("{{")) {
      return text;
    }
    throw Untranslatable.field(
        holder, key, "a value that is no plain string in match or exclude", "quote it");
  }

  /// Translates `selector` and `namespaceSelector`.
  ///
  /// Source: Kyverno 1.19.0, `CheckSelector`: a label selector of Kubernetes whose values may have
  /// wildcards.
  ///
  /// @param has makes a test whether a label exists
  /// @param value makes an expression for a label's value, which is null or a string
  private record LabelSelector(Function<String, Cel> has, Function<String, String> value) {
    Cel selects(Value.Mapping selector) {
      for (var field : selector.fields().keySet()) {
        if (!Set.of("matchLabels", "matchExpressions").contains(field)) {
          throw Untranslatable.field(
              selector, field, "an unknown selector", "remove " + Untranslatable.shown(field));
        }
      }
      var all = new ArrayList<Cel>();
      var labels = selector.mapping("matchLabels");
      labels
          .fields()
          .forEach((key, wanted) -> {
            if (Glob.isPattern(key)) {
              throw Untranslatable.field(
                  labels, key, "a wildcard in a label's key", "test the keys in CEL with exists()");
            }
            var glob = text(labels, key, wanted);
            var test = GlobTest.matches(text(value.apply(key), glob), glob);
            all.add(has.apply(key).and(Glob.isPattern(glob) ? test.and(valid(key)) : test));
          });
      selector.items("matchExpressions").forEach(expression -> all.add(expression(expression)));
      return Cel.all(all);
    }

    private Cel expression(Value written) {
      if (!(written instanceof Value.Mapping expression)
          || expression.text("key").filter(key -> !Glob.isPattern(key)).isEmpty()) {
        throw Untranslatable.value(written, "an unknown selector", "write a key and an operator");
      }
      var key = expression.text("key").orElse("");
      var items = StringItems.of(expression, "values");
      if (items.isEmpty()
          == OPERATORS_WITH_VALUES.contains(expression.text("operator").orElse(""))) {
        throw Untranslatable.value(
            written,
            "a selector that Kubernetes does not accept",
            "write values for In and NotIn, and none for Exists and DoesNotExist");
      }
      var values = items.stream().map(Cel::quoted).collect(Collectors.joining(", "));
      var label = text(value.apply(key), values.contains("\"\"") ? "" : "text");
      var in = Cel.comparison(label + " in [" + values + "]");
      return switch (expression.text("operator").orElse("")) {
        case "In" -> has.apply(key).and(in);
        case "NotIn" -> has.apply(key).not().or(in.not());
        case "Exists" -> has.apply(key);
        case "DoesNotExist" -> has.apply(key).not();
        default ->
            throw Untranslatable.value(
                written, "an unknown selector", "use In, NotIn, Exists or DoesNotExist");
      };
    }

    /// Tests whether the label has a valid value: Kyverno puts the value that a wildcard stands for
    /// into the selector, which accepts no other values.
    private Cel valid(String key) {
      return Cel.call(
          text(value.apply(key), "")
              + ".matches(\"^(([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9])?$\")");
    }
  }

  /// Returns true if the block names no subjects, or if it matches the user that Kyverno assumes
  /// for the old object of an update.
  private static Cel subjectsMatchUnknownUser(Value.Mapping block) {
    if (subjectsMatch(block).equals(Cel.TRUE)) {
      return Cel.TRUE;
    }
    var named =
        block.mappings("subjects").stream()
            .anyMatch(subject ->
                switch (subject.text("kind").orElse("")) {
                  case "User" -> Glob.matches(text(subject, "name"), NOBODY);
                  case "Group" -> Glob.matches(text(subject, "name"), NO_GROUP);
                  default -> false;
                });
    return named ? Cel.TRUE : Cel.FALSE;
  }

  /// Tests whether the user of the request is one of the subjects of the block; true if the block
  /// names none. Source: Kyverno 1.19.0, `CheckSubjects`.
  private static Cel subjectsMatch(Value.Mapping block) {
    var any = new ArrayList<Cel>();
    for (var item : block.items("subjects")) {
      if (!(item instanceof Value.Mapping subject)) {
        throw Untranslatable.value(item, "a subject that is no map", "write kind and name");
      }
      any.add(
          switch (subject.text("kind").orElse("")) {
            case "User" -> GlobTest.matches(USER, text(subject, "name"));
            case "Group" ->
                Cel.call(
                    GROUPS
                        + ".exists(group, "
                        + GlobTest.matches("group", text(subject, "name"))
                        + ")");
            case "ServiceAccount" -> {
              var name = text(subject, "namespace") + ":" + text(subject, "name");
              yield GlobTest.matches(USER, "system:serviceaccount:" + name);
            }
            default ->
                throw Untranslatable.value(
                    subject, "a subject of another kind", "use User, Group or ServiceAccount");
          });
    }
    return any.isEmpty() ? Cel.TRUE : Cel.any(any);
  }

  private static String text(Value.Mapping subject, String field) {
    return text(subject, field, subject.fields().getOrDefault(field, new Value.Text("")));
  }
}
