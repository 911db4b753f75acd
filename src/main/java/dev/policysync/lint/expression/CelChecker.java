package dev.policysync.lint.expression;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// Derives the types of an expression from the declarations of an environment, as CEL's own checker
/// does, and collects what that checker rejects. Where a type is not certain, it is `dyn`, which
/// fits everywhere.
///
/// @see <a
///   href="https://github.com/google/cel-spec/blob/master/doc/langdef.md#gradual-type-checking">CEL</a>
final class CelChecker {
  /// The macros beside [CelNames#VARIABLE_MACROS] that CEL's parser for Java leaves as calls. Their
  /// variables are of any type.
  private static final Set<String> OTHER_MACROS =
      Set.of("filter", "getExt", "greatest", "hasExt", "least", "map");

  private static final Pattern DURATION =
      Pattern.compile("[-+]?((\\d+(\\.\\d*)?|\\.\\d+)(ns|us|µs|μs|ms|s|m|h))+|[-+]?0");

  /// What RE2, the library for regular expressions in Go, does not have.
  private static final Pattern NOT_IN_RE2 =
      Pattern.compile("(?<!\\\\)\\(\\?(=|!|<=|<!|>)|(?<!\\\\)(\\\\\\\\)*\\\\[1-9]|[*+?}]\\+");

  private static final Map<String, CelDeclaredType> OF_REQUEST =
      Map.of(
          "operation", CelDeclaredType.STRING,
          "name", CelDeclaredType.STRING,
          "namespace", CelDeclaredType.STRING,
          "subResource", CelDeclaredType.STRING,
          "dryRun", CelDeclaredType.BOOL);
  private static final Map<String, CelDeclaredType> OF_USER =
      Map.of(
          "username", CelDeclaredType.STRING,
          "uid", CelDeclaredType.STRING,
          "groups", CelDeclaredType.list(CelDeclaredType.STRING));

  private final CelEnvironment environment;
  private final Map<Long, Integer> positions;
  private final Map<String, CelDeclaredType> policyVariables;
  private final List<Cel.Problem> problems = new ArrayList<>();

  /// @param positions where each expression begins in code points, by the expression's id
  /// @param policyVariables the types of the policy's variables
  CelChecker(
      CelEnvironment environment,
      Map<Long, Integer> positions,
      Map<String, CelDeclaredType> policyVariables) {
    this.environment = environment;
    this.positions = Map.copyOf(positions);
    this.policyVariables = Map.copyOf(policyVariables);
  }

  List<Cel.Problem> problems() {
    return List.copyOf(problems);
  }

  private void report(CelExpr at, String reason) {
    problems.add(new Cel.Problem(positions.getOrDefault(at.id(), 0), reason));
  }

  /// @param bound the variables that the loops around the expression define
  CelDeclaredType check(CelExpr expression, Map<String, CelDeclaredType> bound) {
    return switch (expression.getKind()) {
      case CONSTANT ->
          switch (expression.constant().getKind()) {
            case BOOLEAN_VALUE -> CelDeclaredType.BOOL;
            case INT64_VALUE -> CelDeclaredType.of("int");
            case UINT64_VALUE -> CelDeclaredType.of("uint");
            case DOUBLE_VALUE -> CelDeclaredType.of("double");
            case STRING_VALUE -> CelDeclaredType.STRING;
            case BYTES_VALUE -> CelDeclaredType.of("bytes");
            case NULL_VALUE -> CelDeclaredType.NULL;
            default -> CelDeclaredType.DYN;
          };
      case IDENT -> variable(expression.ident().name(), bound);
      case SELECT -> select(expression, bound);
      case CALL -> call(expression, bound);
      case LIST ->
          CelDeclaredType.list(
              common(
                  expression.list().elements().stream().map(item -> check(item, bound)).toList()));
      case MAP -> {
        var keys = new ArrayList<CelDeclaredType>();
        var values = new ArrayList<CelDeclaredType>();
        for (var entry : expression.map().entries()) {
          keys.add(check(entry.key(), bound));
          values.add(check(entry.value(), bound));
        }
        yield CelDeclaredType.of("map", common(keys), common(values));
      }
      case STRUCT -> {
        expression.struct().entries().forEach(entry -> check(entry.value(), bound));
        yield CelDeclaredType.of(expression.struct().messageName());
      }
      case COMPREHENSION -> comprehension(expression, bound);
      case NOT_SET -> CelDeclaredType.DYN;
    };
  }

