package dev.policysync.convert.expression;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// A place in an object, as an expression that denotes what stands there:
/// `object.spec.template.metadata`. Nothing is known of its type: the fields of custom resources
/// may hold anything, so whatever looks into a place asks for its type first.
///
/// @param depth how many lists were entered on the way, for the names of their items
public record Place(String text, int depth) {
  public static final Place OBJECT = new Place("object", 0);
  public static final Place OLD_OBJECT = new Place("oldObject", 0);

  /// What is deleted stands in `oldObject` only; `object` is an empty map then.
  public static final Place ANY_OBJECT =
      new Place("(request.operation == \"DELETE\" ? oldObject : object)", 0);

  /// The same where it is bound.
  public static final Place JUDGED = new Place("judged", 0);

  /// The Pod that an object makes, where a variable or a binding names it.
  public static final Place POD_VARIABLE = new Place("variables.pod", 0);

  public static final Place POD = new Place("pod", 0);

  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /// Words that the grammar of CEL keeps for itself.
  private static final Set<String> RESERVED =
      Set.of(
          "as",
          "break",
          "const",
          "continue",
          "else",
          "false",
          "for",
          "function",
          "if",
          "import",
          "in",
          "let",
          "loop",
          "null",
          "package",
          "return",
          "true",
          "var",
          "void",
          "while");

  /// What a place may hold, by CEL's name of the type.
  public enum Type {
    MAP,
    LIST,
    STRING,
    INT,
    DOUBLE,
    BOOL
  }

  /// The field of that name.
  public Place field(String name) {
    return new Place(
        isIdentifier(name) ? text + "." + name : text + "[" + Quoted.text(name) + "]", depth);
  }

  /// Whether the field of that name is there, with null too; only where this is a map.
  public Cel has(String name) {
    return isIdentifier(name)
        ? Cel.call("has(" + text + "." + name + ")")
        : Cel.comparison(Quoted.text(name) + " in " + text);
  }

  /// Whether it holds a value of that type.
  public Cel is(Type type) {
    var certain = type == Type.MAP && depth == 0 && isObject();
    return certain
        ? Cel.TRUE
        : Cel.comparison("type(" + text + ") == " + type.name().toLowerCase(Locale.ROOT));
  }

  /// Every object that is sent to the API server is a map, and so is its metadata.
  private boolean isObject() {
    return Set.of(OBJECT, OLD_OBJECT, ANY_OBJECT, JUDGED).stream()
        .anyMatch(object -> equals(object) || equals(object.field("metadata")));
  }

  public Cel isNull() {
    return Cel.comparison(text + " == null");
  }

  /// Whether it equals that literal; values of different types are not equal, and no error.
  public Cel is(String literal) {
    return Cel.comparison(text + " == " + literal);
  }

  /// Whether it is a string, a number or a boolean.
  public Cel isScalar() {
    return Cel.all(
        List.of(
            Cel.comparison(text + " != null"),
            Cel.comparison("type(" + text + ") != map"),
            Cel.comparison("type(" + text + ") != list")));
  }

  /// An item of the list that stands here.
  public Place item() {
    return new Place("item" + (depth == 0 ? "" : depth + 1), depth + 1);
  }

  /// Whether that holds of every item; true if there are none.
  public Cel all(Cel ofItem) {
    return ofItem.equals(Cel.TRUE)
        ? Cel.TRUE
        : Cel.call(text + ".all(" + item().text + ", " + ofItem + ")");
  }

  /// Whether that holds of one item at least.
  public Cel exists(Cel ofItem) {
    return ofItem.equals(Cel.FALSE)
        ? Cel.FALSE
        : Cel.call(text + ".exists(" + item().text + ", " + ofItem + ")");
  }

  private static boolean isIdentifier(String name) {
    return IDENTIFIER.matcher(name).matches() && !RESERVED.contains(name);
  }

  @Override
  public String toString() {
    return text;
  }
}
