package dev.policysync.report;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.report.ResultPartitioner.Grouping;
import java.time.Instant;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The results of certain policies in all reports. Reports are read page by page, and results of
/// other policies are discarded at once. The rest is kept in partitions, one of which is in memory
/// at a time.
final class PolicyResults {
  private final BitSet valid = new BitSet();
  private final StaleReportFilter staleReportFilter = new StaleReportFilter();
  private final StringTable stringTable = new StringTable();
  private final ReportedPolicyTable policies;
  private final ResultPartitioner resultPartitioner;
  private int pages;
  private long reports;
  private long latest;

  private PolicyResults(SpillFile spillFile, Collection<PolicyId> policies, Grouping grouping) {
    var book = new PolicyMetadataIndex();
    policies.forEach(policy -> book.add(policy, Value.Mapping.EMPTY));
    this.policies = new ReportedPolicyTable(book);
    this.resultPartitioner =
        new ResultPartitioner(
            spillFile,
            stringTable,
            this.policies,
            staleReportFilter,
            policy -> policy.id().isPresent(),
            grouping);
  }

  /// Reads all reports.
  ///
  /// @throws dev.policysync.report.CollectionFailed if any report could not be read
  static PolicyResults read(
      ReportSource source, SpillFile spillFile, Collection<PolicyId> policies, Grouping grouping) {
    var results = new PolicyResults(spillFile, policies, grouping);
    source.kinds().reports().entrySet().stream()
        .sorted(Comparator.comparingInt(kind -> StaleReportFilter.ORDER.indexOf(kind.getKey())))
        .forEach(kind -> results.read(source, kind.getKey(), kind.getValue()));
    results.staleReportFilter.settle();
    results.parts().forEach(SpillPartition::end);
    return results;
  }

  private void read(ReportSource source, ReportKind kind, String version) {
    for (var page :
        source.list(kind, version, () -> new ReportPage(kind, pages++, resultPartitioner))) {
      page.requireReadable();
      valid.set(page.number());
      reports += page.reports;
      latest = Math.max(latest, page.latest);
      page.addTo(staleReportFilter);
    }
  }

  /// Returns whether there are reports of any policy.
  boolean anyReports() {
    return reports > 0;
  }

  /// Returns when Kyverno's newest result for any policy was created; empty if no result has a
  /// time.
  Optional<Instant> latest() {
    return latest == 0 ? Optional.empty() : Optional.of(Instant.ofEpochSecond(0, latest));
  }

  List<SpillPartition> parts() {
    return resultPartitioner.parts();
  }

  Deduplicator deduplicator() {
    return new Deduplicator(stringTable, policies, valid, staleReportFilter, new ResultCounter());
  }

  PolicyId policy(SpilledResult spilledResult) {
    return policies.get(spilledResult.policy()).policy().id().orElseThrow();
  }

  /// Returns the rule's name as the report gives it.
  String rule(SpilledResult spilledResult) {
    return stringTable.text(spilledResult.rule());
  }

  Resource resource(SpilledResult spilledResult) {
    return new Resource(
        stringTable.text(spilledResult.apiVersion()),
        stringTable.text(spilledResult.kind()),
        stringTable.text(spilledResult.namespace()),
        spilledResult.name(),
        spilledResult.uid());
  }
}
