package dev.policysync.lint.expression;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Derives facts from the syntax tree of a CEL expression.
final class CelFacts {
  private CelFacts() {}

  static Cel.Parsed of(CelExpr expression) {
    return new Cel.Parsed(constantValue(expression), CelNames.of(expression));
  }

  static Stream<CelExpr> children(CelExpr expression) {
    return switch (expression.getKind()) {
      case NOT_SET, CONSTANT, IDENT -> Stream.empty();
      case SELECT -> Stream.of(expression.select().operand());
      case CALL ->
          Stream.concat(expression.call().target().stream(), expression.call().args().stream());
      case LIST -> expression.list().elements().stream();
      case STRUCT -> expression.struct().entries().stream().map(CelExpr.CelStruct.Entry::value);
      case MAP ->
          expression.map().entries().stream()
              .flatMap(entry -> Stream.of(entry.key(), entry.value()));
      case COMPREHENSION -> {
        var loop = expression.comprehension();
        yield Stream.of(
            loop.iterRange(),
            loop.accuInit(),
            loop.loopCondition(),
            loop.loopStep(),
            loop.result());
      }
    };
  }

  private static Optional<Boolean> constantValue(CelExpr expression) {
    return switch (expression.getKind()) {
      case CONSTANT ->
          expression.constant().getKind() == CelConstant.Kind.BOOLEAN_VALUE
              ? Optional.of(expression.constant().booleanValue())
              : Optional.empty();
      case CALL -> constantValue(expression.call().function(), expression.call().args());
      case NOT_SET, IDENT, SELECT, LIST, STRUCT, MAP, COMPREHENSION -> Optional.empty();
    };
  }

  private static Optional<Boolean> constantValue(String operator, List<CelExpr> operands) {
    return switch (operator) {
      case "!_" -> constantValue(operands.getFirst()).map(value -> !value);
      case "_&&_" -> either(operands, false);
      case "_||_" -> either(operands, true);
      case "_==_" -> equal(operands);
      case "_!=_" -> equal(operands).map(value -> !value);
      default -> Optional.empty();
    };
  }

  /// Returns `decisive` if one operand has that value, the opposite if all operands have the
  /// opposite, and otherwise empty.
  private static Optional<Boolean> either(List<CelExpr> operands, boolean decisive) {
    var known = operands.stream().flatMap(operand -> constantValue(operand).stream()).toList();
    if (known.contains(decisive)) {
      return Optional.of(decisive);
    }
    return known.size() == operands.size() ? Optional.of(!decisive) : Optional.empty();
  }

  private static Optional<Boolean> equal(List<CelExpr> operands) {
    var constant =
        operands.stream().allMatch(operand -> operand.getKind() == CelExpr.ExprKind.Kind.CONSTANT);
    return constant
        ? Optional.of(operands.getFirst().constant().equals(operands.getLast().constant()))
        : Optional.empty();
  }
}