  /// Returns the type of all values; any type if they differ.
  private static CelDeclaredType common(List<CelDeclaredType> types) {
    return types.stream().distinct().count() == 1 ? types.getFirst() : CelDeclaredType.DYN;
  }

  private CelDeclaredType variable(String name, Map<String, CelDeclaredType> bound) {
    var type = bound.get(name);
    return type != null
        ? type
        : environment.declarations().variables().getOrDefault(name, CelDeclaredType.UNKNOWN);
  }

  private CelDeclaredType select(CelExpr expression, Map<String, CelDeclaredType> bound) {
    var select = expression.select();
    var path = path(expression, bound);
    if (path.isPresent() && environment.hasVariable(path.get())) {
      return variable(path.get(), bound);
    }
    var operand = check(select.operand(), bound);
    if (select.testOnly()) {
      field(expression, operand, select.field());
      return CelDeclaredType.BOOL;
    }
    if (operand.name().equals("optional_type")) {
      return CelDeclaredType.optional(field(expression, operand.parameter(0), select.field()));
    }
    return field(expression, operand, select.field());
  }

  private CelDeclaredType field(CelExpr at, CelDeclaredType operand, String name) {
    if (operand.hasNoFields()) {
      report(at, "a value of type " + operand + " has no field " + name);
      return CelDeclaredType.UNKNOWN;
    }
    return switch (operand.name()) {
      case "map" -> operand.parameter(1);
      case "kyverno.variables" -> policyVariables.getOrDefault(name, CelDeclaredType.UNKNOWN);
      case "kubernetes.AdmissionRequest" ->
          name.equals("userInfo")
              ? CelDeclaredType.of("kubernetes.UserInfo")
              : OF_REQUEST.getOrDefault(name, CelDeclaredType.UNKNOWN);
      case "kubernetes.UserInfo" -> OF_USER.getOrDefault(name, CelDeclaredType.UNKNOWN);
      case "dyn" -> CelDeclaredType.DYN;
      default -> environment.field(operand, name).orElse(CelDeclaredType.UNKNOWN);
    };
  }

  /// Returns `a.b.c` of an expression that is nothing but names, if no loop defines `a`.
  private static Optional<String> path(CelExpr expression, Map<String, CelDeclaredType> bound) {
    return switch (expression.getKind()) {
      case IDENT -> Optional.of(expression.ident().name()).filter(name -> !bound.containsKey(name));
      case SELECT ->
          path(expression.select().operand(), bound)
              .map(above -> above + "." + expression.select().field());
      default -> Optional.empty();
    };
  }

  private CelDeclaredType call(CelExpr expression, Map<String, CelDeclaredType> bound) {
    var call = expression.call();
    var name = call.function();
    if ((CelNames.VARIABLE_MACROS.contains(name) || OTHER_MACROS.contains(name))
        && (call.args().size() > 1 || !environment.declarations().functions().containsKey(name))) {
      return macro(call, bound);
    }
    if (name.equals("_?._") || name.equals("_[?_]")) {
      return optional(expression, bound);
    }
    var functions = environment.declarations().functions();
    var qualified =
        call.target()
            .flatMap(target -> path(target, bound))
            .map(path -> path + "." + name)
            .filter(functions::containsKey);
    var arguments = new ArrayList<CelDeclaredType>();
    var member = call.target().isPresent() && qualified.isEmpty();
    var function = qualified.orElse(name);
    if (member) {
      arguments.add(check(call.target().get(), bound));
    }
    call.args().forEach(argument -> arguments.add(check(argument, bound)));
    checkLiterals(function, call);
    if (function.equals("orValue") && environment.orValueIsDynamic()) {
      return CelDeclaredType.DYN;
    }
    var overloads = functions.get(function);
    if (overloads == null) {
      // An unknown function is another finding.
      return CelDeclaredType.UNKNOWN;
    }
    return resolve(expression, function, overloads, member, arguments);
  }

