package dev.policysync.report;

import dev.policysync.yaml.CanonicalJson;
import dev.policysync.yaml.Json;
import dev.policysync.yaml.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/// Takes complete reports apart: each result on each resource into the part where everything stands
/// that it can be folded with, and what the API is to see of the report into the upload's lists.
final class Intake {
  /// Of a cluster with 600,000 results each holds 600: so few that they are garbage before the
  /// collector thinks them old.
  private static final int PARTS = 1024;

  private static final String VALIDATING_ADMISSION_POLICY = "validatingadmissionpolicy";

  private final List<Strand> parts = new ArrayList<>();
  private final Names names;
  private final ReportedPolicies policies;
  private final Twins twins;
  private final Optional<Upload> upload;
  private final Predicate<ReportedPolicy> wanted;

  Intake(Spool spool, Names names, ReportedPolicies policies, Twins twins, Upload upload) {
    this(spool, names, policies, twins, Optional.of(upload), _ -> true);
  }

  /// @param upload nothing where the API is to see nothing of it
  /// @param wanted whose results are taken
  Intake(
      Spool spool,
      Names names,
      ReportedPolicies policies,
      Twins twins,
      Optional<Upload> upload,
      Predicate<ReportedPolicy> wanted) {
    this.names = names;
    this.policies = policies;
    this.twins = twins;
    this.upload = upload;
    this.wanted = wanted;
    for (var i = 0; i < PARTS; i++) {
      parts.add(spool.strand());
    }
  }

  List<Strand> parts() {
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
    var key = Twins.key(uid, report.producer());
    if (page.kind().open()) {
      page.keys.add(key);
      page.times.add(report.time());
      return key;
    }
    return switch (twins.of(key, report.time())) {
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
    var entry =
        new Entry(
            page.number(),
            twin,
            policy,
            names.number(result.rule()),
            result.result(),
            known.severity().or(() -> Severity.of(result.severity())).orElse(Severity.UNRATED),
            known.category().orElseGet(() -> Category.of(result.category())),
            result.time(),
            names.number(resource.apiVersion()),
            names.number(resource.kind()),
            names.number(resource.namespace()),
            resource.name(),
            resource.uid(),
            result.message());
    entry.writeTo(parts.get(part(policy, entry.namespace(), resource.name())));
  }

  /// A controller and its Pods begin with the same word, so they meet in the same part; so does a
  /// resource with itself.
  private static int part(int policy, int namespace, String name) {
    var dash = name.indexOf('-');
    var word =
        name.substring(0, Math.min(dash < 0 ? name.length() : dash, Controllers.LONGEST / 2));
    var hash = (policy * 31 + namespace) * 31 + word.hashCode();
    return ((hash ^ (hash >>> 15)) * 0x2c1b3c6d) >>> 22;
  }

  private void upload(RawReport report, ReportPage page, long twin, Upload upload) {
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
      var items = page.kind().ofCluster() ? upload.clusterPolicyReports() : upload.policyReports();
      items.add(page.number(), twin, json(report, findings, page));
    }
    if (!admission.isEmpty()) {
      upload
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
