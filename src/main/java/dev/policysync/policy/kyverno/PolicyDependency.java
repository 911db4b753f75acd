package dev.policysync.policy.kyverno;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Which policies a PolicyException or a GlobalContextEntry serves (promise 6): without the
/// exception they block what it shields, without the entry they judge in ignorance.
///
/// Where a text leaves it open, the answer is that it serves: a shield that stays for too long
/// harms less than one that goes too early. Source: `PolicyException.Contains` and `ListExceptions`
/// in Kyverno 1.19, which compare names alone and, for the kinds of policies.kyverno.io, the kind.
public sealed interface PolicyDependency {
  /// Whether it serves that policy.
  ///
  /// @param says what the policy says; nobody looks at it unless [#askedByText()]
  boolean serves(PolicyId policy, Value.Mapping says);

  /// Whether only a policy's own text tells if it is served.
  default boolean askedByText() {
    return this instanceof Entry;
  }

  /// Why the policies that depend on it are unknown, where that is so.
  default Optional<String> doubt() {
    return Optional.empty();
  }

  /// An exception: the policies are named in it.
  ///
  /// @param references none of them empty
  /// @param unknownKinds that it refers to, and that are none of [PolicyKind]
  record Naming(List<Reference> references, List<String> unknownKinds) implements PolicyDependency {
    public Naming {
      references = List.copyOf(references);
      unknownKinds = List.copyOf(unknownKinds);
    }

    @Override
    public boolean serves(PolicyId policy, Value.Mapping says) {
      return references.stream().anyMatch(reference -> reference.means(policy));
    }

    @Override
    public Optional<String> doubt() {
      return unknownKinds.isEmpty()
          ? Optional.empty()
          : Optional.of("it refers to an unknown kind");
    }
  }

  /// A context entry: the policies that read it name it.
  ///
  /// @param name empty where nobody knows it: then it serves all that read any entry
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

    /// A name that is put together when a request comes may be any.
    private boolean isMeant(Optional<String> read) {
      return read.isPresent() && (name.isEmpty() || read.equals(name) || read.get().contains("{{"));
    }
  }

  /// An exception that could not be read to the end: it serves whatever one of its kind can serve.
  record Unclear(PolicyKind kind) implements PolicyDependency {
    @Override
    public boolean serves(PolicyId policy, Value.Mapping says) {
      return policy.kind().role() == PolicyKind.Role.POLICY
          && (kind.type() == PolicyKind.Type.CEL_POLICY_EXCEPTION
              ? policy.kind().group().equals(kind.group())
              : RULE_POLICIES.contains(policy.kind()));
    }
  }

  /// A policy as an exception names it, with `*` and `?` for any letters and any one.
  ///
  /// @param kinds one of which it is
  /// @param pattern of the name, after `<namespace>/` where `byPath`
  record Reference(List<PolicyKind> kinds, String pattern, boolean byPath) {
    public Reference {
      kinds = List.copyOf(kinds);
    }

    boolean means(PolicyId policy) {
      return kinds.contains(policy.kind())
          && Glob.matches(pattern, byPath ? policy.path() : policy.name());
    }
  }

  /// The kinds that exceptions of kyverno.io are made for.
  List<PolicyKind> RULE_POLICIES =
      PolicyKind.all().stream().filter(kind -> kind.type() == PolicyKind.Type.RULES).toList();

  /// Whether objects of that kind are shields at all.
  static boolean is(PolicyKind kind) {
    return switch (kind.role()) {
      case CONTEXT, EXCEPTION -> true;
      case POLICY, BINDING -> false;
    };
  }

  /// What an object of that kind serves, by what it says.
  static PolicyDependency of(PolicyKind kind, Value.Mapping object) {
    if (kind.role() == PolicyKind.Role.CONTEXT) {
      return new Entry(object.mapping("metadata").text("name"));
    }
    var spec = object.mapping("spec");
    return kind.type() == PolicyKind.Type.RULE_EXCEPTION ? ofRules(spec) : ofReferences(kind, spec);
  }

  /// What an object of that kind may serve of which not everything could be read.
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
