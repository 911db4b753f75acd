package dev.policysync.report;

import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// The number of results, in total and by policy, namespace, severity and category. Each of the
/// four groupings covers all results, so each adds up to [#all()].
///
/// @param policies the policies with the most findings first
/// @param namespaces the namespaces with the most findings first; the empty name stands for
///   cluster-scoped resources
/// @param severities every severity, even without results
/// @param categories every category, even without results
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

  public record OfPolicy(ReportedPolicy policy, ResultCounts resultCounts) {}

  /// The results of one namespace, or of cluster-scoped resources (`""`).
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
