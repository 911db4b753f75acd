package dev.policysync.report;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// A report as it is uploaded: a `PolicyReport` or `ClusterPolicyReport` of
/// `wgpolicyk8s.io/v1alpha2` with some of its results, each with the title and description of its
/// policy where [UploadContent] says so. It has only fields of that version, each once and of its
/// type. A field of another type is repaired if its meaning is clear, otherwise left out.
final class UploadedReport {
  private static final String VERSION = "wgpolicyk8s.io/v1alpha2";

  private final RawReport report;
  private final ReportKind kind;
  private final UploadContent content;

  private UploadedReport(RawReport report, ReportKind kind, UploadContent content) {
    this.report = report;
    this.kind = kind;
    this.content = content;
  }

  /// Returns the report as JSON text.
  ///
  /// @param results the results to upload
  /// @param policy returns the policy of a result
  static String json(
      RawReport report,
      List<RawReport.Kept> results,
      ReportKind kind,
      UploadContent content,
      Function<RawReport.Kept, ReportedPolicy> policy) {
    var uploaded = new UploadedReport(report, kind, content);
    var fields = uploaded.head();
    var items = new ArrayList<Value>();
    results.forEach(result -> items.add(uploaded.result(result, policy.apply(result))));
    fields.put("results", new Value.Sequence(items));
    return Json.write(new Value.Mapping(fields));
  }

  private Map<String, Value> head() {
    var fields = new LinkedHashMap<String, Value>();
    text(fields, "apiVersion", VERSION);
    text(fields, "kind", kind.isClusterScoped() ? "ClusterPolicyReport" : "PolicyReport");
    fields.put("metadata", metadata(report.metadata()));
    if (report.fields.get("scope") instanceof Value.Mapping scope) {
      fields.put("scope", texts(scope));
    }
    if (report.fields.get("scopeSelector") instanceof Value.Mapping selector) {
      fields.put("scopeSelector", selector);
    }
    if (report.fields.get("summary") instanceof Value.Mapping summary) {
      fields.put("summary", counts(summary));
    }
    return fields;
  }

  private static Value.Mapping metadata(Value.Mapping metadata) {
    var fields = metadata;
    for (var name : List.of("labels", "annotations")) {
      fields =
          fields.fields().get(name) instanceof Value.Mapping map
              ? fields.with(name, texts(map))
              : fields.without(name);
    }
    return fields;
  }

  private Value.Mapping result(RawReport.Kept result, ReportedPolicy policy) {
    var raw = result.raw();
    var fields = new LinkedHashMap<String, Value>();
    text(fields, "source", report.sourceOf(result));
    text(fields, "policy", raw.policy());
    text(fields, "rule", raw.rule());
    text(fields, "result", result.result().toString());
    severity(result.severity()).ifPresent(severity -> text(fields, "severity", severity));
    text(fields, "category", result.category());
    var message = raw.message();
    text(fields, "message", message.cut() ? message.text() + " [cut]" : message.text());
    if (raw.fields().fields().get("scored") instanceof Value.Bool scored) {
      fields.put("scored", scored);
    }
    if (raw.fields().fields().get("properties") instanceof Value.Mapping properties) {
      fields.put("properties", texts(properties));
    }
    references(raw.fields()).ifPresent(references -> fields.put("resources", references));
    if (raw.fields().fields().get("resourceSelector") instanceof Value.Mapping selector) {
      fields.put("resourceSelector", selector);
    }
    if (result.time() > 0) {
      fields.put("timestamp", timestamp(result.time()));
    }
    if (content.hasTitles(kind)) {
      text(fields, "policyTitle", content.title(policy));
      fields.put("policyDescription", new Value.Text(policy.description()));
    }
    return new Value.Mapping(fields);
  }

  /// Returns a severity of this version in lower case; Kyverno ignores case in its annotation.
  private static Optional<String> severity(String text) {
    return text.strip().equalsIgnoreCase("info")
        ? Optional.of("info")
        : Severity.of(text).filter(severity -> severity != Severity.NONE).map(Severity::toString);
  }

  private static Optional<Value> references(Value.Mapping raw) {
    var references = new ArrayList<Value>();
    for (var item : raw.items("resources")) {
      if (item instanceof Value.Mapping reference) {
        references.add(texts(reference));
      }
    }
    return references.isEmpty() ? Optional.empty() : Optional.of(new Value.Sequence(references));
  }

  private static Value.Mapping timestamp(long nanos) {
    var fields = new LinkedHashMap<String, Value>();
    fields.put("seconds", new Value.Numeric(Long.toString(nanos / 1_000_000_000)));
    fields.put("nanos", new Value.Numeric(Long.toString(nanos % 1_000_000_000)));
    return new Value.Mapping(fields);
  }

  /// Keeps scalar values as texts: a number or boolean is a text whose quotes were forgotten.
  private static Value.Mapping texts(Value.Mapping map) {
    var fields = new LinkedHashMap<String, Value>();
    map.fields()
        .forEach((name, value) -> {
          switch (value) {
            case Value.Text text -> fields.put(name, text);
            case Value.Numeric(var literal) -> fields.put(name, new Value.Text(literal));
            case Value.Bool(var flag) -> fields.put(name, new Value.Text(Boolean.toString(flag)));
            case Value.Mapping _, Value.Sequence _, Value.Null() -> {}
          }
        });
    return new Value.Mapping(fields);
  }

  private static Value.Mapping counts(Value.Mapping map) {
    var fields = new LinkedHashMap<String, Value>();
    map.fields()
        .forEach((name, value) -> {
          if (value instanceof Value.Numeric(var literal) && literal.matches("\\d{1,18}")) {
            fields.put(name, value);
          }
        });
    return new Value.Mapping(fields);
  }

  /// Sets a field, unless the text is empty.
  private static void text(Map<String, Value> fields, String name, String text) {
    if (!text.isEmpty()) {
      fields.put(name, new Value.Text(text));
    }
  }
}
