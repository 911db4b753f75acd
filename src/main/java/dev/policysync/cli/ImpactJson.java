package dev.policysync.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.policysync.impact.Reason;
import dev.policysync.sync.Foreseen;
import java.io.IOException;
import java.util.List;

/// The list `impact` of the summary: what changes what is blocked.
final class ImpactJson {
  private ImpactJson() {}

  static void write(JsonGenerator json, List<Foreseen> impact) throws IOException {
    json.writeArrayFieldStart("impact");
    for (var foreseen : impact) {
      json.writeStartObject();
      json.writeStringField("policy", foreseen.impact().policy().toString());
      json.writeStringField("effect", foreseen.impact().effect());
      json.writeArrayFieldStart("reasons");
      for (var reason : foreseen.impact().reasons()) {
        reason(json, reason);
      }
      json.writeEndArray();
      failing(json, foreseen);
      if (foreseen.noData().isPresent()) {
        json.writeStringField("noReportData", foreseen.noData().get());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void reason(JsonGenerator json, Reason reason) throws IOException {
    json.writeStartObject();
    json.writeStringField("effect", reason.direction().toString());
    if (reason.rule().isPresent()) {
      json.writeStringField("rule", reason.rule().get());
    }
    json.writeStringField("text", reason.text());
    json.writeEndObject();
  }

  /// Absent where nobody counted: a zero would say that nobody is concerned.
  private static void failing(JsonGenerator json, Foreseen foreseen) throws IOException {
    if (foreseen.failing().isEmpty()) {
      return;
    }
    var failing = foreseen.failing().get();
    json.writeObjectFieldStart("failing");
    json.writeNumberField("workloads", failing.workloads());
    json.writeObjectFieldStart("namespaces");
    for (var namespace : failing.namespaces().entrySet()) {
      json.writeNumberField(namespace.getKey(), namespace.getValue());
    }
    json.writeEndObject();
    json.writeArrayFieldStart("names");
    for (var name : failing.names()) {
      json.writeString(name);
    }
    json.writeEndArray();
    json.writeBooleanField("complete", foreseen.impact().covered());
    if (foreseen.age().isPresent()) {
      json.writeNumberField("newestResultSeconds", foreseen.age().get().toSeconds());
    }
    json.writeEndObject();
  }
}
