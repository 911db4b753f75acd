package dev.policysync.policy;

import static dev.policysync.policy.PolicyKind.Family.ADMISSION;
import static dev.policysync.policy.PolicyKind.Family.ADMISSION_SINCE_V1ALPHA1;
import static dev.policysync.policy.PolicyKind.Family.CEL;
import static dev.policysync.policy.PolicyKind.Family.CEL_SINCE_V1BETA1;
import static dev.policysync.policy.PolicyKind.Family.KYVERNO_V1;
import static dev.policysync.policy.PolicyKind.Family.KYVERNO_V2;
import static dev.policysync.policy.PolicyKind.Role.BINDING;
import static dev.policysync.policy.PolicyKind.Role.CONTEXT;
import static dev.policysync.policy.PolicyKind.Role.EXCEPTION;
import static dev.policysync.policy.PolicyKind.Role.POLICY;
import static dev.policysync.policy.PolicyKind.Scope.CLUSTER;
import static dev.policysync.policy.PolicyKind.Scope.NAMESPACED;

import java.util.List;
import java.util.Optional;

/// Every kind that this agent keeps in sync; a new one is one more line. Nothing outside this table
/// is ever listed, applied or removed.
///
/// A kind's versions are those that may be applied, best first; which of them a cluster serves is
/// learnt by discovery. `ClusterPolicy` and `Policy` have `v1` only: applied at `v2beta1` they lose
/// their managed fields as soon as Kyverno writes their status (Kyverno 1.19.0 on Kubernetes
/// 1.36.3).
public enum PolicyKind {
  CLUSTER_POLICY(KYVERNO_V1, "ClusterPolicy", "clusterpolicies", CLUSTER, POLICY),
  NAMESPACED_POLICY(KYVERNO_V1, "Policy", "policies", NAMESPACED, POLICY),
  CLUSTER_CLEANUP_POLICY(
      KYVERNO_V2, "ClusterCleanupPolicy", "clustercleanuppolicies", CLUSTER, POLICY),
  CLEANUP_POLICY(KYVERNO_V2, "CleanupPolicy", "cleanuppolicies", NAMESPACED, POLICY),
  KYVERNO_EXCEPTION(KYVERNO_V2, "PolicyException", "policyexceptions", NAMESPACED, EXCEPTION),
  GLOBAL_CONTEXT_ENTRY(KYVERNO_V2, "GlobalContextEntry", "globalcontextentries", CLUSTER, CONTEXT),
  VALIDATING_POLICY(CEL, "ValidatingPolicy", "validatingpolicies", CLUSTER, POLICY),
  IMAGE_VALIDATING_POLICY(CEL, "ImageValidatingPolicy", "imagevalidatingpolicies", CLUSTER, POLICY),
  MUTATING_POLICY(CEL, "MutatingPolicy", "mutatingpolicies", CLUSTER, POLICY),
  GENERATING_POLICY(CEL, "GeneratingPolicy", "generatingpolicies", CLUSTER, POLICY),
  DELETING_POLICY(CEL, "DeletingPolicy", "deletingpolicies", CLUSTER, POLICY),
  NAMESPACED_VALIDATING_POLICY(
      CEL_SINCE_V1BETA1,
      "NamespacedValidatingPolicy",
      "namespacedvalidatingpolicies",
      NAMESPACED,
      POLICY),
  NAMESPACED_IMAGE_VALIDATING_POLICY(
      CEL_SINCE_V1BETA1,
      "NamespacedImageValidatingPolicy",
      "namespacedimagevalidatingpolicies",
      NAMESPACED,
      POLICY),
  NAMESPACED_MUTATING_POLICY(
      CEL_SINCE_V1BETA1,
      "NamespacedMutatingPolicy",
      "namespacedmutatingpolicies",
      NAMESPACED,
      POLICY),
  NAMESPACED_GENERATING_POLICY(
      CEL_SINCE_V1BETA1,
      "NamespacedGeneratingPolicy",
      "namespacedgeneratingpolicies",
      NAMESPACED,
      POLICY),
  NAMESPACED_DELETING_POLICY(
      CEL_SINCE_V1BETA1,
      "NamespacedDeletingPolicy",
      "namespaceddeletingpolicies",
      NAMESPACED,
      POLICY),
  CEL_EXCEPTION(CEL, "PolicyException", "policyexceptions", NAMESPACED, EXCEPTION),
  VALIDATING_ADMISSION_POLICY(
      ADMISSION, "ValidatingAdmissionPolicy", "validatingadmissionpolicies", CLUSTER, POLICY),
  VALIDATING_ADMISSION_POLICY_BINDING(
      ADMISSION,
      "ValidatingAdmissionPolicyBinding",
      "validatingadmissionpolicybindings",
      CLUSTER,
      BINDING),
  MUTATING_ADMISSION_POLICY(
      ADMISSION_SINCE_V1ALPHA1,
      "MutatingAdmissionPolicy",
      "mutatingadmissionpolicies",
      CLUSTER,
      POLICY),
  MUTATING_ADMISSION_POLICY_BINDING(
      ADMISSION_SINCE_V1ALPHA1,
      "MutatingAdmissionPolicyBinding",
      "mutatingadmissionpolicybindings",
      CLUSTER,
      BINDING);

