package dev.policysync.report;

import dev.policysync.policy.kyverno.AutogenRuleNames;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Folds one part after the other: of results with one identity the newest counts, and what a
/// controller and its Pods have in common counts once.
///
/// The identity of a result is (source, policy, rule, resource), the resource by its uid where the
/// report gives one, else by kind, namespace and name. Of another producer than Kyverno it has what
/// else the result says, too: nobody promises that such a producer has one result of a rule.
public final class Deduplicator {
  private final StringTable stringTable;
  private final BitSet valid;
  private final StaleReportFilter staleReportFilter;
  private final ResultCounter resultCounter;
  private final Comparator<SpilledResult> order;
  private long superseded;
  private long ofControllers;
  private long cutMessages;

  /// @param valid the numbers of pages that are part of a list
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

  /// What is in that part, each thing once, in no order.
  public List<DedupedResult> fold(SpillPartition part) {
    var results = newest(part);
    foldIntoControllers(results);
    var folded = results.stream().filter(result -> !result.inAnother()).toList();
    ofControllers += results.size() - folded.size();
    return folded;
  }

  /// Counts what is in that part and writes its findings in their order.
  public void fold(SpillPartition part, SpillPartition findings) {
    var kept = new ArrayList<DedupedResult>();
    for (var result : fold(part)) {
      var spilledResult = result.entry();
      resultCounter.add(spilledResult);
      if (spilledResult.result().isFinding()) {
        kept.add(result);
        cutMessages += spilledResult.resultMessage().cut() ? 1 : 0;
      }
    }
    kept.sort((a, b) -> order.compare(a.entry(), b.entry()));
    for (var result : kept) {
      findings.number(result.pods());
      result.entry().writeTo(findings);
    }
    findings.end();
  }

  public long superseded() {
    return superseded;
  }

  public long ofControllers() {
    return ofControllers;
  }

  public long cutMessages() {
    return cutMessages;
  }

  /// What counts of that part, nothing of it folded: what is part of a list, in no stale report.
  public void forEach(SpillPartition part, Consumer<SpilledResult> taker) {
    for (var reader = part.reader(); reader.more(); ) {
      var spilledResult = SpilledResult.readFrom(reader);
      if (valid.get(spilledResult.page())
          && !(spilledResult.twin() != 0 && staleReportFilter.isStale(spilledResult.twin()))) {
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

  /// The newer one; of two equally new ones the worse, so that nothing is hidden.
  private static boolean supersedes(SpilledResult spilledResult, SpilledResult other) {
    if (spilledResult.time() != other.time()) {
      return spilledResult.time() > other.time();
    }
    if (spilledResult.result() != other.result()) {
      return spilledResult.result().compareTo(other.result()) < 0;
    }
    return spilledResult.resultMessage().text().compareTo(other.resultMessage().text()) < 0;
  }

  /// Only where both say the same: a Pod that fails where its controller passes has something that
  /// the controller has not, such as an injected sidecar, and stays a finding of its own.
  private void foldIntoControllers(List<DedupedResult> results) {
    var controllers = new HashMap<Place, ControllerMatcher>();
    for (var result : results) {
      var spilledResult = result.entry();
      var kind = stringTable.text(spilledResult.kind());
      if (ControllerMatcher.isMaker(kind)) {
        controllers
            .computeIfAbsent(place(spilledResult), _ -> new ControllerMatcher())
            .add(kind, spilledResult.name(), result);
      }
    }
    for (var result : results) {
      fold(result, controllers);
    }
  }

  private void fold(DedupedResult result, Map<Place, ControllerMatcher> controllers) {
    var spilledResult = result.entry();
    var kind = stringTable.text(spilledResult.kind());
    var there = ControllerMatcher.isMade(kind) ? controllers.get(place(spilledResult)) : null;
    if (there == null) {
      return;
    }
    for (var maker : there.makersOf(kind, spilledResult.name())) {
      if (maker.entry().result() == spilledResult.result()
          && maker.entry().distinction().equals(spilledResult.distinction())
          && AutogenRuleNames.same(
              stringTable.text(maker.entry().rule()), stringTable.text(spilledResult.rule()))) {
        result.foldInto(maker);
        return;
      }
    }
  }

  private static Place place(SpilledResult spilledResult) {
    return new Place(spilledResult.policy(), spilledResult.namespace());
  }

  /// The order of findings: the most severe first, then by policy, namespace, resource and rule.
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
