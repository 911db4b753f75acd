package dev.policysync.report;

import dev.policysync.policy.kyverno.AutogenRuleNames;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Deduplicates one partition after the other. Of results with the same identity only the newest
/// counts, and results that a controller and its Pods have in common count once.
///
/// The identity of a result is (source, policy, rule, resource). The resource is identified by its
/// uid if the report has one, else by kind, namespace and name. For other producers than Kyverno,
/// the rest of the result is part of the identity, too, since they may write several results for
/// one rule.
final class Deduplicator {
  private final StringTable stringTable;
  private final BitSet valid;
  private final StaleReportFilter staleReportFilter;
  private final ResultCounter resultCounter;
  private final Comparator<SpilledResult> order;
  private long superseded;
  private long mergedIntoControllers;
  private long cutMessages;

  /// @param valid the numbers of the pages that belong to a complete list
  public Deduplicator(
      StringTable stringTable,
      ReportedPolicyTable policies,
      BitSet valid,
      StaleReportFilter staleReportFilter,
      ResultCounter resultCounter) {
    this.stringTable = stringTable;
    this.valid = valid;
    this.staleReportFilter = staleReportFilter;
    this.resultCounter = resultCounter;
    this.order = orderOf(stringTable, policies);
  }

  private record Identity(
      int policy, int rule, int kind, int namespace, String resource, String distinction) {
    static Identity of(SpilledResult spilledResult) {
      return spilledResult.uid().isEmpty()
          ? new Identity(
              spilledResult.policy(),
              spilledResult.rule(),
              spilledResult.kind(),
              spilledResult.namespace(),
              spilledResult.name(),
              spilledResult.distinction())
          : new Identity(
              spilledResult.policy(),
              spilledResult.rule(),
              -1,
              -1,
              spilledResult.uid(),
              spilledResult.distinction());
    }
  }

  private record Place(int policy, int namespace) {}

  /// Returns the deduplicated results of the partition, in no particular order.
  public List<DedupedResult> deduplicate(SpillPartition part) {
    var results = newest(part);
    mergeIntoControllers(results);
    var folded = results.stream().filter(result -> !result.isMerged()).toList();
    mergedIntoControllers += results.size() - folded.size();
    return folded;
  }

  /// Counts the deduplicated results of the partition and writes its findings, sorted, into another
  /// partition.
  public void deduplicate(SpillPartition part, SpillPartition findings) {
    var kept = new ArrayList<DedupedResult>();
    for (var result : deduplicate(part)) {
      var spilledResult = result.spilledResult();
      resultCounter.add(spilledResult);
      if (spilledResult.result().isFinding()) {
        kept.add(result);
        cutMessages += spilledResult.resultMessage().cut() ? 1 : 0;
      }
    }
    kept.sort((a, b) -> order.compare(a.spilledResult(), b.spilledResult()));
    for (var result : kept) {
      findings.number(result.pods());
      result.spilledResult().writeTo(findings);
    }
    findings.end();
  }

  public long superseded() {
    return superseded;
  }

  public long mergedIntoControllers() {
    return mergedIntoControllers;
  }

  public long cutMessages() {
    return cutMessages;
  }

  /// Passes on each result of the partition before deduplication, without those of retried pages
  /// and stale reports.
  public void forEach(SpillPartition part, Consumer<SpilledResult> taker) {
    for (var reader = part.reader(); reader.more(); ) {
      var spilledResult = SpilledResult.readFrom(reader);
      if (valid.get(spilledResult.page())
          && !(spilledResult.staleKey() != 0
              && staleReportFilter.isStale(spilledResult.staleKey()))) {
        taker.accept(spilledResult);
      }
    }
  }

  private List<DedupedResult> newest(SpillPartition part) {
    var newest = new HashMap<Identity, SpilledResult>();
    forEach(
        part,
        spilledResult -> {
          var other = newest.putIfAbsent(Identity.of(spilledResult), spilledResult);
          if (other != null) {
            superseded++;
            if (supersedes(spilledResult, other)) {
              newest.put(Identity.of(spilledResult), spilledResult);
            }
          }
        });
    return newest.values().stream().map(DedupedResult::new).toList();
  }

  /// Returns whether the first result is newer or, if both are equally new, worse, so that no
  /// finding is hidden.
  private static boolean supersedes(SpilledResult spilledResult, SpilledResult other) {
    if (spilledResult.time() != other.time()) {
      return spilledResult.time() > other.time();
    }
    if (spilledResult.result() != other.result()) {
      return spilledResult.result().compareTo(other.result()) < 0;
    }
    return spilledResult.resultMessage().text().compareTo(other.resultMessage().text()) < 0;
  }

  /// Merges results into those of their controllers, only if both are equal. A Pod that fails while
  /// its controller passes differs from it, e.g. by an injected sidecar, and remains a separate
  /// finding.
  private void mergeIntoControllers(List<DedupedResult> results) {
    var controllers = new HashMap<Place, ControllerMatcher>();
    for (var result : results) {
      var spilledResult = result.spilledResult();
      var kind = stringTable.text(spilledResult.kind());
      if (ControllerMatcher.isController(kind)) {
        controllers
            .computeIfAbsent(place(spilledResult), _ -> new ControllerMatcher())
            .add(kind, spilledResult.name(), result);
      }
    }
    for (var result : results) {
      deduplicate(result, controllers);
    }
  }

  private void deduplicate(DedupedResult result, Map<Place, ControllerMatcher> controllers) {
    var spilledResult = result.spilledResult();
    var kind = stringTable.text(spilledResult.kind());
    var there = ControllerMatcher.isControlled(kind) ? controllers.get(place(spilledResult)) : null;
    if (there == null) {
      return;
    }
    for (var maker : there.controllersOf(kind, spilledResult.name())) {
      if (maker.spilledResult().result() == spilledResult.result()
          && maker.spilledResult().distinction().equals(spilledResult.distinction())
          && AutogenRuleNames.same(
              stringTable.text(maker.spilledResult().rule()),
              stringTable.text(spilledResult.rule()))) {
        result.mergeInto(maker);
        return;
      }
    }
  }

  private static Place place(SpilledResult spilledResult) {
    return new Place(spilledResult.policy(), spilledResult.namespace());
  }

  /// Returns the sort order of findings: the most severe first, then by policy, namespace, resource
  /// and rule.
  static Comparator<SpilledResult> orderOf(StringTable stringTable, ReportedPolicyTable policies) {
    return Comparator.comparing(SpilledResult::severity)
        .thenComparing(SpilledResult::policy, byPolicy(policies))
        .thenComparing(spilledResult -> stringTable.text(spilledResult.namespace()))
        .thenComparing(spilledResult -> stringTable.text(spilledResult.kind()))
        .thenComparing(SpilledResult::name)
        .thenComparing(spilledResult -> stringTable.text(spilledResult.rule()))
        .thenComparing(SpilledResult::uid)
        .thenComparing(spilledResult -> stringTable.text(spilledResult.apiVersion()))
        .thenComparing(spilledResult -> spilledResult.resultMessage().text())
        .thenComparing(SpilledResult::distinction);
  }

  private static Comparator<Integer> byPolicy(ReportedPolicyTable policies) {
    return Comparator.comparing((Integer number) -> policies.get(number).policy().name())
        .thenComparing(number -> policies.get(number).policy().source());
  }
}
