package dev.policysync.cli.lint;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.policysync.base.Json;
import dev.policysync.lint.LintFinding;
import dev.policysync.lint.LintResult;
import dev.policysync.lint.LintSeverity;
import java.io.IOException;

/// The lint findings as one line of JSON. The field names are part of the program's interface.
final class LintJson {
  private LintJson() {}

  /// @param policies the number of linted policies
  static String write(LintResult lintResult, int policies) {
    return Json.write(json -> {
      json.writeStartObject();
      json.writeNumberField("policies", policies);
      json.writeNumberField("errors", lintResult.count(LintSeverity.ERROR));
      json.writeNumberField("warnings", lintResult.count(LintSeverity.WARNING));
      json.writeNumberField("notes", lintResult.count(LintSeverity.NOTE));
      json.writeNumberField("skipped", lintResult.skipped().size());
      json.writeArrayFieldStart("findings");
      for (var lintFinding : lintResult.findings()) {
        json.writeStartObject();
        finding(json, lintFinding);
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeArrayFieldStart("suppressed");
      for (var suppressed : lintResult.suppressed()) {
        json.writeStartObject();
        finding(json, suppressed.lintFinding());
        json.writeStringField("reason", suppressed.reason());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    });
  }

  private static void finding(JsonGenerator json, LintFinding lintFinding) throws IOException {
    json.writeStringField("id", lintFinding.hazard().id());
    json.writeStringField("severity", lintFinding.lintSeverity().text());
    json.writeStringField("policy", lintFinding.policy());
    json.writeStringField("file", lintFinding.position().source());
    json.writeNumberField("document", lintFinding.position().document());
    json.writeNumberField("line", lintFinding.position().line());
    json.writeNumberField("column", lintFinding.position().column());
    json.writeStringField("path", lintFinding.path());
    json.writeStringField("title", lintFinding.hazard().title());
    json.writeStringField("message", lintFinding.message());
    json.writeStringField("fix", lintFinding.fix());
    json.writeStringField("kyverno", lintFinding.hazard().affectedVersions().toString());
    json.writeStringField("page", lintFinding.hazard().page());
  }
}
