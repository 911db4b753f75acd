package dev.policysync.convert;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// A place in an object, as an expression for its value: `object.spec.template.metadata`. The type
/// of the value is not known: the fields of custom resources may hold anything, so an expression
/// tests the type of a place before it looks into it.
///
/// @param depth the number of lists on the path, from which the names of their items are made
record Place(String text, int depth) {
  static final Place OBJECT = new Place("object", 0);
  static final Place OLD_OBJECT = new Place("oldObject", 0);

  /// The object of any request. On a deletion it is in `oldObject`; `object` is an empty map then.
  static final Place ANY_OBJECT =
      new Place("(request.operation == \"DELETE\" ? oldObject : object)", 0);

  /// The name to which [#ANY_OBJECT] is bound.
  static final Place JUDGED = new Place("judged", 0);

  /// The Pod of an object, as a variable of the policy; [#POD] is the name to which it is bound
  /// elsewhere.
  static final Place POD_VARIABLE = new Place("variables.pod", 0);

  static final Place POD = new Place("pod", 0);

  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /// Reserved words of the CEL grammar.
  private static final Pattern RESERVED =
      Pattern.compile(
          "as|break|const|continue|else|false|for|function|if|import|in|let|loop|null|package"
              + "|return|true|var|void|while");

  /// A type of value, by its name in CEL.
  enum Type {
    MAP,
    LIST,
    STRING,
    INT,
    DOUBLE,
    BOOL
  }

  Place field(String name) {
    return new Place(
        isIdentifier(name) ? text + "." + name : text + "[" + Cel.quoted(name) + "]", depth);
  }

  /// Tests whether the field exists, even with null. The value at this place must be a map.
  Cel has(String name) {
    return isIdentifier(name)
        ? Cel.call("has(" + text + "." + name + ")")
        : Cel.comparison(Cel.quoted(name) + " in " + text);
  }

  Cel is(Type type) {
    var certain = type == Type.MAP && depth == 0 && isObject();
    return certain
        ? Cel.TRUE
        : Cel.comparison("type(" + text + ") == " + type.name().toLowerCase(Locale.ROOT));
  }

  /// Returns whether this is an object or its metadata: the API server gets only maps there.
  private boolean isObject() {
    return Set.of(OBJECT, OLD_OBJECT, ANY_OBJECT, JUDGED).stream()
        .anyMatch(object -> equals(object) || equals(object.field("metadata")));
  }

  Cel isNull() {
    return Cel.comparison(text + " == null");
  }

  /// Tests whether the value equals the literal. Values of different types are not equal, which is
  /// no error.
  Cel is(String literal) {
    return Cel.comparison(text + " == " + literal);
  }

  /// Tests whether the value is a string, a number or a boolean.
  Cel isScalar() {
    return Cel.all(
        List.of(
            Cel.comparison(text + " != null"),
            Cel.comparison("type(" + text + ") != map"),
            Cel.comparison("type(" + text + ") != list")));
  }

  Place item() {
    return new Place("item" + (depth == 0 ? "" : depth + 1), depth + 1);
  }

  /// Tests whether the condition holds for every item; true if there are none.
  Cel all(Cel ofItem) {
    return ofItem.equals(Cel.TRUE)
        ? Cel.TRUE
        : Cel.call(text + ".all(" + item().text + ", " + ofItem + ")");
  }

  Cel exists(Cel ofItem) {
    return ofItem.equals(Cel.FALSE)
        ? Cel.FALSE
        : Cel.call(text + ".exists(" + item().text + ", " + ofItem + ")");
  }

  private static boolean isIdentifier(String name) {
    return IDENTIFIER.matcher(name).matches() && !RESERVED.matcher(name).matches();
  }

  @Override
  public String toString() {
    return text;
  }
}
