package dev.policysync.cli.sync;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.policysync.plan.impact.ImpactReason;
import dev.policysync.sync.analysis.WriteImpact;
import java.io.IOException;
import java.util.List;

/// The list `impact` of the summary: the changes that affect which requests are blocked.
final class ImpactJson {
  private ImpactJson() {}

  static void write(JsonGenerator json, List<WriteImpact> impact) throws IOException {
    json.writeArrayFieldStart("impact");
    for (var writeImpact : impact) {
      json.writeStartObject();
      json.writeStringField("policy", writeImpact.impact().policy().toString());
      json.writeStringField("effect", writeImpact.impact().effect());
      json.writeArrayFieldStart("reasons");
      for (var impactReason : writeImpact.impact().reasons()) {
        reason(json, impactReason);
      }
      json.writeEndArray();
      failing(json, writeImpact);
      if (writeImpact.noData().isPresent()) {
        json.writeStringField("noReportData", writeImpact.noData().get());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void reason(JsonGenerator json, ImpactReason impactReason) throws IOException {
    json.writeStartObject();
    json.writeStringField("effect", impactReason.direction().toString());
    if (impactReason.rule().isPresent()) {
      json.writeStringField("rule", impactReason.rule().get());
    }
    json.writeStringField("text", impactReason.text());
    json.writeEndObject();
  }

  /// Writes the failing workloads. The field is absent if nothing was counted, because a zero would
  /// mean that no workload fails.
  private static void failing(JsonGenerator json, WriteImpact writeImpact) throws IOException {
    if (writeImpact.failing().isEmpty()) {
      return;
    }
    var violations = writeImpact.failing().get();
    json.writeObjectFieldStart("failing");
    json.writeNumberField("workloads", violations.workloads());
    json.writeObjectFieldStart("namespaces");
    for (var namespace : violations.namespaces().entrySet()) {
      json.writeNumberField(namespace.getKey(), namespace.getValue());
    }
    json.writeEndObject();
    json.writeArrayFieldStart("names");
    for (var name : violations.names()) {
      json.writeString(name);
    }
    json.writeEndArray();
    json.writeBooleanField("complete", writeImpact.impact().covered());
    if (writeImpact.age().isPresent()) {
      json.writeNumberField("newestResultSeconds", writeImpact.age().get().toSeconds());
    }
    json.writeEndObject();
  }
}
