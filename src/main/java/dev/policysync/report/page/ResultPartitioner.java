package dev.policysync.report.page;

import dev.policysync.json.CanonicalJson;
import dev.policysync.json.Json;
import dev.policysync.json.Value;
import dev.policysync.report.dedup.ControllerMatcher;
import dev.policysync.report.dedup.ReportedPolicyTable;
import dev.policysync.report.dedup.SpilledResult;
import dev.policysync.report.dedup.StaleReportFilter;
import dev.policysync.report.dedup.StringTable;
import dev.policysync.report.finding.Category;
import dev.policysync.report.finding.ReportedPolicy;
import dev.policysync.report.finding.Resource;
import dev.policysync.report.finding.Severity;
import dev.policysync.report.spill.SpillFile;
import dev.policysync.report.spill.SpillPartition;
import dev.policysync.report.upload.UploadLists;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/// Takes complete reports apart: each result on each resource into the part where everything stands
/// that it can be folded with, and what the API is to see of the report into the upload's lists.
public final class ResultPartitioner {
  /// Of a cluster with 600,000 results each holds 600: so few that they are garbage before the
  /// collector thinks them old.
  private static final int PARTS = 1024;

  private static final String VALIDATING_ADMISSION_POLICY = "validatingadmissionpolicy";

  private final List<SpillPartition> parts = new ArrayList<>();
  private final StringTable stringTable;
  private final ReportedPolicyTable policies;
  private final StaleReportFilter staleReportFilter;
  private final Optional<UploadLists> upload;
  private final Predicate<ReportedPolicy> wanted;

  public ResultPartitioner(
      SpillFile spillFile,
      StringTable stringTable,
      ReportedPolicyTable policies,
      StaleReportFilter staleReportFilter,
      UploadLists uploadLists) {
    this(spillFile, stringTable, policies, staleReportFilter, Optional.of(uploadLists), _ -> true);
  }

  /// @param upload nothing where the API is to see nothing of it
  /// @param wanted whose results are taken
  public ResultPartitioner(
      SpillFile spillFile,
      StringTable stringTable,
      ReportedPolicyTable policies,
      StaleReportFilter staleReportFilter,
      Optional<UploadLists> upload,
      Predicate<ReportedPolicy> wanted) {
    this.stringTable = stringTable;
    this.policies = policies;
    this.staleReportFilter = staleReportFilter;
    this.upload = upload;
    this.wanted = wanted;
    for (var i = 0; i < PARTS; i++) {
      parts.add(spillFile.strand());
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

  /// The key by which the report may turn out stale, 0 where it cannot; or that it is.
  private long twin(RawReport report, ReportPage page) {
    var uid = report.scope().uid();
    if (uid.isEmpty()) {
      return 0;
    }
    var key = StaleReportFilter.key(uid, report.producer());
    if (page.kind().open()) {
      page.open.add(key).add(report.time());
      return key;
    }
    return switch (staleReportFilter.of(key, report.time())) {
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
            result.resultMessage());
    spilledResult.writeTo(parts.get(part(policy, spilledResult.namespace(), resource.name())));
  }

  /// A controller and its Pods begin with the same word, so they meet in the same part; so does a
  /// resource with itself.
  private static int part(int policy, int namespace, String name) {
    var dash = name.indexOf('-');
    var word =
        name.substring(0, Math.min(dash < 0 ? name.length() : dash, ControllerMatcher.LONGEST / 2));
    var hash = (policy * 31 + namespace) * 31 + word.hashCode();
    return ((hash ^ (hash >>> 15)) * 0x2c1b3c6d) >>> 22;
  }

  private void upload(RawReport report, ReportPage page, long twin, UploadLists uploadLists) {
    var findings = new ArrayList<RawReport.Kept>();
    var admission = new ArrayList<RawReport.Kept>();
    for (var result : report.results) {
      if (result.result().isFinding()) {
        findings.add(result);
      }
      if (!page.kind().ofCluster()
          && report.sourceOf(result).toLowerCase(Locale.ROOT).equals(VALIDATING_ADMISSION_POLICY)) {
        admission.add(result);
      }
    }
    if (!findings.isEmpty()) {
      var items =
          page.kind().ofCluster()
              ? uploadLists.clusterPolicyReports()
              : uploadLists.policyReports();
      items.add(page.number(), twin, json(report, findings, page));
    }
    if (!admission.isEmpty()) {
      uploadLists
          .validatingAdmissionPolicyReports()
          .add(page.number(), twin, json(report, admission, page));
    }
  }

  /// The report as the API knows it, with these of its results and each with its policy's title.
  private String json(RawReport report, List<RawReport.Kept> results, ReportPage page) {
    var fields = new LinkedHashMap<String, Value>();
    fields.put("apiVersion", new Value.Text("wgpolicyk8s.io/v1alpha2"));
    fields.put(
        "kind", new Value.Text(page.kind().ofCluster() ? "ClusterPolicyReport" : "PolicyReport"));
    for (var name : List.of("metadata", "scope", "scopeSelector", "summary")) {
      var value = report.fields.get(name);
      if (value instanceof Value.Mapping) {
        fields.put(name, value);
      }
    }
    var json = new StringBuilder(Json.write(new Value.Mapping(fields)));
    json.setLength(json.length() - 1);
    json.append(",\"results\":");
    var separator = '[';
    for (var result : results) {
      json.append(separator).append(result.json());
      separator = ',';
      if (result.source().isEmpty() && !report.source().isEmpty()) {
        field(json, "source", report.source());
      }
      var policy =
          policies
              .get(
                  policies.number(
                      report.sourceOf(result), result.policy(), namespace(report, result, page)))
              .policy();
      field(json, "policyTitle", policy.title());
      field(json, "policyDescription", policy.description());
      json.append('}');
    }
    return json.append("]}").toString();
  }

  private static String namespace(RawReport report, RawReport.Kept result, ReportPage page) {
    return report.resourcesOf(result, page.kind()).getFirst().namespace();
  }

  private static void field(StringBuilder json, String name, String text) {
    json.append(",\"").append(name).append("\":").append(CanonicalJson.write(new Value.Text(text)));
  }
}
