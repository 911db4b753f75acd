package dev.policysync.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.policysync.lint.Finding;
import dev.policysync.lint.Severity;
import dev.policysync.lint.Verdict;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/// What lint found as one line of JSON; its names are part of the program's interface.
final class LintJson {
  private static final JsonFactory FACTORY = new JsonFactory();

  private LintJson() {}

  /// @param policies how many were judged
  static String write(Verdict verdict, int policies) {
    var text = new StringWriter();
    try (var json = FACTORY.createGenerator(text)) {
      json.writeStartObject();
      json.writeNumberField("policies", policies);
      json.writeNumberField("errors", verdict.count(Severity.ERROR));
      json.writeNumberField("warnings", verdict.count(Severity.WARNING));
      json.writeNumberField("notes", verdict.count(Severity.NOTE));
      json.writeArrayFieldStart("findings");
      for (var finding : verdict.findings()) {
        json.writeStartObject();
        finding(json, finding);
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeArrayFieldStart("suppressed");
      for (var suppressed : verdict.suppressed()) {
        json.writeStartObject();
        finding(json, suppressed.finding());
        json.writeStringField("reason", suppressed.reason());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
    return text.toString();
  }

  private static void finding(JsonGenerator json, Finding finding) throws IOException {
    json.writeStringField("id", finding.hazard().id());
    json.writeStringField("severity", finding.severity().text());
    json.writeStringField("policy", finding.policy());
    json.writeStringField("file", finding.position().source());
    json.writeNumberField("document", finding.position().document());
    json.writeNumberField("line", finding.position().line());
    json.writeNumberField("column", finding.position().column());
    json.writeStringField("path", finding.path());
    json.writeStringField("title", finding.hazard().title());
    json.writeStringField("message", finding.message());
    json.writeStringField("fix", finding.fix());
    json.writeStringField("kyverno", finding.hazard().versions().toString());
    json.writeStringField("page", finding.hazard().page());
  }
}
