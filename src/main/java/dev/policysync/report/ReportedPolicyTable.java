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

/// The policies that results were seen of, by number.
public final class ReportedPolicyTable {
  private final PolicyMetadataIndex book;
  private final Map<Name, Integer> numbers = new HashMap<>();
  private final List<Known> known = new ArrayList<>();

  public ReportedPolicyTable(PolicyMetadataIndex book) {
    this.book = book;
  }

  private record Name(String source, String name) {}

  /// A policy with what it says of its own weight.
  ///
  /// @param ofKyverno whether Kyverno evaluated it: anybody may write reports
  public record Known(
      ReportedPolicy policy,
      Optional<Severity> severity,
      Optional<Category> category,
      boolean ofKyverno) {}

  /// The number of the policy that a result names.
  ///
  /// @param namespace of the resource
  public int number(String source, String name, String namespace) {
    var found = numbers.get(new Name(source, name));
    if (found != null) {
      return found;
    }
    var entry = book.find(source, name, namespace);
    // Of old a policy that lives in a namespace was named without it, in each namespace another.
    var full = entry.map(e -> e.id().path()).orElse(name);
    return numbers.computeIfAbsent(new Name(source, full), key -> add(key, entry));
  }

  private int add(Name name, Optional<PolicyMetadataIndex.Entry> entry) {
    known.add(
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
            !PolicyKind.reporting(name.source()).isEmpty()));
    return known.size() - 1;
  }

  public Known get(int number) {
    return known.get(number);
  }

  /// Those of them that are there.
  public Set<PolicyId> ids() {
    return known.stream()
        .flatMap(reported -> reported.policy().id().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /// Whether there are results of a policy of kyverno.io, also of one that is gone.
  public boolean haveLegacyResults() {
    return known.stream()
        .flatMap(reported -> PolicyKind.reporting(reported.policy().source()).stream())
        .anyMatch(PolicyKind::endsWithKyverno119);
  }

  int size() {
    return known.size();
  }
}
