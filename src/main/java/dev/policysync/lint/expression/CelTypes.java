package dev.policysync.lint.expression;

import static dev.policysync.lint.expression.CelType.BOOL;
import static dev.policysync.lint.expression.CelType.BYTES;
import static dev.policysync.lint.expression.CelType.DOUBLE;
import static dev.policysync.lint.expression.CelType.DYN;
import static dev.policysync.lint.expression.CelType.INT;
import static dev.policysync.lint.expression.CelType.LIST;
import static dev.policysync.lint.expression.CelType.MAP;
import static dev.policysync.lint.expression.CelType.NULL;
import static dev.policysync.lint.expression.CelType.STRING;
import static dev.policysync.lint.expression.CelType.UINT;
import static dev.policysync.lint.expression.CelType.UNKNOWN;
import static java.util.Map.entry;

import dev.cel.common.ast.CelExpr;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Derives types without declarations, and collects operators that do not take their operands. An
/// expression whose type is not certain has the type `UNKNOWN`, which fits everywhere. CEL's own
/// checker is not used, because it needs protobuf, as large as everything else that lint needs.
final class CelTypes {
  private static final Map<String, CelType> RESULTS =
      Map.ofEntries(
          entry("_&&_", BOOL),
          entry("_||_", BOOL),
          entry("!_", BOOL),
          entry("_==_", BOOL),
          entry("_!=_", BOOL),
          entry("_<_", BOOL),
          entry("_<=_", BOOL),
          entry("_>_", BOOL),
          entry("_>=_", BOOL),
          entry("@in", BOOL),
          entry("startsWith", BOOL),
          entry("endsWith", BOOL),
          entry("contains", BOOL),
          entry("matches", BOOL),
          entry("size", INT),
          entry("int", INT),
          entry("uint", UINT),
          entry("double", DOUBLE),
          entry("string", STRING),
          entry("lowerAscii", STRING),
          entry("upperAscii", STRING),
          entry("trim", STRING),
          entry("substring", STRING),
          entry("replace", STRING),
          entry("join", STRING),
          entry("split", LIST));

  /// The types of an admission request's fields (`admissionregistration`'s `BuildRequestType`).
  private static final Map<String, CelType> OF_REQUEST =
      Map.of(
          "request.operation", STRING,
          "request.name", STRING,
          "request.namespace", STRING,
          "request.subResource", STRING,
          "request.dryRun", BOOL,
          "request.userInfo.username", STRING,
          "request.userInfo.uid", STRING,
          "request.userInfo.groups", LIST);

  private static final Set<String> LOGIC = Set.of("_&&_", "_||_", "!_");
  private static final Set<String> ORDER = Set.of("_<_", "_<=_", "_>_", "_>=_");
  private static final Set<String> OF_TEXT = Set.of("startsWith", "endsWith");

  private final Map<Long, Integer> positions;
  private final List<Cel.Mismatch> mismatches = new ArrayList<>();

  /// @param positions where each expression begins in code points, by the expression's id
  CelTypes(Map<Long, Integer> positions) {
    this.positions = Map.copyOf(positions);
  }

  List<Cel.Mismatch> mismatches() {
    return List.copyOf(mismatches);
  }

  CelType of(CelExpr expression) {
    var below = CelFacts.children(expression).map(this::of).toList();
    return switch (expression.getKind()) {
      case CONSTANT ->
          switch (expression.constant().getKind()) {
            case BOOLEAN_VALUE -> BOOL;
            case INT64_VALUE -> INT;
            case UINT64_VALUE -> UINT;
            case DOUBLE_VALUE -> DOUBLE;
            case STRING_VALUE -> STRING;
            case BYTES_VALUE -> BYTES;
            case NULL_VALUE -> NULL;
            default -> UNKNOWN;
          };
      case LIST -> LIST;
      case MAP -> MAP;
      case IDENT -> isObject(expression.ident().name()) ? DYN : UNKNOWN;
      case SELECT ->
          expression.select().testOnly()
              ? BOOL
              : OF_REQUEST.getOrDefault(path(expression), below.getFirst() == DYN ? DYN : UNKNOWN);
      case CALL -> ofCall(expression, below);
      // `all` and `exists` start from a bool, `map` and `filter` from a list; `exists_one` counts.
      case COMPREHENSION ->
          below.getLast().known()
              ? below.getLast()
              : expression
                      .comprehension()
                      .result()
                      .identOrDefault()
                      .name()
                      .equals(expression.comprehension().accuVar())
                  ? below.get(1)
                  : UNKNOWN;
      case NOT_SET, STRUCT -> UNKNOWN;
    };
  }

  private CelType ofCall(CelExpr expression, List<CelType> operands) {
    var call = expression.call();
    var function = call.function();
    if (!accepts(function, call.target().isPresent(), operands)) {
      mismatches.add(
          new Cel.Mismatch(positions.getOrDefault(expression.id(), 0), function, operands));
    }
    return switch (function) {
      case "_?_:_" -> operands.get(1) == operands.get(2) ? operands.get(1) : UNKNOWN;
      case "_[_]" -> operands.getFirst() == DYN ? DYN : UNKNOWN;
      case "_+_", "_-_", "_*_", "_/_", "_%_", "-_" ->
          operands.stream().filter(CelType::known).findFirst().orElse(UNKNOWN);
      default -> RESULTS.getOrDefault(function, UNKNOWN);
    };
  }

  private static boolean accepts(String function, boolean method, List<CelType> operands) {
    if (LOGIC.contains(function)) {
      return operands.stream().allMatch(type -> fits(type, BOOL));
    }
    if (function.equals("_?_:_")) {
      return fits(operands.getFirst(), BOOL) && same(operands.get(1), operands.get(2));
    }
    if (method && OF_TEXT.contains(function)) {
      return operands.stream().allMatch(type -> fits(type, STRING));
    }
    if (operands.size() != 2 || !operands.stream().allMatch(CelType::known)) {
      return true;
    }
    var left = operands.getFirst();
    var right = operands.getLast();
    return switch (function) {
      case "_==_", "_!=_" -> same(left, right);
      case "@in" -> right == LIST || right == MAP;
      case "_+_" -> left == right && left != BOOL;
      case "_-_", "_*_", "_/_" -> left == right && left.number();
      default -> !ORDER.contains(function) || left == right || (left.number() && right.number());
    };
  }

  private static boolean fits(CelType type, CelType wanted) {
    return type == wanted || !type.known();
  }

  private static boolean same(CelType left, CelType right) {
    return left == right || !left.known() || !right.known();
  }

  private static boolean isObject(String name) {
    return name.equals("object") || name.equals("oldObject");
  }

  private static String path(CelExpr expression) {
    return switch (expression.getKind()) {
      case IDENT -> expression.ident().name();
      case SELECT -> {
        var above = path(expression.select().operand());
        yield above.isEmpty() ? "" : above + "." + expression.select().field();
      }
      default -> "";
    };
  }
}
