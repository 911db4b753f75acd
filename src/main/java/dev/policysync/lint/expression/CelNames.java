package dev.policysync.lint.expression;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelSelect;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// Collects the names that a CEL expression uses, without the operators.
final class CelNames {
  /// Macros of CEL's extensions that define a variable; the parser leaves these macros as calls.
  static final Set<String> VARIABLE_MACROS =
      Set.of(
          "all",
          "bind",
          "exists",
          "exists_one",
          "existsOne",
          "optFlatMap",
          "optMap",
          "sortBy",
          "transformList",
          "transformMap",
          "transformMapEntry");

  private final Map<Cel.NameKind, Set<String>> names = new EnumMap<>(Cel.NameKind.class);

  private CelNames() {}

  static Map<Cel.NameKind, Set<String>> of(CelExpr expression) {
    var collected = new CelNames();
    collected.collect(expression, Set.of());
    return collected.names;
  }

  private void add(Cel.NameKind kind, String name) {
    names.computeIfAbsent(kind, _ -> new HashSet<>()).add(name);
  }

  /// @param bound the variables that the loops around the expression define
  private void collect(CelExpr expression, Set<String> bound) {
    switch (expression.getKind()) {
      case IDENT -> {
        if (!bound.contains(expression.ident().name())) {
          add(Cel.NameKind.IDENTIFIER, expression.ident().name());
        }
      }
      case SELECT -> {
        addField(expression.select());
        collect(expression.select().operand(), bound);
      }
      case STRUCT -> {
        add(Cel.NameKind.MESSAGE, expression.struct().messageName());
        CelFacts.children(expression).forEach(part -> collect(part, bound));
      }
      case CALL -> {
        var call = expression.call();
        if (Character.isLetter(call.function().charAt(0))) {
          add(Cel.NameKind.FUNCTION, call.function());
        }
        var inside = bound;
        if (VARIABLE_MACROS.contains(call.function())) {
          inside = and(bound, call.args().stream().map(it -> it.identOrDefault().name()).toList());
        }
        for (var target : call.target().stream().toList()) {
          collect(target, bound);
        }
        for (var argument : call.args()) {
          collect(argument, inside);
        }
      }
      case COMPREHENSION -> {
        var loop = expression.comprehension();
        var inside = and(bound, List.of(loop.iterVar(), loop.iterVar2(), loop.accuVar()));
        collect(loop.iterRange(), bound);
        Stream.of(loop.accuInit(), loop.loopCondition(), loop.loopStep(), loop.result())
            .forEach(part -> collect(part, inside));
      }
      case NOT_SET, CONSTANT, LIST, MAP ->
          CelFacts.children(expression).forEach(part -> collect(part, bound));
    }
  }

  private void addField(CelSelect select) {
    var operand = select.operand();
    switch (operand.identOrDefault().name()) {
      case "variables" -> add(Cel.NameKind.VARIABLE, select.field());
      case "request" -> add(Cel.NameKind.REQUEST_FIELD, select.field());
      default -> {
        if (operand.getKind() == CelExpr.ExprKind.Kind.SELECT
            && operand.select().field().equals("userInfo")
            && operand.select().operand().identOrDefault().name().equals("request")) {
          add(Cel.NameKind.REQUEST_FIELD, "userInfo." + select.field());
        }
      }
    }
  }

  private static Set<String> and(Set<String> bound, List<String> names) {
    var all = new HashSet<>(bound);
    all.addAll(names);
    return all;
  }
}
