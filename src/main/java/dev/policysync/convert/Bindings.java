package dev.policysync.convert;

import dev.policysync.base.Value;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/// Expressions that other expressions use by name, so that none is repeated: `cel.bind(v1, …, …)`.
final class Bindings {
  /// The most variables that are computed. A variable is computed anew for each use, so with each
  /// variable that uses another one twice the number doubles, and a few dozen would take for ever.
  private static final int MOST_COMPUTED = 10_000;

  private final Names names;
  private final Map<String, String> named = new LinkedHashMap<>();

  /// A source of names that are unique in one expression.
  static final class Names {
    private final AtomicInteger computed;
    private int count;

    Names() {
      this(new AtomicInteger());
    }

    private Names(AtomicInteger computed) {
      this.computed = computed;
    }

    String next(String prefix) {
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

  Bindings(Names names) {
    this.names = names;
  }

  /// Returns bindings for an expression that stands by itself, so that equal expressions get equal
  /// names.
  Bindings standalone() {
    return new Bindings(new Names(names.computed));
  }

  Bindings inner() {
    return new Bindings(names);
  }

  /// Counts that a variable is computed.
  ///
  /// @throws Untranslatable if variables are computed too often
  void compute(Value at) {
    names.compute(at);
  }

  String fresh(String prefix) {
    return names.next(prefix);
  }

  /// Returns a name for the expression. Equal expressions get the same name.
  String bind(String expression) {
    return named.computeIfAbsent(expression, _ -> names.next("v"));
  }

  /// Wraps an expression in `cel.bind` for every name that it uses.
  Cel wrap(Cel body) {
    var whole = body;
    for (var entry : named.entrySet().stream().toList().reversed()) {
      whole =
          whole.text().equals(entry.getValue())
              ? new Cel(entry.getKey(), Cel.Form.CHOICE)
              : whole.bind(entry.getValue(), entry.getKey());
    }
    return whole;
  }

  String wrap(String body) {
    return wrap(Cel.call(body)).text();
  }
}
