package dev.policysync.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The policies that results were seen of, by number.
final class ReportedPolicies {
  private final PolicyBook book;
  private final Map<Name, Integer> numbers = new HashMap<>();
  private final List<Known> known = new ArrayList<>();

  ReportedPolicies(PolicyBook book) {
    this.book = book;
  }

  private record Name(String source, String name) {}

  /// A policy with what it says of its own weight.
  record Known(ReportedPolicy policy, Optional<Severity> severity, Optional<Category> category) {}

  /// The number of the policy that a result names.
  ///
  /// @param namespace of the resource
  int number(String source, String name, String namespace) {
    var found = numbers.get(new Name(source, name));
    if (found != null) {
      return found;
    }
    var entry = book.find(source, name, namespace);
    // Of old a policy that lives in a namespace was named without it, in each namespace another.
    var full = entry.map(e -> e.id().path()).orElse(name);
    return numbers.computeIfAbsent(new Name(source, full), key -> add(key, entry));
  }

  private int add(Name name, Optional<PolicyBook.Entry> entry) {
    known.add(
        new Known(
            new ReportedPolicy(
                name.source(),
                name.name(),
                entry.map(PolicyBook.Entry::id),
                entry.map(PolicyBook.Entry::title).filter(t -> !t.isEmpty()).orElse(name.name()),
                entry.map(PolicyBook.Entry::description).orElse(""),
                entry.map(PolicyBook.Entry::remediation).orElse("")),
            entry.flatMap(PolicyBook.Entry::severity),
            entry.flatMap(PolicyBook.Entry::category)));
    return known.size() - 1;
  }

  Known get(int number) {
    return known.get(number);
  }

  int size() {
    return known.size();
  }
}
