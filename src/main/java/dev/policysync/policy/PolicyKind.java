package dev.policysync.policy;

import static dev.policysync.policy.PolicyKind.Family.ADMISSION;
import static dev.policysync.policy.PolicyKind.Family.ADMISSION_SINCE_V1ALPHA1;
import static dev.policysync.policy.PolicyKind.Family.CEL;
import static dev.policysync.policy.PolicyKind.Family.CEL_MUTATING;
import static dev.policysync.policy.PolicyKind.Family.CEL_SINCE_V1BETA1;
import static dev.policysync.policy.PolicyKind.Family.KYVERNO_V1;
import static dev.policysync.policy.PolicyKind.Family.KYVERNO_V2;
import static dev.policysync.policy.PolicyKind.Scope.CLUSTER;
import static dev.policysync.policy.PolicyKind.Scope.NAMESPACED;

import dev.policysync.base.Value;
import java.util.List;
import java.util.Optional;

/// The kinds that this agent keeps in sync; a new kind is one more line. Objects of other kinds are
/// never listed, applied or removed. Everything else that depends on a kind is a `switch` over its
/// [Type] without `default`, so the compiler finds all places to change for a new type.
/// ARCHITECTURE.md lists the few places that name kinds themselves.
///
/// The versions of a kind are those that may be applied, best first; discovery shows which of them
/// a cluster serves. `ClusterPolicy` and `Policy` have only `v1`: applied at `v2beta1`, they lose
/// their managed fields as soon as Kyverno writes their status (Kyverno 1.19.0 on Kubernetes
/// 1.36.3).
public enum PolicyKind {
  CLUSTER_POLICY(KYVERNO_V1, "ClusterPolicy", "clusterpolicies", CLUSTER, Type.RULES),
  NAMESPACED_POLICY(KYVERNO_V1, "Policy", "policies", NAMESPACED, Type.RULES),
  CLUSTER_CLEANUP_POLICY(
      KYVERNO_V2, "ClusterCleanupPolicy", "clustercleanuppolicies", CLUSTER, Type.CLEANUP),
  CLEANUP_POLICY(KYVERNO_V2, "CleanupPolicy", "cleanuppolicies", NAMESPACED, Type.CLEANUP),
  KYVERNO_EXCEPTION(
      KYVERNO_V2, "PolicyException", "policyexceptions", NAMESPACED, Type.RULE_EXCEPTION),
  GLOBAL_CONTEXT_ENTRY(
      KYVERNO_V2, "GlobalContextEntry", "globalcontextentries", CLUSTER, Type.CONTEXT_ENTRY),
  VALIDATING_POLICY(CEL, "ValidatingPolicy", "validatingpolicies", CLUSTER, Type.VALIDATING),
  IMAGE_VALIDATING_POLICY(
      CEL, "ImageValidatingPolicy", "imagevalidatingpolicies", CLUSTER, Type.IMAGE_VALIDATING),
  MUTATING_POLICY(CEL_MUTATING, "MutatingPolicy", "mutatingpolicies", CLUSTER, Type.MUTATING),
  GENERATING_POLICY(CEL, "GeneratingPolicy", "generatingpolicies", CLUSTER, Type.GENERATING),
  DELETING_POLICY(CEL, "DeletingPolicy", "deletingpolicies", CLUSTER, Type.DELETING),
  NAMESPACED_VALIDATING_POLICY(
      CEL_SINCE_V1BETA1,
      "NamespacedValidatingPolicy",
      "namespacedvalidatingpolicies",
      NAMESPACED,
      Type.VALIDATING),
  NAMESPACED_IMAGE_VALIDATING_POLICY(
      CEL_SINCE_V1BETA1,
      "NamespacedImageValidatingPolicy",
      "namespacedimagevalidatingpolicies",
      NAMESPACED,
      Type.IMAGE_VALIDATING),
  NAMESPACED_MUTATING_POLICY(
      CEL_SINCE_V1BETA1,
      "NamespacedMutatingPolicy",
      "namespacedmutatingpolicies",
      NAMESPACED,
      Type.MUTATING),
  NAMESPACED_GENERATING_POLICY(
      CEL_SINCE_V1BETA1,
      "NamespacedGeneratingPolicy",
      "namespacedgeneratingpolicies",
      NAMESPACED,
      Type.GENERATING),
  NAMESPACED_DELETING_POLICY(
      CEL_SINCE_V1BETA1,
      "NamespacedDeletingPolicy",
      "namespaceddeletingpolicies",
      NAMESPACED,
      Type.DELETING),
  CEL_EXCEPTION(CEL, "PolicyException", "policyexceptions", NAMESPACED, Type.CEL_POLICY_EXCEPTION),
  VALIDATING_ADMISSION_POLICY(
      ADMISSION,
      "ValidatingAdmissionPolicy",
      "validatingadmissionpolicies",
      CLUSTER,
      Type.VALIDATING_ADMISSION),
  VALIDATING_ADMISSION_POLICY_BINDING(
      ADMISSION,
      "ValidatingAdmissionPolicyBinding",
      "validatingadmissionpolicybindings",
      CLUSTER,
      Type.VALIDATING_BINDING),
  MUTATING_ADMISSION_POLICY(
      ADMISSION_SINCE_V1ALPHA1,
      "MutatingAdmissionPolicy",
      "mutatingadmissionpolicies",
      CLUSTER,
      Type.MUTATING_ADMISSION),
  MUTATING_ADMISSION_POLICY_BINDING(
      ADMISSION_SINCE_V1ALPHA1,
      "MutatingAdmissionPolicyBinding",
      "mutatingadmissionpolicybindings",
      CLUSTER,
      Type.MUTATING_BINDING);

