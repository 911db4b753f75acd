package dev.policysync.view;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.policysync.policy.PolicyId;
import dev.policysync.report.Counts;
import dev.policysync.report.Finding;
import dev.policysync.report.Findings;
import dev.policysync.report.ReportResult;
import dev.policysync.report.Totals;
import java.io.IOException;
import java.io.Writer;

/// Totals and findings as one JSON document, written as the findings come. Programs read it, so its
/// names are part of the program's interface: `docs/report-views.md` tells them, a golden file
/// holds them.
public final class FindingsJson {
  private static final JsonFactory FACTORY =
      new JsonFactory()
          .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
          .disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);

  private final Findings findings;
  private final JsonGenerator json;

  private FindingsJson(Findings findings, JsonGenerator json) {
    this.findings = findings;
    this.json = json;
  }

  /// Writes the document and a line end.
  public static void write(Findings findings, Occasion occasion, Writer out) throws IOException {
    try (var json = FACTORY.createGenerator(out)) {
      json.writeStartObject();
      head(json, occasion);
      SizesJson.write(json, findings.sizes());
      new FindingsJson(findings, json).write();
      json.writeEndObject();
    }
    out.write('\n');
  }

  static void head(JsonGenerator json, Occasion occasion) throws IOException {
    json.writeStringField("cluster", occasion.cluster());
    json.writeStringField("at", occasion.at().toString());
    json.writeStringField("program", occasion.program());
  }

  private void write() throws IOException {
    totals(findings.totals());
    remarks();
    json.writeArrayFieldStart("findings");
    try (var stream = findings.stream()) {
      for (var finding : (Iterable<Finding>) stream::iterator) {
        finding(finding);
      }
    }
    json.writeEndArray();
  }

  private void totals(Totals totals) throws IOException {
    json.writeObjectFieldStart("totals");
    json.writeObjectFieldStart("all");
    counts(totals.all());
    json.writeEndObject();
    json.writeArrayFieldStart("policies");
    for (var of : totals.policies()) {
      json.writeStartObject();
      json.writeStringField("policy", of.policy().name());
      json.writeStringField("source", of.policy().source());
      nullable("object", of.policy().id().map(PolicyId::key).orElse(""));
      json.writeStringField("title", of.policy().title());
      json.writeStringField("description", of.policy().description());
      json.writeStringField("remediation", of.policy().remediation());
      counts(of.counts());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("namespaces");
    for (var of : totals.namespaces()) {
      counts("namespace", of.namespace(), of.counts());
    }
    json.writeEndArray();
    json.writeArrayFieldStart("severities");
    for (var of : totals.severities().entrySet()) {
      counts("severity", of.getKey().toString(), of.getValue());
    }
    json.writeEndArray();
    json.writeArrayFieldStart("categories");
    for (var of : totals.categories().entrySet()) {
      counts("category", of.getKey().toString(), of.getValue());
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void counts(String field, String name, Counts counts) throws IOException {
    json.writeStartObject();
    json.writeStringField(field, name);
    counts(counts);
    json.writeEndObject();
  }

  private void counts(Counts counts) throws IOException {
    for (var result : ReportResult.values()) {
      json.writeNumberField(result.toString(), counts.of(result));
    }
  }

  private void remarks() throws IOException {
    var remarks = findings.remarks();
    json.writeObjectFieldStart("remarks");
    json.writeNumberField("staleReports", remarks.staleReports());
    json.writeNumberField("superseded", remarks.superseded());
    json.writeNumberField("ofControllers", remarks.ofControllers());
    json.writeNumberField("withoutPolicy", remarks.withoutPolicy());
    json.writeNumberField("unknownResults", remarks.unknownResults());
    json.writeNumberField("unknownSeverities", remarks.unknownSeverities());
    json.writeNumberField("malformed", remarks.malformed());
    json.writeNumberField("cutMessages", remarks.cutMessages());
    json.writeEndObject();
  }

  private void finding(Finding finding) throws IOException {
    var resource = finding.resource();
    json.writeStartObject();
    json.writeStringField("severity", finding.severity().toString());
    json.writeNumberField("severityNumber", finding.severity().number());
    json.writeStringField("result", finding.result().toString());
    json.writeStringField("category", finding.category().toString());
    json.writeStringField("policy", finding.policy().name());
    json.writeStringField("source", finding.policy().source());
    json.writeStringField("title", finding.policy().title());
    json.writeStringField("rule", finding.rule());
    json.writeStringField("apiVersion", resource.apiVersion());
    json.writeStringField("kind", resource.kind());
    json.writeStringField("namespace", resource.namespace());
    json.writeStringField("name", resource.name());
    json.writeStringField("uid", resource.uid());
    json.writeStringField("message", finding.message().text());
    json.writeBooleanField("messageCut", finding.message().cut());
    nullable("seen", finding.seen().map(Object::toString).orElse(""));
    json.writeNumberField("pods", finding.pods());
    json.writeEndObject();
  }

  private void nullable(String field, String text) throws IOException {
    json.writeFieldName(field);
    if (text.isEmpty()) {
      json.writeNull();
    } else {
      json.writeString(text);
    }
  }
}
