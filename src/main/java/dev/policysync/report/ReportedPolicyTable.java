package dev.policysync.report;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// A table of all policies with results, which assigns each a number.
final class ReportedPolicyTable {
  private final PolicyMetadataIndex book;
  private final Map<Name, Integer> numbers = new HashMap<>();
  private final List<Known> policies = new ArrayList<>();

  public ReportedPolicyTable(PolicyMetadataIndex book) {
    this.book = book;
  }

  private record Name(String source, String name) {}

  /// A policy with the severity and category from its annotations.
  ///
  /// @param ofKyverno whether Kyverno evaluated the policy; any client may write reports
  public record Known(
      ReportedPolicy policy,
      Optional<Severity> severity,
      Optional<Category> category,
      boolean ofKyverno) {}

  /// Returns the number of the policy in a result.
  ///
  /// @param namespace the resource's namespace
  public int number(String source, String name, String namespace) {
    var found = numbers.get(new Name(source, name));
    if (found != null) {
      return found;
    }
    var entry = book.find(source, name, namespace);
    // Older results name a namespaced policy without its namespace, so one name means a different
    // policy in each namespace.
    var full = entry.map(e -> e.id().path()).orElse(name);
    return numbers.computeIfAbsent(new Name(source, full), key -> add(key, entry));
  }

  private int add(Name name, Optional<PolicyMetadataIndex.Entry> entry) {
    policies.add(
        new Known(
            new ReportedPolicy(
                name.source(),
                name.name(),
                entry.map(PolicyMetadataIndex.Entry::id),
                entry
                    .map(PolicyMetadataIndex.Entry::title)
                    .filter(t -> !t.isEmpty())
                    .orElse(name.name()),
                entry.map(PolicyMetadataIndex.Entry::description).orElse(""),
                entry.map(PolicyMetadataIndex.Entry::remediation).orElse(""),
                entry.flatMap(PolicyMetadataIndex.Entry::link)),
            entry.flatMap(PolicyMetadataIndex.Entry::severity),
            entry.flatMap(PolicyMetadataIndex.Entry::category),
            !PolicyKind.byResultSource(name.source()).isEmpty()));
    return policies.size() - 1;
  }

  public Known get(int number) {
    return policies.get(number);
  }

  /// Returns the policies that exist in the cluster.
  public Set<PolicyId> ids() {
    return policies.stream()
        .flatMap(reported -> reported.policy().id().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /// Returns whether any result belongs to a policy of kyverno.io, even a deleted one.
  public boolean haveLegacyResults() {
    return policies.stream()
        .flatMap(reported -> PolicyKind.byResultSource(reported.policy().source()).stream())
        .anyMatch(PolicyKind::endsWithKyverno119);
  }

  int size() {
    return policies.size();
  }
}
