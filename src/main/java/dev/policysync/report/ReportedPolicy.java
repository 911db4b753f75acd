package dev.policysync.report;

import dev.policysync.policy.PolicyId;
import java.util.Optional;

/// A policy that has results, with its annotations if the cluster still has it.
///
/// Policies with the same name and different sources are different: results of a ClusterPolicy
/// `team-label` have source `kyverno`, those of a ValidatingPolicy with that name
/// `KyvernoValidatingPolicy`.
///
/// @param source the engine that evaluated: `kyverno`, `KyvernoValidatingPolicy`,
///   `ValidatingAdmissionPolicy`, another producer's name, or empty
/// @param name the name in results: `team-label`, or `shop/team-label` for a namespaced policy
/// @param id the policy in the cluster; empty for other producers and deleted policies
/// @param title from `policies.kyverno.io/title`, else the name
/// @param description from `policies.kyverno.io/description`, else empty
/// @param remediation how to fix findings, from `policies.kyverno.io/remediation`, else
///   `policies.nirmata.io/remediation`, else empty
/// @param link an https address of documentation, from one of the annotations in `docs/report.md`
public record ReportedPolicy(
    String source,
    String name,
    Optional<PolicyId> id,
    String title,
    String description,
    String remediation,
    Optional<String> link) {}
