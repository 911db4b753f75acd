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

/// What all reports say of certain policies: they are read page by page, and what is not about
/// those policies is forgotten at once. The results wait in parts, one of which is in memory at a
/// time.
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

  /// Reads all there is.
  ///
  /// @throws dev.policysync.report.CollectionFailed if any of it could not be read
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
      page.noteIn(staleReportFilter);
    }
  }

  /// Whether there are reports at all, of whatever policy.
  boolean anyReports() {
    return reports > 0;
  }

  /// When the newest result of Kyverno was made, of whatever policy; empty where none has a time.
  Optional<Instant> latest() {
    return latest == 0 ? Optional.empty() : Optional.of(Instant.ofEpochSecond(0, latest));
  }

  List<SpillPartition> parts() {
    return resultPartitioner.parts();
  }

  /// What tells which results of a part count.
  Deduplicator deduplicator() {
    return new Deduplicator(stringTable, policies, valid, staleReportFilter, new ResultCounter());
  }

  PolicyId policy(SpilledResult spilledResult) {
    return policies.get(spilledResult.policy()).policy().id().orElseThrow();
  }

  /// As the report has it.
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
