package dev.policysync.lint.expression;

import dev.cel.common.ast.CelExpr;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The names that a CEL expression uses, without the operators.
///
/// @param functions the functions that it calls: `startsWith`, `Get`
/// @param identifiers the variables that no loop of the expression defines: `object`, `math`
/// @param ofRequest the fields of the request that it reads: `operation`, `userInfo.groups`
/// @param messages the messages that it builds: `Object.spec`, `JSONPatch`
public record CelNames(
    Set<String> functions, Set<String> identifiers, Set<String> ofRequest, Set<String> messages) {
  /// Macros of CEL's extensions that define a variable; the parser leaves these macros as calls.
  private static final Set<String> VARIABLE_MACROS =
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

  public CelNames {
    functions = Set.copyOf(functions);
    identifiers = Set.copyOf(identifiers);
    ofRequest = Set.copyOf(ofRequest);
    messages = Set.copyOf(messages);
  }

  static CelNames of(CelExpr expression) {
    var functions = new LinkedHashSet<String>();
    var identifiers = new LinkedHashSet<String>();
    collect(expression, Set.of(), functions, identifiers);
    var ofRequest = new LinkedHashSet<String>();
    var messages = new LinkedHashSet<String>();
    collect(expression, ofRequest, messages);
    return new CelNames(functions, identifiers, ofRequest, messages);
  }

  private static void collect(CelExpr expression, Set<String> ofRequest, Set<String> messages) {
    if (expression.getKind() == CelExpr.ExprKind.Kind.STRUCT) {
      messages.add(expression.struct().messageName());
    }
    if (expression.getKind() == CelExpr.ExprKind.Kind.SELECT) {
      var operand = expression.select().operand();
      if (operand.identOrDefault().name().equals("request")) {
        ofRequest.add(expression.select().field());
      } else if (operand.getKind() == CelExpr.ExprKind.Kind.SELECT
          && operand.select().field().equals("userInfo")
          && operand.select().operand().identOrDefault().name().equals("request")) {
        ofRequest.add("userInfo." + expression.select().field());
      }
    }
    CelFacts.children(expression).forEach(part -> collect(part, ofRequest, messages));
  }

  private static void collect(
      CelExpr expression, Set<String> bound, Set<String> functions, Set<String> identifiers) {
    switch (expression.getKind()) {
      case IDENT -> {
        if (!bound.contains(expression.ident().name())) {
          identifiers.add(expression.ident().name());
        }
      }
      case CALL -> {
        var call = expression.call();
        if (Character.isLetter(call.function().charAt(0))) {
          functions.add(call.function());
        }
        var inside = bound;
        if (VARIABLE_MACROS.contains(call.function())) {
          inside = and(bound, call.args().stream().flatMap(CelNames::identifier).toList());
        }
        for (var target : call.target().stream().toList()) {
          collect(target, bound, functions, identifiers);
        }
        for (var argument : call.args()) {
          collect(argument, inside, functions, identifiers);
        }
      }
      case COMPREHENSION -> {
        var loop = expression.comprehension();
        var inside = and(bound, List.of(loop.iterVar(), loop.iterVar2(), loop.accuVar()));
        collect(loop.iterRange(), bound, functions, identifiers);
        Stream.of(loop.accuInit(), loop.loopCondition(), loop.loopStep(), loop.result())
            .forEach(part -> collect(part, inside, functions, identifiers));
      }
      case NOT_SET, CONSTANT, SELECT, LIST, STRUCT, MAP ->
          CelFacts.children(expression)
              .forEach(part -> collect(part, bound, functions, identifiers));
    }
  }

  private static Stream<String> identifier(CelExpr expression) {
    return expression.getKind() == CelExpr.ExprKind.Kind.IDENT
        ? Stream.of(expression.ident().name())
        : Stream.empty();
  }

  private static Set<String> and(Set<String> bound, List<String> names) {
    var all = new HashSet<>(bound);
    all.addAll(names);
    return all;
  }
}
