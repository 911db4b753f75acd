package dev.policysync.report;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// One report as it was read: its fields without `results`, and the parts of its results that are
/// needed.
final class RawReport {
  private static final String KYVERNO = "kyverno";

  /// The maximum length of a name in characters; names in Kubernetes have 253 at most.
  private static final int LONGEST_NAME = 512;

  final Map<String, Value> fields = new LinkedHashMap<>();
  final List<Kept> results = new ArrayList<>();

  /// Whether `results` is not a list, or contains an item that is not an object.
  boolean unreadable;

  /// A result to keep.
  ///
  /// @param raw the whole result
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

  /// Returns a label for error messages: `PolicyReport shop/cart`.
  String label(ReportKind kind) {
    var name = metadata().text("name").orElse("without a name");
    return kind.kind() + " " + (namespace().isEmpty() ? name : namespace() + "/" + name);
  }

  String namespace() {
    return metadata().text("namespace").orElse("");
  }

  /// Returns the resource that the whole report is about; name and uid are empty if the report has
  /// no scope.
  Resource scope() {
    return fields.get("scope") instanceof Value.Mapping scope
        ? RawResult.resource(scope)
        : new Resource("", "", "", "", "");
  }

  /// Returns the source of results that name none.
  String source() {
    return fields.get("source") instanceof Value.Text(var source) ? source : "";
  }

  /// Returns the report's producer: `kyverno`, the label of another producer, or the source of its
  /// results.
  String producer() {
    var label = metadata().mapping("labels").text("app.kubernetes.io/managed-by").orElse("");
    var source = results.isEmpty() ? source() : sourceOf(results.getFirst());
    var name = (label.isEmpty() ? source : label).toLowerCase(Locale.ROOT);
    return name.startsWith(KYVERNO) || name.endsWith("admissionpolicy") ? KYVERNO : name;
  }

  /// Returns whether Kyverno created the result. Kyverno's first releases set no source.
  boolean isFromKyverno(Kept result) {
    var source = sourceOf(result);
    return source.isEmpty()
        ? producer().equals(KYVERNO)
        : !PolicyKind.byResultSource(source).isEmpty();
  }

  String sourceOf(Kept result) {
    return result.source().isEmpty() ? source() : result.source();
  }

  /// Returns when the report was last updated, in nanoseconds since 1970: its creation or its
  /// newest result, whichever is later.
  long time() {
    var time = metadata().text("creationTimestamp").map(RawResult::nanos).orElse(0L);
    for (var result : results) {
      time = Math.max(time, result.time());
    }
    return time;
  }

  /// Returns the resources of a result: those in the result, otherwise the report's scope,
  /// otherwise the report itself, so that people know where to look.
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

  /// Fills in the report's namespace for a resource without one. A Namespace gets none: its results
  /// belong in a cluster-wide report, but older versions wrote them into a report in that
  /// namespace.
  private Resource placed(Resource resource, ReportKind kind) {
    var missing =
        resource.namespace().isEmpty()
            && !kind.isClusterScoped()
            && !resource.kind().equals("Namespace");
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
