package dev.policysync.report;

import dev.policysync.policy.PolicyId;
import java.util.Optional;

/// A policy as its results and, where the cluster still has it, its own annotations tell of it.
///
/// Two of one name from two sources are two policies: a ClusterPolicy `team-label` has source
/// `kyverno`, a ValidatingPolicy of that name `KyvernoValidatingPolicy`.
///
/// @param source who evaluated: `kyverno`, `KyvernoValidatingPolicy`, `ValidatingAdmissionPolicy`,
///   another producer's name, or empty
/// @param name as results name it: `team-label`, or `shop/team-label` where it lives in a namespace
/// @param id the policy that was found for it; empty for other producers and policies that are gone
/// @param title from `policies.kyverno.io/title`, else the name
/// @param description from `policies.kyverno.io/description`, else empty
/// @param remediation what to do, from `policies.kyverno.io/remediation`, else
///   `policies.nirmata.io/remediation`, else empty
/// @param link an https address to read on, from one of the annotations in `docs/report.md`
public record ReportedPolicy(
    String source,
    String name,
    Optional<PolicyId> id,
    String title,
    String description,
    String remediation,
    Optional<String> link) {}
