package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.GlobTest;
import dev.policysync.convert.expression.Quoted;
import dev.policysync.convert.expression.StringItems;
import dev.policysync.convert.expression.Untranslatable;
import dev.policysync.policy.kyverno.Glob;
import java.util.ArrayList;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Translates `selector` and `namespaceSelector` into CEL.
///
/// Source: Kyverno 1.19.0, `CheckSelector`: a label selector of Kubernetes whose values may have
/// wildcards.
final class LabelSelector {
  private static final Set<String> SETS = Set.of("In", "NotIn");

  private final Function<String, Cel> has;
  private final Function<String, String> value;

  private LabelSelector(Function<String, Cel> has, Function<String, String> value) {
    this.has = has;
    this.value = value;
  }

  /// Tests whether the selector selects these labels.
  ///
  /// @param has makes a test whether a label exists
  /// @param value makes an expression for a label's value, which is null or a string
  static Cel of(Value.Mapping selector, Function<String, Cel> has, Function<String, String> value) {
    return new LabelSelector(has, value).selects(selector);
  }

  private Cel selects(Value.Mapping selector) {
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
          var glob = FilterTranslation.text(labels, key, wanted);
          var test = GlobTest.matches(FilterTranslation.text(value.apply(key), glob), glob);
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
    if (items.isEmpty() == SETS.contains(expression.text("operator").orElse(""))) {
      throw Untranslatable.value(
          written,
          "a selector that Kubernetes does not accept",
          "write values for In and NotIn, and none for Exists and DoesNotExist");
    }
    var values = items.stream().map(Quoted::text).collect(Collectors.joining(", "));
    var label = FilterTranslation.text(value.apply(key), values.contains("\"\"") ? "" : "text");
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
        FilterTranslation.text(value.apply(key), "")
            + ".matches(\"^(([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9])?$\")");
  }
}
