package dev.policysync.report.view;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.policysync.policy.PolicyId;
import dev.policysync.report.CollectionStatistics;
import dev.policysync.report.Finding;
import dev.policysync.report.Findings;
import dev.policysync.report.ReportResult;
import dev.policysync.report.ResultCounts;
import dev.policysync.report.Totals;
import java.io.IOException;
import java.io.Writer;
import java.time.temporal.ChronoUnit;

/// Streams totals and findings as one JSON document. Programs read it, so its field names are part
/// of the program's interface: `docs/report-views.md` documents them, and a golden file tests them.
public final class FindingsJson {
  static final JsonFactory FACTORY =
      new JsonFactory()
          .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
          .disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);

  private final Findings findings;
  private final FindingContext context;
  private final JsonGenerator json;

  private FindingsJson(Findings findings, FindingContext context, JsonGenerator json) {
    this.findings = findings;
    this.context = context;
    this.json = json;
  }

  /// Writes the document and a line break.
  public static void write(Findings findings, FindingContext context, Writer out)
      throws IOException {
    try (var json = FACTORY.createGenerator(out)) {
      json.writeStartObject();
      head(json, context.reportHeader());
      ReportSizesJson.write(json, findings.sizes());
      new FindingsJson(findings, context, json).write();
      json.writeEndObject();
    }
    out.write('\n');
  }

  static void head(JsonGenerator json, ReportHeader reportHeader) throws IOException {
    json.writeStringField("cluster", reportHeader.cluster());
    json.writeStringField("at", reportHeader.at().truncatedTo(ChronoUnit.SECONDS).toString());
    json.writeStringField("program", reportHeader.program());
  }

  private void write() throws IOException {
    change();
    nullable("ownerLabel", context.owners().map(Owners::label).orElse(""));
    totals(findings.totals());
    remarks(json, findings.statistics());
    json.writeArrayFieldStart("findings");
    try (var stream = findings.stream()) {
      for (var finding : (Iterable<Finding>) stream::iterator) {
        finding(finding);
      }
    }
    json.writeEndArray();
    json.writeArrayFieldStart("gone");
    if (context.comparison().isPresent()) {
      context.comparison().get().gone(this::gone);
    }
    json.writeEndArray();
  }

  private void change() throws IOException {
    json.writeFieldName("since");
    if (context.comparison().isEmpty()) {
      json.writeNull();
      return;
    }
    var comparison = context.comparison().get();
    json.writeStartObject();
    json.writeStringField("at", comparison.since().truncatedTo(ChronoUnit.SECONDS).toString());
    json.writeNumberField("new", comparison.added());
    json.writeNumberField("gone", comparison.gone());
    json.writeEndObject();
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
      nullable("link", of.policy().link().orElse(""));
      counts(of.resultCounts());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("namespaces");
    for (var of : totals.namespaces()) {
      counts("namespace", of.namespace(), of.resultCounts());
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

  private void counts(String field, String name, ResultCounts resultCounts) throws IOException {
    json.writeStartObject();
    json.writeStringField(field, name);
    counts(resultCounts);
    json.writeEndObject();
  }

  private void counts(ResultCounts resultCounts) throws IOException {
    for (var result : ReportResult.values()) {
      json.writeNumberField(result.toString(), resultCounts.of(result));
    }
  }

  public static void remarks(JsonGenerator json, CollectionStatistics collectionStatistics)
      throws IOException {
    json.writeObjectFieldStart("remarks");
    json.writeNumberField("staleReports", collectionStatistics.staleReports());
    json.writeNumberField("superseded", collectionStatistics.superseded());
    json.writeNumberField("ofControllers", collectionStatistics.ofControllers());
    json.writeNumberField("withoutPolicy", collectionStatistics.withoutPolicy());
    json.writeNumberField("unknownResults", collectionStatistics.unknownResults());
    json.writeNumberField("unknownSeverities", collectionStatistics.unknownSeverities());
    json.writeNumberField("malformed", collectionStatistics.malformed());
    json.writeNumberField("cutMessages", collectionStatistics.cutMessages());
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
    json.writeStringField("message", finding.resultMessage().text());
    json.writeBooleanField("messageCut", finding.resultMessage().cut());
    nullable("seen", finding.seen().map(Object::toString).orElse(""));
    json.writeNumberField("pods", finding.pods());
    json.writeStringField("firstSeen", context.firstSeen(finding).toString());
    json.writeFieldName("new");
    var isNew = context.isNew(finding);
    if (isNew.isPresent()) {
      json.writeBoolean(isNew.get());
    } else {
      json.writeNull();
    }
    nullable("owner", context.owner(finding).orElse(""));
    json.writeEndObject();
  }

  private void gone(EarlierFinding finding) throws IOException {
    json.writeStartObject();
    json.writeStringField("severity", finding.severity());
    json.writeStringField("result", finding.result());
    json.writeStringField("policy", finding.policy());
    json.writeStringField("source", finding.source());
    json.writeStringField("title", finding.title());
    json.writeStringField("rule", finding.rule());
    json.writeStringField("kind", finding.kind());
    json.writeStringField("namespace", finding.namespace());
    json.writeStringField("name", finding.name());
    json.writeStringField("uid", finding.uid());
    nullable("firstSeen", finding.firstSeen().map(Object::toString).orElse(""));
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