  private CelDeclaredType resolve(
      CelExpr at,
      String function,
      List<CelEnvironment.Overload> overloads,
      boolean member,
      List<CelDeclaredType> arguments) {
    var results = new ArrayList<CelDeclaredType>();
    for (var overload : overloads) {
      var bindings = new HashMap<String, CelDeclaredType>();
      if (overload.member() == member
          && overload.parameters().size() == arguments.size()
          && fits(overload.parameters(), arguments, bindings)) {
        results.add(substituted(overload.result(), bindings));
      }
    }
    if (results.isEmpty()) {
      report(at, reason(function, overloads, member, arguments));
      return CelDeclaredType.UNKNOWN;
    }
    var result = common(results);
    return result.isDyn() && arguments.stream().anyMatch(CelDeclaredType::isUnknown)
        ? CelDeclaredType.UNKNOWN
        : result;
  }

  private static String reason(
      String function,
      List<CelEnvironment.Overload> overloads,
      boolean member,
      List<CelDeclaredType> arguments) {
    if (Character.isLetter(function.charAt(0))) {
      if (overloads.stream().noneMatch(overload -> overload.member() == member)) {
        return member
            ? function + " is a function and no method: " + function + "(x)"
            : function + " is a method and no function: x." + function + "()";
      }
      var first = member ? 1 : 0;
      if (overloads.stream()
          .noneMatch(overload ->
              overload.member() == member && overload.parameters().size() == arguments.size())) {
        var counts =
            overloads.stream()
                .filter(overload -> overload.member() == member)
                .map(overload -> overload.parameters().size() - first)
                .distinct()
                .sorted()
                .map(String::valueOf)
                .toList();
        return function
            + " takes "
            + String.join(" or ", counts)
            + " arguments, not "
            + (arguments.size() - first);
      }
    }
    var types = arguments.stream().map(CelDeclaredType::toString).toList();
    return Cel.operator(function) + " does not take " + String.join(" and ", types);
  }

  private static boolean fits(
      List<CelDeclaredType> parameters,
      List<CelDeclaredType> arguments,
      Map<String, CelDeclaredType> bindings) {
    for (int i = 0; i < parameters.size(); i++) {
      if (!fits(parameters.get(i), arguments.get(i), bindings)) {
        return false;
      }
    }
    return true;
  }

  private static boolean fits(
      CelDeclaredType parameter, CelDeclaredType argument, Map<String, CelDeclaredType> bindings) {
    if (parameter.isVariable()) {
      var known = bindings.get(parameter.name());
      if (known == null || known.isDyn()) {
        bindings.put(parameter.name(), known == null ? argument : known);
        return true;
      }
      if (fits(known, argument, bindings)) {
        if (argument.isDyn()) {
          bindings.put(parameter.name(), argument);
        }
        return true;
      }
      return fits(argument, known, bindings);
    }
    if (parameter.isDyn() || argument.isDyn() || argument.isVariable()) {
      bindUnknown(parameter, bindings);
      return true;
    }
    if (argument.equals(CelDeclaredType.NULL)) {
      return parameter.takesNull();
    }
    if (parameter.equals(CelDeclaredType.NULL)) {
      return argument.takesNull();
    }
    if (!parameter.name().equals(argument.name())) {
      return false;
    }
    if (parameter.name().equals("type")) {
      return true;
    }
    for (int i = 0; i < parameter.parameters().size(); i++) {
      if (!fits(parameter.parameter(i), argument.parameter(i), bindings)) {
        return false;
      }
    }
    return true;
  }

  /// Makes every type in a parameter that took a value of any type any type itself.
  private static void bindUnknown(
      CelDeclaredType parameter, Map<String, CelDeclaredType> bindings) {
    if (parameter.isVariable()) {
      bindings.putIfAbsent(parameter.name(), CelDeclaredType.DYN);
    }
    parameter.parameters().forEach(below -> bindUnknown(below, bindings));
  }

  private static CelDeclaredType substituted(
      CelDeclaredType type, Map<String, CelDeclaredType> bindings) {
    if (type.isVariable()) {
      return bindings.getOrDefault(type.name(), CelDeclaredType.DYN);
    }
    return new CelDeclaredType(
        type.name(),
        type.parameters().stream().map(below -> substituted(below, bindings)).toList());
  }

