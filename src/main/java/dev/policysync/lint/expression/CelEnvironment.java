package dev.policysync.lint.expression;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/// What expressions of one kind of policy may use: the variables, functions and types that Kyverno
/// 1.19 or Kubernetes 1.36 declares for them. `dev/cel/generate` reads them from the sources of
/// both.
public enum CelEnvironment {
  VALIDATING,
  MUTATING,
  GENERATING,
  DELETING,
  IMAGE_VALIDATING,
  NAMESPACED_VALIDATING,
  NAMESPACED_MUTATING,
  NAMESPACED_GENERATING,
  NAMESPACED_DELETING,
  NAMESPACED_IMAGE_VALIDATING,
  /// The expressions that select images by their reference.
  MATCH_IMAGE,
  /// The admission policies of the API server.
  KUBERNETES;

  private static final String FILE = "environments.json.gz";
  private static final Set<CelEnvironment> NOT_COMPATIBLE =
      EnumSet.of(IMAGE_VALIDATING, NAMESPACED_IMAGE_VALIDATING, MATCH_IMAGE, KUBERNETES);

  /// The environments that are not made from the one of the API server.
  private static final Set<CelEnvironment> PLAIN =
      EnumSet.of(GENERATING, DELETING, NAMESPACED_GENERATING, NAMESPACED_DELETING, MATCH_IMAGE);

  private static final Map<CelEnvironment, Declarations> READ = new HashMap<>();
  private static Value.@Nullable Mapping document;

  /// One form of a function.
  ///
  /// @param member whether it is called as `x.name(…)`; then the first parameter is `x`
  record Overload(boolean member, List<CelDeclaredType> parameters, CelDeclaredType result) {}

  /// @param fields the fields of each type that has fields
  /// @param names the last parts of the functions' names: `abs` for `math.abs`
  record Declarations(
      Map<String, CelDeclaredType> variables,
      Map<String, List<Overload>> functions,
      Map<String, Map<String, CelDeclaredType>> fields,
      Set<String> names) {}

  /// Returns whether an expression may call a function of this name in any form.
  public boolean hasFunction(String name) {
    return declarations().names().contains(name);
  }

  public boolean hasVariable(String name) {
    return declarations().variables().containsKey(name);
  }

  /// Returns whether expressions can use `orValue` on what is not optional, which is of no known
  /// type then: Kyverno's compatibility with older releases.
  boolean orValueIsDynamic() {
    return !NOT_COMPATIBLE.contains(this);
  }

  /// Returns whether the compiler reads the texts of durations, timestamps and regular expressions.
  boolean checksLiterals() {
    return !PLAIN.contains(this);
  }

  Declarations declarations() {
    synchronized (READ) {
      return READ.computeIfAbsent(
          this, environment -> read(document().mapping(environment.name())));
    }
  }

  private static Value.Mapping document() {
    var known = document;
    if (known == null) {
      try (var in = CelEnvironment.class.getResourceAsStream(FILE)) {
        if (in == null) {
          throw new IllegalStateException(FILE + " is not beside its class; a bug");
        }
        known = Json.object(new GZIPInputStream(in));
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read " + FILE, e);
      }
      document = known;
    }
    return known;
  }

  private static Declarations read(Value.Mapping json) {
    var variables = types(json.mapping("variables"));
    var functions = new HashMap<String, List<Overload>>();
    var names = new HashSet<String>();
    for (var name : json.mapping("functions").fields().keySet()) {
      var overloads = new ArrayList<Overload>();
      for (var overload : json.mapping("functions").mappings(name)) {
        overloads.add(
            new Overload(
                overload.field("member").isPresent(),
                overload.texts("args").stream().map(CelDeclaredType::parse).toList(),
                CelDeclaredType.parse(overload.text("result").orElse("dyn"))));
      }
      functions.put(name, List.copyOf(overloads));
      names.add(name.substring(name.lastIndexOf('.') + 1));
    }
    var fields = new HashMap<String, Map<String, CelDeclaredType>>();
    for (var name : json.mapping("types").fields().keySet()) {
      fields.put(name, types(json.mapping("types").mapping(name)));
    }
    return new Declarations(variables, functions, fields, names);
  }

  private static Map<String, CelDeclaredType> types(Value.Mapping json) {
    var types = new HashMap<String, CelDeclaredType>();
    for (var name : json.fields().keySet()) {
      types.put(name, CelDeclaredType.parse(json.text(name).orElse("dyn")));
    }
    return types;
  }

  /// Returns the type of a field; empty if the type has fields and none of this name.
  Optional<CelDeclaredType> field(CelDeclaredType type, String name) {
    return Optional.ofNullable(
        declarations().fields().getOrDefault(type.name(), Map.of()).get(name));
  }
}
