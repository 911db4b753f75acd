package dev.policysync.report;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.KyvernoVersion;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Reads all policies and policy reports of a cluster and deduplicates the results.
///
/// Policies are read first, for their titles. Then come the reports in openreports.io, so that
/// older reports on the same resources in wgpolicyk8s.io can be recognized as stale. Every list is
/// read page by page into a temporary file and deduplicated in partitions, so memory usage does not
/// grow with the number of reports.
public final class Collector {
  private final ReportSource source;
  private final List<Path> folders;
  private final UploadContent uploadContent;

  /// @param folders candidate directories for the temporary file, the best first; the file is
  ///   slightly larger than the upload
  public Collector(ReportSource source, List<Path> folders, UploadContent uploadContent) {
    this.source = source;
    this.folders = List.copyOf(folders);
    this.uploadContent = uploadContent;
  }

  /// @throws CollectionFailed if anything could not be read
  public CollectedReports collect() {
    var spillFile = SpillFile.in(folders);
    try {
      return new Run(spillFile).collect();
    } catch (RuntimeException e) {
      spillFile.close();
      throw e;
    }
  }

  private final class Run {
    private final SpillFile spillFile;
    private final BitSet validPages = new BitSet();
    private final Map<ReportKind, ReportSizes> sizes = new EnumMap<>(ReportKind.class);
    private final StaleReportFilter staleReportFilter = new StaleReportFilter();
    private final StringTable stringTable = new StringTable();
    private final List<PolicyId> backgroundPolicies = new ArrayList<>();
    private final List<PolicyId> successors = new ArrayList<>();
    private final Set<PolicyId> rehearsals = new HashSet<>();
    private final UploadLists uploadLists;
    private int pages;
    private long staleReports;
    private long withoutPolicy;
    private long unknownResults;
    private long unknownSeverities;
    private long malformed;

    Run(SpillFile spillFile) {
      this.spillFile = spillFile;
      this.uploadLists = UploadLists.in(spillFile, uploadContent);
    }

    CollectedReports collect() {
      var kinds = source.kinds();
      var policies = new ReportedPolicyTable(policies(kinds.policies()));
      var resultPartitioner =
          new ResultPartitioner(
              spillFile, stringTable, policies, staleReportFilter, this::isCounted, uploadLists);
      for (var kind : StaleReportFilter.ORDER) {
        var version = kinds.reports().get(kind);
        if (version != null) {
          reports(kind, version, resultPartitioner);
        }
      }
      staleReportFilter.settle();
      uploadLists.end();
      var kyverno = source.kyvernoVersion();
      return fold(
          resultPartitioner,
          policies,
          new CollectedReports.Body(kyverno.orElse(""), uploadLists, validPages, staleReportFilter),
          new VanishedResults(
              kyverno.flatMap(KyvernoVersion::parse),
              source.kyvernoMayBeInstalled(),
              backgroundPolicies,
              successors,
              policies.ids(),
              policies.haveLegacyResults(),
              sizes.values().stream().mapToLong(ReportSizes::reports).sum()));
    }

    private PolicyMetadataIndex policies(Map<PolicyKind, String> versions) {
      var book = new PolicyMetadataIndex();
      for (var kind : PolicyMetadataIndex.KINDS) {
        var version = versions.get(kind);
        if (version == null) {
          continue;
        }
        var whole = uploadListOf(kind);
        var read =
            source.list(
                kind,
                version,
                whole.isPresent() || kind.endsWithKyverno119()
                    ? ReportSource.Extent.WHOLE
                    : ReportSource.Extent.METADATA,
                () -> new PolicyPage(kind, version, pages++, whole));
        read.forEach(page -> {
          validPages.set(page.number());
          page.addTo(book);
          backgroundPolicies.addAll(page.backgroundPolicies());
          successors.addAll(page.successors());
          rehearsals.addAll(page.rehearsing());
        });
      }
      return book;
    }

    /// Returns whether results of the policy count. A rehearsing successor reports the same results
    /// as its original, so its results do not count.
    private boolean isCounted(ReportedPolicy policy) {
      return policy.id().filter(rehearsals::contains).isEmpty();
    }

    /// Returns the upload list that the objects of this kind go to; empty if the kind is not
    /// uploaded.
    private Optional<UploadItems> uploadListOf(PolicyKind kind) {
      return switch (kind.type()) {
        case RULES ->
            kind.namespaced() ? Optional.empty() : Optional.of(uploadLists.clusterPolicies());
        case VALIDATING_ADMISSION -> Optional.of(uploadLists.validatingAdmissionPolicies());
        case CLEANUP,
            VALIDATING,
            IMAGE_VALIDATING,
            MUTATING,
            GENERATING,
            DELETING,
            MUTATING_ADMISSION,
            VALIDATING_BINDING,
            MUTATING_BINDING,
            RULE_EXCEPTION,
            CEL_POLICY_EXCEPTION,
            CONTEXT_ENTRY ->
            Optional.empty();
      };
    }

    private void reports(ReportKind kind, String version, ResultPartitioner resultPartitioner) {
      var read = source.list(kind, version, () -> new ReportPage(kind, pages++, resultPartitioner));
      var size = ReportSizes.NONE;
      for (var page : read) {
        page.requireReadable();
        validPages.set(page.number());
        size = size.plus(page.sizes());
        page.addTo(staleReportFilter);
        staleReports += page.staleReports;
        withoutPolicy += page.withoutPolicy;
        unknownResults += page.unknownResults;
        unknownSeverities += page.unknownSeverities;
        malformed += page.malformed;
      }
      sizes.put(kind, size);
    }

    private CollectedReports fold(
        ResultPartitioner resultPartitioner,
        ReportedPolicyTable policies,
        CollectedReports.Body body,
        VanishedResults vanishedResults) {
      resultPartitioner.parts().forEach(SpillPartition::end);
      var resultCounter = new ResultCounter();
      var deduplicator =
          new Deduplicator(stringTable, policies, validPages, staleReportFilter, resultCounter);
      var findings = new ArrayList<SpillPartition>();
      for (var part : resultPartitioner.parts()) {
        var spillPartition = spillFile.createPartition();
        deduplicator.deduplicate(part, spillPartition);
        findings.add(spillPartition);
      }
      return new CollectedReports(
          spillFile,
          stringTable,
          policies,
          findings,
          resultCounter.totals(stringTable, policies),
          new CollectionStatistics(
              staleReports + staleReportFilter.stale(),
              deduplicator.superseded(),
              deduplicator.mergedIntoControllers(),
              withoutPolicy,
              unknownResults,
              unknownSeverities,
              malformed,
              deduplicator.cutMessages()),
          sizes,
          body,
          vanishedResults);
    }
  }
}
