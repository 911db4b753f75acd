package dev.policysync.convert;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A CEL expression of type bool: `has(object.spec.hostNetwork) && object.spec.hostNetwork`.
/// Joining expressions drops constants, and adds parentheses only where they are needed.
///
/// In CEL, `a && b` is false if either operand is false, even if the other one is an error. So an
/// expression may simply be joined with its guard.
record Cel(String text, Form form) {
  static final Cel TRUE = new Cel("true", Form.CALL);
  static final Cel FALSE = new Cel("false", Form.CALL);

  /// How tightly the outermost operator of an expression binds.
  enum Form {
    CALL,
    COMPARISON,
    AND,
    OR,
    CHOICE
  }

  /// Makes a comparison: `object.kind == "Pod"`.
  static Cel comparison(String text) {
    return new Cel(text, Form.COMPARISON);
  }

  /// Makes a call: `has(object.spec)`.
  static Cel call(String text) {
    return new Cel(text, Form.CALL);
  }

  /// Returns the text as a CEL string in quotes, with the characters escaped that have a meaning in
  /// CEL.
  static String quoted(String text) {
    var quoted = new StringBuilder("\"");
    text.codePoints()
        .forEach(c -> {
          switch (c) {
            case '"' -> quoted.append("\\\"");
            case '\\' -> quoted.append("\\\\");
            case '\n' -> quoted.append("\\n");
            case '\r' -> quoted.append("\\r");
            case '\t' -> quoted.append("\\t");
            default -> {
              if (c < ' ' || c == 0x7F || c == 0x85 || c == 0x2028 || c == 0x2029) {
                quoted.append(String.format("\\u%04x", c));
              } else {
                quoted.appendCodePoint(c);
              }
            }
          }
        });
    return quoted.append('"').toString();
  }

  /// Makes a test whether a string matches a regular expression of RE2.
  static Cel matches(String expression, String regex) {
    return call(expression + ".matches(" + quoted(regex) + ")");
  }

  /// Joins the parts with `&&`; true if there are none.
  static Cel all(List<Cel> parts) {
    return joined(parts, Form.AND, TRUE, FALSE);
  }

  /// Joins the parts with `||`; false if there are none.
  static Cel any(List<Cel> parts) {
    return joined(parts, Form.OR, FALSE, TRUE);
  }

  Cel and(Cel other) {
    return all(List.of(this, other));
  }

  Cel or(Cel other) {
    return any(List.of(this, other));
  }

  Cel not() {
    if (equals(TRUE)) {
      return FALSE;
    }
    if (equals(FALSE)) {
      return TRUE;
    }
    return call(
        form == Form.CALL && text.startsWith("!") ? text.substring(1) : "!" + within(Form.CALL));
  }

  /// Binds a name in this expression, if the expression uses it: `cel.bind(pod, object.spec, …)`.
  Cel bind(String name, String value) {
    return Pattern.compile("\\b" + name + "\\b").matcher(text).find()
        ? call("cel.bind(" + name + ", " + value + ", " + text + ")")
        : this;
  }

  /// Returns a conditional expression: this one if the condition holds, else the other one.
  Cel where(Cel condition, Cel elsewhere) {
    if (condition.equals(TRUE) || equals(elsewhere)) {
      return this;
    }
    if (condition.equals(FALSE)) {
      return elsewhere;
    }
    return new Cel(
        condition.within(Form.CHOICE)
            + " ? "
            + within(Form.CHOICE)
            + " : "
            + (elsewhere.form == Form.CHOICE ? elsewhere.text : elsewhere.within(Form.CHOICE)),
        Form.CHOICE);
  }

  private static Cel joined(List<Cel> parts, Form form, Cel neutral, Cel decisive) {
    var left = new ArrayList<Cel>();
    for (var part : parts) {
      if (part.equals(decisive)) {
        return decisive;
      }
      if (!part.equals(neutral) && !left.contains(part)) {
        left.add(part);
      }
    }
    if (left.isEmpty()) {
      return neutral;
    }
    if (left.size() == 1) {
      return left.getFirst();
    }
    var operator = form == Form.AND ? " && " : " || ";
    return new Cel(
        left.stream()
            .map(part -> part.form == form ? part.text : part.within(form))
            .collect(Collectors.joining(operator)),
        form);
  }

  private String within(Form outer) {
    return form == Form.CALL
            || (form.compareTo(outer) < 0 && !(form == Form.AND && outer == Form.OR))
        ? text
        : "(" + text + ")";
  }

  @Override
  public String toString() {
    return text;
  }
}
