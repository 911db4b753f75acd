package dev.policysync.convert.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// A CEL expression of type bool: `has(object.spec.hostNetwork) && object.spec.hostNetwork`. What
/// is constant is left out while expressions are joined, and brackets stand only where needed.
///
/// In CEL, `a && b` is false if either is, whatever the other one is, an error too; so what guards
/// an expression may stand beside it.
public record Cel(String text, Form form) {
  public static final Cel TRUE = new Cel("true", Form.CALL);
  public static final Cel FALSE = new Cel("false", Form.CALL);

  /// How tightly the outermost part of an expression binds.
  public enum Form {
    CALL,
    COMPARISON,
    AND,
    OR,
    CHOICE
  }

  /// A comparison: `object.kind == "Pod"`.
  public static Cel comparison(String text) {
    return new Cel(text, Form.COMPARISON);
  }

  /// A call: `has(object.spec)`.
  public static Cel call(String text) {
    return new Cel(text, Form.CALL);
  }

  /// All of them; true if there are none.
  public static Cel all(List<Cel> parts) {
    return joined(parts, Form.AND, TRUE, FALSE);
  }

  /// One of them at least; false if there are none.
  public static Cel any(List<Cel> parts) {
    return joined(parts, Form.OR, FALSE, TRUE);
  }

  public Cel and(Cel other) {
    return all(List.of(this, other));
  }

  public Cel or(Cel other) {
    return any(List.of(this, other));
  }

  /// The opposite.
  public Cel not() {
    if (equals(TRUE)) {
      return FALSE;
    }
    if (equals(FALSE)) {
      return TRUE;
    }
    return call(
        form == Form.CALL && text.startsWith("!") ? text.substring(1) : "!" + within(Form.CALL));
  }

  /// This where the condition holds, the other one elsewhere.
  public Cel where(Cel condition, Cel elsewhere) {
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