  public enum Scope {
    CLUSTER,
    NAMESPACED
  }

  /// The purpose of a kind. Roles are applied in this order and removed in the reverse order: an
  /// exception is in force before the policy that it exempts workloads from, and is removed after
  /// that policy.
  public enum Role {
    CONTEXT(1),
    EXCEPTION(2),
    POLICY(3),
    BINDING(4);

    private final int step;

    Role(int step) {
      this.step = step;
    }

    /// Returns the position in the order of applying, from 1. Removal goes from the highest to the
    /// lowest.
    public int step() {
      return step;
    }
  }

  /// The function of a policy, independent of its scope: `ValidatingPolicy` and
  /// `NamespacedValidatingPolicy` have the same type.
  public enum Type {
    /// Rules that validate, mutate, generate and verify images.
    RULES(Role.POLICY, "kyverno"),
    /// Deletes resources on a schedule, selected by conditions.
    CLEANUP(Role.POLICY),
    VALIDATING(Role.POLICY, "KyvernoValidatingPolicy"),
    IMAGE_VALIDATING(Role.POLICY, "KyvernoImageValidatingPolicy"),
    MUTATING(Role.POLICY, "KyvernoMutatingPolicy"),
    GENERATING(Role.POLICY, "KyvernoGeneratingPolicy"),
    /// Deletes resources on a schedule, selected by CEL expressions.
    DELETING(Role.POLICY, "KyvernoDeletingPolicy"),
    VALIDATING_ADMISSION(Role.POLICY, "ValidatingAdmissionPolicy"),
    MUTATING_ADMISSION(Role.POLICY, "MutatingAdmissionPolicy"),
    VALIDATING_BINDING(Role.BINDING),
    MUTATING_BINDING(Role.BINDING),
    /// Exempts resources from the rules of a `ClusterPolicy` or `Policy`.
    RULE_EXCEPTION(Role.EXCEPTION),
    /// Exempts resources from Kyverno's CEL policies.
    CEL_POLICY_EXCEPTION(Role.EXCEPTION),
    CONTEXT_ENTRY(Role.CONTEXT);

    private final Role role;
    private final String resultSource;

    Type(Role role) {
      this(role, "");
    }

    Type(Role role, String resultSource) {
      this.role = role;
      this.resultSource = resultSource;
    }

    /// Returns whether the policy validates by CEL and names its actions in `validationActions`.
    public boolean validatesByCel() {
      return this == VALIDATING || this == IMAGE_VALIDATING;
    }

    /// Returns whether Kyverno reports in the column READY whether it can execute the policy.
    /// Deleting policies have an empty column; generating policies have the status without the
    /// column (Kyverno 1.19).
    public boolean reportsReadiness() {
      return this == RULES || this == MUTATING || validatesByCel();
    }

    /// Returns whether the policy makes Kyverno delete existing resources.
    public boolean deletes() {
      return this == CLEANUP || this == DELETING;
    }
  }

  private static final List<PolicyKind> ALL = List.of(values());

  private final Family family;
  private final String kind;
  private final String plural;
  private final Scope scope;
  private final Type type;

  PolicyKind(Family family, String kind, String plural, Scope scope, Type type) {
    this.family = family;
    this.kind = kind;
    this.plural = plural;
    this.scope = scope;
    this.type = type;
  }

