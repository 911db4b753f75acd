package dev.policysync.report;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// One report as it was read: everything but its results, and of those what is needed.
final class RawReport {
  private static final String KYVERNO = "kyverno";

  /// How many characters of a name count: names in Kubernetes have 253 at most.
  private static final int LONGEST_NAME = 512;

  final Map<String, Value> fields = new LinkedHashMap<>();
  final List<Kept> results = new ArrayList<>();

  /// Whether its results, or one of them, have a form that says nothing.
  boolean unreadable;

  /// A result that counts.
  ///
  /// @param raw the whole of it
  record Kept(
      String policy,
      String rule,
      String source,
      ReportResult result,
      String severity,
      String category,
      ResultMessage resultMessage,
      long time,
      List<Resource> resources,
      RawResult raw) {}

  Value.Mapping metadata() {
    return fields.get("metadata") instanceof Value.Mapping metadata
        ? metadata
        : Value.Mapping.EMPTY;
  }

  /// `PolicyReport shop/cart`.
  String label(ReportKind kind) {
    var name = metadata().text("name").orElse("without a name");
    return kind.kind() + " " + (namespace().isEmpty() ? name : namespace() + "/" + name);
  }

  String namespace() {
    return metadata().text("namespace").orElse("");
  }

  /// What the whole report is about; without a name and uid where it does not say.
  Resource scope() {
    return fields.get("scope") instanceof Value.Mapping scope
        ? RawResult.resource(scope)
        : new Resource("", "", "", "", "");
  }

  /// The source of results that name none.
  String source() {
    return fields.get("source") instanceof Value.Text(var source) ? source : "";
  }

  /// Who wrote it: `kyverno`, another producer's label, or the source of its results.
  String producer() {
    var label = metadata().mapping("labels").text("app.kubernetes.io/managed-by").orElse("");
    var source = results.isEmpty() ? source() : sourceOf(results.getFirst());
    var name = (label.isEmpty() ? source : label).toLowerCase(Locale.ROOT);
    return name.startsWith(KYVERNO) || name.endsWith("admissionpolicy") ? KYVERNO : name;
  }

  /// Whether Kyverno made that result. Its first releases named no source.
  boolean isOfKyverno(Kept result) {
    var source = sourceOf(result);
    return source.isEmpty() ? producer().equals(KYVERNO) : !PolicyKind.reporting(source).isEmpty();
  }

  String sourceOf(Kept result) {
    return result.source().isEmpty() ? source() : result.source();
  }

  /// When it was last brought up to date, in nanoseconds since 1970: its creation or the newest of
  /// its results.
  long time() {
    var time = metadata().text("creationTimestamp").map(RawResult::nanos).orElse(0L);
    for (var result : results) {
      time = Math.max(time, result.time());
    }
    return time;
  }

  /// What one of its results is about: what the result names, else the report's scope, else the
  /// report itself, where somebody can look.
  List<Resource> resourcesOf(Kept result, ReportKind kind) {
    if (!result.resources().isEmpty()) {
      return result.resources().stream().map(r -> placed(r, kind)).toList();
    }
    var scope = scope();
    return List.of(
        scope.name().isEmpty() && scope.uid().isEmpty()
            ? new Resource(
                fields.get("apiVersion") instanceof Value.Text(var version)
                    ? version
                    : kind.group(),
                kind.kind(),
                namespace(),
                metadata().text("name").orElse(""),
                metadata().text("uid").orElse(""))
            : placed(scope, kind));
  }

  /// Without a namespace of its own it is in that of the report, where that is in one. A Namespace
  /// is not: its report is a cluster's, but older versions had it in the namespace's.
  private Resource placed(Resource resource, ReportKind kind) {
    var missing =
        resource.namespace().isEmpty() && !kind.ofCluster() && !resource.kind().equals("Namespace");
    return new Resource(
        cut(resource.apiVersion()),
        cut(resource.kind()),
        missing ? namespace() : cut(resource.namespace()),
        cut(resource.name()),
        cut(resource.uid()));
  }

  static String cut(String name) {
    return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME);
  }
}
