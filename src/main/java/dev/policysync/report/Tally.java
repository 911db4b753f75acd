package dev.policysync.report;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/// Counts results while they are folded.
@SuppressWarnings("EnumOrdinal") // for as long as this process lives, they stay the same
final class Tally {
  private final long[] all = new long[ReportResult.values().length];
  private final Map<Integer, long[]> policies = new HashMap<>();
  private final Map<Integer, long[]> namespaces = new HashMap<>();
  private final Map<Severity, long[]> severities = new EnumMap<>(Severity.class);
  private final Map<Category, long[]> categories = new EnumMap<>(Category.class);

  void add(Entry entry) {
    var result = entry.result().ordinal();
    all[result]++;
    in(policies, entry.policy())[result]++;
    in(namespaces, entry.namespace())[result]++;
    in(severities, entry.severity())[result]++;
    in(categories, entry.category())[result]++;
  }

  Totals totals(Names names, ReportedPolicies known) {
    var ofPolicies = new ArrayList<Totals.OfPolicy>();
    policies.forEach((number, counts) ->
        ofPolicies.add(new Totals.OfPolicy(known.get(number).policy(), counts(counts))));
    var ofNamespaces = new ArrayList<Totals.OfNamespace>();
    namespaces.forEach((number, counts) ->
        ofNamespaces.add(new Totals.OfNamespace(names.text(number), counts(counts))));
    return new Totals(
        counts(all), ofPolicies, ofNamespaces, counts(severities), counts(categories));
  }

  private static <K> long[] in(Map<K, long[]> map, K key) {
    return map.computeIfAbsent(key, _ -> new long[ReportResult.values().length]);
  }

  private static <K> Map<K, Counts> counts(Map<K, long[]> map) {
    var counts = new HashMap<K, Counts>();
    map.forEach((key, numbers) -> counts.put(key, counts(numbers)));
    return counts;
  }

  private static Counts counts(long[] numbers) {
    return new Counts(
        numbers[ReportResult.PASS.ordinal()],
        numbers[ReportResult.FAIL.ordinal()],
        numbers[ReportResult.WARN.ordinal()],
        numbers[ReportResult.ERROR.ordinal()],
        numbers[ReportResult.SKIP.ordinal()]);
  }
}
