package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.convert.Term.Trait;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// The names at which an expression may begin: the request, the element of a `foreach`, variables
/// of the context.
///
/// @param object the object that is judged
/// @param origin what is known of the object
/// @param request the other fields of the request, as far as they are the same in background scans:
///   `operation`
/// @param named `element` and the variables, which are computed where they are used, in the order
///   in which they are defined: the same policy has the same successor in every run
record Roots(Place object, Origin origin, Map<String, Term> request, Map<String, Variable> named) {
  /// The value of a name.
  interface Variable {
    /// Returns the value, bound in these bindings.
    Term in(Bindings bindings);

    /// Returns whether the value is a ConfigMap, whose `data` has only strings.
    default boolean isConfigMap() {
      return false;
    }
  }

  private static final String ELEMENT = "element";
  private static final Pattern DATA = Pattern.compile("([A-Za-z][A-Za-z0-9_]*)\\.data\\.");
  private static final Set<JsonType> TEXT = Set.of(JsonType.STRING);
  private static final Set<JsonType> MAP = Set.of(JsonType.MAP);

  Roots {
    request = Map.copyOf(request);
    named = Collections.unmodifiableMap(new LinkedHashMap<>(named));
  }

  static Roots ofRequest(Place object) {
    return new Roots(object, "request.operation");
  }

  /// Returns the roots for an object that is judged as if it were created.
  static Roots ofCreated(Place object) {
    return new Roots(object, "\"CREATE\"");
  }

  private Roots(Place object, String operation) {
    this(
        object,
        Origin.of(Set.of()),
        Map.of("operation", Term.of(operation, TEXT, Trait.NOT_EMPTY, Trait.PLAIN)),
        Map.of());
  }

  /// Restricts every object to one of these kinds.
  Roots ofKinds(Collection<String> kinds) {
    return new Roots(object, Origin.of(kinds), request, named);
  }

  /// Restricts every object to namespaced ones: the namespace of the request is the object's then.
  Roots inNamespace() {
    return with("namespace", judged(object.text()).field("metadata").field("namespace"));
  }

  /// Restricts the roots to requests, which have a user, unlike background scans.
  Roots withUser() {
    var user = Term.of("dyn(request.userInfo)", MAP).withOrigin(Optional.of(Origin.ofUser()));
    return with("userInfo", user);
  }

  private Term judged(String text) {
    return Term.of(text, MAP).withOrigin(Optional.of(origin));
  }

  /// Restricts the roots to requests that create nothing, so that there is an old object. The old
  /// object itself is judged as if it were created, without an old object.
  Roots withOldObject() {
    return with("oldObject", judged(object.equals(Place.OLD_OBJECT) ? "dyn({})" : "oldObject"));
  }

  private Roots with(String field, Term term) {
    var more = new LinkedHashMap<>(request);
    more.put(field, term);
    return new Roots(object, origin, more, named);
  }

  Roots with(String name, Variable variable) {
    var more = new LinkedHashMap<>(named);
    more.put(name, variable);
    return new Roots(object, origin, request, more);
  }

  Term named(String name, Bindings bindings, Value at) {
    var variable = named.get(name);
    if (variable != null) {
      bindings.compute(at);
      return variable.in(bindings);
    }
    if (name.equals("request")) {
      return Term.of("request", Set.of(JsonType.MAP), Trait.REQUEST);
    }
    throw Untranslatable.named(
        at,
        "a variable that is not of the object",
        name,
        "read it in CEL, e.g. with request or resource.Get()");
  }

  /// Returns whether an expression begins at the `data` of a ConfigMap.
  boolean isOfConfigMap(String expression) {
    var matcher = DATA.matcher(expression);
    return matcher.lookingAt()
        && named.containsKey(matcher.group(1))
        && named.get(matcher.group(1)).isConfigMap();
  }

  /// Returns whether an expression may read variables of the context; an element may come from one.
  boolean isOfContext(String expression) {
    return named.size() > (named.containsKey(ELEMENT) ? 1 : 0)
        && named.keySet().stream().anyMatch(name -> isMentioned(name, expression));
  }

  private static boolean isMentioned(String name, String expression) {
    return Pattern.compile("(?:^|[^.0-9A-Za-z])" + Pattern.quote(name) + "\\b")
        .matcher(expression)
        .find();
  }

  /// Tests whether a variable that the expression mentions cannot be computed: Kyverno computes
  /// every variable that is mentioned, used or not.
  Cel fails(String expression, Bindings bindings, Value at) {
    return Cel.any(
        named.entrySet().stream()
            .filter(entry -> isMentioned(entry.getKey(), expression))
            .map(entry -> {
              bindings.compute(at);
              return entry.getValue().in(bindings).fails();
            })
            .toList());
  }

  Term ofRequest(String field, Value at) {
    if (field.equals("object")) {
      return judged(object.text());
    }
    var term = request.get(field);
    if (term == null) {
      throw Untranslatable.named(
          at,
          "a variable that is not of the object",
          "request." + field,
          field.equals("oldObject")
              ? "set background: false and name UPDATE and DELETE as operations in match"
              : "it may be missing in background scans; read it in CEL by the same name");
    }
    return term;
  }
}
