package dev.policysync.judge;

import dev.policysync.convert.Conversion;
import dev.policysync.convert.Conversion.Successor;
import dev.policysync.json.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// Conversions with one mistake each, as a careless hand would make them: a dropped condition, a
/// swapped operator, a lost controller. Whoever judges conversions has to find them all.
public final class SeededConversions {
  /// One text for another, in the expression that judges.
  private static final Map<String, String> SWAPPED =
      Map.ofEntries(
          Map.entry(" <= 60", " < 30"),
          Map.entry(" >= 10", " > 10"),
          Map.entry(" > 1000", " > 100000"),
          Map.entry("!has(", "has("),
          Map.entry(".all(item, ", ".exists(item, "),
          Map.entry("startsWith(", "endsWith("),
          Map.entry(".compareTo(quantity(\"64Mi\")) >= 0", ".compareTo(quantity(\"64Mi\")) > 0"),
          Map.entry(".compareTo(quantity(\"2Gi\")) <= 0", ".compareTo(quantity(\"1Gi\")) <= 0"),
          Map.entry(" == false", " == true"),
          Map.entry(" != \"\"", " == \"\""),
          Map.entry("== \"shop\"", "== \"Shop\""),
          Map.entry("!variables.network", "variables.network"),
          Map.entry(" >= 2", " > 2"));

  private SeededConversions() {}

  /// A conversion of one rule with a mistake; those of a policy have successors of different names.
  ///
  /// @param mistake which one, where
  public record Seeded(String mistake, Conversion conversion) {}

  /// All that can be made of a conversion.
  public static List<Seeded> of(Conversion conversion) {
    var seeded = new ArrayList<Seeded>();
    for (int i = 0; i < conversion.successors().size(); i++) {
      var successor = conversion.successors().get(i);
      var spec = successor.manifest().mapping("spec");
      for (var swap : SWAPPED.entrySet()) {
        var expression = expression(spec);
        if (expression.contains(swap.getKey())) {
          add(
              seeded,
              conversion,
              i,
              swap.getKey() + " became " + swap.getValue(),
              old -> withExpression(old, expression.replace(swap.getKey(), swap.getValue())));
        }
      }
      add(seeded, conversion, i, "everything passes", old -> withExpression(old, "true"));
      if (spec.items("matchConditions").size() > 1) {
        add(
            seeded,
            conversion,
            i,
            "the last condition is gone",
            SeededConversions::fewerConditions);
      }
    }
    return seeded;
  }

  private static void add(
      List<Seeded> seeded,
      Conversion conversion,
      int at,
      String mistake,
      UnaryOperator<Value.Mapping> change) {
    var old = conversion.successors().get(at);
    var metadata =
        old.manifest().mapping("metadata").with("name", new Value.Text("seeded-" + seeded.size()));
    var manifest =
        old.manifest()
            .with("metadata", metadata)
            .with("spec", change.apply(old.manifest().mapping("spec")));
    seeded.add(
        new Seeded(
            old.name() + ": " + mistake,
            new Conversion(
                conversion.policy(), List.of(new Successor(old.rule(), manifest)), List.of())));
  }

  private static String expression(Value.Mapping spec) {
    return spec.mappings("validations").getFirst().text("expression").orElse("");
  }

  private static Value.Mapping withExpression(Value.Mapping spec, String expression) {
    return spec.with(
        "validations",
        new Value.Sequence(
            List.of(
                spec.mappings("validations")
                    .getFirst()
                    .with("expression", new Value.Text(expression)))));
  }

  private static Value.Mapping fewerConditions(Value.Mapping spec) {
    var conditions = spec.items("matchConditions");
    return spec.with(
        "matchConditions", new Value.Sequence(conditions.subList(0, conditions.size() - 1)));
  }
}
