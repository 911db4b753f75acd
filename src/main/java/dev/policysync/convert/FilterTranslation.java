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

/// A block of `match` or `exclude` as CEL.
///
/// Source: Kyverno 1.19.0, `doesResourceMatchConditionBlock`: all that a block names has to match,
/// of each list one item. The namespace of a Namespace is its name, and what has no name yet is
/// called by its `generateName`.
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

  /// Where an object says to which namespace it belongs.
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

  /// Whether the object is what the block names, apart from kinds and operations.
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

  /// The name of an object, or how it is to begin.
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

  /// By the labels of the object's namespace, of which objects that are in none have none. It says
  /// nothing of namespaces themselves.
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

  /// A label or annotation as a text: null is the empty one, which matters to some patterns only.
  static String text(String value, String glob) {
    return Glob.isPattern(glob) || glob.isEmpty()
        ? "(" + value + " == null ? \"\" : " + value + ")"
        : value;
  }

  /// The condition, where that field of the metadata is there and all in it are strings or null:
  /// where one is not, Kyverno takes none of them (`NestedNullCoercingStringMap`).
  private Cel mapped(String field, Cel condition) {
    var metadata = object.field("metadata");
    var texts = metadata.field(field);
    var value = texts + "[key]";
    var strings =
        Cel.call(texts + ".all(key, type(" + value + ") == string || " + value + " == null)");
    return Cel.all(List.of(metadata.has(field), texts.is(Place.Type.MAP), strings, condition));
  }

  /// A value that is written there.
  static String text(Value.Mapping holder, String key, Value value) {
    if (value instanceof Value.Text(var text) && !text.contains("{{")) {
      return text;
    }
    throw Untranslatable.field(
        holder, key, "a value that is no plain string in match or exclude", "quote it");
  }
}