  public static List<PolicyKind> all() {
    return ALL;
  }

  /// Returns the kind of this group and name; empty if it is not in this table.
  public static Optional<PolicyKind> of(String group, String kind) {
    return ALL.stream().filter(k -> k.group().equals(group) && k.kind.equals(kind)).findFirst();
  }

  /// Returns the kind of an object by its apiVersion and kind; empty if it is not in this table.
  public static Optional<PolicyKind> of(Value.Mapping object) {
    var version = object.text("apiVersion").orElse("");
    return of(
        version.substring(0, Math.max(0, version.lastIndexOf('/'))),
        object.text("kind").orElse(""));
  }

  /// Returns the kinds whose report results have this `source`, ignoring case.
  public static List<PolicyKind> byResultSource(String source) {
    return ALL.stream()
        .filter(kind -> !kind.type.resultSource.isEmpty())
        .filter(kind -> kind.type.resultSource.equalsIgnoreCase(source))
        .toList();
  }

  /// Returns the API group: `kyverno.io`.
  public String group() {
    return family.group;
  }

  /// Returns the name of the kind: `ClusterPolicy`.
  public String kind() {
    return kind;
  }

  /// Returns the resource name in URLs: `clusterpolicies`.
  public String plural() {
    return plural;
  }

  public boolean namespaced() {
    return scope == NAMESPACED;
  }

  public Type type() {
    return type;
  }

  public Role role() {
    return type.role;
  }

  /// Returns whether policies of this kind are written in CEL; rules of kyverno.io only contain
  /// some CEL.
  public boolean usesCel() {
    return switch (family) {
      case KYVERNO_V1, KYVERNO_V2 -> false;
      case CEL, CEL_MUTATING, CEL_SINCE_V1BETA1, ADMISSION, ADMISSION_SINCE_V1ALPHA1 -> true;
    };
  }

  /// Returns whether this is a kind of policy or exception of kyverno.io, which Kyverno 1.20 no
  /// longer executes (kyverno/kyverno#17701). Context entries stay.
  public boolean endsWithKyverno119() {
    return switch (family) {
      case KYVERNO_V1, KYVERNO_V2 -> type != Type.CONTEXT_ENTRY;
      case CEL, CEL_MUTATING, CEL_SINCE_V1BETA1, ADMISSION, ADMISSION_SINCE_V1ALPHA1 -> false;
    };
  }

  /// Returns whether this is a kind of Kubernetes itself: the API server executes its policies, and
  /// Kyverno generates objects of it.
  public boolean builtIn() {
    return switch (family) {
      case ADMISSION, ADMISSION_SINCE_V1ALPHA1 -> true;
      case KYVERNO_V1, KYVERNO_V2, CEL, CEL_MUTATING, CEL_SINCE_V1BETA1 -> false;
    };
  }

  /// Returns the versions that may be applied, best first.
  public List<String> versions() {
    return family.versions;
  }

  /// Returns the name for messages: the kind alone, or with the group if two groups share the kind
  /// (`PolicyException.kyverno.io`).
  public String label() {
    return this == KYVERNO_EXCEPTION || this == CEL_EXCEPTION ? qualified() : kind;
  }

  /// Returns kind and group, unique in any cluster: `ClusterPolicy.kyverno.io`.
  public String qualified() {
    return kind + "." + group();
  }

  @Override
  public String toString() {
    return label();
  }

  /// Kinds of one group that have the same versions.
  enum Family {
    KYVERNO_V1("kyverno.io", "v1"),
    KYVERNO_V2("kyverno.io", "v2", "v2beta1", "v2alpha1"),
    CEL("policies.kyverno.io", "v1", "v1beta1", "v1alpha1"),
    /// Kyverno 1.16.3 serves v1beta1 with another form of `mutations`, which no policy uses, and
    /// stores v1alpha1.
    CEL_MUTATING("policies.kyverno.io", "v1", "v1alpha1", "v1beta1"),
    CEL_SINCE_V1BETA1("policies.kyverno.io", "v1", "v1beta1"),
    ADMISSION("admissionregistration.k8s.io", "v1", "v1beta1"),
    ADMISSION_SINCE_V1ALPHA1("admissionregistration.k8s.io", "v1", "v1beta1", "v1alpha1");

    private final String group;

    @SuppressWarnings("ImmutableEnumChecker") // List.of never changes, though its type hides that
    private final List<String> versions;

    Family(String group, String... versions) {
      this.group = group;
      this.versions = List.of(versions);
    }
  }
}
