package dev.policysync.report;

import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// How many results there are, in all and by policy, namespace, severity and category. Each of the
/// four divides the same results, so each adds up to [#all()].
///
/// @param policies those with most findings first
/// @param namespaces those with most findings first; resources that live in none stand under the
///   empty name
/// @param severities every severity is there, also without results
/// @param categories every category is there, also without results
public record Totals(
    ResultCounts all,
    List<OfPolicy> policies,
    List<OfNamespace> namespaces,
    Map<Severity, ResultCounts> severities,
    Map<Category, ResultCounts> categories) {
  public Totals {
    policies =
        policies.stream()
            .sorted(
                mostFindings(OfPolicy::resultCounts)
                    .thenComparing(of -> of.policy().name())
                    .thenComparing(of -> of.policy().source()))
            .toList();
    namespaces =
        namespaces.stream()
            .sorted(mostFindings(OfNamespace::resultCounts).thenComparing(OfNamespace::namespace))
            .toList();
    severities = complete(Severity.class, severities);
    categories = complete(Category.class, categories);
  }

  /// The results of one policy.
  public record OfPolicy(ReportedPolicy policy, ResultCounts resultCounts) {}

  /// The results of one namespace, or of the resources that live in none (`""`).
  public record OfNamespace(String namespace, ResultCounts resultCounts) {}

  private static <T> Comparator<T> mostFindings(Function<T, ResultCounts> counts) {
    return Comparator.comparingLong((T of) -> counts.apply(of).findings())
        .thenComparingLong(of -> counts.apply(of).fail())
        .reversed();
  }

  private static <K extends Enum<K>> Map<K, ResultCounts> complete(
      Class<K> keys, Map<K, ResultCounts> given) {
    var all = new EnumMap<K, ResultCounts>(keys);
    for (var key : keys.getEnumConstants()) {
      all.put(key, given.getOrDefault(key, ResultCounts.NONE));
    }
    return Collections.unmodifiableMap(all);
  }
}
