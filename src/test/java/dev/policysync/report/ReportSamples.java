package dev.policysync.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.Value;
import dev.policysync.testcluster.Documents;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/// Reports and policies as texts, and what is made of them.
final class ReportSamples {
  private ReportSamples() {}

  /// A report on one resource, as Kyverno writes it since 1.11.
  ///
  /// @param scope `Pod/cart-0/uid-1`
  static String report(String namespace, String scope, String... results) {
    var words = scope.split("/", -1);
    return """
    {"apiVersion":"wgpolicyk8s.io/v1alpha2","kind":"PolicyReport","metadata":{"name":"%2$s",\
    "namespace":"%1$s","uid":"report-%2$s","creationTimestamp":"2026-01-01T00:00:00Z",\
    "labels":{"app.kubernetes.io/managed-by":"kyverno"},"managedFields":[{"manager":"reports-controller",\
    "fieldsV1":{"f:results":{}}}]},"scope":{"apiVersion":"v1","kind":"%3$s","name":"%4$s",\
    "namespace":"%1$s","uid":"%2$s"},"results":[%5$s],"summary":{"fail":1}}\
    """
        .formatted(namespace, words[2], words[0], words[1], String.join(",", results));
  }

  /// A report on nothing in particular, as Kyverno wrote it before.
  static String report(String name, String namespace, List<String> results) {
    return """
    {"apiVersion":"wgpolicyk8s.io/v1alpha2","kind":"PolicyReport","metadata":{"name":"%s",\
    "namespace":"%s","uid":"report-%s"},"results":[%s]}\
    """
        .formatted(name, namespace, name, String.join(",", results));
  }

  /// A result of a rule of a ClusterPolicy.
  static String result(String policy, String rule, String result) {
    return result("kyverno", policy, rule, result, 1000);
  }

  static String result(String source, String policy, String rule, String result, long seconds) {
    return """
    {"source":"%s","policy":"%s","rule":"%s","result":"%s","message":"no %s",\
    "timestamp":{"seconds":%d,"nanos":0}}\
    """
        .formatted(source, policy, rule, result, rule, seconds);
  }

  /// A policy with annotations, given as `title: Team label`.
  static String policy(String name, String annotations) {
    return policy("", name, annotations);
  }

  static String policy(String namespace, String name, String annotations) {
    var words = new StringBuilder();
    for (var line : annotations.split("\n", -1)) {
      if (!line.isBlank()) {
        var colon = line.indexOf(':');
        words
            .append(words.isEmpty() ? "" : ",")
            .append("\"policies.kyverno.io/")
            .append(line, 0, colon)
            .append("\":\"")
            .append(line.substring(colon + 1).strip())
            .append('"');
      }
    }
    return "{\"metadata\":{\"name\":\"%s\"%s,\"managedFields\":[{}],\"annotations\":{%s}},\"spec\":{\"rules\":[]}}"
        .formatted(name, namespace.isEmpty() ? "" : ",\"namespace\":\"" + namespace + "\"", words);
  }

  static CollectedReports collect(FakeReportSource source) {
    return collect(source, UploadContent.AS_THE_GO_AGENT);
  }

  static CollectedReports collect(FakeReportSource source, UploadContent content) {
    return new Collector(source, List.of(Path.of(System.getProperty("java.io.tmpdir"))), content)
        .collect();
  }

  static List<Finding> findings(FakeReportSource source) {
    try (var collectedReports = collect(source);
        var findings = collectedReports.stream()) {
      return findings.toList();
    }
  }

  /// Of the PolicyReports.
  static ReportSizes sizes(Findings findings) {
    return findings.sizes().getOrDefault(ReportKind.POLICY_REPORT, ReportSizes.NONE);
  }

  /// The upload's body.
  static Value.Mapping upload(FakeReportSource source) {
    return upload(source, UploadContent.AS_THE_GO_AGENT);
  }

  static Value.Mapping upload(FakeReportSource source, UploadContent content) {
    try (var collectedReports = collect(source, content)) {
      return Documents.json(text(collectedReports.upload()));
    }
  }

  static String text(UploadBody body) {
    var out = new ByteArrayOutputStream();
    try {
      body.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(UTF_8);
  }

  /// The items of a list of the upload.
  static List<Value.Mapping> items(Value.Mapping parent, String list) {
    return parent.items(list).stream().map(Value.Mapping.class::cast).toList();
  }

  /// The results in a list of the upload's reports.
  static List<Value.Mapping> results(Value.Mapping upload, String list) {
    return items(upload, list).stream()
        .flatMap(report -> items(report, "results").stream())
        .toList();
  }
}