  /// Whether objects of a kind live in a namespace.
  public enum Scope {
    CLUSTER,
    NAMESPACED
  }

  /// What a kind is for, in the order in which the roles are applied; removal goes the other way.
  /// Exceptions are in force before the policy that they shield a workload from, and outlive it.
  public enum Role {
    CONTEXT(1),
    EXCEPTION(2),
    POLICY(3),
    BINDING(4);

    private final int step;

    Role(int step) {
      this.step = step;
    }

    /// Its place in the order of applying, from 1; removing goes from the highest to the lowest.
    public int step() {
      return step;
    }
  }

  private static final List<PolicyKind> ALL = List.of(values());

  private final Family family;
  private final String kind;
  private final String plural;
  private final Scope scope;
  private final Role role;

  PolicyKind(Family family, String kind, String plural, Scope scope, Role role) {
    this.family = family;
    this.kind = kind;
    this.plural = plural;
    this.scope = scope;
    this.role = role;
  }

  /// All kinds, in the order of the table.
  public static List<PolicyKind> all() {
    return ALL;
  }

  /// The kind of that group and name, if it is one of ours.
  public static Optional<PolicyKind> of(String group, String kind) {
    return ALL.stream().filter(k -> k.group().equals(group) && k.kind.equals(kind)).findFirst();
  }

  /// API group: `kyverno.io`.
  public String group() {
    return family.group;
  }

  /// Kind: `ClusterPolicy`.
  public String kind() {
    return kind;
  }

  /// Resource name in URLs: `clusterpolicies`.
  public String plural() {
    return plural;
  }

  /// Whether its objects live in a namespace.
  public boolean namespaced() {
    return scope == NAMESPACED;
  }

  /// Its place in the order of work.
  public Role role() {
    return role;
  }

  /// The versions in which it may be applied, best first.
  public List<String> versions() {
    return family.versions;
  }

  /// How people name it: the kind alone, with the group where two groups share the kind
  /// (`PolicyException.kyverno.io`).
  public String label() {
    return this == KYVERNO_EXCEPTION || this == CEL_EXCEPTION ? qualified() : kind;
  }

  /// Kind and group, unique in any cluster: `ClusterPolicy.kyverno.io`.
  public String qualified() {
    return kind + "." + group();
  }

  @Override
  public String toString() {
    return label();
  }

  /// Kinds of one group that came with the same versions.
  enum Family {
    KYVERNO_V1("kyverno.io", "v1"),
    KYVERNO_V2("kyverno.io", "v2", "v2beta1", "v2alpha1"),
    CEL("policies.kyverno.io", "v1", "v1beta1", "v1alpha1"),
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
