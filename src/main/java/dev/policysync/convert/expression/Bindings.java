package dev.policysync.convert.expression;

import dev.policysync.base.Value;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/// Expressions that others use by a name, so that none is repeated: `cel.bind(v1, …, …)`.
public final class Bindings {
  /// A variable is computed anew wherever it is used. With each that is made of another one twice
  /// that is twice as often, and a few dozen of them would take for ever.
  private static final int MOST_COMPUTED = 10_000;

  private final Names names;
  private final Map<String, String> named = new LinkedHashMap<>();

  /// Where names come from; no two in one expression are the same.
  public static final class Names {
    private final AtomicInteger computed;
    private int count;

    public Names() {
      this(new AtomicInteger());
    }

    private Names(AtomicInteger computed) {
      this.computed = computed;
    }

    /// One that nothing else has.
    public String next(String prefix) {
      count++;
      return prefix + count;
    }

    private void compute(Value at) {
      if (computed.incrementAndGet() > MOST_COMPUTED) {
        throw Untranslatable.value(
            at,
            "context variables that are made of one another many times over",
            "write them as variables in CEL, which are computed once");
      }
    }
  }

  public Bindings(Names names) {
    this.names = names;
  }

  /// Those of an expression that stands by itself: the same one has the same names.
  public Bindings apart() {
    return new Bindings(new Names(names.computed));
  }

  /// Those of an inner scope.
  Bindings inner() {
    return new Bindings(names);
  }

  /// Notes that a variable is computed.
  ///
  /// @throws Untranslatable if that is too often
  void compute(Value at) {
    names.compute(at);
  }

  /// A name that nothing else has.
  public String fresh(String prefix) {
    return names.next(prefix);
  }

  /// The name of that expression.
  public String bind(String expression) {
    return named.computeIfAbsent(expression, _ -> names.next("v"));
  }

  /// An expression with those bound that it uses.
  public Cel around(Cel body) {
    var whole = body;
    for (var entry : named.entrySet().stream().toList().reversed()) {
      if (whole.text().equals(entry.getValue())) {
        whole = new Cel(entry.getKey(), Cel.Form.CHOICE);
      } else if (Pattern.compile("\\b" + entry.getValue() + "\\b").matcher(whole.text()).find()) {
        whole =
            Cel.call(
                "cel.bind(" + entry.getValue() + ", " + entry.getKey() + ", " + whole.text() + ")");
      }
    }
    return whole;
  }

  /// The same for an expression of any type.
  String around(String body) {
    return around(Cel.call(body)).text();
  }
}
