package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.GlobTest;
import dev.policysync.convert.expression.Place;
import dev.policysync.convert.expression.Quoted;
import dev.policysync.convert.expression.StringItems;
import dev.policysync.convert.expression.Untranslatable;
import dev.policysync.policy.kyverno.Glob;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

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

  /// Tests whether the object matches the block, apart from kinds and operations.
  static Cel of(Value.Mapping resources, Place object, NamespaceField namespaceField) {
    for (var field : resources.fields().keySet()) {
      if (!FIELDS.contains(field)) {
        throw Untranslatable.field(
            resources,
            field,
            Untranslatable.shown(field) + " in match or exclude",
            "write a condition in CEL");
      }
    }
    var filter = new FilterTranslation(resources, object, namespaceField);
    return Cel.all(
        List.of(
            filter.names(),
            filter.namespaces(),
            filter.annotations(),
            filter.selector(),
            filter.namespaceSelector()));
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
    return LabelSelector.of(
        resources.mapping("selector"),
        key -> mapped("labels", labels.has(key)),
        key -> labels.field(key).text());
  }

  /// Tests the labels of the object's namespace. A cluster-scoped object counts as having no
  /// labels. A Namespace never matches.
  private Cel namespaceSelector() {
    if (resources.field("namespaceSelector").isEmpty()) {
      return Cel.TRUE;
    }
    var selected =
        LabelSelector.of(
            resources.mapping("namespaceSelector"),
            key -> Cel.comparison(Quoted.text(key) + " in namespaceLabels"),
            key -> "namespaceLabels[" + Quoted.text(key) + "]");
    var bound =
        selected.equals(Cel.TRUE)
            ? selected
            : Cel.call("cel.bind(namespaceLabels, " + NAMESPACE_LABELS + ", " + selected + ")");
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
}
