package dev.policysync.convert.jmespath;

import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.Place;
import dev.policysync.convert.expression.Untranslatable;
import dev.policysync.convert.jmespath.Term.Trait;
import dev.policysync.json.Value;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// What an expression may begin with: the request's object and operation, the element of a
/// `foreach`, variables of the context.
///
/// @param object that is judged
/// @param operation of the request, as a term
/// @param named `element` and the variables, which are computed where they are used, in the order
///   in which they are defined: the same policy has the same successor in every run
public record Roots(Place object, Term operation, Map<String, Variable> named) {
  /// What a name stands for.
  public interface Variable {
    /// Its value, bound there.
    Term in(Bindings bindings);

    /// Whether it is a ConfigMap, in whose `data` all are texts.
    default boolean isConfigMap() {
      return false;
    }
  }

  private static final Pattern DATA = Pattern.compile("([A-Za-z][A-Za-z0-9_]*)\\.data\\.");
  private static final Set<Kind> TEXT = Set.of(Kind.STRING);

  public Roots {
    named = Collections.unmodifiableMap(new LinkedHashMap<>(named));
  }

  /// Those of the request that is judged.
  public static Roots ofRequest(Place object) {
    return new Roots(
        object, Term.of("request.operation", TEXT, Trait.NOT_EMPTY, Trait.PLAIN), Map.of());
  }

  /// Those of an object, as if it were created.
  public static Roots ofCreated(Place object) {
    return new Roots(object, Term.of("\"CREATE\"", TEXT, Trait.NOT_EMPTY, Trait.PLAIN), Map.of());
  }

  /// The same with something else that is named.
  public Roots with(String name, Variable variable) {
    var more = new LinkedHashMap<>(named);
    more.put(name, variable);
    return new Roots(object, operation, more);
  }

  Term named(String name, Bindings bindings, Value at) {
    var variable = named.get(name);
    if (variable != null) {
      bindings.compute(at);
      return variable.in(bindings);
    }
    if (name.equals("request")) {
      return Term.of("request", Set.of(Kind.MAP), Trait.REQUEST);
    }
    throw Untranslatable.named(
        at,
        "a variable that is not of the object",
        name,
        "read it in CEL, e.g. with request or resource.Get()");
  }

  /// Whether an expression begins at the data of a ConfigMap.
  public boolean isOfConfigMap(String expression) {
    var matcher = DATA.matcher(expression);
    return matcher.lookingAt()
        && named.containsKey(matcher.group(1))
        && named.get(matcher.group(1)).isConfigMap();
  }

  /// Whether a variable that is mentioned cannot be computed: Kyverno computes it then, used or
  /// not.
  Cel fails(String expression, Bindings bindings, Value at) {
    return Cel.any(
        named.entrySet().stream()
            .filter(entry ->
                Pattern.compile("(?:^|[^.0-9A-Za-z])" + Pattern.quote(entry.getKey()) + "\\b")
                    .matcher(expression)
                    .find())
            .map(entry -> {
              bindings.compute(at);
              return entry.getValue().in(bindings).fails();
            })
            .toList());
  }

  Term ofRequest(String field, Value at) {
    return switch (field) {
      case "object" -> Term.of(object.text(), Set.of(Kind.MAP));
      case "operation" -> operation;
      default ->
          throw Untranslatable.named(
              at,
              "a variable that is not of the object",
              "request." + field,
              "it may be missing in background scans; read it in CEL by the same name");
    };
  }
}
