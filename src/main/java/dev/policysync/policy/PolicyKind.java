package dev.policysync.policy;

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
  CLUSTER_POLICY(Groups.KYVERNO, "ClusterPolicy", "clusterpolicies", CLUSTER, POLICY, "v1"),
  NAMESPACED_POLICY(Groups.KYVERNO, "Policy", "policies", NAMESPACED, POLICY, "v1"),
  CLUSTER_CLEANUP_POLICY(
      Groups.KYVERNO,
      "ClusterCleanupPolicy",
      "clustercleanuppolicies",
      CLUSTER,
      POLICY,
      "v2",
      "v2beta1",
      "v2alpha1"),
  CLEANUP_POLICY(
      Groups.KYVERNO,
      "CleanupPolicy",
      "cleanuppolicies",
      NAMESPACED,
      POLICY,
      "v2",
      "v2beta1",
      "v2alpha1"),
  KYVERNO_EXCEPTION(
      Groups.KYVERNO,
      "PolicyException",
      "policyexceptions",
      NAMESPACED,
      EXCEPTION,
      "v2",
      "v2beta1",
      "v2alpha1"),
  GLOBAL_CONTEXT_ENTRY(
      Groups.KYVERNO,
      "GlobalContextEntry",
      "globalcontextentries",
      CLUSTER,
      CONTEXT,
      "v2",
      "v2beta1",
      "v2alpha1"),
  VALIDATING_POLICY(
      Groups.CEL,
      "ValidatingPolicy",
      "validatingpolicies",
      CLUSTER,
      POLICY,
      "v1",
      "v1beta1",
      "v1alpha1"),
  IMAGE_VALIDATING_POLICY(
      Groups.CEL,
      "ImageValidatingPolicy",
      "imagevalidatingpolicies",
      CLUSTER,
      POLICY,
      "v1",
      "v1beta1",
      "v1alpha1"),
  MUTATING_POLICY(
      Groups.CEL,
      "MutatingPolicy",
      "mutatingpolicies",
      CLUSTER,
      POLICY,
      "v1",
      "v1beta1",
      "v1alpha1"),
  GENERATING_POLICY(
      Groups.CEL,
      "GeneratingPolicy",
      "generatingpolicies",
      CLUSTER,
      POLICY,
      "v1",
      "v1beta1",
      "v1alpha1"),
  DELETING_POLICY(
      Groups.CEL,
      "DeletingPolicy",
      "deletingpolicies",
      CLUSTER,
      POLICY,
      "v1",
      "v1beta1",
      "v1alpha1"),
  NAMESPACED_VALIDATING_POLICY(
      Groups.CEL,
      "NamespacedValidatingPolicy",
      "namespacedvalidatingpolicies",
      NAMESPACED,
      POLICY,
      "v1",
      "v1beta1"),
  NAMESPACED_IMAGE_VALIDATING_POLICY(
      Groups.CEL,
      "NamespacedImageValidatingPolicy",
      "namespacedimagevalidatingpolicies",
      NAMESPACED,
      POLICY,
      "v1",
      "v1beta1"),
  NAMESPACED_MUTATING_POLICY(
      Groups.CEL,
      "NamespacedMutatingPolicy",
      "namespacedmutatingpolicies",
      NAMESPACED,
      POLICY,
      "v1",
      "v1beta1"),
  NAMESPACED_GENERATING_POLICY(
      Groups.CEL,
      "NamespacedGeneratingPolicy",
      "namespacedgeneratingpolicies",
      NAMESPACED,
      POLICY,
      "v1",
      "v1beta1"),
  NAMESPACED_DELETING_POLICY(
      Groups.CEL,
      "NamespacedDeletingPolicy",
      "namespaceddeletingpolicies",
      NAMESPACED,
      POLICY,
      "v1",
      "v1beta1"),
  CEL_EXCEPTION(
      Groups.CEL,
      "PolicyException",
      "policyexceptions",
      NAMESPACED,
      EXCEPTION,
      "v1",
      "v1beta1",
      "v1alpha1"),
  VALIDATING_ADMISSION_POLICY(
      Groups.ADMISSION,
      "ValidatingAdmissionPolicy",
      "validatingadmissionpolicies",
      CLUSTER,
      POLICY,
      "v1",
      "v1beta1"),
  VALIDATING_ADMISSION_POLICY_BINDING(
      Groups.ADMISSION,
      "ValidatingAdmissionPolicyBinding",
      "validatingadmissionpolicybindings",
      CLUSTER,
      BINDING,
      "v1",
      "v1beta1"),
  MUTATING_ADMISSION_POLICY(
      Groups.ADMISSION,
      "MutatingAdmissionPolicy",
      "mutatingadmissionpolicies",
      CLUSTER,
      POLICY,
      "v1",
      "v1beta1",
      "v1alpha1"),
  MUTATING_ADMISSION_POLICY_BINDING(
      Groups.ADMISSION,
      "MutatingAdmissionPolicyBinding",
      "mutatingadmissionpolicybindings",
      CLUSTER,
      BINDING,
      "v1",
      "v1beta1",
      "v1alpha1");

  /// Whether objects of a kind live in a namespace.
  public enum Scope {
    CLUSTER,
    NAMESPACED
  }

  /// What a kind is for, in the order in which the roles are applied; removal goes the other way.
  /// Exceptions are in force before the policy that they shield a workload from, and outlive it.
  public enum Role {
    CONTEXT,
    EXCEPTION,
    POLICY,
    BINDING
  }

  private static final List<PolicyKind> ALL = List.of(values());

  private final String group;
  private final String kind;
  private final String plural;
  private final Scope scope;
  private final Role role;

  @SuppressWarnings(
      "ImmutableEnumChecker") // List.of never changes, though its type does not say so
  private final List<String> versions;

  PolicyKind(String group, String kind, String plural, Scope scope, Role role, String... versions) {
    this.group = group;
    this.kind = kind;
    this.plural = plural;
    this.scope = scope;
    this.role = role;
    this.versions = List.of(versions);
  }

  /// All kinds, in the order of the table.
  public static List<PolicyKind> all() {
    return ALL;
  }

  /// The kind of that group and name, if it is one of ours.
  public static Optional<PolicyKind> of(String group, String kind) {
    return ALL.stream().filter(k -> k.group.equals(group) && k.kind.equals(kind)).findFirst();
  }

  /// API group: `kyverno.io`.
  public String group() {
    return group;
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
    return versions;
  }

  /// How people name it: the kind alone, with the group where two groups share the kind
  /// (`PolicyException.kyverno.io`).
  public String label() {
    return this == KYVERNO_EXCEPTION || this == CEL_EXCEPTION ? qualified() : kind;
  }

  /// Kind and group, unique in any cluster: `ClusterPolicy.kyverno.io`.
  public String qualified() {
    return kind + "." + group;
  }

  @Override
  public String toString() {
    return label();
  }

  private static final class Groups {
    static final String KYVERNO = "kyverno.io";
    static final String CEL = "policies.kyverno.io";
    static final String ADMISSION = "admissionregistration.k8s.io";
  }
}
