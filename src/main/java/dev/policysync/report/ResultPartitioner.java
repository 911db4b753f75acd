package dev.policysync.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/// Distributes the results of complete reports. Each result goes into the partition of all results
/// that it may be merged with. The uploaded part of the report goes into the upload's lists.
final class ResultPartitioner {
  /// The number of partitions. In a cluster with 600,000 results, each has about 600, so few that
  /// their objects become garbage before the garbage collector promotes them.
  private static final int PARTS = 1024;

  private static final String VALIDATING_ADMISSION_POLICY = "validatingadmissionpolicy";

  private final List<SpillPartition> parts = new ArrayList<>();
  private final StringTable stringTable;
  private final ReportedPolicyTable policies;
  private final StaleReportFilter staleReportFilter;
  private final Optional<UploadLists> upload;
  private final Predicate<ReportedPolicy> wanted;
  private final Grouping grouping;

  /// Which results go into the same partition.
  public enum Grouping {
    /// Results of one policy for a controller and the objects that it creates, which may be merged.
    BY_CONTROLLER,
    /// Results of all policies for one resource.
    BY_RESOURCE
  }

  /// Creates a partitioner for results that are also uploaded.
  ///
  /// @param wanted selects the policies whose results are kept
  public ResultPartitioner(
      SpillFile spillFile,
      StringTable stringTable,
      ReportedPolicyTable policies,
      StaleReportFilter staleReportFilter,
      Predicate<ReportedPolicy> wanted,
      UploadLists uploadLists) {
    this(
        spillFile,
        stringTable,
        policies,
        staleReportFilter,
        Optional.of(uploadLists),
        wanted,
        Grouping.BY_CONTROLLER);
  }

  /// Creates a partitioner for results of some policies, which are not uploaded.
  ///
  /// @param wanted selects the policies whose results are kept
  public ResultPartitioner(
      SpillFile spillFile,
      StringTable stringTable,
      ReportedPolicyTable policies,
      StaleReportFilter staleReportFilter,
      Predicate<ReportedPolicy> wanted,
      Grouping grouping) {
    this(spillFile, stringTable, policies, staleReportFilter, Optional.empty(), wanted, grouping);
  }

  private ResultPartitioner(
      SpillFile spillFile,
      StringTable stringTable,
      ReportedPolicyTable policies,
      StaleReportFilter staleReportFilter,
      Optional<UploadLists> upload,
      Predicate<ReportedPolicy> wanted,
      Grouping grouping) {
    this.stringTable = stringTable;
    this.policies = policies;
    this.staleReportFilter = staleReportFilter;
    this.upload = upload;
    this.wanted = wanted;
    this.grouping = grouping;
    for (var i = 0; i < PARTS; i++) {
      parts.add(spillFile.createPartition());
    }
  }

  public List<SpillPartition> parts() {
    return parts;
  }

  void take(RawReport report, ReportPage page) {
    var key = twin(report, page);
    if (key == STALE) {
      page.staleReports++;
      return;
    }
    for (var result : report.results) {
      for (var resource : report.resourcesOf(result, page.kind())) {
        entry(report, result, resource, page, key);
      }
    }
    upload.ifPresent(lists -> upload(report, page, key, lists));
  }

  private static final long STALE = -1;

  /// Returns the key by which a later report may show that this one is stale; 0 if none can,
  /// `STALE` if it is stale already.
  private long twin(RawReport report, ReportPage page) {
    var uid = report.scope().uid();
    if (uid.isEmpty()) {
      return 0;
    }
    var key = StaleReportFilter.key(uid, report.producer());
    if (page.kind().isOpenReports()) {
      page.openReports.add(key).add(report.time());
      return key;
    }
    return switch (staleReportFilter.compare(key, report.time())) {
      case ALONE -> 0;
      case STALE -> STALE;
      case NEWER -> {
        page.newer.add(key);
        yield 0;
      }
    };
  }

  private void entry(
      RawReport report, RawReport.Kept result, Resource resource, ReportPage page, long twin) {
    var policy = policies.number(report.sourceOf(result), result.policy(), resource.namespace());
    var known = policies.get(policy);
    if (known.ofKyverno()) {
      page.latest = Math.max(page.latest, result.time());
    }
    if (!wanted.test(known.policy())) {
      return;
    }
    var spilledResult =
        new SpilledResult(
            page.number(),
            twin,
            policy,
            stringTable.number(result.rule()),
            result.result(),
            known.severity().or(() -> Severity.of(result.severity())).orElse(Severity.UNRATED),
            known.category().orElseGet(() -> Category.of(result.category())),
            result.time(),
            stringTable.number(resource.apiVersion()),
            stringTable.number(resource.kind()),
            stringTable.number(resource.namespace()),
            resource.name(),
            resource.uid(),
            report.isFromKyverno(result) ? "" : result.raw().distinction(),
            result.resultMessage());
    spilledResult.writeTo(parts.get(part(spilledResult)));
  }

  private int part(SpilledResult spilledResult) {
    var hash =
        switch (grouping) {
          case BY_CONTROLLER ->
              hash(spilledResult.policy(), spilledResult.namespace(), word(spilledResult.name()));
          case BY_RESOURCE ->
              hash(spilledResult.kind(), spilledResult.namespace(), spilledResult.name());
        };
    return ((hash ^ (hash >>> 15)) * 0x2c1b3c6d) >>> 22;
  }

  private static int hash(int first, int second, String text) {
    return (first * 31 + second) * 31 + text.hashCode();
  }

  /// Returns the first word of the name. A controller and its Pods have that word in common, and so
  /// go into the same partition.
  private static String word(String name) {
    var dash = name.indexOf('-');
    return name.substring(
        0, Math.min(dash < 0 ? name.length() : dash, ControllerMatcher.LONGEST / 2));
  }

  /// Adds the report to the upload. No result goes into two lists, because the API would create two
  /// action items.
  private void upload(RawReport report, ReportPage page, long twin, UploadLists uploadLists) {
    var findings = new ArrayList<RawReport.Kept>();
    var admission = new ArrayList<RawReport.Kept>();
    for (var result : report.results) {
      if (uploadLists.content().results().contains(result.result())) {
        findings.add(result);
      } else if (!page.kind().isClusterScoped()
          && report.sourceOf(result).toLowerCase(Locale.ROOT).equals(VALIDATING_ADMISSION_POLICY)) {
        admission.add(result);
      }
    }
    var items =
        page.kind().isClusterScoped()
            ? uploadLists.clusterPolicyReports()
            : uploadLists.policyReports();
    var content = uploadLists.content();
    add(items, report, findings, page, twin, content);
    add(uploadLists.validatingAdmissionPolicyReports(), report, admission, page, twin, content);
  }

  private void add(
      UploadItems items,
      RawReport report,
      List<RawReport.Kept> results,
      ReportPage page,
      long twin,
      UploadContent content) {
    results.removeIf(result -> !wanted.test(policy(report, result, page.kind())));
    if (!results.isEmpty()) {
      items.add(
          page.number(),
          twin,
          UploadedReport.json(
              report,
              results,
              page.kind(),
              content,
              result -> policy(report, result, page.kind())));
    }
  }

  private ReportedPolicy policy(RawReport report, RawReport.Kept result, ReportKind kind) {
    var namespace = report.resourcesOf(result, kind).getFirst().namespace();
    return policies
        .get(policies.number(report.sourceOf(result), result.policy(), namespace))
        .policy();
  }
}
