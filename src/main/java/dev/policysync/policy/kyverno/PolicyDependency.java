package dev.policysync.policy.kyverno;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The policies that a PolicyException or a GlobalContextEntry serves (promise 6): without the
/// exception, the policies block what it exempts; without the context entry, they are evaluated
/// without its data.
///
/// If the text leaves it open, the object is assumed to serve the policy: a shield that stays too
/// long does less harm than one that is removed too early. Source: `PolicyException.Contains` and
/// `ListExceptions` in Kyverno 1.19, which compare only names and, for the kinds of
/// policies.kyverno.io, the kind.
public sealed interface PolicyDependency {
  /// Returns whether the object serves this policy.
  ///
  /// @param says the content of the policy; used only if [#needsPolicyContent()]
  boolean serves(PolicyId policy, Value.Mapping says);

  /// Returns whether the content of a policy is needed to decide if it is served.
  default boolean needsPolicyContent() {
    return this instanceof Entry;
  }

  /// Returns why the served policies are unknown; empty if they are known.
  default Optional<String> doubt() {
    return Optional.empty();
  }

  /// An exception, which names its policies.
  ///
  /// @param references the named policies; no name is empty
  /// @param unknownKinds the kinds in references that are not a [PolicyKind]
  record Naming(List<Reference> references, List<String> unknownKinds) implements PolicyDependency {
    public Naming {
      references = List.copyOf(references);
      unknownKinds = List.copyOf(unknownKinds);
    }

    @Override
    public boolean serves(PolicyId policy, Value.Mapping says) {
      return references.stream().anyMatch(reference -> reference.matches(policy));
    }

    @Override
    public Optional<String> doubt() {
      return unknownKinds.isEmpty()
          ? Optional.empty()
          : Optional.of("it refers to an unknown kind");
    }
  }

  /// A context entry. The policies that use it contain its name.
  ///
  /// @param name empty if unknown; the entry then serves all policies that use any entry
  record Entry(Optional<String> name) implements PolicyDependency {
    private static final Pattern CALL =
        Pattern.compile(
            "(?i)globalcontext(?:\\s*\\.\\s*get\\s*\\(\\s*(?:\"([^\"\\\\]*)\"|'([^'\\\\]*)')\\s*[,)])?");

    @Override
    public boolean serves(PolicyId policy, Value.Mapping says) {
      return reads(says);
    }

    private boolean reads(Value value) {
      return switch (value) {
        case Value.Mapping mapping ->
            isMeant(mapping.mapping("globalReference").text("name"))
                || mapping.fields().values().stream().anyMatch(this::reads);
        case Value.Sequence(var items) -> items.stream().anyMatch(this::reads);
        case Value.Text(var text) ->
            CALL.matcher(text)
                .results()
                .anyMatch(call -> {
                  var literal = call.group(1) != null ? call.group(1) : call.group(2);
                  return literal == null || isMeant(Optional.of(literal));
                });
        case Value.Numeric _, Value.Bool _, Value.Null _ -> false;
      };
    }

    /// Returns whether the name `read` in a policy may be this entry. A name with a variable (`{{`)
    /// may be any name.
    private boolean isMeant(Optional<String> read) {
      return read.isPresent() && (name.isEmpty() || read.equals(name) || read.get().contains("{{"));
    }
  }

  /// An exception that could not be read completely. It serves every policy that an exception of
  /// its kind can serve.
  record Unclear(PolicyKind kind) implements PolicyDependency {
    @Override
    public boolean serves(PolicyId policy, Value.Mapping says) {
      return policy.kind().role() == PolicyKind.Role.POLICY
          && (kind.type() == PolicyKind.Type.CEL_POLICY_EXCEPTION
              ? policy.kind().group().equals(kind.group())
              : RULE_POLICIES.contains(policy.kind()));
    }
  }

  /// A policy as named in an exception, with the wildcards `*` and `?`.
  ///
  /// @param kinds the kinds that the policy may have
  /// @param pattern the pattern of the name, or of `<namespace>/<name>` if `byPath`
  record Reference(List<PolicyKind> kinds, String pattern, boolean byPath) {
    public Reference {
      kinds = List.copyOf(kinds);
    }

    boolean matches(PolicyId policy) {
      return kinds.contains(policy.kind())
          && Glob.matches(pattern, byPath ? policy.path() : policy.name());
    }
  }

  /// The kinds to which exceptions of kyverno.io apply.
  List<PolicyKind> RULE_POLICIES =
      PolicyKind.all().stream().filter(kind -> kind.type() == PolicyKind.Type.RULES).toList();

  /// Returns whether objects of this kind serve other policies.
  static boolean isShield(PolicyKind kind) {
    return switch (kind.role()) {
      case CONTEXT, EXCEPTION -> true;
      case POLICY, BINDING -> false;
    };
  }

  /// Reads which policies an object of this kind serves.
  static PolicyDependency of(PolicyKind kind, Value.Mapping object) {
    if (kind.role() == PolicyKind.Role.CONTEXT) {
      return new Entry(object.mapping("metadata").text("name"));
    }
    var spec = object.mapping("spec");
    return kind.type() == PolicyKind.Type.RULE_EXCEPTION ? ofRules(spec) : ofReferences(kind, spec);
  }

  /// Returns the policies that an object of this kind may serve if it could not be read completely.
  static PolicyDependency unclear(PolicyKind kind) {
    return kind.role() == PolicyKind.Role.CONTEXT ? new Entry(Optional.empty()) : new Unclear(kind);
  }

  private static PolicyDependency ofRules(Value.Mapping spec) {
    var references = new ArrayList<Reference>();
    for (var item : spec.items("exceptions")) {
      named(item, "policyName")
          .ifPresent(name -> references.add(new Reference(RULE_POLICIES, name, true)));
    }
    return new Naming(references, List.of());
  }

  private static PolicyDependency ofReferences(PolicyKind exception, Value.Mapping spec) {
    var references = new ArrayList<Reference>();
    var unknown = new ArrayList<String>();
    for (var item : spec.items("policyRefs")) {
      var kindName =
          item instanceof Value.Mapping reference
              ? reference.text("kind").orElse(PolicyKind.VALIDATING_POLICY.kind())
              : "";
      var kind = PolicyKind.of(exception.group(), kindName);
      if (kind.isEmpty()) {
        unknown.add(kindName);
      }
      named(item, "name")
          .ifPresent(name ->
              kind.ifPresent(known -> references.add(new Reference(List.of(known), name, false))));
    }
    return new Naming(references, unknown);
  }

  private static Optional<String> named(Value item, String field) {
    return item instanceof Value.Mapping reference
        ? reference.text(field).filter(name -> !name.isEmpty())
        : Optional.empty();
  }
}