  private CelDeclaredType optional(CelExpr expression, Map<String, CelDeclaredType> bound) {
    var call = expression.call();
    var operand = check(call.args().getFirst(), bound);
    if (operand.name().equals("optional_type")) {
      operand = operand.parameter(0);
    }
    if (call.function().equals("_[?_]")) {
      check(call.args().get(1), bound);
      return CelDeclaredType.optional(
          switch (operand.name()) {
            case "list" -> operand.parameter(0);
            case "map" -> operand.parameter(1);
            default -> CelDeclaredType.DYN;
          });
    }
    var name = call.args().get(1).constant().stringValue();
    return CelDeclaredType.optional(field(expression, operand, name));
  }

  /// Checks the parts of a macro, whose variables are the names among its arguments.
  private CelDeclaredType macro(CelExpr.CelCall call, Map<String, CelDeclaredType> bound) {
    call.target().ifPresent(target -> check(target, bound));
    var inside = new HashMap<>(bound);
    for (var argument : call.args()) {
      if (argument.getKind() == CelExpr.ExprKind.Kind.IDENT) {
        inside.put(argument.ident().name(), CelDeclaredType.UNKNOWN);
      }
    }
    call.args().forEach(argument -> check(argument, inside));
    return CelDeclaredType.UNKNOWN;
  }

  private CelDeclaredType comprehension(CelExpr expression, Map<String, CelDeclaredType> bound) {
    var loop = expression.comprehension();
    var range = check(loop.iterRange(), bound);
    if (range.isPrimitive() || (range.hasNoFields() && !range.name().equals("list"))) {
      report(loop.iterRange(), "a value of type " + range + " is no list and no map");
    }
    var accumulator = check(loop.accuInit(), bound);
    var inside = new HashMap<>(bound);
    inside.put(
        loop.iterVar(),
        range.name().equals("list") || range.name().equals("map") ? range.parameter(0) : range);
    if (!loop.iterVar2().isEmpty()) {
      inside.put(loop.iterVar2(), CelDeclaredType.UNKNOWN);
    }
    // An empty list gets items of the loop's type.
    inside.put(
        loop.accuVar(),
        accumulator.name().equals("list")
            ? CelDeclaredType.list(CelDeclaredType.UNKNOWN)
            : accumulator);
    check(loop.loopCondition(), inside);
    var step = check(loop.loopStep(), inside);
    if (accumulator.name().equals("list")) {
      inside.put(loop.accuVar(), step.name().equals("list") ? step : CelDeclaredType.DYN);
    }
    return check(loop.result(), inside);
  }

  private void checkLiterals(String function, CelExpr.CelCall call) {
    if (!environment.checksLiterals() || call.args().isEmpty()) {
      return;
    }
    var last = call.args().getLast();
    if (last.getKind() != CelExpr.ExprKind.Kind.CONSTANT
        || last.constant().getKind() != CelConstant.Kind.STRING_VALUE) {
      return;
    }
    var text = last.constant().stringValue();
    switch (function) {
      case "duration" -> {
        if (!DURATION.matcher(text).matches()) {
          report(last, "this is no duration, e.g. '1h30m'");
        }
      }
      case "timestamp" -> {
        if (!isTimestamp(text)) {
          report(last, "this is no timestamp, e.g. '2027-01-31T12:00:00Z'");
        }
      }
      case "matches" -> {
        if (!isRegularExpression(text)) {
          report(last, "this is no regular expression of RE2");
        }
      }
      default -> {}
    }
  }

  private static boolean isTimestamp(String text) {
    try {
      return Instant.parse(text).isAfter(Instant.MIN);
    } catch (DateTimeException _) {
      return false;
    }
  }

  private static boolean isRegularExpression(String text) {
    if (NOT_IN_RE2.matcher(text).find()) {
      return false;
    }
    try {
      // RE2 has a notation for classes and flags that Java does not have.
      return text.contains("[[:") || text.contains("(?P") || Pattern.compile(text).flags() >= 0;
    } catch (PatternSyntaxException _) {
      return text.contains("(?");
    }
  }
}
