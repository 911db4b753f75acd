package dev.policysync.report;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/// Counts deduplicated results.
@SuppressWarnings("EnumOrdinal")
public // ordinals never change within a process
final class ResultCounter {
  private final long[] all = new long[ReportResult.values().length];
  private final Map<Integer, long[]> policies = new HashMap<>();
  private final Map<Integer, long[]> namespaces = new HashMap<>();
  private final Map<Severity, long[]> severities = new EnumMap<>(Severity.class);
  private final Map<Category, long[]> categories = new EnumMap<>(Category.class);

  void add(SpilledResult spilledResult) {
    var result = spilledResult.result().ordinal();
    all[result]++;
    in(policies, spilledResult.policy())[result]++;
    in(namespaces, spilledResult.namespace())[result]++;
    in(severities, spilledResult.severity())[result]++;
    in(categories, spilledResult.category())[result]++;
  }

  public Totals totals(StringTable stringTable, ReportedPolicyTable known) {
    var ofPolicies = new ArrayList<Totals.OfPolicy>();
    policies.forEach((number, counts) ->
        ofPolicies.add(new Totals.OfPolicy(known.get(number).policy(), counts(counts))));
    var ofNamespaces = new ArrayList<Totals.OfNamespace>();
    namespaces.forEach((number, counts) ->
        ofNamespaces.add(new Totals.OfNamespace(stringTable.text(number), counts(counts))));
    return new Totals(
        counts(all), ofPolicies, ofNamespaces, counts(severities), counts(categories));
  }

  private static <K> long[] in(Map<K, long[]> map, K key) {
    return map.computeIfAbsent(key, _ -> new long[ReportResult.values().length]);
  }

  private static <K> Map<K, ResultCounts> counts(Map<K, long[]> map) {
    var counts = new HashMap<K, ResultCounts>();
    map.forEach((key, numbers) -> counts.put(key, counts(numbers)));
    return counts;
  }

  private static ResultCounts counts(long[] numbers) {
    return new ResultCounts(
        numbers[ReportResult.PASS.ordinal()],
        numbers[ReportResult.FAIL.ordinal()],
        numbers[ReportResult.WARN.ordinal()],
        numbers[ReportResult.ERROR.ordinal()],
        numbers[ReportResult.SKIP.ordinal()]);
  }
}
