package dev.policysync.convert.verification;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Makes values for a leaf of a pattern: some that satisfy it, some that do not, and some of
/// another type or without content.
final class LeafValues {
  private static final Pattern NUMBER = Pattern.compile("-?\\d{1,12}");
  private static final List<Value> ODD =
      List.of(
          Value.Null.NULL,
          new Value.Text(""),
          new Value.Text("zz"),
          new Value.Text("0"),
          new Value.Text("-1"),
          new Value.Text("5m"),
          new Value.Text("1h"),
          new Value.Text("-3h"),
          new Value.Text("0s"),
          new Value.Text("604800s"),
          new Value.Text("2Gi"),
          new Value.Text("0.5"),
          new Value.Text("true"),
          Value.Numeric.of(0),
          Value.Numeric.of(1),
          Value.Numeric.of(-1),
          Value.Numeric.of(70_000),
          Value.Numeric.of(1.5),
          new Value.Bool(true),
          new Value.Bool(false),
          Value.Mapping.EMPTY,
          Value.Mapping.EMPTY.with("a", "b"),
          new Value.Sequence(List.of()),
          new Value.Sequence(List.of(Value.Null.NULL)),
          new Value.Sequence(List.of(new Value.Text("zz"))));

  private LeafValues() {}

  /// Returns all values to try for that scalar; the first satisfies it in most cases.
  static List<Value> of(Value scalar) {
    var values = new LinkedHashSet<Value>();
    switch (scalar) {
      case Value.Text(var text) -> ofText(text, values);
      case Value.Numeric(var literal) -> {
        values.add(scalar);
        values.add(new Value.Text(literal));
        values.add(new Value.Text("00" + literal));
        values.add(new Value.Text(literal + ".0"));
        values.add(new Value.Text("+" + literal));
      }
      case Value.Bool(var value) -> {
        values.add(scalar);
        values.add(new Value.Bool(!value));
        values.add(new Value.Text(Boolean.toString(value)));
      }
      default -> values.add(scalar);
    }
    var lists = new ArrayList<Value>();
    values.forEach(value -> lists.add(new Value.Sequence(List.of(value))));
    values.addAll(lists);
    values.add(new Value.Sequence(List.of(values.iterator().next(), new Value.Text("zz"))));
    values.addAll(ODD);
    return List.copyOf(values);
  }

  private static void ofText(String text, Set<Value> values) {
    var parts = text.split("[|&]", -1);
    for (var part : parts) {
      numbers(part.strip(), values);
    }
    for (var part : parts) {
      var operand = operand(part);
      if (!part.strip().startsWith("!")) {
        for (var filling : List.of("a/b:c", "x", "")) {
          values.add(new Value.Text(operand.replace("*", filling).replace('?', 'y')));
        }
      }
    }
    values.add(new Value.Text("another"));
    for (var part : parts) {
      var operand = operand(part);
      values.add(new Value.Text(operand.replace("*", "x").replace('?', 'y')));
      values.add(new Value.Text(operand + "q"));
      values.add(new Value.Text("q" + operand));
    }
    values.add(new Value.Text(text));
  }

  /// Adds values near a bound, first one that satisfies the comparison.
  private static void numbers(String part, Set<Value> values) {
    for (var bound : operand(part).split("!?-", -1)) {
      if (NUMBER.matcher(bound).matches()) {
        var number = Long.parseLong(bound);
        var first = part.startsWith("<") || part.contains("!-") ? number - 1 : number;
        var near = part.startsWith(">") || part.startsWith("!") ? number + 1 : first;
        for (var value : List.of(near, number, number + 1, number - 1)) {
          values.add(Value.Numeric.of(value));
          values.add(new Value.Text(Long.toString(value)));
        }
      }
    }
  }

  private static String operand(String part) {
    return part.strip().replaceAll("^(>=|<=|>|<|!)\\s*", "");
  }
}
